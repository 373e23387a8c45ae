import { type Instant, instantOf } from "../../../kernel/clock";
import { type Big, type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { assert, fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { receiptChanged } from "../events";
import { getInvoice } from "../operations";
import { assertWholeMinorUnits } from "../rules";
import type { InvoiceRow } from "../table";
import type { AllocationRow, ReceiptRow } from "../table.receipts";
import { insertReceipt } from "./operations.record";
import { allocationNotFound, keptOfAllocation, reverseAllocation, reverseOf } from "./operations.reverse";
import { refundableOf } from "./rules";
import { amountToReverse, assertNotDisputed, least } from "./rules.reverse";
import { assertSameReceipt } from "./rules.take";
import type { ReturnReason, ReversalReport } from "./schema";
import {
	changeReceipt,
	findReceiptByReference,
	insertRefundParts,
	type PaymentRow,
	paymentOf,
	paymentsOf,
	selectReceipts,
} from "./store";
import { allocationsOfReceipts } from "./store.check";

/** Money that the bank or the provider has withdrawn. */
export interface NewReturn {
	/** In major units; null: all that was neither refunded nor withdrawn. */
	readonly amount: Decimal | null;
	readonly reason: ReturnReason;
	/** Unique within the receipt: a repeated one means the same withdrawal. */
	readonly reference: string | null;
	readonly note: string | null;
	/** Not before the money arrived, and not in the future. */
	readonly at: Instant;
}

export interface ReturnedReceipt {
	/** The receipt of kind RETURN that moves the money out. */
	readonly returned: ReceiptRow;
	/** The receipt after the withdrawal. */
	readonly receipt: ReceiptRow;
	readonly reversals: readonly AllocationRow[];
}

/**
 * Records that the bank or the provider has withdrawn the money of a receipt (by row id), or a part of it. The unallocated money goes
 * first, then the allocations, the newest first: their invoices are OPEN again. A repeated reference is recorded once. Throws
 * InvalidArgumentError for more than the rest, a date outside its range, and money that the balance has spent.
 */
export function returnReceipt(work: Work, receiptId: string, input: NewReturn): ReturnedReceipt {
	const receipt = getReceipt(work, receiptId);
	const known = findReturn(work, receipt, input);
	if (known) return { returned: known, receipt, reversals: reversalsOf(work, receipt, known) };
	assertDate(work, receipt, input);
	if (input.amount !== null) assertWholeMinorUnits("amount", input.amount, receipt.currency);
	assertNotDisputed(receipt, input.amount);
	const total = amountToReverse(`the receipt '${receipt.id}'`, refundableOf(receipt), input.amount);
	const unallocated = least(exact(receipt.unallocated), total);
	const returnId = work.newId();
	let rest = withdrawn(receipt, { amount: unallocated, unallocated });
	let open = total.minus(unallocated);
	const reversals: AllocationRow[] = [];
	for (const allocation of allocationsOfReceipts(work, [receipt.id]).toReversed()) {
		if (allocation.kind !== "PAYMENT") continue;
		const amount = least(keptOfAllocation(work, rest, allocation), open);
		if (amount.lte(0)) continue;
		const parts = { amount: toDecimal(amount), reason: input.reason, returnId };
		reversals.push(reverseOf(work, rest, allocation, parts).reversal);
		rest = withdrawn(rest, { amount, unallocated: exact(zero) });
		open = open.minus(amount);
	}
	assert(open.eq(0), "the allocations of a receipt have the rest of its money");
	const recorded = recordReturn(work, rest, { ...input, amount: toDecimal(total) }, returnId);
	receiptChanged(work, "receipt.returned", recorded.returned);
	return { ...recorded, reversals };
}

/** Returns the receipt after a part of it was withdrawn. Nothing is written. */
const withdrawn = (
	receipt: ReceiptRow,
	{ amount, unallocated }: { readonly amount: Big; readonly unallocated: Big },
): ReceiptRow => ({
	...receipt,
	unallocated: toDecimal(exact(receipt.unallocated).minus(unallocated)),
	refunded: toDecimal(exact(receipt.refunded).plus(amount)),
});

/** Returns the receipt of money that arrived. Throws InvalidArgumentError: the catalogue of errors has no code for receipts. */
export function getReceipt(work: Work, receiptId: string): ReceiptRow {
	const [receipt] = selectReceipts(work, [receiptId]);
	if (!receipt)
		throw fail("InvalidArgumentError", `There is no receipt '${receiptId}' in this environment; see GET /receipts.`);
	if (receipt.kind !== "PAYMENT")
		throw fail(
			"InvalidArgumentError",
			`'${receiptId}' is a ${receipt.kind}; name the receipt of the money that arrived.`,
		);
	return receipt;
}

/** Throws InvalidArgumentError for a date before the money arrived or in the future. */
function assertDate(work: Work, receipt: ReceiptRow, { at }: Pick<NewReturn, "at">): void {
	if (at > work.now)
		throw fail("InvalidArgumentError", "'reversedDate' lies in the future; give a time that has come.");
	if (at < receipt.receivedAt)
		throw fail("InvalidArgumentError", "'reversedDate' lies before the money arrived; give a later time.");
}

/** Returns the withdrawal that has that reference; undefined if it is new. Throws InvalidArgumentError for another amount. */
function findReturn(work: Work, receipt: ReceiptRow, { reference, amount }: NewReturn): ReceiptRow | undefined {
	const known =
		reference === null
			? undefined
			: findReceiptByReference(work, { kind: "RETURN", referenceScope: receipt.id, reference });
	if (known && amount !== null) assertSameReceipt(known, { ...known, amount });
	return known;
}

const reversalsOf = (work: Work, receipt: ReceiptRow, returned: ReceiptRow): AllocationRow[] =>
	allocationsOfReceipts(work, [receipt.id]).filter(({ returnId }) => returnId === returned.id);

/**
 * Reverses a payment of that invoice as reported, or a part of it: the amount is due again, and a PAID invoice is OPEN again with the
 * same due date. Everything that began with the payment continues. The money of a MISALLOCATED payment is unallocated, other money has
 * left. Throws InvalidArgumentError.
 */
export function reversePayment(
	work: Work,
	invoice: InvoiceRow,
	paymentId: string,
	report: ReversalReport,
): { readonly payment: PaymentRow; readonly invoice: InvoiceRow } {
	const { reason, reversedDate, reference = null, note = null } = report;
	const payments = paymentsOf(work, invoice.id);
	const payment = payments.find(({ id }) => id === paymentId);
	const [receipt] = selectReceipts(work, payment ? [payment.receiptId] : []);
	if (!payment || !receipt) throw allocationNotFound(paymentId);
	const amount = report.amount === undefined ? null : toDecimal(report.amount);
	if (reason === "MISALLOCATED") {
		assertNothingWithdrawn(report);
		const { reversal } = reverseAllocation(work, paymentId, amount);
		return { payment: paymentOf(reversal, receipt), invoice: getInvoice(work, invoice.id) };
	}
	const at = reversedDate === undefined ? work.now : instantOf(reversedDate);
	const input = { amount, reason, reference, note, at };
	const known = findReturn(work, receipt, input);
	if (known) {
		const reversal = reversalsOf(work, receipt, known).find(({ reversesId }) => reversesId === paymentId);
		if (!reversal) throw otherReturn(known);
		return { payment: paymentOf(reversal, receipt), invoice };
	}
	assertDate(work, receipt, input);
	const returnId = work.newId();
	const { reversal } = reverseOf(work, receipt, payment, { amount, reason, returnId });
	const total = reversal.amount;
	assertNotDisputed(receipt, total);
	const rest = withdrawn(receipt, { amount: exact(total), unallocated: exact(zero) });
	recordReturn(work, rest, { ...input, amount: total }, returnId);
	return { payment: paymentOf(reversal, receipt), invoice: getInvoice(work, invoice.id) };
}

const otherReturn = ({ reference }: ReceiptRow) =>
	fail(
		"InvalidArgumentError",
		`The reference '${reference}' is already recorded for another reversal; give another one.`,
	);

function assertNothingWithdrawn(report: ReversalReport): void {
	for (const key of ["reversedDate", "reference", "note"] as const)
		if (report[key] !== undefined)
			throw fail(
				"InvalidArgumentError",
				`'${key}' describes a withdrawal, but the money of a MISALLOCATED payment stays; omit '${key}'.`,
			);
}

/** Records money that the bank or the provider has withdrawn, and the receipt that it comes from, as it is afterwards. */
function recordReturn(
	work: Work,
	rest: ReceiptRow,
	{ amount, reason, reference, note, at }: NewReturn & { readonly amount: Decimal },
	returnId: string,
): Pick<ReturnedReceipt, "returned" | "receipt"> {
	const { id: receiptId, customerId, legalEntityId, currency, method, source, unallocated, refunded } = rest;
	const money = { customerId, legalEntityId, currency, method, amount, reason, reference, note, source };
	const returned = insertReceipt(
		work,
		{ ...money, kind: "RETURN", unallocated: zero, referenceScope: receiptId, receivedAt: at },
		returnId,
	);
	insertRefundParts(work, [{ refundId: returnId, receiptId, amount, unallocatedPart: amount }]);
	return { returned, receipt: changeReceipt(work, rest, { unallocated, refunded }) };
}
