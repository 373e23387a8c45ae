import { and, asc, eq, isNotNull, isNull, min, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { DueSource } from "../../../kernel/due";
import type { Transaction, Work } from "../../../kernel/work";
import { environments } from "../table";

/** A table whose rows keep when something happens to them by themselves; indexed by environment and that time. */
type TableWithDueTimes = SQLiteTable & { readonly environmentId: SQLiteColumn; readonly nextDueAt: SQLiteColumn };

/** When the first row is due, of one environment and of each: one look along the index for each, however many wait. */
export function dueTimesOf(table: TableWithDueTimes): Pick<DueSource, "firstDueAt" | "firstDueOfEach"> {
	const first = { at: sql<Instant | null>`${min(table.nextDueAt)}` };
	const firstOfOne = (tx: Transaction) =>
		tx
			.select(first)
			.from(table)
			.where(and(eq(table.environmentId, sql.placeholder("environmentId")), isNotNull(table.nextDueAt)))
			.prepare();
	const firstOfEach = (tx: Transaction) => {
		// A query within, not a text of one: a text's columns lose the names of their tables where there is one table only.
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
		firstDueAt: (work: Work) => work.prepared(firstOfOne).get({ environmentId: work.actor.environmentId })?.at ?? null,
		firstDueOfEach: (work: Work) =>
			work
				.prepared(firstOfEach)
				.all()
				.flatMap(({ dueAt, ...environment }) => (dueAt === null ? [] : { ...environment, dueAt })),
	};
}
