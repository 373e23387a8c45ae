import type { Instant } from "../../../kernel/clock";
import { type Decimal, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { nextReceiptCount } from "../../legal-entities/operations";
import type { InvoiceRow } from "../table";
import type { ReceiptRow } from "../table.receipts";
import { insertAllocation, type PaymentRow, paymentOf, writeReceipt } from "./store";

/** Records a movement of money, with the next number of its legal entity. */
export const insertReceipt = (
	work: Work,
	receipt: Omit<ReceiptRow, "id" | "environmentId" | "numberCount" | "refunded" | "createdAt" | "seal">,
): ReceiptRow => {
	const row = {
		...receipt,
		refunded: zero,
		id: work.newId(),
		environmentId: work.actor.environmentId,
		numberCount: nextReceiptCount(work, receipt.legalEntityId),
		createdAt: work.now,
	};
	return writeReceipt(work, row);
};

type NewReceipt = Pick<ReceiptRow, "amount" | "method" | "reference" | "note"> & { readonly paidAt: Instant };

/** Records money that moves for one invoice, and its allocation. */
export function insertPayment(
	work: Work,
	{ id: invoiceId, customerId, legalEntityId, currency }: InvoiceRow,
	{ paidAt: receivedAt, ...money }: NewReceipt,
	{ kind, balancePart }: { readonly kind: "PAYMENT" | "REFUND"; readonly balancePart: Decimal },
): PaymentRow {
	const receipt = insertReceipt(work, {
		...{ ...money, kind, customerId, legalEntityId, currency, receivedAt },
		...{ referenceScope: invoiceId, unallocated: zero, reason: null },
	});
	const { amount } = money;
	const allocation = { invoiceId, kind, amount, balancePart, reversesId: null, reason: null };
	return paymentOf(insertAllocation(work, { ...allocation, receiptId: receipt.id }), receipt);
}
