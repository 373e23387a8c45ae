import { type Decimal, exact, toDecimal } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { recordUses, removeUses } from "../coupons/operations.uses";
import { findCustomerByRefOrBillingId } from "../customers/operations";
import type { CustomerRow } from "../customers/table";
import { issuerOf } from "../legal-entities/operations";
import { addBalanceEntry, balanceOf } from "./balance/ledger";
import { selectLatestConsolidated } from "./consolidated/store";
import { balanceToReturn, dueOf } from "./credit-notes/rules";
import { creditNotesOf, creditNotesOfInvoices } from "./credit-notes/store";
import { isDraftedFirst, termsOfDraft } from "./drafts/rules";
import { chargeAtIssue, recordPrepayments, termsOfIssue } from "./issue";
import { issuerAsParty } from "./issuer";
import { pageInvoices } from "./lists/page";
import type { NewInvoice } from "./new-documents";
import { assertMayBecome, totalsOf } from "./rules";
import type { InvoiceListQuery } from "./schema";
import type { InvoiceParty, StatedParty } from "./schema.party";
import {
	changeInvoice,
	draftsOfSubscription,
	findCustomersInvoice,
	findInvoice,
	insertInvoice,
	latestOfContracts,
	latestOfSubscriptions,
	linesOf,
	selectInvoices,
	selectOfContract,
} from "./store";
import type { InvoiceLineRow, InvoiceRow } from "./table";

/**
 * Issues an invoice: assigns the next number without a gap, copies issuer and customer, and stores the lines. After that only its
 * state changes. The invoice is PAID if `input.paidAt` is set or the customer's balance leaves nothing to collect; otherwise it is
 * OPEN. `input.paidAt` records a payment. An invoice of a billing cycle starts as a DRAFT if its issuer has a grace period. Throws
 * AmountTooLarge beyond the range of exact totals.
 */
export function issueInvoice(work: Work, input: NewInvoice): InvoiceRow {
	const totals = totalsOf(input);
	const issuer = issuerOf(work, input.legalEntityId ?? null);
	const wantedAt = input.issuedAt ?? work.now;
	const head = {
		customerId: input.customerId,
		subscriptionId: input.subscriptionId ?? null,
		contractId: input.contractId ?? null,
		contractRefId: input.contractRefId ?? null,
		billingReason: input.billingReason,
		currency: input.currency,
		periodStart: input.period?.start ?? null,
		periodEnd: input.period?.end ?? null,
		...totals,
		taxPercentage: input.taxPercentage ?? null,
		discountLabel: input.discountLabel ?? null,
		discountPercent: input.discountPercent ?? null,
		poNumber: input.poNumber ?? null,
		notes: input.notes ?? null,
		customFields: input.customFields ?? {},
		collectionMethod: input.collectionMethod ?? null,
		issuer: issuerAsParty(issuer),
		customer: input.customer,
	};
	if (isDraftedFirst(input, issuer.entity)) {
		const draft = insertInvoice(work, { ...head, ...termsOfDraft(input, issuer, wantedAt) }, input.lines);
		recordUses(work, draft, input.lines);
		return draft;
	}
	const terms = termsOfIssue(work, issuer, {
		...head,
		wantedAt,
		dueAt: input.dueAt,
		paidAt: input.paidAt ?? null,
	});
	const invoice = insertInvoice(work, { ...head, ...terms, nextDueAt: null, stated: null }, input.lines);
	recordUses(work, invoice, input.lines);
	recordPrepayments(work, invoice);
	chargeAtIssue(work, invoice);
	return invoice;
}

/** Returns the customer details of an invoice. Details stated with a purchase take precedence over the customer's own. */
export function customerAsParty(
	{
		refId,
		name,
		email,
		language,
		taxExemption,
		taxExemptionProvision,
		passthrough,
	}: Pick<
		CustomerRow,
		"refId" | "name" | "email" | "language" | "taxExemption" | "taxExemptionProvision" | "passthrough"
	>,
	stated: StatedParty,
): InvoiceParty {
	const { stripe, zuora } = passthrough ?? {};
	return {
		name: stripe?.customerName ?? name ?? refId,
		email,
		address: stated.address ?? stripe?.billingAddress ?? zuora?.billingAddress ?? null,
		taxIds: stated.taxIds ?? stripe?.taxIds ?? [],
		language,
		taxExemption,
		...(taxExemptionProvision !== null && { taxExemptionProvision }),
	};
}

/** Returns invoices by row id. */
export const invoicesByIds = (work: Work, ids: readonly string[]): Map<string, InvoiceRow> =>
	new Map(selectInvoices(work, ids).map((invoice) => [invoice.id, invoice]));

/** Returns the invoice with that id in this environment, of any customer. Throws InvoiceNotFound. */
export function getInvoice(work: Work, invoiceId: string): InvoiceRow {
	const invoice = findInvoice(work, invoiceId);
	if (!invoice) throw fail("InvoiceNotFound", `There is no invoice '${invoiceId}' in this environment.`);
	return invoice;
}

/**
 * Cancels an unpaid invoice. Its number stays used, and its partial payments go to the balance. Throws InvoiceNotFound, or
 * BillingInvoiceStatusError unless it is OPEN.
 */
