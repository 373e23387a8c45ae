import type { Work } from "../../../kernel/work";
import { readBalanceEntries } from "../balance/operations.check";
import { linesByCreditNote } from "../credit-notes/operations";
import { linesByInvoice } from "../operations";
import { sealOfBalanceEntry, sealOfCreditNote, sealOfInvoice, sealOfLines } from "../rules.seal";
import type { InvoiceRow } from "../table";
import type { CustomerBalanceEntryRow } from "../table.receipts";
import { readCreditNotes, readInvoices } from "./operations.sums";

const changedOutside = "is not what Tollgate wrote: it was changed outside of Tollgate";

/**
 * Checks whether the invoices, credit notes, payments and entries of balances of this environment are what Tollgate wrote. It
 * comes after the other checks of documents, whose findings name the expected value.
 */
export function* checkSeals(work: Work): Generator<string> {
	yield* checkInvoiceSeals(work);
	yield* checkCreditNoteSeals(work);
	yield* checkEntrySeals(work);
}

/** Checks invoices in the order of issue, from the sequence `first` on, then credit notes. */
export function* checkInvoiceSeals(work: Work, first = 1): Generator<string> {
	const seals = new Seals();
	for (let from = first; ; ) {
		const rows = readInvoices(work, from);
		const last = rows.at(-1);
		if (!last) return;
		const lines = linesByInvoice(work, rows);
		for (const row of rows) {
			const actual = { lines: sealOfLines(lines.get(row.id) ?? []), row: sealOfInvoice(row) };
			yield* seals.differences(`the invoice ${row.number}`, row, actual);
		}
		from = last.sequence + 1;
	}
}

export function* checkCreditNoteSeals(work: Work, first = 1): Generator<string> {
	const seals = new Seals();
	for (let from = first; ; ) {
		const rows = readCreditNotes(work, from);
		const last = rows.at(-1);
		if (!last) return;
		const lines = linesByCreditNote(work, rows);
		for (const row of rows) {
			const actual = { lines: sealOfLines(lines.get(row.id) ?? []), row: sealOfCreditNote(row) };
			yield* seals.differences(`the credit note ${row.number}`, row, actual);
		}
		from = last.sequence + 1;
	}
}

function* checkEntrySeals(work: Work): Generator<string> {
	for (let last: CustomerBalanceEntryRow | undefined; ; ) {
		const rows = readBalanceEntries(work, last);
		if (rows.length === 0) return;
		for (const row of rows)
			if (row.seal !== null && row.seal !== sealOfBalanceEntry(row))
				yield `entry ${row.sequence} of the balance of the customer ${row.customerId} in ${row.currency} ${changedOutside}`;
		last = rows.at(-1);
	}
}

/** Compares documents with their seals, in the order of issue. */
class Seals {
	/** The number of the last document that has a seal. */
	#sealed: string | undefined;

	*differences(
		named: string,
		row: Pick<InvoiceRow, "number" | "seal" | "linesSeal">,
		actual: { readonly lines: string; readonly row: string },
	): Generator<string> {
		if (row.seal === null) {
			if (this.#sealed !== undefined) yield `${named} has no seal, and ${this.#sealed} before it has one`;
			return;
		}
		this.#sealed = row.number;
		if (row.linesSeal !== actual.lines) yield `${named}: a line ${changedOutside}`;
		else if (row.seal !== actual.row) yield `${named} ${changedOutside}`;
	}
}
