import type { Instant } from "../../../kernel/clock";
import { type Decimal, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { nextReceiptCount } from "../../legal-entities/operations";
import type { InvoiceRow } from "../table";
import type { ReceiptRow } from "../table.receipts";
import { insertAllocation, type PaymentRow, paymentOf, writeReceipt } from "./store";

/** A movement of money to record, with the number of its legal entity. */
export type NewReceipt = Omit<
	ReceiptRow,
	"id" | "environmentId" | "numberCount" | "refunded" | "disputed" | "createdAt" | "seal"
>;

/** Records a movement of money, with the next number of its legal entity. */
export const insertReceipt = (work: Work, receipt: NewReceipt, id = work.newId()): ReceiptRow => {
	const row = {
		...receipt,
		...{ refunded: zero, disputed: zero, id },
		environmentId: work.actor.environmentId,
		numberCount: nextReceiptCount(work, receipt.legalEntityId),
		createdAt: work.now,
	};
	return writeReceipt(work, row);
};

type NewMoney = Pick<ReceiptRow, "amount" | "method" | "reference" | "note"> & { readonly paidAt: Instant };

/** Records money that moves for one invoice, and its allocation. */
export function insertPayment(
	work: Work,
	{ id: invoiceId, customerId, legalEntityId, currency }: InvoiceRow,
	{ paidAt: receivedAt, ...money }: NewMoney,
	{ kind, balancePart }: { readonly kind: "PAYMENT" | "REFUND"; readonly balancePart: Decimal },
): PaymentRow {
	const receipt = insertReceipt(work, {
		...{ ...money, kind, customerId, legalEntityId, currency, receivedAt },
		...{ referenceScope: invoiceId, unallocated: zero, reason: null, source: null },
	});
	const { amount } = money;
	const allocation = { invoiceId, kind, amount, balancePart, reversesId: null, reason: null, returnId: null };
	return paymentOf(insertAllocation(work, { ...allocation, receiptId: receipt.id }), receipt);
}
