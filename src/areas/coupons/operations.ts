import { type Decimal, toDecimal } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { findFeature } from "../features/operations";
import { packagesByRefs } from "../packages/operations";
import { assertOneDiscount, assertTerms, nextCouponStatus } from "./rules";
import type { CouponCreate, CouponListQuery, CouponScope, CouponUpdate } from "./schema";
import { findCoupon, insertCoupon, pageCoupons, saveCoupon, selectCoupons } from "./store";
import type { CouponRow } from "./table";

/** Throws CouponNotFound. */
export function getCoupon(work: Work, refId: string): CouponRow {
	const coupon = findCoupon(work, refId);
	if (!coupon) throw fail("CouponNotFound", `There is no coupon '${refId}' in this environment.`);
	return coupon;
}

/** Returns the units of a feature that a coupon makes free in each window; undefined for none. */
export const findFreeUnits = (work: Work, refId: string, featureRefId: string): Decimal | undefined =>
	findCoupon(work, refId)?.freeUnits?.find(({ featureId }) => featureId === featureRefId)?.quantity;

export const couponsByIds = (work: Work, ids: readonly string[]): Map<string, CouponRow> =>
	new Map(selectCoupons(work, ids).map((coupon) => [coupon.id, coupon]));

/** Endpoint 6. */
export const listCoupons = (work: Work, query: CouponListQuery): Page<CouponRow> => pageCoupons(work, query);

export function createCoupon(work: Work, input: CouponCreate): CouponRow {
	assertOneDiscount(input);
	assertTerms(input);
	assertKnownScope(work, input.appliesTo);
	assertMetered(work, input.freeUnits);
	if (findCoupon(work, input.id))
		throw fail("DuplicatedEntityNotAllowed", `There is a coupon '${input.id}' already; choose another id.`);
	return insertCoupon(work, {
		refId: input.id,
		name: input.name,
		description: input.description,
		percentOff: input.percentOff === null ? null : toDecimal(input.percentOff),
		amountsOff: input.amountsOff?.map(({ amount, currency }) => ({ amount: toDecimal(amount), currency })) ?? null,
		freeUnits:
			input.freeUnits?.map(({ featureId, quantity }) => ({ featureId, quantity: toDecimal(quantity) })) ?? null,
		durationMonths: input.durationInMonths,
		durationPeriods: input.durationInPeriods ?? null,
		frequency: frequencyOf(input),
		appliesTo: input.appliesTo ?? null,
		metadata: input.metadata,
		source: "TOLLGATE",
		billingId: null,
		billingLinkUrl: null,
	});
}

/** The default is stored as null. */
const frequencyOf = ({ frequency = null }: CouponCreate): CouponRow["frequency"] =>
	frequency === "EACH_PERIOD" ? null : frequency;

/** Changes what is sent; null clears. Archived coupons can still be renamed: they keep working where they were applied. */
export function updateCoupon(work: Work, refId: string, input: CouponUpdate): CouponRow {
	const coupon = getCoupon(work, refId);
	nextCouponStatus(coupon, "update");
	return saveCoupon(work, coupon, {
		...(input.name !== undefined && { name: input.name }),
		...(input.description !== undefined && { description: input.description }),
		...(input.metadata !== undefined && { metadata: input.metadata }),
	});
}

/** Our choice (docs/interface/catalogue.md#coupons): archiving an archived coupon is not an error. */
export function archiveCoupon(work: Work, refId: string): CouponRow {
	const coupon = getCoupon(work, refId);
	nextCouponStatus(coupon, "archive");
	return coupon.archivedAt === null ? saveCoupon(work, coupon, { archivedAt: work.now }) : coupon;
}

/** A discount stated inline on a subscription. Exactly one of the two amounts is set; the caller's rules have seen to it. */
export interface AdHocDiscount {
	readonly name?: string;
	readonly description?: string;
	readonly percentOff?: number;
	readonly amountsOff?: ReadonlyArray<{ readonly amount: number; readonly currency: string }> | null;
	readonly durationInMonths?: number;
}

/** Keeps an inline discount as a coupon of its own, hidden from the catalogue (docs/interface/catalogue.md). */
export function createAdHocCoupon(work: Work, discount: AdHocDiscount): CouponRow {
	const { name = "Discount", description = null, percentOff, amountsOff, durationInMonths = null } = discount;
	return insertCoupon(work, {
		refId: `adhoc_${work.newId().replaceAll("-", "")}`,
		name,
		description,
		percentOff: percentOff === undefined ? null : toDecimal(percentOff),
		amountsOff: amountsOff?.map(({ amount, currency }) => ({ amount: toDecimal(amount), currency })) ?? null,
		freeUnits: null,
		durationMonths: durationInMonths,
		durationPeriods: null,
		frequency: null,
		appliesTo: null,
		metadata: null,
		source: "TOLLGATE_ADHOC",
		billingId: null,
		billingLinkUrl: null,
	});
}

/** Throws InvalidArgumentError for an unknown feature, UnsupportedFeatureType for one without usage. */
function assertMetered(work: Work, freeUnits: CouponCreate["freeUnits"]): void {
	for (const [at, { featureId }] of (freeUnits ?? []).entries()) {
		const feature = findFeature(work, featureId);
		if (!feature)
			throw fail(
				"InvalidArgumentError",
				`'freeUnits[${at}]': there is no feature '${featureId}' in this environment; create it first.`,
			);
		if (feature.meterType === "None")
			throw fail(
				"UnsupportedFeatureType",
				`'freeUnits[${at}]': the feature '${featureId}' has no usage; name a metered one.`,
			);
	}
}

/** Throws InvalidArgumentError for a plan, an addon or a feature that the environment does not have. */
function assertKnownScope(work: Work, scope: CouponScope | null | undefined): void {
	const { planIds = [], addonIds = [], featureIds = [] } = scope ?? {};
	const [plans, addons] = [packagesByRefs(work, "PLAN", planIds), packagesByRefs(work, "ADDON", addonIds)];
	const lists = [
		["planIds", "plan", planIds, (refId: string) => plans.has(refId)],
		["addonIds", "addon", addonIds, (refId: string) => addons.has(refId)],
		["featureIds", "feature", featureIds, (refId: string) => findFeature(work, refId) !== undefined],
	] as const;
	for (const [list, kind, refIds, isKnown] of lists) {
		const at = refIds.findIndex((refId) => !isKnown(refId));
		if (at < 0) continue;
		throw fail(
			"InvalidArgumentError",
			`'appliesTo.${list}[${at}]': there is no ${kind} '${refIds[at]}' in this environment; create it first.`,
		);
	}
}
