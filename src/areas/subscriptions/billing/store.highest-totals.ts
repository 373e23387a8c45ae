import { and, eq, gte, lt, sql, sum } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Period } from "../../../kernel/period";
import { saveRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { type HighestTotalRow, highestTotals } from "./table.highest-totals";

/** The usage of a subscription that each event charges. */
export interface TotalsOf {
	/** Row id. */
	readonly subscriptionId: string;
	/** The key of the usage charge. */
	readonly key: string;
}

const { placeholder } = sql;

const statements = (tx: Transaction) => ({
	one: tx
		.select()
		.from(highestTotals)
		.where(
			and(
				eq(highestTotals.subscriptionId, placeholder("subscriptionId")),
				eq(highestTotals.key, placeholder("key")),
				eq(highestTotals.startsAt, placeholder("startsAt")),
			),
		)
		.prepare(),
	changes: tx
		.select({ all: sum(highestTotals.changes).mapWith(Number) })
		.from(highestTotals)
		.where(
			and(
				eq(highestTotals.subscriptionId, placeholder("subscriptionId")),
				eq(highestTotals.key, placeholder("key")),
				gte(highestTotals.startsAt, placeholder("from")),
				lt(highestTotals.startsAt, placeholder("to")),
			),
		)
		.prepare(),
});

export const selectHighestTotal = (work: Work, of: TotalsOf, startsAt: Instant): HighestTotalRow | undefined =>
	work.prepared(statements).one.get({ ...of, startsAt });

/** Returns how often the highest totals of windows that start within a time have changed. */
export const countHighestTotals = (work: Work, of: TotalsOf, { start, end }: Period): number =>
	work.prepared(statements).changes.get({ ...of, from: start, to: end })?.all ?? 0;

export const saveHighestTotal = (work: Work, row: HighestTotalRow): void => {
	saveRow(work, highestTotals, row);
};
