import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { toWire } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { customersByIds } from "../../customers/operations";
import { selectReceipts } from "../payments/store";
import type { Dispute } from "./schema";
import type { DisputeRow } from "./table";

/** Returns disputes with the ids of their customers and the currencies of their receipts. */
export function viewDisputes(work: Work, rows: readonly DisputeRow[]): Dispute[] {
	const customers = customersByIds(work, [...new Set(rows.map(({ customerId }) => customerId))]);
	const receipts = selectReceipts(work, [...new Set(rows.map(({ receiptId }) => receiptId))]);
	const currencyOf = new Map(receipts.map(({ id, currency }) => [id, currency]));
	return rows.map((row) => ({
		disputeId: row.id,
		receiptId: row.receiptId,
		customerId: customers.get(row.customerId)?.refId ?? "",
		state: row.state,
		amount: toWire(row.amount),
		currency: currencyOf.get(row.receiptId) ?? "",
		reason: row.reason,
		reference: row.reference,
		note: row.note,
		openedDate: toIso(row.openedAt),
		evidenceDueDate: toIsoOrNull(row.evidenceDueAt),
		endedDate: toIsoOrNull(row.endedAt),
		returnId: row.returnId,
		createdAt: toIso(row.createdAt),
	}));
}

export const viewDispute = (work: Work, row: DisputeRow): Dispute => viewDisputes(work, [row])[0] as Dispute;
