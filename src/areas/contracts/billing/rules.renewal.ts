import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, toDecimal } from "../../../kernel/decimal";
import { addDays, addMonths } from "../../../kernel/period";
import type { ContractRow as PricedRow } from "../../pricing/models/contract-rows";
import type { ScheduledItem } from "./rules.cycles";

/** The renewal of a contract after its term, an addition to the interface. */
export interface Renewal {
	/** The length of each further term. */
	readonly months: number;
	/** Days before the end of a term at which it is renewed; until then the renewal can be canceled. */
	readonly noticePeriodDays: number;
	/** The price increase of each term; "0" for none. */
	readonly upliftPercentage: Decimal;
}

/**
 * Returns the items that a renewal continues: recurring items that run to the end of the term, without removed ones.
 */
export const renewableItems = <Item extends ScheduledItem>(items: readonly Item[]): Item[] => {
	const end = termEnd(items);
	return inTerm(items).filter(
		(item) => item.billingCycleUnit !== "one_time" && item.activationEndAt === end && end !== null,
	);
};

const inTerm = <Item extends ScheduledItem>(items: readonly Item[]): Item[] =>
	items.filter(({ takenOutAt }) => takenOutAt === null);

/** Returns when the term is renewed; null if there is nothing to renew. */
export function renewalDueAt(renewal: Renewal | null, items: readonly ScheduledItem[]): Instant | null {
	const end = termEnd(items);
	if (renewal === null || end === null || renewableItems(items).length === 0) return null;
	return addDays(end, -renewal.noticePeriodDays);
}

/** Returns an item for the term after its own. Its cycles begin with the term. */
export function renewed<Item extends ScheduledItem>(item: Item, { months, upliftPercentage }: Renewal): Item {
	const start = item.activationEndAt as Instant;
	return {
		...item,
		rows: item.rows.map((row) => raised(row, upliftPercentage)),
		activationStartAt: start,
		activationEndAt: addMonths(start, months),
		cyclesFrom: null,
		billedUntil: null,
	};
}

const raised = (row: PricedRow, percentage: Decimal): PricedRow => ({
	...row,
	price: row.price && toDecimal(exact(row.price).times(exact(percentage).plus(100)).times("0.01")),
});

/** Returns the end of the last item; null if none has an end. */
const termEnd = (items: readonly ScheduledItem[]): Instant | null => {
	const ends = inTerm(items).flatMap(({ activationEndAt }) => activationEndAt ?? []);
	return ends.length === 0 ? null : (Math.max(...ends) as Instant);
};
