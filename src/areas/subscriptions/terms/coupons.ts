import { instantOf } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { createAdHocCoupon, getCoupon } from "../../coupons/operations";
import { assertApplicable } from "../../coupons/rules";
import { couponEnd } from "../../coupons/rules.duration";
import type { CouponRow } from "../../coupons/table";
import { assertOneCoupon } from "../rules";
import type { SubscriptionUpdate } from "../schema.update";
import { selectSuccessors } from "../store";
import type { SubscriptionRow } from "../table";
import type { SubscriptionCouponRow } from "../table.parts";
import { insertCoupon, removeCoupons, selectCoupons } from "./store";

/** A coupon as a request names it, in any of the possible ways. */
export type CouponChoice = NonNullable<SubscriptionUpdate["appliedCoupon"]>;

/** An update can name a coupon in three places (docs/interface/subscriptions.md). */
export function couponChoice(changes: SubscriptionUpdate): CouponChoice | undefined {
	const { appliedCoupon, promotionCode, billingInformation } = changes;
	if (appliedCoupon) return appliedCoupon;
	if (promotionCode !== undefined) return { promotionCode };
	return billingInformation?.couponId === undefined ? undefined : { couponId: billingInformation.couponId };
}

/** Throws CouponNotFound, PromotionCodeNotFound, ArchivedCouponCantBeApplied. */
export function couponOf(work: Work, choice: CouponChoice): CouponRow {
	assertOneCoupon(choice);
	if (choice.promotionCode)
		throw fail("PromotionCodeNotFound", `There is no promotion code '${choice.promotionCode}' in this environment.`);
	if (choice.billingCouponId !== undefined)
		throw fail(
			"CouponNotFound",
			`No billing provider is connected that knows '${choice.billingCouponId}'; use 'couponId'.`,
		);
	if (choice.discount) return createAdHocCoupon(work, choice.discount);
	const coupon = getCoupon(work, choice.couponId ?? "");
	assertApplicable(coupon);
	return coupon;
}

/** Applies a coupon from the requested date on, or from the start of the subscription. */
export function applyCoupon(
	work: Work,
	{ id, startAt }: Pick<SubscriptionRow, "id" | "startAt">,
	coupon: CouponRow,
	{ configuration }: CouponChoice,
): void {
	const from = configuration?.startDate === undefined ? startAt : instantOf(configuration.startDate);
	insertCoupon(work, id, { couponId: coupon.id, startAt: from, endAt: couponEnd(coupon, from) });
}

/**
 * Replaces the coupon of a subscription, and of scheduled plans that share it: one discount applies at a time. A null code
 * removes it. Throws CustomerAlreadyUsesCouponError if the coupon is applied already, unless `mayBeApplied`. The codes of `couponOf`.
 */
export function changeCoupon(work: Work, row: SubscriptionRow, choice: CouponChoice, mayBeApplied: boolean): void {
	const coupon = removesCoupon(choice) ? undefined : couponOf(work, choice);
	if (coupon && isApplied(work, row.id, coupon)) {
		if (mayBeApplied) return;
		throw fail(
			"CustomerAlreadyUsesCouponError",
			`The subscription '${row.refId}' has the coupon '${coupon.refId}' already; remove it first to start it again.`,
		);
	}
	const sharing = selectSuccessors(work, [row.id]).filter((successor) =>
		Bun.deepEquals(lastingCoupons(work, row, successor), lastingCoupons(work, successor, successor)),
	);
	removeCoupons(work, row.id);
	if (coupon) applyCoupon(work, { id: row.id, startAt: work.now }, coupon, choice);
	for (const successor of sharing) {
		removeCoupons(work, successor.id);
		copyCoupons(work, row, successor);
	}
}

const removesCoupon = ({ promotionCode, couponId, billingCouponId, discount }: CouponChoice): boolean =>
	promotionCode === null && (couponId ?? billingCouponId ?? discount) === undefined;

const isApplied = (work: Work, subscriptionId: string, { id }: CouponRow): boolean =>
	selectCoupons(work, [subscriptionId]).some(
		({ couponId, status, endAt }) => couponId === id && status === "ACTIVE" && (endAt === null || endAt > work.now),
	);

/** Applies the coupons of one subscription to another, until the same end. */
export function copyCoupons(work: Work, from: Pick<SubscriptionRow, "id">, to: SubscriptionRow): void {
	for (const coupon of lastingCoupons(work, from, to)) insertCoupon(work, to.id, coupon);
}

/** The coupons of one subscription that are still active when the other starts. */
const lastingCoupons = (
	work: Work,
	{ id }: Pick<SubscriptionRow, "id">,
	{ startAt: from }: SubscriptionRow,
): Array<Pick<SubscriptionCouponRow, "couponId" | "startAt" | "endAt">> =>
	selectCoupons(work, [id])
		.filter(({ status, endAt }) => status === "ACTIVE" && (endAt === null || endAt > from))
		.map(({ couponId, startAt, endAt }) => ({ couponId, startAt, endAt }));
