import type { Work } from "../../../kernel/work";
import { prefixesOf } from "../../legal-entities/operations";
import { linesByCreditNote } from "../credit-notes/operations";
import { creditNotesOfInvoices } from "../credit-notes/store";
import { invoicesByIds, linesByInvoice } from "../operations";
import { paidOf } from "../payments/rules";
import { allocationsOfInvoices } from "../payments/store";
import { checkConsolidated } from "./operations.consolidated";
import { readCreditNotes, readInvoices } from "./operations.sums";
import {
	creditedDifferences,
	entryDifferences,
	lineDifferences,
	NumberOrder,
	noteDifferences,
	stateDifferences,
} from "./rules.documents";
import { entriesOfCreditNotes, entriesOfInvoices } from "./store";

/**
 * Checks whether each document of this environment says what follows from the rows around it: its number, date, currency,
 * customer, lines and state, by its payments, its credit notes and the balance.
 */
export function* checkDocuments(work: Work): Generator<string> {
	yield* checkIssuedInvoices(work);
	yield* checkIssuedCreditNotes(work);
	yield* checkConsolidated(work);
}

const byInvoice = <Row extends { readonly invoiceId: string | null }>(rows: readonly Row[]) =>
	Map.groupBy(rows, ({ invoiceId }) => invoiceId);

/** Checks invoices in the order of issue, from the sequence `first` on, then credit notes. */
export function* checkIssuedInvoices(work: Work, first = 1): Generator<string> {
	const order = new NumberOrder(prefixesOf(work, "INVOICE"));
	for (let from = first; ; ) {
		const rows = readInvoices(work, from);
		const last = rows.at(-1);
		if (!last) return;
		const ids = rows.map(({ id }) => id);
		const lines = linesByInvoice(work, rows);
		const payments = byInvoice(allocationsOfInvoices(work, ids));
		const notes = byInvoice(creditNotesOfInvoices(work, ids));
		const entries = byInvoice(entriesOfInvoices(work, ids));
		for (const row of rows) {
			const named = `the invoice ${row.number}`;
			const own = lines.get(row.id) ?? [];
			const settled = {
				notes: notes.get(row.id) ?? [],
				paid: paidOf(payments.get(row.id) ?? []),
				entries: entries.get(row.id) ?? [],
			};
			yield* order.differences(named, row);
			yield* stateDifferences(named, row, settled);
			yield* creditedDifferences(named, row, settled.notes);
			yield* entryDifferences(named, row, settled.entries);
			yield* lineDifferences(named, row, own);
		}
		from = last.sequence + 1;
	}
}

export function* checkIssuedCreditNotes(work: Work, first = 1): Generator<string> {
	const order = new NumberOrder(prefixesOf(work, "CREDIT_NOTE"));
	for (let from = first; ; ) {
		const rows = readCreditNotes(work, from);
		const last = rows.at(-1);
		if (!last) return;
		const lines = linesByCreditNote(work, rows);
		const invoices = invoicesByIds(
			work,
			rows.flatMap(({ invoiceId }) => invoiceId ?? []),
		);
		const linesOfInvoices = linesByInvoice(work, [...invoices.values()]);
		const entries = Map.groupBy(
			entriesOfCreditNotes(
				work,
				rows.map(({ id }) => id),
			),
			({ creditNoteId }) => creditNoteId,
		);
		for (const row of rows) {
			const named = `the credit note ${row.number}`;
			const own = lines.get(row.id) ?? [];
			const invoice = invoices.get(row.invoiceId ?? "");
			yield* order.differences(named, row);
			yield* noteDifferences(named, row, own, invoice, linesOfInvoices.get(row.invoiceId ?? "") ?? []);
			yield* entryDifferences(named, row, entries.get(row.id) ?? []);
			yield* lineDifferences(named, row, own);
		}
		from = last.sequence + 1;
	}
}
