import { type Decimal, toWire, zero } from "../../kernel/decimal";
import type { ErrorCode } from "../../kernel/error-codes";
import { fail } from "../../kernel/errors";
import type { CouponCreate, CouponStatus, CouponType } from "./schema";
import type { CouponRow, FreeUnitsOfFeature } from "./table";

/** A coupon takes off a percentage or fixed amounts, one for each currency, or makes units of features free: exactly one of the three. */
export function assertOneDiscount({
	percentOff,
	amountsOff,
	freeUnits = null,
}: Pick<CouponCreate, "percentOff" | "amountsOff" | "freeUnits">): void {
	if (freeUnits) {
		if (percentOff !== null || amountsOff !== null)
			throw fail("BadUserInput", "'freeUnits' replaces 'percentOff' and 'amountsOff'; both must be null.");
		const again = freeUnits.findIndex(
			({ featureId }, at) => freeUnits.findIndex((other) => other.featureId === featureId) !== at,
		);
		if (again >= 0)
			throw fail("BadUserInput", `'freeUnits[${again}]' names the feature '${freeUnits[again]?.featureId}' twice.`);
		return;
	}
	if ((percentOff === null) === (amountsOff === null))
		throw fail("BadUserInput", "Give exactly one of 'percentOff' and 'amountsOff'; the other must be null.");
	const currencies = amountsOff?.map(({ currency }) => currency) ?? [];
	const twice = currencies.find((currency, at) => currencies.indexOf(currency) !== at);
	if (twice) throw fail("BadUserInput", `'amountsOff' names the currency '${twice}' twice.`);
}

/** An amount is used up, so USED_UP needs amounts; free units name their features; a coupon lasts for months or for billing periods. */
export function assertTerms({
	percentOff,
	frequency,
	durationInMonths,
	durationInPeriods,
	freeUnits,
	appliesTo,
}: Partial<CouponCreate>): void {
	if (freeUnits && (frequency === "ONCE" || frequency === "USED_UP"))
		throw fail(
			"BadUserInput",
			`'frequency' ${frequency} is for amounts; 'freeUnits' apply in each window of usage. Send 'durationInPeriods' to end them.`,
		);
	if (freeUnits && appliesTo)
		throw fail("BadUserInput", "'freeUnits' names the features that it applies to; leave 'appliesTo' out.");
	if (frequency === "USED_UP" && percentOff != null)
		throw fail("BadUserInput", "'frequency' USED_UP uses up an amount; send 'amountsOff' in place of 'percentOff'.");
	if (durationInMonths != null && durationInPeriods != null)
		throw fail("BadUserInput", "Send one of 'durationInMonths' and 'durationInPeriods'; a coupon ends once.");
}

export const couponType = ({ percentOff, freeUnits }: Pick<CouponRow, "percentOff" | "freeUnits">): CouponType =>
	freeUnits ? "FREE_UNITS" : percentOff === null ? "FIXED" : "PERCENTAGE";

/** The figure of a coupon: its percentage, or the first of its amounts or quantities of free units. */
export const discountValue = ({
	percentOff,
	amountsOff,
	freeUnits,
}: Pick<CouponRow, "percentOff" | "amountsOff" | "freeUnits">): Decimal =>
	percentOff ?? amountsOff?.[0]?.amount ?? freeUnits?.[0]?.quantity ?? zero;

export const viewFreeUnits = (units: readonly FreeUnitsOfFeature[]) =>
	units.map(({ featureId, quantity }) => ({ featureId, quantity: toWire(quantity) }));

export const couponStatus = ({ archivedAt }: { readonly archivedAt: number | null }): CouponStatus =>
	archivedAt === null ? "ACTIVE" : "ARCHIVED";

/** `apply`: to a customer or a subscription. */
export type CouponAction = "update" | "apply" | "archive";

interface Refusal {
	readonly code: ErrorCode;
	readonly because: string;
}

/**
 * The status after each action, or the reason of its rejection (docs/interface/catalogue.md: there is no way back). Archiving twice
 * is no error.
 */
export const couponTransitions: Readonly<Record<CouponStatus, Readonly<Record<CouponAction, CouponStatus | Refusal>>>> =
	{
		ACTIVE: { update: "ACTIVE", apply: "ACTIVE", archive: "ARCHIVED" },
		ARCHIVED: {
			// It keeps working where it was applied, and so may still be renamed.
			update: "ARCHIVED",
			apply: { code: "ArchivedCouponCantBeApplied", because: "is archived; choose an active one" },
			archive: "ARCHIVED",
		},
	};

interface Archivable {
	readonly refId: string;
	readonly archivedAt: number | null;
}

/** The status that follows; throws where the table refuses. */
export function nextCouponStatus(coupon: Archivable, action: CouponAction): CouponStatus {
	const next = couponTransitions[couponStatus(coupon)][action];
	if (typeof next === "string") return next;
	throw fail(next.code, `Coupon '${coupon.refId}' ${next.because}.`);
}

/** Archived coupons keep working where they were applied, and are refused anywhere new. */
export function assertApplicable(coupon: Archivable): void {
	nextCouponStatus(coupon, "apply");
}
