import { exact } from "../../../kernel/decimal";
import { creditNoteRevision } from "../credit-notes/rules";
import type { CreditNoteRow, InvoiceRow, LineRow } from "../table";
import { type PrintedDocument, periodFact } from "./document";
import { filled } from "./labels";
import { columnsOf, linesOf, type NameOfCustomer, priceRemarks } from "./lines";
import { issuerBlock, type Logo, partyBlock, remarksOf } from "./parties";
import { sumsOf, type Total, taxRowsOf } from "./sums";
import { writingFor } from "./writing";

/** Builds the printed credit note; its amounts are credits. `corrected` is the invoice, whose date it names. */
export function creditNoteDocumentOf(
	note: CreditNoteRow,
	lines: readonly LineRow[],
	logo: Logo | null = null,
	corrected: Pick<InvoiceRow, "issuedAt"> | null = null,
	nameOf?: NameOfCustomer,
): PrintedDocument {
	const { currency, invoiceNumber, total, toBalance } = note;
	const writing = writingFor(note);
	const { labels, language, formats } = writing;
	const amount = formats.moneyAlone(total, currency);
	const date = formats.date(note.issuedAt);
	const dateOf = (invoice: typeof corrected): string => (invoice ? ` (${formats.date(invoice.issuedAt)})` : "");
	const returned: Total[] = exact(toBalance).gt(0)
		? [{ label: labels.toBalance, value: formats.moneyAlone(toBalance, currency), weight: "normal" }]
		: [];
	return {
		id: note.id,
		title: labels.creditNote,
		number: note.number,
		revision: creditNoteRevision(note),
		changedAt: note.voidedAt ?? note.createdAt,
		language,
		labels,
		logo,
		issuer: issuerBlock(note.issuer, writing),
		customerLabel: labels.creditTo,
		customer: partyBlock(note.customer, writing),
		facts: [
			{ label: labels.creditNoteNumber, value: note.number },
			...(invoiceNumber === null ? [] : [{ label: labels.forInvoice, value: `${invoiceNumber}${dateOf(corrected)}` }]),
			{ label: labels.issueDate, value: date },
			{ label: labels.reason, value: labels[note.reasonCode] },
			...periodFact(note, writing),
		],
		headline: filled(labels.headlineCredited, { amount, date }),
		badge: note.voidedAt === null ? null : { text: labels.canceled, good: false },
		columns: columnsOf(lines),
		lines: linesOf(note, lines, writing, nameOf),
		carried: (net) => formats.money(net.toFixed(), currency),
		taxes: taxRowsOf(note, lines, writing),
		totals: [
			...sumsOf(note, lines, writing),
			{ label: labels.totalCredited, value: amount, weight: "final" },
			...returned,
		],
		remarks: [...priceRemarks(lines, writing), ...remarksOf(note, writing)],
		payment: [],
		notes: null,
		footer: note.issuer.footer ?? null,
	};
}
