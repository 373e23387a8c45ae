import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import type { Transaction, Work } from "../../kernel/work";
import { type CreditGrantRow, creditGrants } from "./table";

/** Returns one of the grants of the environment that are due at exactly this time. */
export const firstGrantDueAt = (work: Work, dueAt: Instant): CreditGrantRow | undefined =>
	work.prepared(grantDueAt).get({ environmentId: work.actor.environmentId, dueAt });

const grantDueAt = (tx: Transaction) =>
	tx
		.select()
		.from(creditGrants)
		.where(
			and(
				eq(creditGrants.environmentId, sql.placeholder("environmentId")),
				eq(creditGrants.nextDueAt, sql.placeholder("dueAt")),
				isNotNull(creditGrants.nextDueAt),
			),
		)
		.limit(1)
		.prepare();

/** Returns the active grants of a recurring source. */
export const recurringGrantsOf = (work: Work, sourceId: string): CreditGrantRow[] =>
	work.prepared(grantsOfSource).all({ environmentId: work.actor.environmentId, sourceId });

const grantsOfSource = (tx: Transaction) =>
	tx
		.select()
		.from(creditGrants)
		.where(
			and(
				eq(creditGrants.environmentId, sql.placeholder("environmentId")),
				eq(creditGrants.sourceId, sql.placeholder("sourceId")),
				isNotNull(creditGrants.sourceId),
				eq(creditGrants.status, "ACTIVE"),
			),
		)
		.orderBy(asc(creditGrants.id))
		.prepare();
