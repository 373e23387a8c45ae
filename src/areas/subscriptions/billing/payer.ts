import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { couponsByIds } from "../../coupons/operations";
import { couponEnd, isCouponActiveAt } from "../../coupons/rules.duration";
import type { CouponRow } from "../../coupons/table";
import { customersByIds } from "../../customers/operations";
import type { CustomerRow } from "../../customers/table";
import { taxationOf } from "../../taxes/operations";
import type { Taxation } from "../../taxes/rules.levels";
import type { DiscountAndTax, SubscriptionRow } from "../table";
import type { SubscriptionCouponRow } from "../table.parts";
import { selectCoupons } from "../terms/store";

/** The customer that has a subscription, and the customer that pays for it. */
export interface Parties {
	readonly customer: CustomerRow;
	readonly paying: CustomerRow;
}

/** The parties of a subscription, with the discount that applies. */
export interface Payer extends Parties {
	/** The active coupon. The subscription's own goes before the customer's, since one discount applies at a time. */
	readonly coupon: CouponRow | null;
	/** The taxes of its lines; undefined if no tax can apply. */
	readonly taxation: Taxation | undefined;
}

export const payerOf = (
	work: Work,
	subscription: SubscriptionRow,
	parties: Parties = partiesOf(work, subscription),
): Payer => ({
	...parties,
	coupon: activeCoupon(work, subscription, parties.customer),
	taxation: taxationOf(work, subscription, parties.paying),
});

function partiesOf(work: Work, { customerId, payingCustomerId }: SubscriptionRow): Parties {
	const found = customersByIds(work, [customerId, ...(payingCustomerId === null ? [] : [payingCustomerId])]);
	const customer = found.get(customerId);
	const paying = found.get(payingCustomerId ?? customerId);
	assert(customer && paying, "a subscription's customers exist in its environment");
	return { customer, paying };
}

function activeCoupon(work: Work, { id }: SubscriptionRow, holder: CustomerRow): CouponRow | null {
	const applied = selectCoupons(work, [id]);
	const coupons = couponsByIds(work, [
		...applied.map(({ couponId }) => couponId),
		...(holder.couponId === null ? [] : [holder.couponId]),
	]);
	return activeCouponAt(work.now, applied, holder, coupons);
}

/**
 * Returns the coupon that is active at an instant, of the subscription's own ones and the customer's. `coupons` are by
 * row id.
 */
export function activeCouponAt(
	now: Instant,
	applied: readonly SubscriptionCouponRow[],
	holder: Pick<CustomerRow, "couponId" | "couponAppliedAt">,
	coupons: ReadonlyMap<string, CouponRow>,
): CouponRow | null {
	const own = applied.find((one) => one.status === "ACTIVE" && isCouponActiveAt(one, now));
	if (own) return coupons.get(own.couponId) ?? null;
	const held = coupons.get(holder.couponId ?? "");
	const startAt = holder.couponAppliedAt ?? now;
	return held && isCouponActiveAt({ startAt, endAt: couponEnd(held, startAt) }, now) ? held : null;
}

/** Returns the discount and tax of a bill's items, in the form that is stored with the charge. */
export const discountAndTax = (
	{ coupon, taxation }: Pick<Payer, "coupon" | "taxation">,
	taxPercentage: Decimal | null,
): DiscountAndTax => ({
	coupon: coupon && { percentOff: coupon.percentOff, amountsOff: coupon.amountsOff },
	taxPercentage,
	...(taxation && { taxation }),
});
