import { type Decimal, exact, toDecimal, zero } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { linesByCreditNote } from "./credit-notes/operations";
import { creditNotesOfInvoices, creditNotesWithoutInvoice } from "./credit-notes/store";
import { linesByInvoice } from "./operations";
import { nameLine } from "./operations.check-rates";
import { selectOfSubscriptions } from "./store";
import type { InvoiceRow, LineRow } from "./table";

/** What reading the documents of subscriptions takes of a line. */
export type DocumentLine = Pick<
	LineRow,
	"addonRefId" | "featureRefId" | "periodStart" | "periodEnd" | "chargeId" | "kind" | "amount" | "basis"
>;

/** A line of whichever document, its amount as it is charged: of a credit note negated. */
export interface IssuedLine {
	/** As findings name it. */
	readonly named: string;
	readonly documentId: string;
	readonly line: DocumentLine;
	/** Of an invoice. */
	readonly invoice?: Pick<InvoiceRow, "subscriptionId" | "contractId">;
}

/**
 * All that subscriptions (row ids) were charged and credited, line by line: by their invoices, and by the credit notes that
 * follow from what became of them; what is credited by hand takes no period back.
 */
export function linesOfSubscriptions(
	work: Work,
	subscriptionIds: readonly string[],
	customerIds: readonly string[],
): IssuedLine[] {
	const invoices = selectOfSubscriptions(work, subscriptionIds);
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
	return [
		...invoices.flatMap((invoice) =>
			(ofInvoices.get(invoice.id) ?? []).map((line) => ({
				named: nameLine(invoice, line),
				documentId: invoice.id,
				line,
				invoice,
			})),
		),
		...notes.flatMap(({ id, number }) =>
			(ofNotes.get(id) ?? []).map((line) => ({
				named: `the credit note ${number}, line ${line.position + 1}`,
				documentId: id,
				line: { ...line, amount: toDecimal(exact(line.amount).times(-1)) },
			})),
		),
	];
}

/** What credit notes gave back of lines that they name, with tax, by the id of the invoice and the position: `id/0`. */
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
