import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { toWire } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { customersByIds } from "../../customers/operations";
import { writeEvent } from "../../outbox/operations";
import type { ReceiptRow } from "../table.receipts";
import type { DisputeRow } from "./table";

/** Emits the event of a new dispute, or of a changed state. */
export function disputeChanged(
	work: Work,
	type: "dispute.created" | "dispute.updated",
	row: DisputeRow,
	{ currency }: Pick<ReceiptRow, "currency">,
): void {
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
