import { type Instant, instantOf } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { couponsByIds, createAdHocCoupon, getCoupon } from "../../coupons/operations";
import { assertApplicable } from "../../coupons/rules";
import { couponEnd } from "../../coupons/rules.duration";
import type { CouponRow } from "../../coupons/table";
import { countsUnits } from "../../pricing/window-cost";
import { assertOneCoupon, recurrenceOfRow } from "../rules";
import type { AppliedCoupons } from "../schema.provision";
import type { SubscriptionUpdate } from "../schema.update";
import { selectSuccessors } from "../store";
import type { SubscriptionRow } from "../table";
import type { SubscriptionCouponRow } from "../table.parts";
import { onDemandPrices } from "./charge-items";
import type { Sale } from "./sale";
import { insertCoupon, removeCoupons, selectCoupons, setCouponEnd } from "./store";

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

/** The prices of a subscription that coupons apply to. */
type PricedSale = Pick<Sale, "prices" | "names">;

/** Throws UnsupportedParameter for free units of features whose usage the subscription does not charge by the unit. */
function assertMakesFree({ refId, freeUnits }: CouponRow, { prices, names }: PricedSale, where: string): void {
	if (!freeUnits) return;
	const priced = onDemandPrices(prices).filter(({ charge }) => countsUnits(charge));
	const refs = new Set(priced.map(({ charge }) => names.featureRef(charge.featureId ?? "")));
	if (freeUnits.some(({ featureId }) => refs.has(featureId))) return;
	const features = freeUnits.map(({ featureId }) => `'${featureId}'`).join(", ");
	throw fail(
		"UnsupportedParameter",
		`${where}: the coupon '${refId}' makes units of ${features} free, and no price of the subscription charges them by the unit of usage or overage; name another coupon.`,
	);
}

/** Applies a coupon from the requested date on, or from the start of the subscription. */
export function applyCoupon(
	work: Work,
	row: SubscriptionRow,
	coupon: CouponRow,
	{ configuration }: CouponChoice,
	sale: PricedSale,
): void {
	assertMakesFree(coupon, sale, "body/appliedCoupon");
	const from = configuration?.startDate === undefined ? row.startAt : instantOf(configuration.startDate);
	const endAt = couponEnd(coupon, from, recurrenceOfRow(row));
	insertCoupon(work, row.id, { couponId: coupon.id, startAt: from, endAt, position: null, applicationId: null });
}

/** Throws BadUserInput if a request names one coupon and several. */
export function assertOneWay(several: AppliedCoupons | undefined, one: CouponChoice | undefined): void {
	if (several === undefined || one === undefined) return;
	throw fail("BadUserInput", "body/appliedCoupons names coupons, and another field names one; send one of the two.");
}

/**
 * Replaces the coupons of a subscription by several, which all apply. A coupon that was among them keeps its start and end. Throws
 * CouponNotFound, ArchivedCouponCantBeApplied, CustomerAlreadyUsesCouponError for one that is named twice.
 */
export function applyCoupons(
	work: Work,
	row: SubscriptionRow,
	choices: AppliedCoupons,
	sale: PricedSale,
	where = "body",
): void {
	const { id, startAt } = row;
	const held = selectCoupons(work, [id]).filter(({ status }) => status === "ACTIVE");
	const coupons = choices.map(({ couponId }, at) => {
		const coupon = getCoupon(work, couponId);
		if (choices.findIndex((other) => other.couponId === couponId) !== at)
			throw fail(
				"CustomerAlreadyUsesCouponError",
				`${where}/appliedCoupons/${at} names the coupon '${couponId}' twice; name it once.`,
			);
		const kept = held.find((one) => one.couponId === coupon.id);
		if (!kept) {
			assertApplicable(coupon);
			assertMakesFree(coupon, sale, `${where}/appliedCoupons/${at}`);
		}
		return { coupon, kept };
	});
	if (held.length > 0) removeCoupons(work, id);
	for (const [position, { coupon, kept }] of coupons.entries()) {
		const { startDate } = choices[position] ?? {};
		const from = startDate === undefined ? (kept?.startAt ?? startAt) : instantOf(startDate);
		const fixedEnd = kept?.startAt === from ? kept.endAt : null;
		const endAt = fixedEnd ?? couponEnd(coupon, from, recurrenceOfRow(row));
		const applicationId = kept ? applicationOf(kept) : null;
		insertCoupon(work, id, { couponId: coupon.id, startAt: from, endAt, position, applicationId });
	}
}

