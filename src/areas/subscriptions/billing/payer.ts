import type { Decimal } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { findEnvironment } from "../../access/operations";
import { couponsByIds } from "../../coupons/operations";
import { couponEnd, isCouponActiveAt } from "../../coupons/rules.duration";
import type { CouponRow } from "../../coupons/table";
import { customersByIds } from "../../customers/operations";
import type { CustomerRow } from "../../customers/table";
import { byScope, type NamedDiscount } from "../../pricing/discounts";
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

/** The discounts that apply to a bill. */
export interface Discounts {
	/** The active coupon. The subscription's own goes before the customer's, where one discount applies at a time. */
	readonly coupon: CouponRow | null;
	/** The active coupons in the order in which they apply, where all of them do; undefined: `coupon` applies. */
	readonly coupons?: readonly CouponRow[];
}

/** Returns the coupon that names the discount of a document; null if several do, which the lines name. */
export const onlyCoupon = ({ coupon, coupons = [] }: Discounts): CouponRow | null =>
	coupons.length > 1 ? null : coupon;

/** The parties of a subscription, with the discounts and taxes that apply. */
export interface Payer extends Parties, Discounts {
	/** The taxes of its lines; undefined if no tax can apply. */
	readonly taxation: Taxation | undefined;
}

export const payerOf = (
	work: Work,
	subscription: SubscriptionRow,
	parties: Parties = partiesOf(work, subscription),
): Payer => ({
	...parties,
	...activeDiscounts(work, subscription, parties.customer),
	taxation: taxationOf(work, subscription, parties.paying),
});

function partiesOf(work: Work, { customerId, payingCustomerId }: SubscriptionRow): Parties {
	const found = customersByIds(work, [customerId, ...(payingCustomerId === null ? [] : [payingCustomerId])]);
	const customer = found.get(customerId);
	const paying = found.get(payingCustomerId ?? customerId);
	assert(customer && paying, "a subscription's customers exist in its environment");
	return { customer, paying };
}

function activeDiscounts(work: Work, { id }: SubscriptionRow, holder: CustomerRow): Discounts {
	const applied = selectCoupons(work, [id]);
	const coupons = couponsByIds(work, [
		...applied.map(({ couponId }) => couponId),
		...(holder.couponId === null ? [] : [holder.couponId]),
	]);
	return discountsAt(work, applied, holder, coupons);
}

/**
 * Returns the discounts that are active now, of the subscription's own coupons and the customer's. `coupons` are by row id. All of them
 * apply if the environment says so, or if the subscription has a list. A coupon for some charges counts as a list of one.
 */
export function discountsAt(
	work: Work,
	applied: readonly SubscriptionCouponRow[],
	holder: Pick<CustomerRow, "couponId" | "couponAppliedAt">,
	coupons: ReadonlyMap<string, CouponRow>,
): Discounts {
	// Most subscriptions have none.
	if (coupons.size === 0) return { coupon: null };
	const own = applied.filter((one) => one.status === "ACTIVE" && isCouponActiveAt(one, work.now));
	const held = coupons.get(holder.couponId ?? "");
	const startAt = holder.couponAppliedAt ?? work.now;
	const isHeld = held && isCouponActiveAt({ startAt, endAt: couponEnd(held, startAt) }, work.now);
	const found = own.flatMap(({ couponId }) => coupons.get(couponId) ?? []);
	const all = isHeld && !found.includes(held) ? [...found, held] : found;
	const coupon = all[0] ?? null;
	if (own.some(({ position }) => position !== null) || stacksDiscounts(work)) return { coupon, coupons: all };
	return { coupon, ...(coupon?.appliesTo && { coupons: [coupon] }) };
}

const stacksDiscounts = (work: Work): boolean =>
	findEnvironment(work, work.actor.environmentId)?.discountStacking === "ALL";

/** Returns the discount and tax of a bill's items, in the form that is stored with the charge. */
export const discountAndTax = (
	{ coupon, coupons, taxation }: Discounts & Pick<Payer, "taxation">,
	taxPercentage: Decimal | null,
): DiscountAndTax => ({
	coupon: coupon && !coupons ? { percentOff: coupon.percentOff, amountsOff: coupon.amountsOff } : null,
	...(coupons && coupons.length > 0 && { discounts: byScope(coupons.map(namedDiscount)) }),
	taxPercentage,
	...(taxation && { taxation }),
});

const namedDiscount = ({ refId, name, percentOff, amountsOff, appliesTo }: CouponRow): NamedDiscount => ({
	...{ couponId: refId, name, percentOff, amountsOff },
	...(appliesTo && { appliesTo }),
});
