import type { Instant } from "../../../kernel/clock";
import { afterRenewals, countedEnd, noticeDeadline, type Renewal, upliftedAmount } from "../../pricing/rules.renewal";
import type { ScheduledItem } from "./rules.cycles";

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
	return noticeDeadline(renewal, end);
}

/** Returns an item for the term after its own. Its cycles begin with the term. */
export function renewed<Item extends ScheduledItem>(item: Item, renewal: Renewal): Item {
	const start = item.activationEndAt as Instant;
	return {
		...item,
		rows: item.rows.map((row) => ({ ...row, price: row.price && upliftedAmount(row.price, renewal) })),
		activationStartAt: start,
		activationEndAt: countedEnd(afterRenewals({ from: start, months: 0 }, renewal, 1)),
		cyclesFrom: null,
		billedUntil: null,
	};
}

/** Returns the end of the last item; null if none has an end. */
const termEnd = (items: readonly ScheduledItem[]): Instant | null => {
	const ends = inTerm(items).flatMap(({ activationEndAt }) => activationEndAt ?? []);
	return ends.length === 0 ? null : (Math.max(...ends) as Instant);
};
