import type { Work } from "../../../kernel/work";
import type { CouponRow } from "../../coupons/table";
import type { CustomerRow } from "../../customers/table";
import type { RatedInvoice } from "../../pricing/rate";
import type { Taxation } from "../../taxes/rules.levels";
import type { SubscriptionDetails } from "../details";
import { chargesOfPeriod } from "../terms/charge-items";
import type { PurchasedQuantity } from "../terms/purchased-quantities";
import { withUplifts } from "../terms/sale";
import { discountAndTax, discountsAt } from "./payer";
import { isOneOff, rateBill } from "./rules.bill";

export interface PricedSubscription {
	readonly details: SubscriptionDetails;
	readonly purchased: readonly PurchasedQuantity[];
	readonly product: { readonly refId: string };
	readonly customer: CustomerRow;
	/** The customer's own coupon. */
	readonly coupon: CouponRow | undefined;
	/** Undefined if no tax can apply. */
	readonly taxation: Taxation | undefined;
}

/**
 * Returns the price of a whole billing period in advance, at current terms and discount; undefined if nothing is
 * charged.
 */
export function recurringPrice(
	work: Work,
	{ details, purchased, product, customer, coupon, taxation }: PricedSubscription,
): RatedInvoice | undefined {
	const { row, prices, names, coupons } = details;
	const known = [...coupons.map((own) => own.coupon), ...(coupon ? [coupon] : [])];
	const discounts = discountsAt(work, {
		row,
		applied: coupons.map(({ applied }) => applied),
		holder: customer,
		coupons: new Map(known.map((one) => [one.id, one])),
	});
	const { minimumSpend, uplifts } = row;
	const sale = { ...withUplifts({ prices: [] }, uplifts, work.now), prices, phase: details.phases.running };
	const terms = { ...sale, purchased, names, product, minimumSpend };
	const items = chargesOfPeriod(terms, null);
	const [price] = rateBill({
		sections: [
			{
				items: items.filter((item) => !isOneOff(item)),
				...discountAndTax({ ...discounts, taxation }, row.taxPercentage),
			},
		],
	});
	return price;
}
