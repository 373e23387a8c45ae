import { type Instant, instantOf } from "../../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { addBalanceEntry, balanceOf } from "../balance/ledger";
import { creditCashDiscount } from "../credit-notes/cash-discount";
import { assertDateOf, dueOf } from "../credit-notes/rules";
import { creditNotesOf } from "../credit-notes/store";
import { getInvoice } from "../operations";
import { assertIssued, assertMayBecome, assertWholeMinorUnits } from "../rules";
import { changeInvoice } from "../store";
import type { InvoiceRow } from "../table";
import { insertPayment } from "./operations.record";
import { applyPayment, applyRefund, assertSamePayment, paymentsInForce, refundParts } from "./rules";
import { discountUsed } from "./rules.cash-discount";
import type { PaymentListQuery, PaymentReport } from "./schema";
import {
	changeReceipt,
	findByReference,
	insertRefundParts,
	type PaymentRow,
	pagePayments,
	paymentsOf,
	selectPayments,
	selectReceipts,
} from "./store";

/** A payment or a refund to record; the amount is above zero. */
export type NewPayment = Pick<PaymentRow, "amount" | "method" | "reference" | "note" | "paidAt"> & {
	readonly kind: "PAYMENT" | "REFUND";
};

/** Completes a reported payment; the defaults are a payment, by another method, now. Throws the errors of `assertDateOf`. */
export function newPaymentOf(work: Work, invoice: InvoiceRow, report: PaymentReport): NewPayment {
	const { amount, kind = "PAYMENT", method = "OTHER", reference = null, note = null, paidDate } = report;
	const paidAt = paidDate === undefined ? work.now : instantOf(paidDate);
	if (paidDate !== undefined) assertDateOf(invoice, "paidDate", paidAt, work.now);
	return { kind, amount: toDecimal(amount), method, reference, note, paidAt };
}

export interface RecordedPayment {
	readonly payment: PaymentRow;
	/** The invoice after the payment. */
	readonly invoice: InvoiceRow;
	/** Whether this payment settled the invoice. */
	readonly settles: boolean;
}

/**
 * Records a payment or a refund. A repeated reference is recorded once. The invoice is PAID once nothing is due; the excess goes to
 * the customer's balance. Throws InvoiceNotFound, or BillingInvoiceStatusError for a payment of an invoice that is not OPEN. Throws
 * InvalidArgumentError for a fraction of a minor unit, another amount under a known reference, and a refund that is too large.
 */
export function recordPayment(work: Work, invoiceId: string, input: NewPayment): RecordedPayment {
	let invoice = getInvoice(work, invoiceId);
	assertIssued(invoice);
	const { kind, amount, reference, paidAt } = input;
	assertWholeMinorUnits("amount", amount, invoice.currency);
	const known = reference === null ? undefined : findByReference(work, invoice.id, kind, reference);
	if (known) {
		assertSamePayment(known, amount);
		return { payment: known, invoice, settles: false };
	}
	const isRefund = kind === "REFUND";
	if (!isRefund) invoice = withCashDiscount(work, invoice, input);
	const { amountPaid, balancePart, settles } = isRefund
		? applyRefund(invoice, paymentsOf(work, invoice.id), balanceOf(work, invoice), amount)
		: applyPayment(invoice, creditNotesOf(work, invoice), amount);
	const { method, note } = input;
	const payment = insertPayment(work, invoice, { amount, method, reference, note, paidAt }, { kind, balancePart });
	if (isRefund) refundReceipts(work, payment);
	addBalanceEntry(work, invoice, {
		kind: isRefund ? "REFUNDED" : "OVERPAID",
		amount: isRefund ? toDecimal(exact(balancePart).times(-1)) : balancePart,
		paymentId: payment.id,
	});
	const changes = settles ? { amountPaid, state: "PAID" as const, paidAt } : { amountPaid };
	return { payment, invoice: changeInvoice(work, invoice, changes), settles };
}

/** Records the receipts of the invoice that a refund refunds, the oldest first. */
function refundReceipts(work: Work, { receiptId: refundId, invoiceId, amount }: PaymentRow): void {
	const ids = paymentsInForce(paymentsOf(work, invoiceId ?? "")).map(({ receiptId }) => receiptId);
	const parts = refundParts(
		selectReceipts(work, [...new Set(ids)]).sort((one, other) => (one.id < other.id ? -1 : 1)),
		amount,
	);
	insertRefundParts(
		work,
		parts.map((part) => ({ refundId, receiptId: part.receipt.id, amount: part.amount, unallocatedPart: zero })),
	);
	for (const { receipt, amount: part } of parts)
		changeReceipt(work, receipt, { refunded: toDecimal(exact(receipt.refunded).plus(exact(part))) });
}

/** Credits the cash discount first, if the payment uses it. */
function withCashDiscount(work: Work, invoice: InvoiceRow, payment: NewPayment): InvoiceRow {
	const notes = creditNotesOf(work, invoice);
	const used = discountUsed(invoice, notes, paymentsInForce(paymentsOf(work, invoice.id)), payment);
	if (used === null) return invoice;
	creditCashDiscount(work, invoice, notes, used);
	return getInvoice(work, invoice.id);
}

/** Records a payment of the whole amount due. Throws InvoiceNotFound, or BillingInvoiceStatusError unless the invoice is OPEN. */
export function markPaid(work: Work, invoiceId: string, paidAt: Instant): InvoiceRow {
	const invoice = getInvoice(work, invoiceId);
	assertMayBecome(invoice, "PAID");
	const amount = amountDue(work, invoice);
	assert(exact(amount).gt(0), "an invoice of which nothing is due is PAID");
	return recordPayment(work, invoiceId, { ...paymentOf(amount), paidAt }).invoice;
}

const paymentOf = (amount: Decimal) =>
	({ kind: "PAYMENT", amount, method: "OTHER", reference: null, note: null }) as const;

/** Returns the amount due of an invoice. */
export const amountDue = (work: Work, invoice: InvoiceRow): Decimal =>
	toDecimal(dueOf(invoice, creditNotesOf(work, invoice)));

/** Lists payments, newest first. */
export const listPayments = (work: Work, invoice: InvoiceRow, query: PaymentListQuery): Page<PaymentRow> =>
	pagePayments(work, invoice.id, query);

/** Returns payments by row id. */
export const paymentsByIds = (work: Work, ids: readonly string[]): Map<string, PaymentRow> =>
	new Map(selectPayments(work, ids).map((payment) => [payment.id, payment]));
