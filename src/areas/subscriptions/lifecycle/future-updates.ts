import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { selectSuccessors } from "../store";
import { endUpdates, selectPendingUpdates } from "../store.updates";
import type { SubscriptionRow } from "../table";
import { markEnded, voidUnpaidUpdates } from "./end";

/** Cancels scheduled updates and the scheduled successor. Throws FutureUpdateNotFound if nothing is scheduled. */
export function cancelScheduled(work: Work, row: SubscriptionRow): SubscriptionRow {
	const scheduled = selectPendingUpdates(work, [row.id]).filter(({ status }) => status === "SCHEDULED");
	const successors = selectSuccessors(work, [row.id]);
	if (scheduled.length + successors.length === 0)
		throw fail("FutureUpdateNotFound", `Nothing is scheduled for the subscription '${row.refId}'.`);
	for (const successor of successors) markEnded(work, successor, { reason: "Immediate" });
	return endUpdates(work, row, scheduled, "CANCELED");
}

/** Cancels the change that waits for a payment, and its invoice. Throws FutureUpdateNotFound if no change waits. */
export function cancelUnpaidUpdates(work: Work, row: SubscriptionRow): SubscriptionRow {
	const unpaid = selectPendingUpdates(work, [row.id]).filter(({ status }) => status === "PENDING_PAYMENT");
	if (unpaid.length === 0)
		throw fail("FutureUpdateNotFound", `No change of the subscription '${row.refId}' waits for a payment.`);
	return voidUnpaidUpdates(work, row, unpaid);
}
