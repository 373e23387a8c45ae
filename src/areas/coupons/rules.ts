import { fail } from "../../kernel/errors";
import type { CouponCreate, CouponStatus, CouponType } from "./schema";

/** A coupon takes off a percentage or fixed amounts: exactly one of the two, and one amount for each currency. */
export function assertOneDiscount({ percentOff, amountsOff }: Pick<CouponCreate, "percentOff" | "amountsOff">): void {
	if ((percentOff === null) === (amountsOff === null))
		throw fail("BadUserInput", "Give exactly one of 'percentOff' and 'amountsOff'; the other must be null.");
	const currencies = amountsOff?.map(({ currency }) => currency) ?? [];
	const twice = currencies.find((currency, at) => currencies.indexOf(currency) !== at);
	if (twice) throw fail("BadUserInput", `'amountsOff' names the currency '${twice}' twice.`);
}

export const couponType = ({ percentOff }: { readonly percentOff: string | null }): CouponType =>
	percentOff === null ? "FIXED" : "PERCENTAGE";

export const couponStatus = ({ archivedAt }: { readonly archivedAt: number | null }): CouponStatus =>
	archivedAt === null ? "ACTIVE" : "ARCHIVED";

/** Archived coupons keep working where they were applied, and are refused anywhere new. */
export function assertApplicable(coupon: { readonly refId: string; readonly archivedAt: number | null }): void {
	if (couponStatus(coupon) === "ARCHIVED")
		throw fail("ArchivedCouponCantBeApplied", `Coupon '${coupon.refId}' is archived; choose an active one.`);
}
