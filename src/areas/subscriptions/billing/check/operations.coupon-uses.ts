import type { Work } from "../../../../kernel/work";
import { checkCouponUses } from "../../../invoices/check/operations.coupon-uses";
import { selectByIds } from "../../store";

/** Yields differences between the recorded uses of coupons and the documents and waiting lines that make them. */
export const checkUsesOfCoupons = (work: Work): Generator<string> =>
	checkCouponUses(work, (read, id) => selectByIds(read, [id])[0]?.prorations ?? null);
