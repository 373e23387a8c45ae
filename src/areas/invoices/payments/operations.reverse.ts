import { type Decimal, exact, toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { addBalanceEntry, balanceOf } from "../balance/ledger";
import { creditNotesOf, markVoided } from "../credit-notes/store";
import { paymentReversed, receiptChanged } from "../events";
import { getInvoice } from "../operations";
import { assertWholeMinorUnits } from "../rules";
import { changeInvoice } from "../store";
import type { CreditNoteRow, InvoiceRow } from "../table";
import type { AllocationRow, ReceiptRow } from "../table.receipts";
import {
	type AllocatedRefund,
	amountToReverse,
	applyReversal,
	assertInBalance,
	assertReversible,
	isOpenAt,
	keptOf,
	keptOn,
} from "./rules.reverse";
import type { ReversalReason } from "./schema";
import { changeReceipt, findAllocation, insertAllocation, paymentsOf, selectReceipts } from "./store";
import { allocationsOfReceipts, refundsOfReceipts } from "./store.check";

export interface ReversedAllocation {
	/** The row that reverses. */
	readonly reversal: AllocationRow;
	/** The receipt after the reversal. */
	readonly receipt: ReceiptRow;
	/** The invoice after the reversal; null: the money was in the customer's balance. */
	readonly invoice: InvoiceRow | null;
}

/**
 * Undoes an allocation (by row id), or an amount of it: the money is unallocated again, and pays something else or is refunded. A PAID
 * invoice with an amount due is OPEN again. Throws InvalidArgumentError for an unknown or reversed allocation, more than its rest, and
 * money that the balance has spent.
 */
export function reverseAllocation(work: Work, allocationId: string, amount: Decimal | null): ReversedAllocation {
	const allocation = findAllocation(work, allocationId);
	const [receipt] = selectReceipts(work, allocation ? [allocation.receiptId] : []);
	if (!allocation || !receipt) throw allocationNotFound(allocationId);
	const undone = reverseOf(work, receipt, allocation, { amount, reason: "MISALLOCATED", returnId: null });
	const unallocated = toDecimal(exact(receipt.unallocated).plus(exact(undone.reversal.amount)));
	const changed = changeReceipt(work, receipt, { unallocated });
	receiptChanged(work, "receipt.allocation_reversed", changed);
	return { ...undone, receipt: changed };
}

/** The catalogue of errors has no code for payments. */
export const allocationNotFound = (id: string) =>
	fail("InvalidArgumentError", `There is no payment '${id}' here; see the list of payments for their ids.`);

interface NewReversal {
	/** Null: all that is left. */
	readonly amount: Decimal | null;
	readonly reason: ReversalReason;
	/** The RETURN that withdraws the money. */
	readonly returnId: string | null;
}

/** An allocation as it is read with its receipt. */
type Unsealed = Omit<AllocationRow, "seal">;

/** Returns the part of an allocation that was neither reversed nor refunded. */
export const keptOfAllocation = (work: Work, receipt: ReceiptRow, allocation: Unsealed) =>
	keptOf(allocation, aroundOf(work, receipt));

/** Returns the part of a receipt that an invoice has, or the balance (null), and that was not refunded. */
export const keptOnInvoice = (work: Work, receipt: ReceiptRow, invoiceId: string | null) =>
	keptOn(invoiceId, aroundOf(work, receipt));

const aroundOf = (work: Work, receipt: ReceiptRow) => ({
	receipt,
	allocations: allocationsOfReceipts(work, [receipt.id]),
	refunds: allocatedRefunds(work, receipt),
});

/** Returns the refunds of the allocated money of a receipt. */
function allocatedRefunds(work: Work, { id }: ReceiptRow): AllocatedRefund[] {
	const parts = refundsOfReceipts(work, [id]);
	const refunds = allocationsOfReceipts(
		work,
		parts.map(({ refundId }) => refundId),
	).filter(({ kind }) => kind === "REFUND");
	const invoiceOf = new Map(refunds.map(({ receiptId, invoiceId }) => [receiptId, invoiceId]));
	return parts.flatMap(({ refundId, amount, unallocatedPart }) => {
		const invoiceId = invoiceOf.get(refundId);
		return invoiceId === undefined ? [] : [{ invoiceId, amount: exact(amount).minus(exact(unallocatedPart)) }];
	});
}

/** Writes the reversal of an allocation. The caller changes the receipt. */
export function reverseOf(
	work: Work,
	receipt: ReceiptRow,
	allocation: Unsealed,
	{ amount: requested, reason, returnId }: NewReversal,
): Omit<ReversedAllocation, "receipt"> {
	assertReversible(allocation, allocationsOfReceipts(work, [receipt.id]));
	if (requested !== null) assertWholeMinorUnits("amount", requested, receipt.currency);
	const { id: reversesId, invoiceId } = allocation;
	const invoice = invoiceId === null ? null : getInvoice(work, invoiceId);
	const named = invoice ? `the payment of ${invoice.number}` : "the amount in the balance";
	const amount = amountToReverse(named, keptOfAllocation(work, receipt, allocation), requested);
	const row = { receiptId: receipt.id, invoiceId, kind: "REVERSAL", reversesId, reason, returnId } as const;
	if (invoice === null) {
		assertInBalance(amount, { balance: balanceOf(work, receipt), currency: receipt.currency });
		const reversal = insertAllocation(work, { ...row, amount: toDecimal(amount), balancePart: toDecimal(amount) });
		takeFromBalance(work, receipt, reversal);
		return { reversal, invoice };
	}
	const notes = creditNotesOf(work, invoice);
	const payments = paymentsOf(work, invoice.id);
	const effect = applyReversal(invoice, amount, { payments, notes, balance: balanceOf(work, invoice) });
	const { balancePart, amountPaid, reopens } = effect;
	const reversal = insertAllocation(work, { ...row, amount: toDecimal(amount), balancePart });
	takeFromBalance(work, invoice, reversal);
	const left = reopens ? withoutCashDiscount(work, notes) : notes;
	const isOpenAgain = reopens && invoice.state === "PAID" && isOpenAt(invoice, amountPaid, left);
	const changed = changeInvoice(work, invoice, {
		...(reopens && { amountPaid }),
		...(isOpenAgain && { state: "OPEN" as const, paidAt: null }),
	});
	paymentReversed(work, changed, reversal);
	return { reversal, invoice: changed };
}

/** Voids the cash discount of a payment that no longer counts, and returns the other credit notes. */
function withoutCashDiscount(work: Work, notes: readonly CreditNoteRow[]): CreditNoteRow[] {
	for (const note of notes) if (note.reasonCode === "CASH_DISCOUNT") markVoided(work, note);
	return notes.filter(({ reasonCode }) => reasonCode !== "CASH_DISCOUNT");
}

const takeFromBalance = (
	work: Work,
	owner: Pick<ReceiptRow, "customerId" | "currency">,
	{ id, balancePart }: AllocationRow,
): void =>
	addBalanceEntry(work, owner, {
		kind: "REVERSED",
		amount: toDecimal(exact(balancePart).times(-1)),
		paymentId: id,
	});