/**
 * Replaces the coupon of a subscription, and of scheduled plans that share it: one discount applies at a time. A null code
 * removes it. Throws CustomerAlreadyUsesCouponError if the coupon is applied already, unless `mayBeApplied`. The codes of `couponOf`.
 */
export function changeCoupon(
	work: Work,
	row: SubscriptionRow,
	choice: CouponChoice,
	sale: PricedSale,
	mayBeApplied: boolean,
): void {
	const coupon = removesCoupon(choice) ? undefined : couponOf(work, choice);
	if (coupon && isApplied(work, row.id, coupon)) {
		if (mayBeApplied) return;
		throw fail(
			"CustomerAlreadyUsesCouponError",
			`The subscription '${row.refId}' has the coupon '${coupon.refId}' already; remove it first to start it again.`,
		);
	}
	withSuccessors(work, row, () => {
		removeCoupons(work, row.id);
		if (coupon) applyCoupon(work, { ...row, startAt: work.now }, coupon, choice, sale);
	});
}

/** Replaces the coupons of a subscription by several, also those of scheduled plans that share them. */
export const changeCoupons = (
	work: Work,
	row: SubscriptionRow,
	choices: AppliedCoupons,
	sale: PricedSale,
	where = "body",
): void => withSuccessors(work, row, () => applyCoupons(work, { ...row, startAt: work.now }, choices, sale, where));

/** Changes the coupons of a subscription, and then those of scheduled plans that had the same. */
function withSuccessors(work: Work, row: SubscriptionRow, change: () => void): void {
	const sharing = selectSuccessors(work, [row.id]).filter((successor) =>
		Bun.deepEquals(termsOfLasting(work, row, successor), termsOfLasting(work, successor, successor)),
	);
	change();
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
): Array<Pick<SubscriptionCouponRow, "couponId" | "startAt" | "endAt" | "position" | "applicationId">> =>
	selectCoupons(work, [id])
		.filter(({ status, endAt }) => status === "ACTIVE" && (endAt === null || endAt > from))
		.map((one) => {
			const { couponId, startAt, endAt, position } = one;
			return { couponId, startAt, endAt, position, applicationId: applicationOf(one) };
		});

const termsOfLasting = (...args: Parameters<typeof lastingCoupons>) =>
	lastingCoupons(...args).map(({ applicationId: _, ...terms }) => terms);

/** A coupon that a subscription takes over from a replaced one continues its uses. */
const applicationOf = ({ applicationId, id }: SubscriptionCouponRow): string => applicationId ?? id;

/** Sets the ends of coupons that last for billing periods, once the periods of the subscription are known. */
export function endCoupons(work: Work, row: SubscriptionRow, from: Instant): void {
	const open = selectCoupons(work, [row.id]).filter(({ status, endAt }) => status === "ACTIVE" && endAt === null);
	if (open.length === 0) return;
	const coupons = couponsByIds(
		work,
		open.map(({ couponId }) => couponId),
	);
	for (const { id, couponId, startAt } of open) {
		const coupon = coupons.get(couponId);
		const endAt = coupon ? couponEnd(coupon, startAt > from ? startAt : from, recurrenceOfRow(row)) : null;
		if (endAt !== null) setCouponEnd(work, id, endAt);
	}
}
