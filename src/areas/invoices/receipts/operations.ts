import { HttpRefusal } from "../../../http/refusal";
import { type Instant, instantOf } from "../../../kernel/clock";
import { toDecimal } from "../../../kernel/decimal";
import { assert, fail } from "../../../kernel/errors";
import type { Page, PageQuery } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { customersByIds } from "../../customers/operations";
import type { CustomerRow } from "../../customers/table";
import { issuerOf, namedLegalEntity } from "../../legal-entities/operations";
import { getCustomersInvoice, getInvoicedCustomer } from "../operations";
import { amountDue } from "../payments/operations";
import { refundReceipt } from "../payments/operations.refund";
import { returnReceipt } from "../payments/operations.return";
import { reverseAllocation } from "../payments/operations.reverse";
import {
	findTaken,
	type IncomingPayment,
	type PlannedAllocation,
	type TakenPayment,
} from "../payments/operations.take";
import type { Excess } from "../payments/schema";
import { selectReceipts } from "../payments/store";
import { allocationsOfReceipts } from "../payments/store.check";
import { assertIssued } from "../rules";
import type { ReceiptRow } from "../table.receipts";
import { assertRoom, assertTakes } from "./rules";
import type {
	AllocationReversal,
	ReceiptAllocation,
	ReceiptListQuery,
	ReceiptRefund,
	ReceiptReport,
	ReceiptReturn,
} from "./schema";
import { countRows, pageReceipts } from "./store";

/** The operations of `subscriptions` that also start what waits for a payment. The compositions pass them in. */
export interface ReceiptOperations {
	readonly takePayment: (work: Work, incoming: IncomingPayment) => TakenPayment;
	readonly allocateReceipt: (
		work: Work,
		receipt: ReceiptRow,
		allocations: readonly PlannedAllocation[],
		excess: Excess,
	) => TakenPayment;
}

/** Returns the receipt with that id. The catalogue of errors has no code for an unknown one. */
export function getReceiptOf(work: Work, receiptId: string): ReceiptRow {
	const [receipt] = selectReceipts(work, [receiptId]);
	if (!receipt) throw receiptNotFound(receiptId);
	return receipt;
}

/** Returns the receipt of a customer, as `getReceiptOf` does. */
export function getReceiptOfCustomer(work: Work, { id }: Pick<CustomerRow, "id">, receiptId: string): ReceiptRow {
	const receipt = getReceiptOf(work, receiptId);
	if (receipt.customerId !== id) throw receiptNotFound(receiptId);
	return receipt;
}

const receiptNotFound = (id: string) => new HttpRefusal(404, `There is no receipt '${id}' in this environment.`);

/** Lists receipts, newest first. Throws CustomerNotFound. */
export function listReceipts(work: Work, { customerId, ...query }: ReceiptListQuery): Page<ReceiptRow> {
	return pageReceipts(work, query, customerId === undefined ? undefined : getInvoicedCustomer(work, customerId).id);
}

/** Lists the receipts of a customer (by row id), newest first. */
export const receiptsOfCustomer = (work: Work, customerId: string, query: PageQuery): Page<ReceiptRow> =>
	pageReceipts(work, query, customerId);

/**
 * Records reported money. A repeated reference of the customer is recorded once. Throws CustomerNotFound, InvoiceNotFound,
 * BillingInvoiceStatusError unless the invoices are OPEN, and InvalidArgumentError for more than is due, a date in the future, and the
 * causes of `recordReceipt`.
 */
export function recordReported(
	work: Work,
	report: ReceiptReport,
	{ takePayment }: Pick<ReceiptOperations, "takePayment">,
): ReceiptRow {
	const customer = getInvoicedCustomer(work, report.customerId);
	const { currency, method = "OTHER", note = null, reference = null, receivedDate, excess = "UNALLOCATED" } = report;
	const allocations = plannedOf(report);
	const receivedAt = dateOf(work, "receivedDate", receivedDate);
	const incoming: IncomingPayment = {
		...{ customerId: customer.id, currency, method, note, reference, receivedAt, allocations, excess },
		...{ amount: toDecimal(report.amount), source: { kind: "MANUAL" } },
		legalEntityId: legalEntityOf(work, customer, report),
	};
	const known = findTaken(work, incoming);
	if (known) return known.receipt;
	assertAllTaken(work, customer, allocations);
	return takePayment(work, incoming).receipt;
}

