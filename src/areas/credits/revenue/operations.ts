import { type Instant, instantOf } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { currenciesByIds, getCurrency } from "../../currencies/operations";
import { type RevenueFigures, revenueBetween } from "./rules";
import { revenueStart } from "./rules.tally";
import type { RevenueQuery } from "./schema";
import { revenueUntil } from "./store";

export interface RevenueReport {
	/** The beginning of the first day and the end of the last, UTC; null where the query has none. */
	readonly from: Instant | null;
	readonly to: Instant | null;
	/** `currencyId` is the caller's id. Sorted by it, then by grant type and currency of cost. */
	readonly figures: RevenueFigures[];
}

const dayMs = 86_400_000;

/** Returns the revenue of whole days. Reads running totals by day and month, so the cost does not grow with the ledger. */
export function revenueOf(work: Work, query: Omit<RevenueQuery, "format">): RevenueReport {
	const from = query.from === undefined ? null : revenueStart("day", instantOf(query.from));
	const to = query.to === undefined ? null : endOfDay(instantOf(query.to));
	if (from !== null && to !== null && from >= to)
		throw fail("InvalidArgumentError", "'to' must be later than 'from'; the range is widened to whole days, UTC.");
	const figures = revenueBetween(from === null ? [] : revenueUntil(work, from), revenueUntil(work, to));
	const currencies = currenciesByIds(work, [...new Set(figures.map(({ currencyId }) => currencyId))]);
	const named = figures.map((row) => ({ ...row, currencyId: currencies.get(row.currencyId)?.refId ?? row.currencyId }));
	return { from, to, figures: ofCurrency(work, named, query.currencyId).sort(inOrder) };
}

/** Filters by currency; also by an archived one, if it has revenue. */
function ofCurrency(work: Work, figures: RevenueFigures[], currencyRef: string | undefined): RevenueFigures[] {
	if (currencyRef === undefined) return figures;
	const those = figures.filter(({ currencyId }) => currencyId === currencyRef);
	if (those.length === 0) getCurrency(work, currencyRef);
	return those;
}

/** Rounds up to the beginning of a day, the end of the previous one. */
const endOfDay = (at: Instant): Instant => revenueStart("day", (at + dayMs - 1) as Instant);

const inOrder = (one: RevenueFigures, other: RevenueFigures): number =>
	compare(one.currencyId, other.currencyId) ||
	compare(one.grantType, other.grantType) ||
	compare(one.costCurrency, other.costCurrency);

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
