import type { Instant } from "../../../../kernel/clock";
import { type Decimal, exact } from "../../../../kernel/decimal";
import type { Period } from "../../../../kernel/period";
import type { Work } from "../../../../kernel/work";
import type { UsageState } from "../../../billing/table";
import { type CountedEvents, countedEvents, type UsageOf } from "../../../usage/operations";
import { countHighestTotals, selectHighestTotal, type TotalsOf } from "../store.highest-totals";

/** Returns the highest total that a window has reached, in the order of the log. `total` is its present total. */
export function highestTotal(work: Work, of: TotalsOf, { start, end }: Period, total: Decimal): Decimal {
	const lowered = selectHighestTotal(work, of, start);
	return lowered && lowered.lastAt < end && exact(lowered.highest).gt(exact(total)) ? lowered.highest : total;
}

/** As `countedEvents`, with the changes of highest totals. */
export function countedChanges(work: Work, of: UsageOf & { readonly totals?: TotalsOf }): CountedEvents {
	const events = countedEvents(work, of);
	const { totals } = of;
	if (!totals) return events;
	return {
		...events,
		within: (period) => events.within(period) + countHighestTotals(work, totals, period),
		before: (end) => events.before(end) + countHighestTotals(work, totals, { start: firstInstant, end }),
	};
}

/** Returns how many events a window has gained since its last bill. A cancellation counts as one. */
export const eventsSince = (
	work: Work,
	of: UsageOf,
	window: Period,
	state: Pick<UsageState, "events"> | null,
): number => Math.max(0, countedEvents(work, of).within(window) - (state?.events ?? 0));

const firstInstant = -8.64e15 as Instant;
