import type { ErrorCode } from "../../kernel/error-codes";
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

/** An amount is used up, so USED_UP needs amounts; a coupon lasts for months or for billing periods. */
export function assertTerms({
	percentOff,
	frequency,
	durationInMonths,
	durationInPeriods,
}: Partial<Pick<CouponCreate, "percentOff" | "frequency" | "durationInMonths" | "durationInPeriods">>): void {
	if (frequency === "USED_UP" && percentOff != null)
		throw fail("BadUserInput", "'frequency' USED_UP uses up an amount; send 'amountsOff' in place of 'percentOff'.");
	if (durationInMonths != null && durationInPeriods != null)
		throw fail("BadUserInput", "Send one of 'durationInMonths' and 'durationInPeriods'; a coupon ends once.");
}

export const couponType = ({ percentOff }: { readonly percentOff: string | null }): CouponType =>
	percentOff === null ? "FIXED" : "PERCENTAGE";

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
