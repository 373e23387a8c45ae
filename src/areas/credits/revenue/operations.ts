import { type Instant, instantOf } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { currenciesByIds, getCurrency } from "../../currencies/operations";
import { type RevenueFigures, revenueBetween } from "./rules";
import { revenueStart } from "./rules.tally";
import type { RevenueQuery } from "./schema";
import { revenueUntil } from "./store";

export interface RevenueOfTime {
	/** The beginning of the first day and the end of the last, UTC; null where the query names none. */
	readonly from: Instant | null;
	readonly to: Instant | null;
	/** `currencyId` is the caller's. Ordered by it, then by grant type and currency of cost. */
	readonly figures: RevenueFigures[];
}

const dayMs = 86_400_000;

/**
 * What became of the cost of grants within some whole days: read from running totals by days and months, however long the
 * ledger is.
 */
export function revenueOf(work: Work, query: Omit<RevenueQuery, "format">): RevenueOfTime {
	const from = query.from === undefined ? null : revenueStart("day", instantOf(query.from));
	const to = query.to === undefined ? null : endOfDay(instantOf(query.to));
	if (from !== null && to !== null && from >= to)
		throw fail("InvalidArgumentError", "'to' must be later than 'from'; the figures are of whole days, UTC.");
	const figures = revenueBetween(from === null ? [] : revenueUntil(work, from), revenueUntil(work, to));
	const currencies = currenciesByIds(work, [...new Set(figures.map(({ currencyId }) => currencyId))]);
	const named = figures.map((row) => ({ ...row, currencyId: currencies.get(row.currencyId)?.refId ?? row.currencyId }));
	return { from, to, figures: ofCurrency(work, named, query.currencyId).sort(inOrder) };
}

/** Of an archived currency too, as long as anything was granted of it. */
function ofCurrency(work: Work, figures: RevenueFigures[], currencyRef: string | undefined): RevenueFigures[] {
	if (currencyRef === undefined) return figures;
	const those = figures.filter(({ currencyId }) => currencyId === currencyRef);
	if (those.length === 0) getCurrency(work, currencyRef);
	return those;
}

/** The day's beginning is the end of the day before. */
const endOfDay = (at: Instant): Instant => revenueStart("day", (at + dayMs - 1) as Instant);

const inOrder = (one: RevenueFigures, other: RevenueFigures): number =>
	compare(one.currencyId, other.currencyId) ||
	compare(one.grantType, other.grantType) ||
	compare(one.costCurrency, other.costCurrency);

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
