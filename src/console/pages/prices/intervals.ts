import type { PricePeriod } from "../../../areas/packages/charges/schema";
import { type BillingPeriod, intervalOf, periodOf, shownPeriod } from "../../../areas/pricing/rules.billing-period";

/** The intervals of usage that the form offers. */
export const chargeIntervals = ["DAILY", "WEEKLY", "MONTHLY", "QUARTERLY", "HALF_YEARLY", "ANNUALLY"] as const;

/** Returns the one interval of all periods other than itself; undefined: there is none. */
export function sharedInterval(
	periods: ReadonlyArray<Pick<PricePeriod, "billingPeriod" | "billingInterval" | "chargeInterval">>,
): BillingPeriod | undefined | "several" {
	const stated = periods.map(({ chargeInterval }) => chargeInterval && periodOf(chargeInterval));
	const interval = stated.find(Boolean);
	const isShared = periods.every((row, at) => stated[at] === (interval === shownPeriod(row) ? undefined : interval));
	return isShared ? interval : "several";
}

/** Returns the interval of usage in a period; undefined: it is the period. */
export const intervalWithin = (
	period: BillingPeriod,
	interval: BillingPeriod | undefined,
): PricePeriod["chargeInterval"] | undefined =>
	interval !== undefined && interval !== period ? intervalOf(interval) : undefined;
