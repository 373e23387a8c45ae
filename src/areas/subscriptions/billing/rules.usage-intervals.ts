import type { Instant } from "../../../kernel/clock";
import { type BillingPeriod, lengthOf, windowPeriodOf } from "../../pricing/rules.billing-period";
import { billingPeriodContaining, type Cycle } from "../rules";
import { onDemandPrices } from "../terms/charge-items";
import type { EffectivePrice } from "../terms/prices";
import type { Sale } from "../terms/sale";

/** Returns how often a price of usage is billed. A plan can bill all its overage by the month. */
const billedEach =
	({ plan }: Pick<Sale, "plan">) =>
	({ charge }: EffectivePrice): BillingPeriod =>
		charge.isOverage && plan.overageBillingPeriod === "MONTHLY" && !charge.priceTerms?.chargeInterval
			? "MONTHLY"
			: windowPeriodOf(charge);

/** Whether the windows of a price span several billing periods. */
export const isLongerThanPeriod = (
	{ billingPeriod }: Pick<Sale, "billingPeriod">,
	charge: Pick<EffectivePrice["charge"], "billingPeriod" | "priceTerms">,
): boolean => billingPeriod !== null && lengthOf(windowPeriodOf(charge)) > lengthOf(billingPeriod);

/** Returns when usage is next billed within a billing period; null if it waits for the end of the period. */
export function usageDueAfter(sale: Sale, cycle: Cycle, periodEnd: Instant, at: Instant): Instant | null {
	const { billingPeriod, prices } = sale;
	if (billingPeriod === null) return null;
	const ends = [...new Set(onDemandPrices(prices).map(billedEach(sale)))]
		.map((interval) => billingPeriodContaining(cycle, interval, at).end)
		.filter((end) => end < periodEnd);
	return ends.length === 0 ? null : (Math.min(...ends) as Instant);
}

/** Returns a function that tells whether the interval of a price ends at an instant. */
export function isBilledAt(sale: Sale, cycle: Cycle | null, at: Instant): (price: EffectivePrice) => boolean {
	const each = billedEach(sale);
	return (price) => cycle !== null && billingPeriodContaining(cycle, each(price), at).start === at;
}

/** Returns a function that tells whether the renewal at an instant bills a price: each but those whose windows continue. */
export function isBilledByRenewal(sale: Sale, cycle: Cycle | null, at: Instant): (price: EffectivePrice) => boolean {
	const ends = isBilledAt(sale, cycle, at);
	return (price) => !isLongerThanPeriod(sale, price.charge) || ends(price);
}
