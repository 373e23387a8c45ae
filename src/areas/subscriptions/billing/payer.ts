import { type Decimal, exact, toDecimal } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { findEnvironment } from "../../access/operations";
import { couponsByIds } from "../../coupons/operations";
import { usedAmounts } from "../../coupons/operations.uses";
import { couponEnd, isCouponActiveAt } from "../../coupons/rules.duration";
import { unused } from "../../coupons/rules.uses";
import type { CouponRow } from "../../coupons/table";
import { customersByIds, findCustomerById } from "../../customers/operations";
import { defaultPayerId } from "../../customers/parents/rules";
import type { CustomerRow } from "../../customers/table";
import { byScope, type NamedDiscount } from "../../pricing/discounts";
import { taxationOf } from "../../taxes/operations";
import type { Taxation } from "../../taxes/rules.levels";
import { type Counted, recurrenceOfRow } from "../rules";
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
	readonly coupons?: readonly AppliedCoupon[];
}

/** A coupon as it is applied, with its unused amounts. */
interface AppliedCoupon extends Pick<NamedDiscount, "amountsOff"> {
	readonly coupon: CouponRow;
	/** Names the application; undefined for a coupon that discounts each period. */
	readonly applicationId: string | undefined;
}

/** Returns the coupon that names the discount of a document; null if several do, which the lines name. */
export const onlyCoupon = ({ coupon, coupons = [] }: Discounts): CouponRow | null =>
	coupons.length > 1 || coupon?.freeUnits ? null : coupon;

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

export function partiesOf(work: Work, { customerId, payingCustomerId }: SubscriptionRow): Parties {
	const found = customersByIds(work, [customerId, ...(payingCustomerId === null ? [] : [payingCustomerId])]);
	const customer = found.get(customerId);
	const payerId = payingCustomerId ?? (customer && defaultPayerId(customer)) ?? customerId;
	const paying = found.get(payerId) ?? findCustomerById(work, payerId);
	assert(customer && paying, "a subscription's customers exist in its environment");
	return { customer, paying };
}

export function activeDiscounts(work: Work, row: SubscriptionRow, holder: CustomerRow): Discounts {
	const applied = selectCoupons(work, [row.id]);
	const coupons = couponsByIds(work, [
		...applied.map(({ couponId }) => couponId),
		...(holder.couponId === null ? [] : [holder.couponId]),
	]);
	return discountsAt(work, { row, applied, holder, coupons });
}

/** The coupons of a subscription and of its customer. */
interface Applied {
	readonly row: Counted;
	readonly applied: readonly SubscriptionCouponRow[];
	readonly holder: Pick<CustomerRow, "id" | "couponId" | "couponAppliedAt">;
	/** By row id. */
	readonly coupons: ReadonlyMap<string, CouponRow>;
}

/**
 * Returns the discounts that are active now, of the subscription's own coupons and the customer's. All of them apply if the environment
 * says so, or if the subscription has a list. A coupon for some charges, for one invoice or of an amount that is used up counts as a
 * list of one.
 */
export function discountsAt(work: Work, { row, applied, holder, coupons }: Applied): Discounts {
	// Most subscriptions have none.
	if (coupons.size === 0) return { coupon: null };
	const own = applied.filter((one) => one.status === "ACTIVE" && isCouponActiveAt(one, work.now));
	const held = coupons.get(holder.couponId ?? "");
	const startAt = holder.couponAppliedAt ?? work.now;
	const isHeld = held && isCouponActiveAt({ startAt, endAt: couponEnd(held, startAt, recurrenceOfRow(row)) }, work.now);
	const found = own.flatMap((one) => {
		const coupon = coupons.get(one.couponId);
		return coupon ? [{ coupon, id: one.applicationId ?? one.id }] : [];
	});
	const isOwn = held && found.some(({ coupon }) => coupon === held);
	const ofCustomer = isHeld && !isOwn ? [{ coupon: held, id: `${holder.id}/${held.id}/${startAt}` }] : [];
	const all = unusedCoupons(work, [...found, ...ofCustomer]);
	const [first] = all;
	const coupon = first?.coupon ?? null;
	if (own.some(({ position }) => position !== null) || stacksDiscounts(work)) return { coupon, coupons: all };
	const isAlone = first && (first.coupon.appliesTo || first.applicationId !== undefined);
	return { coupon, ...(isAlone && { coupons: [first] }) };
}

/** Returns the coupons that are not used up, with their unused amounts. */
function unusedCoupons(
	work: Work,
	applied: readonly { readonly coupon: CouponRow; readonly id: string }[],
): AppliedCoupon[] {
	const limited = applied.filter(({ coupon }) => coupon.frequency !== null);
	const used = usedAmounts(
		work,
		limited.map(({ id }) => id),
	);
	return applied.flatMap(({ coupon, id }): AppliedCoupon[] => {
		const { frequency, amountsOff } = coupon;
		if (frequency === null) return [{ coupon, amountsOff, applicationId: undefined }];
		const uses = used.get(id);
		if (frequency === "ONCE") return uses ? [] : [{ coupon, amountsOff, applicationId: id }];
		const left = (amountsOff ?? []).map(({ amount, currency }) => ({
			...{ amount: toDecimal(unused(amount, uses?.get(currency))), currency },
		}));
		return left.some(({ amount }) => exact(amount).gt(0)) ? [{ coupon, amountsOff: left, applicationId: id }] : [];
	});
}

const stacksDiscounts = (work: Work): boolean =>
	findEnvironment(work, work.actor.environmentId)?.discountStacking === "ALL";

/** Returns the discount and tax of a bill's items, in the form that is stored with the charge. */
export const discountAndTax = (
	{ coupon, coupons, taxation }: Discounts & Pick<Payer, "taxation">,
	taxPercentage: Decimal | null,
): DiscountAndTax => ({
	coupon:
		coupon && !coupons && !coupon.freeUnits ? { percentOff: coupon.percentOff, amountsOff: coupon.amountsOff } : null,
	...discountsInOrder(coupons),
	taxPercentage,
	...(taxation && { taxation }),
});

/** Free units are part of the count (free-units.ts). */
function discountsInOrder(coupons: readonly AppliedCoupon[] = []): Pick<DiscountAndTax, "discounts"> {
	const amounts = coupons.filter(({ coupon }) => !coupon.freeUnits);
	return amounts.length > 0 ? { discounts: byScope(amounts.map(namedDiscount)) } : {};
}

const namedDiscount = ({ coupon, amountsOff, applicationId }: AppliedCoupon): NamedDiscount => ({
	...{ couponId: coupon.refId, name: coupon.name, percentOff: coupon.percentOff, amountsOff },
	...(coupon.appliesTo && { appliesTo: coupon.appliesTo }),
	...(applicationId !== undefined && { applicationId }),
});
