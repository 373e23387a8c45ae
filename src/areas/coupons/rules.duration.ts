import type { Instant } from "../../kernel/clock";
import { addMonths, boundary, indexAt, type Recurrence } from "../../kernel/period";

/** A coupon as it is applied to a customer or a subscription. */
interface AppliedCoupon {
	readonly startAt: Instant;
	/** Null: without end. */
	readonly endAt: Instant | null;
}

/** A coupon is active from its start for as long as it lasts: half open, like every period. */
export const isCouponActiveAt = ({ startAt, endAt }: AppliedCoupon, now: Instant): boolean =>
	startAt <= now && (endAt === null || now < endAt);

/**
 * Returns when a coupon that starts at `startAt` ends; null: never, or not before billing periods are known. The period that contains
 * the start counts.
 */
export function couponEnd(
	{ durationMonths, durationPeriods }: CouponDuration,
	startAt: Instant,
	recurrence: Recurrence | null,
): Instant | null {
	if (durationMonths !== null) return addMonths(startAt, durationMonths);
	if (durationPeriods === null || recurrence === null) return null;
	return boundary(recurrence, indexAt(recurrence, startAt) + durationPeriods);
}

/** In months, in billing periods, or without end. */
interface CouponDuration {
	readonly durationMonths: number | null;
	readonly durationPeriods: number | null;
}
