import { toIso } from "../../../kernel/clock";
import { toWire } from "../../../kernel/decimal";
import type { InvoicePaymentRow, InvoiceRow } from "../table";
import type { Payment } from "./schema";

export const viewPayment = (payment: InvoicePaymentRow, { currency }: Pick<InvoiceRow, "currency">): Payment => ({
	paymentId: payment.id,
	invoiceId: payment.invoiceId,
	kind: payment.kind,
	amount: toWire(payment.amount),
	currency,
	balanceAmount: toWire(payment.balancePart),
	method: payment.method,
	reference: payment.reference,
	note: payment.note,
	paidDate: toIso(payment.paidAt),
	createdAt: toIso(payment.createdAt),
});
