import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Transaction, Work } from "../../../kernel/work";
import { type EntityRow, entities } from "../table";

/** Returns one of the entities of the environment that are due at exactly this time. */
export const entityDueAt = (work: Work, dueAt: Instant): EntityRow | undefined =>
	work.prepared(dueEntity).get({ environmentId: work.actor.environmentId, dueAt });

const dueEntity = (tx: Transaction) =>
	tx
		.select()
		.from(entities)
		.where(
			and(
				eq(entities.environmentId, sql.placeholder("environmentId")),
				eq(entities.nextDueAt, sql.placeholder("dueAt")),
				isNotNull(entities.nextDueAt),
			),
		)
		.limit(1)
		.prepare();
