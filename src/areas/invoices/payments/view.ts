import { toIso } from "../../../kernel/clock";
import { toWire } from "../../../kernel/decimal";
import type { InvoiceRow } from "../table";
import type { Payment } from "./schema";
import type { PaymentRow } from "./store";

export const viewPayment = (payment: PaymentRow, { id, currency }: Pick<InvoiceRow, "id" | "currency">): Payment => ({
	paymentId: payment.id,
	invoiceId: id,
	kind: payment.kind,
	amount: toWire(payment.amount),
	currency,
	balanceAmount: toWire(payment.balancePart),
	method: payment.method,
	reference: payment.reference,
	note: payment.note,
	paidDate: toIso(payment.paidAt),
	createdAt: toIso(payment.createdAt),
	...(payment.reversesId !== null && { reversesPaymentId: payment.reversesId }),
	...(payment.reason !== null && { reason: payment.reason }),
});
