import { type Instant, instantOf } from "../../../kernel/clock";
import { exact, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { addBalanceEntry, balanceOf } from "../balance/ledger";
import { creditNotesOf, markVoided } from "../credit-notes/store";
import { paymentReversed } from "../events";
import { changeInvoice } from "../store";
import type { CreditNoteRow, InvoiceRow } from "../table";
import type { AllocationRow, ReceiptRow } from "../table.receipts";
import { insertReceipt } from "./operations.record";
import { applyReversal, assertReversible, isOpenAt } from "./rules.reverse";
import type { ReversalReport } from "./schema";
import {
	changeReceipt,
	insertAllocation,
	insertRefundParts,
	type PaymentRow,
	paymentOf,
	paymentsOf,
	selectReceipts,
} from "./store";

/** Why and when a payment no longer counts. */
type NewReversal = Pick<AllocationRow, "reason"> & {
	readonly reason: NonNullable<AllocationRow["reason"]>;
	readonly reference: string | null;
	readonly note: string | null;
	readonly at: Instant;
};

/**
 * Completes a reported reversal. Throws InvalidArgumentError for a date before the money arrived or in the future.
 */
function newReversalOf(work: Work, receipt: ReceiptRow, report: ReversalReport): NewReversal {
	const { reason, reversedDate, reference = null, note = null } = report;
	const at = reversedDate === undefined ? work.now : instantOf(reversedDate);
	if (at > work.now)
		throw fail("InvalidArgumentError", "'reversedDate' lies in the future; give a time that has come.");
	if (at < receipt.receivedAt)
		throw fail("InvalidArgumentError", "'reversedDate' lies before the money arrived; give a later time.");
	return { reason, reference, note, at };
}

/**
 * Reverses a payment of that invoice as reported, because the money has left: the amount is due again, and a PAID invoice is OPEN again
 * with the same due date. Everything that began with the payment continues. Throws InvalidArgumentError.
 */
export function reversePayment(
	work: Work,
	invoice: InvoiceRow,
	paymentId: string,
	report: ReversalReport,
): { readonly payment: PaymentRow; readonly invoice: InvoiceRow } {
	const payments = paymentsOf(work, invoice.id);
	const payment = payments.find(({ id }) => id === paymentId);
	const [receipt] = selectReceipts(work, payment ? [payment.receiptId] : []);
	if (!payment || !receipt) throw paymentNotFound(paymentId);
	assertReversible(payment, payments);
	const input = newReversalOf(work, receipt, report);
	const reversed = reverseOnInvoice(work, payment, receipt, invoice, input);
	recordReturn(work, receipt, reversed.payment.amount, input);
	return reversed;
}

/** The catalogue of errors has no code for payments. */
const paymentNotFound = (id: string) =>
	fail("InvalidArgumentError", `There is no payment '${id}' here; see the list of payments for their ids.`);

function reverseOnInvoice(
	work: Work,
	allocation: PaymentRow,
	receipt: ReceiptRow,
	invoice: InvoiceRow,
	{ reason }: NewReversal,
): { readonly payment: PaymentRow; readonly invoice: InvoiceRow } {
	const notes = creditNotesOf(work, invoice);
	const effect = applyReversal(invoice, allocation, {
		...{ payments: paymentsOf(work, invoice.id), notes, receipt },
		balance: balanceOf(work, invoice),
	});
	const { amount, balancePart, amountPaid, reopens } = effect;
	const reversal = insertAllocation(work, {
		...{ receiptId: receipt.id, invoiceId: invoice.id, kind: "REVERSAL", amount, balancePart },
		...{ reversesId: allocation.id, reason },
	});
	takeFromBalance(work, invoice, reversal);
	const left = reopens ? withoutCashDiscount(work, notes) : notes;
	const isOpenAgain = reopens && invoice.state === "PAID" && isOpenAt(invoice, amountPaid, left);
	const changed = changeInvoice(work, invoice, {
		...(reopens && { amountPaid }),
		...(isOpenAgain && { state: "OPEN" as const, paidAt: null }),
	});
	paymentReversed(work, changed, reversal);
	return { payment: paymentOf(reversal, receipt), invoice: changed };
}

/** Voids the cash discount of a payment that no longer counts, and returns the other credit notes. */
function withoutCashDiscount(work: Work, notes: readonly CreditNoteRow[]): CreditNoteRow[] {
	for (const note of notes) if (note.reasonCode === "CASH_DISCOUNT") markVoided(work, note);
	return notes.filter(({ reasonCode }) => reasonCode !== "CASH_DISCOUNT");
}

const takeFromBalance = (
	work: Work,
	owner: Pick<ReceiptRow, "customerId" | "currency">,
	{ id, balancePart }: AllocationRow,
): void =>
	addBalanceEntry(work, owner, {
		kind: "REVERSED",
		amount: toDecimal(exact(balancePart).times(-1)),
		paymentId: id,
	});

/** Records money that the bank or the provider has withdrawn, and the receipt that it comes from. */
function recordReturn(
	work: Work,
	receipt: ReceiptRow,
	amount: ReceiptRow["amount"],
	{ reason, reference, note, at }: NewReversal,
): void {
	const { customerId, legalEntityId, currency, method } = receipt;
	const returned = insertReceipt(work, {
		...{ customerId, legalEntityId, currency, method, amount, reason, reference, note },
		...{ kind: "RETURN", unallocated: zero, referenceScope: receipt.id, receivedAt: at },
	});
	insertRefundParts(work, [{ refundId: returned.id, receiptId: receipt.id, amount, unallocatedPart: amount }]);
	changeReceipt(work, receipt, { refunded: toDecimal(exact(receipt.refunded).plus(exact(amount))) });
}
