import type { Instant } from "../../kernel/clock";
import { addMonths } from "../../kernel/period";

/** A coupon as it is applied to a customer or a subscription. */
interface AppliedCoupon {
	readonly startAt: Instant;
	/** Null: without end. */
	readonly endAt: Instant | null;
}

/** A coupon is active from its start for as long as it lasts: half open, like every period. */
export const isCouponActiveAt = ({ startAt, endAt }: AppliedCoupon, now: Instant): boolean =>
	startAt <= now && (endAt === null || now < endAt);

/** Returns when a coupon that starts at `startAt` ends; null: never. */
export const couponEnd = (
	{ durationMonths }: { readonly durationMonths: number | null },
	startAt: Instant,
): Instant | null => (durationMonths === null ? null : addMonths(startAt, durationMonths));
