import { toIso } from "../../kernel/clock";
import { toWire } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { writeEvent } from "../outbox/operations";
import { couponStatus, couponType, discountValue } from "./rules";
import type { CouponRow } from "./table";

/** A discount inside a subscription has no event of its own: events of its subscription contain it. */
export function emitCouponEvent(
	work: Work,
	type: "coupon.created" | "coupon.updated" | "coupon.archived",
	row: CouponRow,
) {
	if (row.source === "TOLLGATE_ADHOC") return;
	writeEvent(work, type, row.id, {
		id: row.refId,
		entityId: row.id,
		name: row.name,
		description: row.description,
		couponType: couponType(row),
		status: couponStatus(row),
		discountValue: toWire(discountValue(row)),
		createdAt: toIso(row.createdAt),
		updatedAt: toIso(row.updatedAt),
	});
}
