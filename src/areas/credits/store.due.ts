import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import type { Transaction, Work } from "../../kernel/work";
import { type CreditGrantRow, creditGrants } from "./table";

/** One of those that are due at that very time in the environment. */
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
