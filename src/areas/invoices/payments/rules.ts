import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { dueOf } from "../credit-notes/rules";
import type { CreditNoteRow, InvoicePaymentRow, InvoiceRow } from "../table";

/** The effect of a payment or a refund on the paid amount of the invoice and on the customer's balance. */
export interface PaymentEffect {
	/** The paid amount of the invoice afterwards. */
	readonly amountPaid: Decimal;
	/** The part that the balance receives; for a refund, the part that it pays. */
	readonly balancePart: Decimal;
	/** Whether nothing is due. */
	readonly settles: boolean;
}

type Paid = Pick<InvoiceRow, "number" | "state" | "total" | "balanceApplied" | "amountPaid">;

/**
 * Applies a payment to the amount due. Our choice (docs/interface/invoices.md#invoices): the excess goes to the
 * balance, because the money has arrived and belongs to the customer. Throws BillingInvoiceStatusError unless the
 * invoice is OPEN.
 */
export function applyPayment(invoice: Paid, notes: readonly CreditNoteRow[], amount: Decimal): PaymentEffect {
	if (invoice.state !== "OPEN")
		throw fail(
			"BillingInvoiceStatusError",
			`The invoice ${invoice.number} is ${invoice.state}: nothing of it is due. What came in all the same belongs to the customer: add it to the balance (POST /customers/{id}/balance/entries).`,
		);
	const due = dueOf(invoice, notes);
	const taken = due.lt(amount) ? due : exact(amount);
	return {
		amountPaid: toDecimal(exact(invoice.amountPaid).plus(taken)),
		balancePart: toDecimal(exact(amount).minus(taken)),
		settles: taken.eq(due),
	};
}

/**
 * Applies a refund. For an OPEN invoice, the refunded amount is due again. A PAID invoice stays PAID: its credits and overpayments are
 * in the balance, which pays the refund. The balance also pays refunds of a CANCELED invoice. Throws InvalidArgumentError beyond the
 * payments that are not refunded, and beyond the balance.
 */
export function applyRefund(
	invoice: Paid,
	payments: readonly InvoicePaymentRow[],
	balance: Decimal,
	amount: Decimal,
): PaymentEffect {
	const refundable = netOf(payments);
	if (refundable.lt(amount))
		throw fail(
			"InvalidArgumentError",
			`At most ${refundable.toFixed()} of ${invoice.number} can be refunded, the rest of its recorded payments; got ${amount}.`,
		);
	if (invoice.state === "OPEN")
		return { amountPaid: toDecimal(exact(invoice.amountPaid).minus(amount)), balancePart: zero, settles: false };
	if (exact(balance).lt(amount))
		throw fail(
			"InvalidArgumentError",
			`${invoice.number} is ${invoice.state}, so its refund is paid from the customer's balance, which is ${balance}. Issue a credit note first; its amount goes to the balance.`,
		);
	return { amountPaid: invoice.amountPaid, balancePart: amount, settles: false };
}

const signed = ({ kind }: Pick<InvoicePaymentRow, "kind">, amount: Big): Big =>
	kind === "REFUND" ? amount.times(-1) : amount;

/** Returns the payments minus the refunds. */
const netOf = (payments: readonly InvoicePaymentRow[]): Big =>
	sum(payments.map((one) => signed(one, exact(one.amount))));

/** Returns the sum that payments paid of the invoice itself. */
export const paidOf = (payments: readonly InvoicePaymentRow[]): Big =>
	sum(payments.map((one) => signed(one, exact(one.amount).minus(exact(one.balancePart)))));

/** Checks that a repeated reference has the same amount. Throws InvalidArgumentError. */
export function assertSamePayment(known: InvoicePaymentRow, amount: Decimal): void {
	if (!exact(known.amount).eq(amount))
		throw fail(
			"InvalidArgumentError",
			`The reference '${known.reference}' is already recorded for this invoice, with an amount of ${known.amount}; another payment needs another reference.`,
		);
}
