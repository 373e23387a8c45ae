import { type Instant, instantOf } from "../../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { addBalanceEntry, balanceOf } from "../balance/ledger";
import { assertDateOf, dueOf } from "../credit-notes/rules";
import { creditNotesOf } from "../credit-notes/store";
import { getInvoice } from "../operations";
import { assertIssued, assertMayBecome, assertWholeMinorUnits } from "../rules";
import { changeInvoice } from "../store";
import type { InvoiceRow } from "../table";
import { insertPayment } from "./operations.record";
import { keptOnInvoice } from "./operations.reverse";
import { type IncomingPayment, recordReceipt, type TakenPayment } from "./operations.take";
import { applyRefund, assertOpen, assertSamePayment, paymentsInForce, refundParts } from "./rules";
import type { PaymentListQuery, PaymentReport } from "./schema";
import {
	changeReceipt,
	findByReference,
	insertRefundParts,
	type PaymentRow,
	pagePayments,
	paymentOf,
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
 * Returns the payment or refund that has the reference of a new one; undefined if it is new. Throws InvalidArgumentError for another
 * amount, and for a fraction of a minor unit.
 */
function findRecorded(work: Work, invoice: InvoiceRow, { kind, amount, reference }: NewPayment) {
	assertIssued(invoice);
	assertWholeMinorUnits("amount", amount, invoice.currency);
	const known = reference === null ? undefined : findByReference(work, invoice.id, kind, reference);
	if (known) assertSamePayment(known, amount);
	return known && { payment: known, invoice, settles: false };
}

/** The operation that takes money; `takePayment` also starts what waits for a payment. */
type TakePayment = (work: Work, incoming: IncomingPayment) => TakenPayment;

/**
 * Records a payment of one invoice, by its own receipt, or a refund. A repeated reference is recorded once. The invoice is PAID once
 * nothing is due; the excess goes to the customer's balance. Throws InvoiceNotFound, or BillingInvoiceStatusError for a payment of an
 * invoice that is not OPEN. Throws InvalidArgumentError for a fraction of a minor unit, another amount under a known reference, and a
 * refund that is too large.
 */
export function recordPayment(
	work: Work,
	invoiceId: string,
	payment: NewPayment,
	takePayment: TakePayment = recordReceipt,
): RecordedPayment {
	const invoice = getInvoice(work, invoiceId);
	const known = findRecorded(work, invoice, payment);
	if (known) return known;
	if (payment.kind === "REFUND") return recordRefund(work, invoice, payment);
	assertOpen(invoice);
	const { customerId, legalEntityId, currency } = invoice;
	const { amount, method, reference, note, paidAt } = payment;
	const { receipt, allocations, settled } = takePayment(work, {
		...{ customerId, legalEntityId, currency, amount, method, reference, note },
		...{ source: { kind: "INVOICE", id: invoice.id }, receivedAt: paidAt, excess: "BALANCE" },
		allocations: [{ invoiceId: invoice.id, amount }],
	});
	const [allocation] = allocations;
	assert(allocation, "an OPEN invoice takes the payment");
	return {
		payment: paymentOf(allocation, receipt),
		invoice: getInvoice(work, invoice.id),
		settles: settled.length > 0,
	};
}

function recordRefund(work: Work, invoice: InvoiceRow, input: NewPayment): RecordedPayment {
	const { amount, method, reference, note, paidAt } = input;
	const { amountPaid, balancePart } = applyRefund(
		...([invoice, paymentsOf(work, invoice.id), balanceOf(work, invoice), amount] as const),
	);
	const money = { amount, method, reference, note, paidAt };
	const payment = insertPayment(work, invoice, money, { kind: "REFUND", balancePart });
	refundReceipts(work, payment);
	addBalanceEntry(work, invoice, {
		...{ kind: "REFUNDED", amount: toDecimal(exact(balancePart).times(-1)), paymentId: payment.id },
	});
	return { payment, invoice: changeInvoice(work, invoice, { amountPaid }), settles: false };
}

/** Records the receipts of the invoice that a refund refunds, the oldest first. */
function refundReceipts(work: Work, { receiptId: refundId, invoiceId, amount }: PaymentRow): void {
	const ids = paymentsInForce(paymentsOf(work, invoiceId ?? "")).map(({ receiptId }) => receiptId);
	const receipts = selectReceipts(work, [...new Set(ids)]).sort((one, other) => (one.id < other.id ? -1 : 1));
	const parts = refundParts(
		receipts.map((receipt) => ({ receipt, kept: keptOnInvoice(work, receipt, invoiceId) })),
		amount,
	);
	insertRefundParts(
		work,
		parts.map((part) => ({ refundId, receiptId: part.receipt.id, amount: part.amount, unallocatedPart: zero })),
	);
	for (const { receipt, amount: part } of parts)
		changeReceipt(work, receipt, { refunded: toDecimal(exact(receipt.refunded).plus(exact(part))) });
}

/** Records a payment of the whole amount due. Throws InvoiceNotFound, or BillingInvoiceStatusError unless the invoice is OPEN. */
export function markPaid(
	work: Work,
	invoiceId: string,
	paidAt: Instant,
	takePayment: TakePayment = recordReceipt,
): InvoiceRow {
	const invoice = getInvoice(work, invoiceId);
	assertMayBecome(invoice, "PAID");
	const amount = amountDue(work, invoice);
	assert(exact(amount).gt(0), "an invoice of which nothing is due is PAID");
	const payment = { kind: "PAYMENT", amount, method: "OTHER", reference: null, note: null, paidAt } as const;
	return recordPayment(work, invoiceId, payment, takePayment).invoice;
}

/** Returns the amount due of an invoice. */
export const amountDue = (work: Work, invoice: InvoiceRow): Decimal =>
	toDecimal(dueOf(invoice, creditNotesOf(work, invoice)));

/** Lists payments, newest first. */
export const listPayments = (work: Work, invoice: InvoiceRow, query: PaymentListQuery): Page<PaymentRow> =>
	pagePayments(work, invoice.id, query);

/** Returns payments by row id. */
export const paymentsByIds = (work: Work, ids: readonly string[]): Map<string, PaymentRow> =>
	new Map(selectPayments(work, ids).map((payment) => [payment.id, payment]));
