import type { Instant } from "../../../kernel/clock";
import { type BillingPeriod, isPartOf } from "../../pricing/rules.billing-period";
import { billingPeriodContaining, type Cycle } from "../rules";
import { onDemandPrices } from "../terms/charge-items";
import type { EffectivePrice } from "../terms/prices";
import type { Sale } from "../terms/sale";

type Priced = Pick<EffectivePrice["charge"], "billingPeriod" | "priceTerms">;

/** Returns the length of the windows in which a price of usage counts. */
export const windowPeriodOf = ({ billingPeriod, priceTerms }: Priced): BillingPeriod =>
	priceTerms?.chargeInterval ?? billingPeriod;

/** Returns how often a price of usage is billed. A plan can bill all its overage by the month. */
const billedEach =
	({ plan }: Pick<Sale, "plan">) =>
	({ charge }: EffectivePrice): BillingPeriod =>
		charge.isOverage && plan.overageBillingPeriod === "MONTHLY" && !charge.priceTerms?.chargeInterval
			? "MONTHLY"
			: windowPeriodOf(charge);

/** Returns when usage is next billed within a billing period; null if it waits for the end of the period. */
export function usageDueAfter(sale: Sale, cycle: Cycle, periodEnd: Instant, at: Instant): Instant | null {
	const { billingPeriod, prices } = sale;
	if (billingPeriod === null) return null;
	const intervals = new Set(onDemandPrices(prices).map(billedEach(sale)));
	const ends = [...intervals]
		.filter((interval) => isPartOf(interval, billingPeriod))
		.map((interval) => billingPeriodContaining(cycle, interval, at).end)
		.filter((end) => end < periodEnd);
	return ends.length === 0 ? null : (Math.min(...ends) as Instant);
}

/** Returns a function that tells whether a price is billed at an instant within a billing period. */
export function isBilledAt(sale: Sale, cycle: Cycle | null, at: Instant): (price: EffectivePrice) => boolean {
	const each = billedEach(sale);
	const { billingPeriod } = sale;
	return (price) =>
		cycle !== null &&
		billingPeriod !== null &&
		isPartOf(each(price), billingPeriod) &&
		billingPeriodContaining(cycle, each(price), at).start === at;
}
