import { toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { recordUses } from "../../coupons/operations.uses";
import { getCustomerById } from "../../customers/operations";
import { issuerOf } from "../../legal-entities/operations";
import { chargeAtIssue, recordPrepayments, termsOfIssue } from "../issue";
import { issuerAsParty } from "../issuer";
import type { NewInvoiceLine } from "../new-documents";
import { customerAsParty, linesByInvoice } from "../operations";
import { assertDraft, totalsOf } from "../rules";
import { appendLines, changeInvoice, deleteLine } from "../store";
import type { InvoiceLineRow, InvoiceRow } from "../table";
import { assertNotNegative, manualLine } from "./rules";
import type { ManualLine } from "./schema";

/** Returns usage that was reported after its period was billed, as lines of the draft. The implementation records it as billed. */
export type LateUsageOf = (work: Work, draft: InvoiceRow) => readonly NewInvoiceLine[];

/**
 * Issues a draft, by hand or at the end of its grace period, with the usage that was reported late; see `issueDraft`. Throws
 * BillingInvoiceStatusError unless it is a draft.
 */
export function finalizeInvoice(work: Work, invoice: InvoiceRow, lateUsageOf: LateUsageOf): InvoiceRow {
	assertDraft(invoice);
	const lines = lateUsageOf(work, invoice);
	return issueDraft(work, lines.length === 0 ? invoice : addLines(work, invoice, lines, { isManual: false }));
}

/**
 * Issues a draft without further changes. The draft gets its number and date, a due date from its net terms, and a payment from the
 * customer's balance. It copies issuer and customer. Throws BillingInvoiceStatusError unless it is a draft.
 */
export function issueDraft(work: Work, invoice: InvoiceRow): InvoiceRow {
	assertDraft(invoice);
	const issuer = issuerOf(work, invoice.legalEntityId);
	const dueAt = (work.now + (invoice.dueAt - invoice.issuedAt)) as InvoiceRow["dueAt"];
	const issued = changeInvoice(work, invoice, {
		...termsOfIssue(work, issuer, { ...invoice, wantedAt: work.now, dueAt, paidAt: null }),
		issuer: issuerAsParty(issuer),
		customer: customerAsParty(getCustomerById(work, invoice.customerId), invoice.stated ?? {}),
		nextDueAt: null,
		stated: null,
	});
	recordPrepayments(work, issued);
	chargeAtIssue(work, issued);
	return issued;
}

/**
 * Adds a manual line to a draft. Throws BillingInvoiceStatusError unless it is a draft, InvalidArgumentError if the total would be
 * negative, or AmountTooLarge.
 */
export function addManualLine(work: Work, invoice: InvoiceRow, input: ManualLine): InvoiceRow {
	assertDraft(invoice);
	return addLines(work, invoice, [manualLine(invoice, linesOfDraft(work, invoice), input)], { isManual: true });
}

/**
 * Removes a manual line (`number` counts the listed lines from 1). Other lines stay; a credit note or a negative line credits them.
 * Throws BillingInvoiceStatusError unless it is a draft, InvalidArgumentError for another line.
 */
export function removeManualLine(work: Work, invoice: InvoiceRow, number: number): InvoiceRow {
	assertDraft(invoice);
	const lines = linesOfDraft(work, invoice);
	const line = lines[number - 1];
	if (!line)
		throw fail(
			"InvalidArgumentError",
			`The draft has no line ${number}; ${lines.length === 0 ? "it has none" : `its lines are 1 to ${lines.length}`}.`,
		);
	if (!line.isManual)
		throw fail(
			"InvalidArgumentError",
			`Line ${number} charges what was sold, and only lines that were added by hand are taken off. Add a line below zero, or finalize the invoice and credit it (POST …/credit-note).`,
		);
	deleteLine(work, line);
	return withTotals(work, invoice);
}

/** Adds lines to a draft and updates its totals. Throws the errors of `addManualLine`. */
export function addLines(
	work: Work,
	invoice: InvoiceRow,
	lines: readonly NewInvoiceLine[],
	{ isManual }: { readonly isManual: boolean },
): InvoiceRow {
	appendLines(work, invoice, lines, linesOfDraft(work, invoice).length, isManual);
	recordUses(work, invoice, lines);
	return withTotals(work, invoice);
}

function withTotals(work: Work, invoice: InvoiceRow): InvoiceRow {
	const { currency } = invoice;
	const totals = totalsOf({ currency, lines: linesOfDraft(work, invoice) });
	assertNotNegative(toDecimal(totals.total));
	return changeInvoice(work, invoice, totals);
}

const linesOfDraft = (work: Work, invoice: InvoiceRow): InvoiceLineRow[] =>
	linesByInvoice(work, [invoice]).get(invoice.id) ?? [];
