import { and, asc, eq, isNotNull, isNull, min, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { DueSource } from "../../../kernel/due";
import type { Transaction, Work } from "../../../kernel/work";
import { environments } from "../table";

/** A table with an index on the environment and the time at which a row's next step is due. */
type TableWithDueTimes = SQLiteTable & { readonly environmentId: SQLiteColumn; readonly nextDueAt: SQLiteColumn };

/**
 * Reads when the first row is due, for one environment and for all. Each needs one look at the index. That of one environment is remembered
 * until the table changes: each step asks all sources, and most of them have no part in it.
 */
export function dueTimesOf(table: TableWithDueTimes): Pick<DueSource, "firstDueAt" | "firstDueOfEach"> {
	const first = { at: sql<Instant | null>`${min(table.nextDueAt)}` };
	const firstOfOne = (tx: Transaction) =>
		tx
			.select(first)
			.from(table)
			.where(and(eq(table.environmentId, sql.placeholder("environmentId")), isNotNull(table.nextDueAt)))
			.prepare();
	const firstOfEach = (tx: Transaction) => {
		// A subquery, not a SQL text: the columns of a text lose their table's name if there is only one table.
		const firstDue = tx
			.select(first)
			.from(table)
			.where(and(eq(table.environmentId, environments.id), isNotNull(table.nextDueAt)));
		return tx
			.select({
				environmentId: environments.id,
				clockAt: environments.clockAt,
				dueAt: sql<Instant | null>`(${firstDue})`.as("due_at"),
			})
			.from(environments)
			.where(isNull(environments.archivedAt))
			.orderBy(asc(environments.id))
			.prepare();
	};
	return {
		firstDueAt: (work: Work) =>
			work.remembered(firstOfOne).get({ environmentId: work.actor.environmentId })?.at ?? null,
		firstDueOfEach: (work: Work) =>
			work
				.prepared(firstOfEach)
				.all()
				.flatMap(({ dueAt, ...environment }) => (dueAt === null ? [] : { ...environment, dueAt })),
	};
}