function legalEntityOf(
	work: Work,
	customer: ReturnType<typeof getInvoicedCustomer>,
	{ legalEntityId, allocations = [] }: ReceiptReport,
): string {
	if (legalEntityId !== undefined) return namedLegalEntity(work, legalEntityId);
	const [first] = allocations;
	if (first) return getCustomersInvoice(work, customer, first.invoiceId).legalEntityId;
	return issuerOf(work, customer.legalEntityId).entity.id;
}

const plannedOf = ({ allocations = [] }: ReceiptAllocation): PlannedAllocation[] =>
	allocations.map(({ invoiceId, amount }) => ({ invoiceId, amount: toDecimal(amount) }));

function assertAllTaken(
	work: Work,
	customer: Parameters<typeof getCustomersInvoice>[1],
	allocations: readonly PlannedAllocation[],
): void {
	for (const { invoiceId, amount } of allocations) {
		const invoice = getCustomersInvoice(work, customer, invoiceId);
		assertIssued(invoice);
		assertTakes(invoice, { amount, due: amountDue(work, invoice) });
	}
}

/** Pays invoices with unallocated money, or adds it to the balance. The codes of `recordReported`. */
export function allocateReported(
	work: Work,
	receiptId: string,
	report: ReceiptAllocation,
	{ allocateReceipt }: Pick<ReceiptOperations, "allocateReceipt">,
): ReceiptRow {
	const receipt = getReceiptOf(work, receiptId);
	const { excess = "UNALLOCATED" } = report;
	const allocations = plannedOf(report);
	if (allocations.length === 0 && excess === "UNALLOCATED")
		throw fail(
			"InvalidArgumentError",
			"'allocations' is empty; name an invoice, or give 'excess' as BALANCE to add the money to the balance.",
		);
	assertRoom(receipt, countRows(work, receipt.id) + allocations.length);
	assertAllTaken(work, ownerOf(work, receipt), allocations);
	return allocateReceipt(work, receipt, allocations, excess).receipt;
}

function ownerOf(work: Work, { customerId }: ReceiptRow) {
	const owner = customersByIds(work, [customerId]).get(customerId);
	assert(owner, "a customer with receipts is never deleted");
	return owner;
}

/** Undoes an allocation of a receipt: its money is unallocated again. Throws InvalidArgumentError. */
export function reverseReported(
	work: Work,
	{ receiptId, allocationId }: { readonly receiptId: string; readonly allocationId: string },
	{ amount }: AllocationReversal,
): ReceiptRow {
	const receipt = getReceiptOf(work, receiptId);
	assertRoom(receipt, countRows(work, receipt.id));
	if (!allocationsOfReceipts(work, [receipt.id]).some(({ id }) => id === allocationId))
		throw new HttpRefusal(404, `The receipt '${receiptId}' has no allocation '${allocationId}'.`);
	return reverseAllocation(work, allocationId, amount === undefined ? null : toDecimal(amount)).receipt;
}

/** Refunds money of a receipt, and returns the refund. The codes of `refundReceipt`. */
export function refundReported(work: Work, receiptId: string, report: ReceiptRefund): ReceiptRow {
	const receipt = getReceiptOf(work, receiptId);
	const { amount, method = receipt.method, refundedDate, reference = null, note = null } = report;
	assertRoom(receipt, countRows(work, receipt.id));
	const at = dateOf(work, "refundedDate", refundedDate);
	return refundReceipt(work, receiptId, { amount: toDecimal(amount), method, reference, note, at });
}

/** Records a withdrawal of a receipt's money, and returns the RETURN. The codes of `returnReceipt`. */
export function returnReported(work: Work, receiptId: string, report: ReceiptReturn): ReceiptRow {
	const receipt = getReceiptOf(work, receiptId);
	const { reason, amount, returnedDate, reference = null, note = null } = report;
	assertRoom(receipt, countRows(work, receipt.id));
	const at = dateOf(work, "returnedDate", returnedDate);
	const asked = amount === undefined ? null : toDecimal(amount);
	return returnReceipt(work, receiptId, { amount: asked, reason, reference, note, at }).returned;
}

/** Returns a reported date, by default now. Throws InvalidArgumentError for one in the future. */
function dateOf(work: Work, key: string, date: string | undefined): Instant {
	const at = date === undefined ? work.now : instantOf(date);
	if (at > work.now) throw fail("InvalidArgumentError", `'${key}' lies in the future; give a time that has come.`);
	return at;
}
