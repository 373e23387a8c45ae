import type { ChargeItem } from "../../../pricing/rate";
import type { ChargedPeriod, DiscountAndTax } from "../../table";
import { isKept, isSameCharge } from "../rules.bill";

/**
 * Returns the items that a change neither credits nor charges again, since their charge stays the same. A fixed discount is
 * spread over all items of a period, so it changes every charge, and so may several coupons. Another discount or tax changes only
 * charges that can be credited.
 */
export function unchangedItems(
	charged: ChargedPeriod | null,
	items: readonly ChargeItem[],
	{ coupon, discounts, taxPercentage }: DiscountAndTax,
): ChargeItem[] {
	if (!charged) return [];
	const hasSeveral = discounts !== undefined || charged.items.some(({ chargedDiscounts }) => chargedDiscounts);
	const isSameDiscount = !hasSeveral && !coupon?.amountsOff && Bun.deepEquals(charged.coupon, coupon);
	const hasSameTerms = isSameDiscount && charged.taxPercentage === taxPercentage;
	return charged.items.filter(
		(before) => (hasSameTerms || isKept(before)) && items.some((item) => isSameCharge([before], [item])),
	);
}