export function cancelInvoice(work: Work, invoiceId: string): InvoiceRow {
	const invoice = getInvoice(work, invoiceId);
	assertMayBecome(invoice, "CANCELED");
	const notes = creditNotesOf(work, invoice);
	const returned = balanceToReturn(invoice, notes);
	// Credit notes of a former payment are in the balance, which the cancellation reduces.
	if (exact(balanceOf(work, invoice)).plus(exact(returned)).lt(0))
		throw fail(
			"BillingInvoiceStatusError",
			`The credit notes of ${invoice.number} added more to the customer's balance than it has now; it cannot be canceled. Credit the rest of the invoice instead.`,
		);
	addBalanceEntry(work, invoice, { kind: "RETURNED", amount: returned, invoiceId: invoice.id });
	removeUses(work, [invoice.id, ...notes.map(({ id }) => id)]);
	return changeInvoice(work, invoice, { state: "CANCELED", canceledAt: work.now });
}

/** Returns the newest invoice of a subscription (by row id), excluding drafts; undefined if there is none. */
export const latestInvoiceOf = (work: Work, subscriptionId: string): InvoiceRow | undefined =>
	latestInvoicesOf(work, [subscriptionId]).get(subscriptionId);

/** Returns the newest invoice of each subscription (by row id) that has one. Several may share a consolidated one. */
export const latestInvoicesOf = (work: Work, subscriptionIds: readonly string[]): Map<string, InvoiceRow> =>
	newestByKey([
		...latestOfSubscriptions(work, subscriptionIds).map((invoice) => [invoice.subscriptionId, invoice] as const),
		...selectLatestConsolidated(work, subscriptionIds).map((one) => [one.subscriptionId, one.invoice] as const),
	]);

function newestByKey(invoices: ReadonlyArray<readonly [key: string | null, invoice: InvoiceRow]>) {
	const newest = new Map<string, InvoiceRow>();
	for (const [key, invoice] of invoices)
		if (key !== null && invoice.sequence > (newest.get(key)?.sequence ?? 0)) newest.set(key, invoice);
	return newest;
}

/** Returns the drafts of a subscription (by row id). */
export const draftsOf = (work: Work, subscriptionId: string): InvoiceRow[] =>
	draftsOfSubscription(work, subscriptionId);

/** Returns the newest invoice of each contract (by row id) that has one. */
export const latestInvoicesOfContracts = (work: Work, contractIds: readonly string[]): Map<string, InvoiceRow> =>
	new Map(
		latestOfContracts(work, contractIds).flatMap((invoice) =>
			invoice.contractId === null ? [] : [[invoice.contractId, invoice]],
		),
	);

/** Returns all invoices of a contract (by row id) in the order of issue, drafts last. The term of the contract limits their number. */
export const invoicesOfContract = (work: Work, contractId: string): InvoiceRow[] => selectOfContract(work, contractId);

/** Returns the invoices that have credit notes. */
export function withCreditNotes(work: Work, rows: readonly InvoiceRow[]): InvoiceRow[] {
	const notes = creditNotesOfInvoices(
		work,
		rows.map(({ id }) => id),
	);
	const credited = new Set(notes.map(({ invoiceId }) => invoiceId));
	return rows.filter(({ id }) => credited.has(id));
}

/** Returns the amount due of each invoice, by row id. */
export function amountsDue(work: Work, rows: readonly InvoiceRow[]): Map<string, Decimal> {
	const open = rows.filter(({ state }) => state === "OPEN");
	const notes = Map.groupBy(
		creditNotesOfInvoices(
			work,
			open.map(({ id }) => id),
		),
		({ invoiceId }) => invoiceId,
	);
	return new Map(rows.map((row) => [row.id, toDecimal(dueOf(row, notes.get(row.id) ?? []))]));
}

/** Returns the customer by the caller's id or by the billing id, as every invoice path accepts both. Throws CustomerNotFound. */
export function getInvoicedCustomer(work: Work, customerRef: string) {
	const customer = findCustomerByRefOrBillingId(work, customerRef);
	if (!customer)
		throw fail(
			"CustomerNotFound",
			`There is no customer '${customerRef}' in this environment; use the customer's id or its billing id.`,
		);
	return customer;
}

export const listCustomerInvoices = (work: Work, customerId: string, query: InvoiceListQuery): Page<InvoiceRow> =>
	pageInvoices(work, query, customerId);

/** Returns the lines of each invoice, in the order of the document. */
export function linesByInvoice(work: Work, rows: readonly InvoiceRow[]): Map<string, InvoiceLineRow[]> {
	const lines = new Map<string, InvoiceLineRow[]>(rows.map(({ id }) => [id, []]));
	for (const line of linesOf(
		work,
		rows.map(({ id }) => id),
	))
		lines.get(line.invoiceId)?.push(line);
	return lines;
}

/** Returns a customer's invoice. Throws InvoiceNotFound for an invoice of another customer. */
export function getCustomersInvoice(
	work: Work,
	{ id, refId }: { readonly id: string; readonly refId: string },
	invoiceRef: string,
): InvoiceRow {
	const invoice = findCustomersInvoice(work, id, invoiceRef);
	if (!invoice) throw invoiceNotFound(refId, invoiceRef);
	return invoice;
}

export const invoiceNotFound = (customerRef: string, invoiceRef: string) =>
	fail("InvoiceNotFound", `The customer '${customerRef}' has no invoice '${invoiceRef}' in this environment.`);
