import { type Big, type Decimal, exact, sum, toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { reducedBy } from "../credit-notes/rules";
import type { CreditNoteRow, InvoiceRow } from "../table";
import type { AllocationRow, ReceiptRow } from "../table.receipts";
import { netOf } from "./rules";

type Allocated = Pick<AllocationRow, "id" | "kind" | "amount" | "balancePart" | "reversesId">;
type Invoiced = Pick<InvoiceRow, "number" | "state" | "total" | "balanceApplied" | "amountPaid" | "currency">;

/** The effect of a reversal on an invoice, the customer's balance and the receipt. */
interface ReversalEffect {
	/** The amount that the receipt gets back. */
	readonly amount: Decimal;
	/** The part of it that the customer's balance pays. */
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
	if (ofReceipt.some(({ reversesId }) => reversesId === allocation.id))
		throw fail("InvalidArgumentError", `The payment '${allocation.id}' was reversed already.`);
}

/**
 * Reverses a payment of an invoice, less the amounts that were refunded since. The balance first gives what the overpayments and the
 * credit notes of the invoice added to it; the rest is due again. All of a payment of a CANCELED invoice is in the balance. Throws
 * InvalidArgumentError if nothing is left to reverse, and if the balance has less than it must give.
 */
export function applyReversal(
	invoice: Invoiced,
	{ amount: paid }: Pick<AllocationRow, "amount">,
	around: {
		readonly payments: readonly Allocated[];
		readonly notes: readonly CreditNoteRow[];
		readonly receipt: Pick<ReceiptRow, "amount" | "refunded">;
		readonly balance: Decimal;
	},
): ReversalEffect {
	const { payments, notes, receipt, balance } = around;
	const kept = exact(receipt.amount).minus(exact(receipt.refunded));
	const amount = least(exact(paid), kept, netOf(payments));
	if (amount.lte(0))
		throw fail(
			"InvalidArgumentError",
			`Nothing of the payment of ${invoice.number} is left to reverse: it was refunded. See the payments of the invoice.`,
		);
	const needed = invoice.state === "CANCELED" ? amount : amount.minus(exact(invoice.amountPaid));
	const inBalance = invoice.state === "CANCELED" ? amount : positive(addedToBalance(payments, notes));
	const balancePart = least(amount, inBalance, exact(balance));
	if (balancePart.lt(needed))
		throw fail(
			"InvalidArgumentError",
			`${needed.toFixed()} of the payment of ${invoice.number} went to the customer's balance, which is ${balance} ${invoice.currency} now. Add the difference to the balance first (POST /customers/{id}/balance/entries).`,
		);
	const due = amount.minus(balancePart);
	const amountPaid = exact(invoice.amountPaid).minus(due);
	return {
		amount: toDecimal(amount),
		balancePart: toDecimal(balancePart),
		amountPaid: toDecimal(amountPaid),
		reopens: invoice.state !== "CANCELED" && due.gt(0),
	};
}

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

const least = (...amounts: readonly [Big, ...Big[]]): Big =>
	amounts.reduce((least, one) => (one.lt(least) ? one : least));

const positive = (amount: Big): Big => (amount.lt(0) ? exact(0) : amount);
