import { exact } from "../../kernel/decimal";
import { type InvoiceDocument, linesOf, partyBlock, periodFact, showsTaxRates, sumsOf } from "./document";
import { formatDate, formatMoneyWithCode } from "./format";
import { creditNoteRevision } from "./rules.credit-notes";
import type { CreditNoteReason } from "./schema.credit-notes";
import type { CreditNoteRow, LineRow } from "./table";

/** As the customer reads them. */
const reasons: Readonly<Record<CreditNoteReason, string>> = {
	ORDER_CHANGE: "Order change",
	ORDER_CANCELLATION: "Order cancellation",
	WAIVER: "Waiver",
	PRODUCT_UNSATISFACTORY: "Product unsatisfactory",
	SERVICE_UNSATISFACTORY: "Service unsatisfactory",
	USAGE_CREDIT: "Usage credit",
	OTHER: "Other",
};

/** A credit note as it is printed; amounts are what the customer gets back. */
export function creditNoteDocumentOf(note: CreditNoteRow, lines: readonly LineRow[]): InvoiceDocument {
	const { currency, invoiceNumber, total, toBalance } = note;
	const amount = formatMoneyWithCode(total, currency);
	return {
		id: note.id,
		title: "Credit note",
		number: note.number,
		revision: creditNoteRevision(note),
		changedAt: note.voidedAt ?? note.createdAt,
		issuer: partyBlock(note.issuer),
		customerLabel: "Credit to",
		customer: partyBlock(note.customer),
		facts: [
			{ label: "Credit note number", value: note.number },
			...(invoiceNumber === null ? [] : [{ label: "For invoice", value: invoiceNumber }]),
			{ label: "Issue date", value: formatDate(note.issuedAt) },
			{ label: "Reason", value: reasons[note.reasonCode] },
			...periodFact(note),
		],
		headline: `${amount} credited on ${formatDate(note.issuedAt)}`,
		badge: note.voidedAt === null ? null : { text: "CANCELED", good: false },
		showsTaxRates: showsTaxRates(lines),
		lines: linesOf(note, lines),
		totals: [
			...sumsOf(note, lines),
			{ label: "Total credited", value: amount, weight: "final" },
			...(exact(toBalance).gt(0)
				? [
						{
							label: "Added to your balance",
							value: formatMoneyWithCode(toBalance, currency),
							weight: "normal",
						} as const,
					]
				: []),
		],
		notes: null,
	};
}
