import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { toWire } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { customersByIds } from "../../customers/operations";
import { hasDunning } from "../../dunning/policies/operations";
import { scheduleNotice, writeEvent } from "../../outbox/operations";
import { allocationsOfReceipts } from "../payments/store.check";
import type { ReceiptRow } from "../table.receipts";
import type { DisputeRow } from "./table";

/** Emits the event of a new dispute, or of a changed state. */
export function disputeChanged(
	work: Work,
	type: "dispute.created" | "dispute.updated",
	row: DisputeRow,
	{ currency }: Pick<ReceiptRow, "currency">,
): void {
	// The dunning cases of the invoices that the receipt has paid in part follow as a step of this instant.
	const paid = hasDunning(work) ? allocationsOfReceipts(work, [row.receiptId]) : [];
	for (const { invoiceId } of paid) if (invoiceId !== null) scheduleNotice(work, "dunning.charge", invoiceId, work.now);
	writeEvent(work, type, row.id, {
		id: row.id,
		entityId: row.id,
		state: row.state,
		customer: { id: customersByIds(work, [row.customerId]).get(row.customerId)?.refId ?? "" },
		receipt: { entityId: row.receiptId },
		currency,
		amount: toWire(row.amount),
		openedAt: toIso(row.openedAt),
		evidenceDueAt: toIsoOrNull(row.evidenceDueAt),
		endedAt: toIsoOrNull(row.endedAt),
	});
}
