import { type Big, exact } from "../../kernel/decimal";
import { currencyOf } from "./choice/price";
import { type ChargeItem, isSharedByTime, rateInvoice } from "./rate";
import { type BillingPeriod, lengthOf } from "./rules.billing-period";

/** The charges that a subscription pays in advance for each period. */
export interface PriceLevel {
	/** Usage items, one-off items and proration do not count. */
	readonly items: readonly ChargeItem[];
	/** Null if nothing has a price. */
	readonly billingPeriod: BillingPeriod | null;
}

export type PriceChange = "upgrade" | "downgrade" | "same";

/**
 * Classifies a change as an upgrade, which takes effect at once, or a downgrade, which waits as the product defines. A
 * change from no price to a price is an upgrade; the reverse is a downgrade. Otherwise the longer billing period
 * decides, then the higher sum of a period before discount and tax. Prices in two currencies cannot be compared and
 * count as equal. Our choice (docs/interface/subscriptions.md#changes).
 */
export function comparePrices(before: PriceLevel, after: PriceLevel): PriceChange {
	const [old, present] = [priceOf(before), priceOf(after)];
	if (old.amount.eq(0) !== present.amount.eq(0)) return old.amount.eq(0) ? "upgrade" : "downgrade";
	const longer =
		before.billingPeriod && after.billingPeriod && lengthOf(after.billingPeriod) - lengthOf(before.billingPeriod);
	if (longer) return longer > 0 ? "upgrade" : "downgrade";
	if (old.currency !== present.currency || old.amount.eq(present.amount)) return "same";
	return present.amount.gt(old.amount) ? "upgrade" : "downgrade";
}

/** Sums the recurring charges in advance of one whole period, rounded as on an invoice. */
function priceOf({ items }: PriceLevel): { readonly amount: Big; readonly currency: string | undefined } {
	const recurring = items
		.filter(({ charge }) => isSharedByTime(charge))
		.map(({ share: _, isCredit: __, ...item }): ChargeItem => item);
	const currency = currencyOf(recurring.map(({ charge }) => charge));
	if (currency === undefined) return { amount: exact(0), currency };
	return { amount: exact(rateInvoice({ items: recurring, currency }).subTotal), currency };
}
