import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, toDecimal } from "../../../kernel/decimal";
import { addUnits } from "../../../kernel/period";
import type { ContractRow as PricedRow } from "../../pricing/models/contract-rows";
import type { RatedItem } from "./rules.cycles";

/** How a contract goes on after its term. (Our own.) */
export interface Renewal {
	/** How long each further term is. */
	readonly months: number;
	/** So many days before the end of a term it is renewed; until then it can be called off. */
	readonly noticePeriodDays: number;
	/** By which the prices rise with each term; "0" leaves them. */
	readonly upliftPercentage: Decimal;
}

/** The items that a renewal goes on with: those that recur and run to the end of the term, but for what was taken out. */
export const renewableItems = <Item extends RatedItem>(items: readonly Item[]): Item[] => {
	const end = termEnd(items);
	return inTerm(items).filter(
		(item) => item.billingCycleUnit !== "one_time" && item.activationEndAt === end && end !== null,
	);
};

const inTerm = <Item extends RatedItem>(items: readonly Item[]): Item[] =>
	items.filter(({ takenOutAt }) => takenOutAt === null);

/** When the term is renewed by itself; null where there is nothing to renew. */
export function renewalDueAt(renewal: Renewal | null, items: readonly RatedItem[]): Instant | null {
	const end = termEnd(items);
	if (renewal === null || end === null || renewableItems(items).length === 0) return null;
	return addUnits(end, "days", -renewal.noticePeriodDays);
}

/** What an item is for the term after its own. Its cycles begin with the term. */
export function renewed<Item extends RatedItem>(item: Item, { months, upliftPercentage }: Renewal): Item {
	const start = item.activationEndAt as Instant;
	return {
		...item,
		rows: item.rows.map((row) => raised(row, upliftPercentage)),
		activationStartAt: start,
		activationEndAt: addUnits(start, "months", months),
		cyclesFrom: null,
		billedUntil: null,
		billed: null,
	};
}

const raised = (row: PricedRow, percentage: Decimal): PricedRow => ({
	...row,
	price: row.price && toDecimal(exact(row.price).times(exact(percentage).plus(100)).times("0.01")),
});

/** When the last item ends; null where none has an end. */
const termEnd = (items: readonly RatedItem[]): Instant | null => {
	const ends = inTerm(items).flatMap(({ activationEndAt }) => activationEndAt ?? []);
	return ends.length === 0 ? null : (Math.max(...ends) as Instant);
};
