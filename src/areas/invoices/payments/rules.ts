import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { dueOf } from "../credit-notes/rules";
import type { CreditNoteRow, InvoiceRow } from "../table";
import type { AllocationRow, ReceiptRow } from "../table.receipts";
import type { Excess } from "./schema";
import type { PaymentRow } from "./store";

/** The effect of a payment or a refund on the paid amount of the invoice and on the customer's balance. */
interface PaymentEffect {
	/** The paid amount of the invoice afterwards. */
	readonly amountPaid: Decimal;
	/** The part that the balance receives; for a refund, the part that it pays. */
	readonly balancePart: Decimal;
}

/** The effect of an allocation; the receipt gives `amount`. */
export interface AllocationEffect extends PaymentEffect {
	readonly amount: Decimal;
	/** Whether nothing is due. */
	readonly settles: boolean;
}

type Paid = Pick<InvoiceRow, "number" | "state" | "total" | "balanceApplied" | "amountPaid">;

/** Throws BillingInvoiceStatusError unless the invoice is OPEN. */
export function assertOpen({ number, state }: Pick<Paid, "number" | "state">): void {
	if (state !== "OPEN")
		throw fail(
			"BillingInvoiceStatusError",
			`The invoice ${number} is ${state}: nothing of it is due. What came in all the same belongs to the customer: add it to the balance (POST /customers/{id}/balance/entries).`,
		);
}

/**
 * Applies an amount to the amount due. Our choice (docs/interface/invoices.md#invoices): the excess goes to the balance with this
 * allocation, because the money has arrived and belongs to the customer; or the receipt keeps it. Returns null for an invoice that is
 * not OPEN.
 */
export function applyAllocation(
	invoice: Paid,
	notes: readonly CreditNoteRow[],
	amount: Decimal,
	excess: Excess,
): AllocationEffect | null {
	if (invoice.state !== "OPEN") return null;
	const due = dueOf(invoice, notes);
	const taken = due.lt(amount) ? due : exact(amount);
	const balancePart = excess === "BALANCE" ? exact(amount).minus(taken) : exact(zero);
	return {
		amount: toDecimal(taken.plus(balancePart)),
		amountPaid: toDecimal(exact(invoice.amountPaid).plus(taken)),
		balancePart: toDecimal(balancePart),
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
		return { amountPaid: toDecimal(exact(invoice.amountPaid).minus(amount)), balancePart: zero };
	if (exact(balance).lt(amount))
		throw fail(
			"InvalidArgumentError",
			`${invoice.number} is ${invoice.state}, so its refund is paid from the customer's balance, which is ${balance}. Issue a credit note first; its amount goes to the balance.`,
		);
	return { amountPaid: invoice.amountPaid, balancePart: amount };
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

/** Returns the payments of which reversals leave a part. */
export function paymentsInForce<Row extends Pick<AllocationRow, "id" | "kind" | "reversesId" | "amount">>(
	rows: readonly Row[],
): Row[] {
	return rows.filter((row) => row.kind === "PAYMENT" && leftOf(row, rows).gt(0));
}

/** Returns the amount of an allocation, less its reversals. */
export const leftOf = (
	{ id, amount }: Pick<AllocationRow, "id" | "amount">,
	rows: ReadonlyArray<Pick<AllocationRow, "reversesId" | "amount">>,
): Big =>
	exact(amount).minus(
		sum(rows.filter(({ reversesId }) => reversesId === id).map((reversal) => exact(reversal.amount))),
	);

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

/** Returns the part of a receipt that can be refunded: what arrived, less what was refunded, withdrawn or is disputed. */
export const refundableOf = ({
	amount,
	refunded,
	disputed,
}: Pick<ReceiptRow, "amount" | "refunded" | "disputed">): Big =>
	exact(amount).minus(exact(refunded)).minus(exact(disputed));

/**
 * Splits a refund over the receipts that brought the money in, in their order. Each gives at most what the invoice has of it (`kept`)
 * and what is not disputed. Throws InvalidArgumentError beyond the sum of those amounts.
 */
export function refundParts(
	receipts: ReadonlyArray<{ readonly receipt: ReceiptRow; readonly kept: Big }>,
	refund: Decimal,
): RefundPart[] {
	let left = exact(refund);
	const parts = receipts.flatMap(({ receipt, kept }) => {
		const amount = [kept, refundableOf(receipt)].reduce((least, one) => (one.lt(least) ? one : least), left);
		left = left.minus(amount);
		return amount.gt(0) ? [{ receipt, amount: toDecimal(amount) }] : [];
	});
	if (left.gt(0))
		throw fail(
			"InvalidArgumentError",
			`At most ${exact(refund).minus(left).toFixed()} can be refunded: the rest of the payments was refunded already or is disputed; got ${refund}.`,
		);
	return parts;
}
