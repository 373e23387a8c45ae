import { toIso } from "../../../kernel/clock";
import { toWire } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { customersByIds } from "../../customers/operations";
import { allocationsOfReceipts, partsOfRefunds, refundsOfReceipts } from "../payments/store.check";
import { receiptNumber } from "../rules";
import type { AllocationRow, ReceiptRefundRow, ReceiptRow } from "../table.receipts";
import type { AllocationOfReceipt, Receipt, ReceiptDetail } from "./schema";

/** Returns a view function for these receipts; reads their customers at once. */
export function receiptsShown(work: Work, rows: readonly ReceiptRow[]): (row: ReceiptRow) => Receipt {
	const customers = customersByIds(work, [...new Set(rows.map(({ customerId }) => customerId))]);
	return (row) => viewReceipt(row, customers.get(row.customerId)?.refId ?? "");
}

const viewReceipt = (row: ReceiptRow, customerId: string): Receipt => ({
	receiptId: row.id,
	number: receiptNumber(row),
	kind: row.kind,
	customerId,
	legalEntityId: row.legalEntityId,
	amount: toWire(row.amount),
	currency: row.currency,
	unallocatedAmount: toWire(row.unallocated),
	refundedAmount: toWire(row.refunded),
	disputedAmount: toWire(row.disputed),
	method: row.method,
	source: row.source ?? "MANUAL",
	reason: row.reason === "MISALLOCATED" ? null : row.reason,
	reference: row.reference,
	note: row.note,
	receivedDate: toIso(row.receivedAt),
	createdAt: toIso(row.createdAt),
});

const viewAllocation = (row: AllocationRow): AllocationOfReceipt => ({
	allocationId: row.id,
	kind: row.kind,
	invoiceId: row.invoiceId,
	amount: toWire(row.amount),
	balanceAmount: toWire(row.balancePart),
	reversesAllocationId: row.reversesId,
	reason: row.reason,
	createdAt: toIso(row.createdAt),
});

/** Returns receipts with the rows around them; `rules.ts` bounds their number. */
export function viewReceiptDetails(work: Work, rows: readonly ReceiptRow[]): ReceiptDetail[] {
	const ids = rows.map(({ id }) => id);
	const allocations = Map.groupBy(allocationsOfReceipts(work, ids), ({ receiptId }) => receiptId);
	const refunds = Map.groupBy(refundsOfReceipts(work, ids), ({ receiptId }) => receiptId);
	const parts = Map.groupBy(partsOfRefunds(work, ids), ({ refundId }) => refundId);
	return rows.map(receiptsShown(work, rows)).map((receipt) => ({
		...receipt,
		allocations: (allocations.get(receipt.receiptId) ?? []).map(viewAllocation),
		refunds: (refunds.get(receipt.receiptId) ?? []).map((part) => viewPart(part.refundId, part)),
		refundOf: (parts.get(receipt.receiptId) ?? []).map((part) => viewPart(part.receiptId, part)),
	}));
}

export const viewReceiptDetail = (work: Work, row: ReceiptRow): ReceiptDetail =>
	viewReceiptDetails(work, [row])[0] as ReceiptDetail;

const viewPart = (receiptId: string, { amount }: Pick<ReceiptRefundRow, "amount">) => ({
	...{ receiptId, amount: toWire(amount) },
});
