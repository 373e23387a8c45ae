import { HttpRefusal } from "../../../http/refusal";
import { exact } from "../../../kernel/decimal";
import { assert, fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { amountsDue, getInvoice, getInvoicedCustomer } from "../../invoices/operations";
import { receiptsByIds, reverseAllAllocations } from "../../invoices/payments/operations.receipts";
import { assertOpen } from "../../invoices/payments/rules";
import { assertPayableBy } from "../../invoices/payments/rules.take";
import { assertIssued } from "../../invoices/rules";
import type { InvoiceRow } from "../../invoices/table";
import { allocateReceipt, takePayment } from "../../subscriptions/lifecycle/operations.payment";
import { entryDecided } from "../events";
import type { BankEntryConfirmation, BankEntryListQuery } from "../schema";
import { changeEntry, deletePayer, findAccountById, findEntry, pageEntries, savePayer } from "../store";
import type { BankEntryRow } from "../table";
import { paymentOf, spread } from "./operations.take";
import { assertMay, assertOneTarget } from "./rules";

/** Returns an entry of this environment. The catalogue of errors has no code for an unknown one. */
export function getEntry(work: Work, entryId: string): BankEntryRow {
	const entry = findEntry(work, entryId);
	if (!entry) throw new HttpRefusal(404, `There is no bank entry '${entryId}' in this environment.`);
	return entry;
}

/** Lists entries, newest first. Throws CustomerNotFound. */
export function listEntries(work: Work, { customerId, ...query }: BankEntryListQuery): Page<BankEntryRow> {
	const customer = customerId === undefined ? undefined : getInvoicedCustomer(work, customerId);
	return pageEntries(work, { ...query, ...(customer && { customerId: customer.id }) });
}

/**
 * Records the money of an entry as a receipt, and pays invoices with it in their order. Tollgate knows the payer's IBAN from then on. An
 * undone entry pays other invoices of its customer. Throws CustomerNotFound, InvoiceNotFound, BillingInvoiceStatusError unless the invoices
 * are OPEN, and InvalidArgumentError for another state, customer, currency or legal entity.
 */
export function confirmEntry(work: Work, entryId: string, confirmation: BankEntryConfirmation): BankEntryRow {
	const entry = getEntry(work, entryId);
	assertMay("confirm", entry);
	assertOneTarget(confirmation);
	const { excess = "UNALLOCATED" } = confirmation;
	const target = targetOf(work, entry, confirmation);
	const account = findAccountById(work, entry.accountId);
	assert(account, "an account with entries is never deleted");
	const payer = { customerId: target.customerId, legalEntityId: account.legalEntityId };
	const { currency } = entry;
	for (const invoice of target.invoices) assertPayable({ ...payer, currency }, invoice);
	const dues = amountsDue(work, target.invoices);
	const invoices = target.invoices.map(({ id }) => ({ id, due: dues.get(id) ?? entry.amount }));
	const receiptId = take(work, entry, payer, { allocations: spread(entry.amount, invoices), excess });
	const { partyIban } = entry;
	if (partyIban !== null) savePayer(work, { iban: partyIban, customerId: payer.customerId, entryId });
	const decision = { customerId: payer.customerId, receiptId, isAutomatic: false, decidedAt: work.now };
	const confirmed = changeEntry(work, entryId, { ...decision, state: "RECORDED" });
	entryDecided(work, "bank_entry.confirmed", confirmed);
	return confirmed;
}

type Payer = { readonly customerId: string; readonly legalEntityId: string };

function take(work: Work, entry: BankEntryRow, payer: Payer, plan: Parameters<typeof paymentOf>[3]): string {
	if (entry.receiptId === null) return takePayment(work, paymentOf(work, entry, payer, plan)).receipt.id;
	const receipt = receiptsByIds(work, [entry.receiptId]).get(entry.receiptId);
	assert(receipt, "a receipt of an entry is never deleted");
	if (receipt.customerId !== payer.customerId)
		throw fail(
			"InvalidArgumentError",
			`The money of the bank entry '${entry.id}' is a receipt of another customer; record its return on that receipt, and the money as a receipt of this customer.`,
		);
	if (plan.allocations.length === 0 && plan.excess === "UNALLOCATED")
		throw fail("InvalidArgumentError", "The money is unallocated already; name invoices, or give 'excess' as BALANCE.");
	if (exact(receipt.unallocated).lt(entry.amount))
		throw fail(
			"InvalidArgumentError",
			`Only ${receipt.unallocated} of the receipt '${receipt.id}' is unallocated; allocate it there (POST /api/v1/receipts/{receiptId}/allocations).`,
		);
	return allocateReceipt(work, receipt, plan.allocations, plan.excess).receipt.id;
}

interface Target {
	readonly customerId: string;
	readonly invoices: readonly InvoiceRow[];
}

/** Returns the customer whose money the entry is, and the invoices that it pays. */
function targetOf(
	work: Work,
	entry: BankEntryRow,
	{ proposal, invoiceIds, customerId }: BankEntryConfirmation,
): Target {
	if (customerId !== undefined) return { customerId: getInvoicedCustomer(work, customerId).id, invoices: [] };
	const ids = proposal === undefined ? (invoiceIds ?? []) : entry.proposals[proposal]?.invoiceIds;
	if (!ids)
		throw fail(
			"InvalidArgumentError",
			`The bank entry '${entry.id}' has ${entry.proposals.length} proposals; 'proposal' counts them from 0.`,
		);
	if (new Set(ids).size < ids.length)
		throw fail("InvalidArgumentError", "'invoiceIds' names an invoice twice; name it once.");
	const invoices = ids.map((id) => getInvoice(work, id));
	return { customerId: invoices[0]?.customerId ?? "", invoices };
}

function assertPayable(payer: Parameters<typeof assertPayableBy>[0], invoice: InvoiceRow): void {
	if (invoice.customerId !== payer.customerId)
		throw fail(
			"InvalidArgumentError",
			`The invoice ${invoice.number} is of another customer than the first; a receipt is of one customer.`,
		);
	assertPayableBy(payer, invoice);
	assertIssued(invoice);
	assertOpen(invoice);
}

/** Records that an entry pays no invoice. Throws InvalidArgumentError for another state. */
export function rejectEntry(work: Work, entryId: string): BankEntryRow {
	assertMay("reject", getEntry(work, entryId));
	const rejected = changeEntry(work, entryId, { state: "REJECTED", decidedAt: work.now });
	entryDecided(work, "bank_entry.rejected", rejected);
	return rejected;
}

/**
 * Undoes the last decision. The money of a RECORDED entry is unallocated again and its PAID invoices are OPEN; the known IBAN is dropped if
 * this entry made it known. A REJECTED entry waits for a decision again. Throws InvalidArgumentError for another state, nothing allocated,
 * and money that was refunded or that the balance has spent.
 */
export function undoEntry(work: Work, entryId: string): BankEntryRow {
	const entry = getEntry(work, entryId);
	assertMay("undo", entry);
	const { receiptId, partyIban, proposals } = entry;
	if (receiptId !== null) reverseAllAllocations(work, receiptId);
	if (partyIban !== null) deletePayer(work, partyIban, entryId);
	const waiting = proposals.length > 0 ? ("PROPOSED" as const) : ("UNMATCHED" as const);
	const undone = changeEntry(work, entryId, {
		...{ state: receiptId === null ? waiting : ("UNDONE" as const), isAutomatic: false, decidedAt: work.now },
	});
	entryDecided(work, "bank_entry.undone", undone);
	return undone;
}
