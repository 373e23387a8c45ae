import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { dueOf } from "../credit-notes/rules";
import type { CreditNoteRow, InvoiceRow } from "../table";
import type { AllocationRow, ReceiptRow } from "../table.receipts";
import type { PaymentRow } from "./store";

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
	payments: readonly Allocated[],
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

/** The fields of an allocation that these rules read. */
type Allocated = Pick<AllocationRow, "kind" | "amount" | "balancePart">;

const signed = ({ kind }: Allocated, amount: Big): Big => (kind === "PAYMENT" ? amount : amount.times(-1));

/** Returns the payments minus the refunds and the reversals. */
export const netOf = (payments: readonly Allocated[]): Big =>
	sum(payments.map((one) => signed(one, exact(one.amount))));

/** Returns the sum that payments paid of the invoice itself. */
export const paidOf = (payments: readonly Allocated[]): Big =>
	sum(payments.map((one) => signed(one, exact(one.amount).minus(exact(one.balancePart)))));

/** Returns the payments of an invoice that are not reversed. */
export function paymentsInForce<Row extends Pick<AllocationRow, "id" | "kind" | "reversesId">>(
	rows: readonly Row[],
): Row[] {
	const reversed = new Set(rows.map(({ reversesId }) => reversesId));
	return rows.filter(({ id, kind }) => kind === "PAYMENT" && !reversed.has(id));
}

/** Checks that a repeated reference has the same amount. Throws InvalidArgumentError. */
export function assertSamePayment(known: PaymentRow, amount: Decimal): void {
	if (!exact(known.amount).eq(amount))
		throw fail(
			"InvalidArgumentError",
			`The reference '${known.reference}' is already recorded for this invoice, with an amount of ${known.amount}; another payment needs another reference.`,
		);
}

/** The part of a refund that comes from one receipt. */
interface RefundPart {
	readonly receipt: ReceiptRow;
	readonly amount: Decimal;
}

/**
 * Splits a refund over the receipts that brought the money in, in their order, each up to the amount that is allocated and was not refunded. Throws
 * InvalidArgumentError beyond the sum of those amounts.
 */
export function refundParts(receipts: readonly ReceiptRow[], refund: Decimal): RefundPart[] {
	let left = exact(refund);
	const parts = receipts.flatMap((receipt) => {
		const kept = exact(receipt.amount).minus(exact(receipt.refunded)).minus(exact(receipt.unallocated));
		const amount = kept.lt(left) ? kept : left;
		left = left.minus(amount);
		return amount.gt(0) ? [{ receipt, amount: toDecimal(amount) }] : [];
	});
	if (left.gt(0))
		throw fail(
			"InvalidArgumentError",
			`At most ${exact(refund).minus(left).toFixed()} can be refunded: the rest of the payments was refunded already; got ${refund}.`,
		);
	return parts;
}
