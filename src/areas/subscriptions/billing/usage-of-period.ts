import type { Instant } from "../../../kernel/clock";
import type { Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { billingPeriodAt } from "../rules";
import type { SubscriptionRow } from "../table";
import type { Sale } from "../terms/sale";
import type { CountedUsage } from "./counted-usage";
import { baseFree, countIn, type EndOfWindow, freeUnitsBefore, levelWindowOf } from "./measures/count-window";
import { quantityIn } from "./measures/measure";
import { averagedOver, laterOf, windowsOf } from "./measures/usage-windows";
import { type UsedPrice, usedPrices } from "./measures/used-prices";
import { isLongerThanPeriod } from "./rules.usage-intervals";

/** Returns all on-demand usage of the current billing period or trial, billed or not, to compare with a budget. */
export function usageOfPeriod(work: Work, subscription: SubscriptionRow, sale: Sale): CountedUsage[] {
	const { start } = billingPeriodAt(subscription, work.now) ?? { start: subscription.startAt };
	const period = { start: laterOf(start, subscription.startAt), end: (work.now + 1) as Instant };
	return usedPrices(work, subscription, sale).flatMap((used) =>
		used.kind === "usage" && isLongerThanPeriod(sale, used.price.charge)
			? countWithin(work, subscription, sale, used, period, {})
			: windowsOf(subscription, used, period, period.start).map((window) => countIn(work, sale, used, window)),
	);
}

/**
 * Returns the on-demand usage of a past period alone, by any bill. For a window that began earlier, usage before the period
 * counts as billed.
 */
export const usageWithin = (work: Work, subscription: SubscriptionRow, sale: Sale, period: Period): CountedUsage[] =>
	usedPrices(work, subscription, sale).flatMap((used) =>
		countWithin(work, subscription, sale, used, period, { isEnded: true }),
	);

function countWithin(
	work: Work,
	subscription: SubscriptionRow,
	sale: Sale,
	used: UsedPrice,
	period: Period,
	ending: Pick<EndOfWindow, "isEnded">,
): CountedUsage[] {
	const { start } = period;
	const charged = subscription.trialEndAt ?? subscription.startAt;
	// Segments have several amounts, so those of the period count from its start.
	const isWhole = used.kind === "usage" && isLongerThanPeriod(sale, used.price.charge) && !used.segmented;
	return windowsOf(subscription, used, period, isWhole && charged < start ? charged : start).map((window) => {
		if (window.start >= start) return countIn(work, sale, used, window, ending);
		const before = { start: window.start, end: start };
		const levelWindow = levelWindowOf(used, window, window.start, {});
		const billed = quantityIn(work, used.of, before, { averagedOverMs: averagedOver(used, window), levelWindow });
		const part = { ...window, end: start };
		const free = freeUnitsBefore(sale, used, billed, part);
		const state = { base: { quantity: billed, at: start, ...baseFree(free.freeUnits) }, ...free };
		return countIn(work, sale, used, window, { billed, state, ...ending });
	});
}
