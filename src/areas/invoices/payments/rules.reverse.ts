import { type Big, type Decimal, exact, sum, toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { reducedBy } from "../credit-notes/rules";
import type { CreditNoteRow, InvoiceRow } from "../table";
import type { AllocationRow, ReceiptRow } from "../table.receipts";
import { leftOf, netOf, refundableOf } from "./rules";

type Allocated = Pick<AllocationRow, "id" | "kind" | "amount" | "balancePart" | "reversesId">;
type Invoiced = Pick<InvoiceRow, "number" | "state" | "total" | "balanceApplied" | "amountPaid" | "currency">;

/** The effect of a reversal on an invoice and on the customer's balance. */
interface ReversalEffect {
	/** The part of the amount that the customer's balance pays. */
	readonly balancePart: Decimal;
	/** The paid amount of the invoice afterwards. */
	readonly amountPaid: Decimal;
	/** Whether the invoice has an amount due that it did not have before. */
	readonly reopens: boolean;
}

/** Checks that an allocation is a payment that still counts. Throws InvalidArgumentError. */
export function assertReversible(allocation: Allocated, ofReceipt: readonly Allocated[]): void {
	if (allocation.kind !== "PAYMENT")
		throw fail(
			"InvalidArgumentError",
			`'${allocation.id}' is a ${allocation.kind}; only a PAYMENT can be reversed. Record the money again instead.`,
		);
	if (leftOf(allocation, ofReceipt).lte(0))
		throw fail("InvalidArgumentError", `The payment '${allocation.id}' was reversed already.`);
}

/** The rows of a receipt that its allocations are compared with. */
interface AroundAllocation {
	readonly receipt: Pick<ReceiptRow, "amount" | "refunded" | "unallocated">;
	readonly allocations: ReadonlyArray<Allocated & Pick<AllocationRow, "invoiceId">>;
	/** The refunds of the receipt's money: the invoice of each (null: the balance paid it), and the allocated part. */
	readonly refunds: readonly AllocatedRefund[];
}

export interface AllocatedRefund {
	readonly invoiceId: string | null;
	readonly amount: Big;
}

/** Returns the part of an allocation that was neither reversed nor refunded. */
export const keptOf = (allocation: Allocated & Pick<AllocationRow, "invoiceId">, around: AroundAllocation): Big =>
	least(leftOf(allocation, around.allocations), keptOn(allocation.invoiceId, around));

/** Returns the part of a receipt that an invoice has, or the balance (null), and that was not refunded. */
export function keptOn(invoiceId: string | null, { receipt, allocations, refunds }: AroundAllocation): Big {
	const onInvoice = allocations.filter((one) => one.invoiceId === invoiceId);
	const refunded = sum(refunds.filter((one) => one.invoiceId === invoiceId).map(({ amount }) => amount));
	return positive(least(netOf(onInvoice).minus(refunded), allocatedOf(receipt)));
}

/** Returns the part of a receipt that is allocated and was neither refunded nor withdrawn. */
export const allocatedOf = ({ amount, refunded, unallocated }: AroundAllocation["receipt"]): Big =>
	exact(amount).minus(exact(refunded)).minus(exact(unallocated));

/** Throws InvalidArgumentError for a withdrawal of money that a dispute concerns: the end of the dispute withdraws it. */
export function assertNotDisputed(
	receipt: Pick<ReceiptRow, "id" | "amount" | "refunded" | "disputed">,
	requested: Decimal | null,
): void {
	const left = refundableOf(receipt);
	if (exact(receipt.disputed).lte(0) || (left.gt(0) && (requested === null || left.gte(requested)))) return;
	throw fail(
		"InvalidArgumentError",
		`${receipt.disputed} of the receipt '${receipt.id}' is disputed, so at most ${left.toFixed()} can be withdrawn. If the money is lost, end the dispute as LOST (POST /disputes/{disputeId}/state).`,
	);
}

/** Returns the amount to reverse: all that is left, or the requested part of it. Throws InvalidArgumentError. */
export function amountToReverse(named: string, kept: Big, requested: Decimal | null): Big {
	if (kept.lte(0))
		throw fail(
			"InvalidArgumentError",
			`Nothing of ${named} is left to reverse: it was refunded. See its allocations and refunds.`,
		);
	if (requested !== null && kept.lt(requested))
		throw fail("InvalidArgumentError", `At most ${kept.toFixed()} of ${named} can be reversed; got ${requested}.`);
	return requested === null ? kept : exact(requested);
}

/**
 * Reverses an amount of a payment of an invoice. The balance first gives what the overpayments and the credit notes of the invoice
 * added to it; the rest is due again. All of a payment of a CANCELED invoice is in the balance. Throws InvalidArgumentError if the
 * balance has less than it must give.
 */
export function applyReversal(
	invoice: Invoiced,
	amount: Big,
	around: {
		readonly payments: readonly Allocated[];
		readonly notes: readonly CreditNoteRow[];
		readonly balance: Decimal;
	},
): ReversalEffect {
	const { payments, notes, balance } = around;
	const isCanceled = invoice.state === "CANCELED";
	const needed = isCanceled ? amount : amount.minus(exact(invoice.amountPaid));
	const inBalance = isCanceled ? amount : positive(addedToBalance(payments, notes));
	const balancePart = least(amount, inBalance, exact(balance));
	if (balancePart.lt(needed)) throw spent(`the payment of ${invoice.number}`, needed, { ...invoice, balance });
	const due = amount.minus(balancePart);
	return {
		balancePart: toDecimal(balancePart),
		amountPaid: toDecimal(exact(invoice.amountPaid).minus(due)),
		reopens: !isCanceled && due.gt(0),
	};
}

/** Checks that the balance still has an amount that a receipt added to it. Throws InvalidArgumentError. */
export function assertInBalance(amount: Big, balance: { readonly balance: Decimal; readonly currency: string }): void {
	if (exact(balance.balance).lt(amount)) throw spent("the receipt", amount, balance);
}

const spent = (
	named: string,
	needed: Big,
	{ balance, currency }: { readonly balance: Decimal; readonly currency: string },
) =>
	fail(
		"InvalidArgumentError",
		`${needed.toFixed()} of ${named} went to the customer's balance, which is ${balance} ${currency} now. Add the difference to the balance first (POST /customers/{id}/balance/entries).`,
	);

/** Returns whether an amount is due of an invoice that is not CANCELED, with that paid amount. */
export const isOpenAt = (
	{ total, balanceApplied }: Pick<InvoiceRow, "total" | "balanceApplied">,
	amountPaid: Decimal,
	notes: readonly CreditNoteRow[],
): boolean =>
	exact(total)
		.minus(sum([exact(balanceApplied), exact(amountPaid), reducedBy(notes)]))
		.gt(0);

/** Returns what overpayments and credit notes of the invoice added to the balance, less what refunds and reversals took from it. */
const addedToBalance = (payments: readonly Allocated[], notes: readonly CreditNoteRow[]): Big =>
	sum([
		...payments.map(({ kind, balancePart }) => exact(balancePart).times(kind === "PAYMENT" ? 1 : -1)),
		...notes.map(({ toBalance }) => exact(toBalance)),
	]);

export const least = (...amounts: readonly [Big, ...Big[]]): Big =>
	amounts.reduce((least, one) => (one.lt(least) ? one : least));

const positive = (amount: Big): Big => (amount.lt(0) ? exact(0) : amount);
