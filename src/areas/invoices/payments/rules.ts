import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { dueOf } from "../credit-notes/rules";
import type { CreditNoteRow, InvoicePaymentRow, InvoiceRow } from "../table";

/** What a payment or a refund changes: what of the invoice is paid, and the customer's balance. */
export interface PaymentEffect {
	/** What has been paid of the invoice after it. */
	readonly amountPaid: Decimal;
	/** How much of it the balance gets; of a refund, gives. */
	readonly balancePart: Decimal;
	/** Nothing is left to collect. */
	readonly settles: boolean;
}

type Paid = Pick<InvoiceRow, "number" | "state" | "total" | "balanceApplied" | "amountPaid">;

/**
 * What comes in pays what is due; what is beyond it goes to the balance (our choice: it is there, and belongs to the customer).
 * BillingInvoiceStatusError unless the invoice is OPEN.
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
 * What is paid back of an OPEN invoice is due again. A PAID one stays PAID: what a credit note gave back, or was paid beyond
 * what was due, is in the balance, and from there it is paid back; as from there of a CANCELED one.
 * InvalidArgumentError beyond what was paid and not refunded, and beyond what is in the balance.
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
			`Of ${invoice.number} at most ${refundable.toFixed()} can be refunded: so much of its recorded payments is left, and ${amount} was asked for.`,
		);
	if (invoice.state === "OPEN")
		return { amountPaid: toDecimal(exact(invoice.amountPaid).minus(amount)), balancePart: zero, settles: false };
	if (exact(balance).lt(amount))
		throw fail(
			"InvalidArgumentError",
			`${invoice.number} is ${invoice.state}: a refund is paid from the customer's balance, in which there is ${balance}. Issue a credit note first; what it gives back goes to the balance.`,
		);
	return { amountPaid: invoice.amountPaid, balancePart: amount, settles: false };
}

const signed = ({ kind }: Pick<InvoicePaymentRow, "kind">, amount: Big): Big =>
	kind === "REFUND" ? amount.times(-1) : amount;

/** What came in less what was paid back. */
const netOf = (payments: readonly InvoicePaymentRow[]): Big =>
	sum(payments.map((one) => signed(one, exact(one.amount))));

/** What payments have paid of their invoice itself. */
export const paidOf = (payments: readonly InvoicePaymentRow[]): Big =>
	sum(payments.map((one) => signed(one, exact(one.amount).minus(exact(one.balancePart)))));

/** What is told again under a reference is the same. InvalidArgumentError for another amount. */
export function assertSamePayment(known: InvoicePaymentRow, amount: Decimal): void {
	if (!exact(known.amount).eq(amount))
		throw fail(
			"InvalidArgumentError",
			`The reference '${known.reference}' is already recorded for this invoice, with an amount of ${known.amount}; another payment needs another reference.`,
		);
}
