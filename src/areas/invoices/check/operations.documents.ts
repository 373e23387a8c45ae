import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import type { LineTax } from "../../pricing/tax";
import { selectMemberships } from "../consolidated/store";
import { linesByCreditNote } from "../credit-notes/operations";
import { creditNotesOfInvoices, creditNotesWithoutInvoice } from "../credit-notes/store";
import { linesByInvoice } from "../operations";
import { negatedTaxes } from "../rules.taxes";
import { selectInvoices, selectOfSubscriptions } from "../store";
import type { InvoiceRow, LineRow } from "../table";
import { nameLine } from "./operations.rates";

/** The fields of a line that the check of subscriptions' documents reads. */
export type DocumentLine = Pick<
	LineRow,
	"addonRefId" | "featureRefId" | "periodStart" | "periodEnd" | "chargeId" | "kind" | "amount" | "tax" | "basis"
> & { readonly taxes?: readonly LineTax[] | null };

/** A line of any document. The amount is as charged: negated for a credit note. */
export interface IssuedLine {
	/** The name of the line in findings. */
	readonly named: string;
	readonly documentId: string;
	readonly line: DocumentLine;
	/** Only for a line of an invoice. */
	readonly invoice?: Pick<InvoiceRow, "subscriptionId" | "contractId" | "currency" | "state">;
}

/**
 * Returns all charges and credits of subscriptions (row ids), line by line: from their invoices, and from the credit notes of their
 * changes. Manual credits are left out, because they reverse no period.
 */
export function linesOfSubscriptions(
	work: Work,
	subscriptionIds: readonly string[],
	customerIds: readonly string[],
): IssuedLine[] {
	const memberships = selectMemberships(work, subscriptionIds);
	const memberOf = Map.groupBy(memberships, ({ invoiceId }) => invoiceId);
	const invoices = [
		...selectOfSubscriptions(work, subscriptionIds),
		...selectInvoices(work, [...memberOf.keys()]),
	].toSorted((one, other) => one.sequence - other.sequence);
	const notes = [
		...creditNotesOfInvoices(
			work,
			invoices.map(({ id }) => id),
		),
		...creditNotesWithoutInvoice(
			work,
			[...new Set([...customerIds, ...invoices.map(({ customerId }) => customerId)])],
			subscriptionIds,
		),
	].filter(({ isByHand }) => !isByHand);
	const [ofInvoices, ofNotes] = [linesByInvoice(work, invoices), linesByCreditNote(work, notes)];
	// A consolidated invoice charges other subscriptions too.
	const ownerOf = (invoiceId: string | null, { subscriptionRefId }: LineRow) => {
		const members = memberOf.get(invoiceId ?? "");
		return members && (members.find((one) => one.subscriptionRefId === subscriptionRefId) ?? null);
	};
	return [
		...invoices.flatMap((invoice) =>
			(ofInvoices.get(invoice.id) ?? []).flatMap((line) => {
				const owner = ownerOf(invoice.id, line);
				if (owner === null) return [];
				const { subscriptionId, contractId } = { ...invoice, ...owner };
				const stated = { subscriptionId, contractId, currency: invoice.currency, state: invoice.state };
				return [{ named: nameLine(invoice, line), documentId: invoice.id, line, invoice: stated }];
			}),
		),
		...notes.flatMap(({ id, number, invoiceId }) =>
			(ofNotes.get(id) ?? [])
				.filter((line) => ownerOf(invoiceId, line) !== null)
				.map((line) => ({
					named: `the credit note ${number}, line ${line.position + 1}`,
					documentId: id,
					line: { ...line, amount: negated(line.amount), tax: negated(line.tax), ...negatedTaxes(line) },
				})),
		),
	];
}

const negated = (amount: Decimal): Decimal => toDecimal(exact(amount).times(-1));

/** Returns the sums with tax that credit notes credited of the lines that they name. The key is invoice id and position: `id/0`. */
export function creditedLines(work: Work, rows: readonly InvoiceRow[]): Map<string, Decimal> {
	const notes = creditNotesOfInvoices(
		work,
		rows.map(({ id }) => id),
	);
	const lines = linesByCreditNote(work, notes);
	const credited = new Map<string, Decimal>();
	for (const { id, invoiceId } of notes)
		for (const { invoiceLine, total } of lines.get(id) ?? []) {
			if (invoiceLine === null) continue;
			const key = `${invoiceId}/${invoiceLine}`;
			credited.set(key, toDecimal(exact(credited.get(key) ?? zero).plus(exact(total))));
		}
	return credited;
}
