import type { PricePeriod } from "../../../areas/packages/charges/schema";
import {
	type BillingPeriod,
	intervalOf,
	isPartOf,
	periodOf,
	shownPeriod,
} from "../../../areas/pricing/rules.billing-period";

/** The intervals of usage that the form offers. */
export const chargeIntervals = ["DAILY", "WEEKLY", "MONTHLY", "QUARTERLY", "HALF_YEARLY"] as const;

/** Returns the one interval of all periods of which it is a part; undefined: there is none. */
export function sharedInterval(
	periods: ReadonlyArray<Pick<PricePeriod, "billingPeriod" | "billingInterval" | "chargeInterval">>,
): BillingPeriod | undefined | "several" {
	const stated = periods.map(({ chargeInterval }) => chargeInterval && periodOf(chargeInterval));
	const interval = stated.find(Boolean);
	const isShared = periods.every((row, at) => {
		const fits = interval !== undefined && isPartOf(interval, shownPeriod(row));
		return stated[at] === (fits ? interval : undefined);
	});
	return isShared ? interval : "several";
}

/** Returns the interval within a period; undefined: usage is charged once in the period. */
export const intervalWithin = (
	period: BillingPeriod,
	interval: BillingPeriod | undefined,
): PricePeriod["chargeInterval"] | undefined =>
	interval !== undefined && isPartOf(interval, period) ? intervalOf(interval) : undefined;
