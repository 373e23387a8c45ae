import { toIso } from "../../kernel/clock";
import { toWire, toWireOrNull } from "../../kernel/decimal";
import { couponStatus, couponType, viewFreeUnits } from "./rules";
import type { Coupon } from "./schema";
import type { CouponRow } from "./table";

export const viewCoupon = (row: CouponRow): Coupon => ({
	id: row.refId,
	name: row.name,
	description: row.description,
	type: couponType(row),
	status: couponStatus(row),
	source: row.source,
	percentOff: toWireOrNull(row.percentOff),
	amountsOff: row.amountsOff?.map(({ amount, currency }) => ({ amount: toWire(amount), currency })) ?? null,
	durationInMonths: row.durationMonths,
	...(row.appliesTo && { appliesTo: row.appliesTo }),
	...(row.frequency && { frequency: row.frequency }),
	...(row.durationPeriods !== null && { durationInPeriods: row.durationPeriods }),
	...(row.freeUnits && { freeUnits: viewFreeUnits(row.freeUnits) }),
	billingId: row.billingId,
	billingLinkUrl: row.billingLinkUrl,
	metadata: row.metadata,
	createdAt: toIso(row.createdAt),
	updatedAt: toIso(row.updatedAt),
});
