import type { Work } from "../../../kernel/work";
import { prefixesOf } from "../../legal-entities/operations";
import { readBalanceEntries } from "../balance/operations.check";
import { linesByCreditNote } from "../credit-notes/operations";
import { creditNotesOfInvoices } from "../credit-notes/store";
import { invoicesByIds, linesByInvoice } from "../operations";
import { readCreditNotes, readInvoices } from "../operations.check";
import { paidOf } from "../payments/rules";
import { paymentsOfInvoices } from "../payments/store";
import type { CustomerBalanceEntryRow, InvoiceRow } from "../table";
import {
	creditedDifferences,
	entryDifferences,
	lineDifferences,
	NumberOrder,
	noteDifferences,
	stateDifferences,
} from "./rules.documents";
import { sealOfBalanceEntry, sealOfCreditNote, sealOfInvoice, sealOfLines, sealOfPayment } from "./rules.seal";
import { entriesOfCreditNotes, entriesOfInvoices } from "./store";

/**
 * Checks whether each document of this environment says what follows from the rows around it, and whether it is what Tollgate
 * wrote: its number, date, currency, customer, lines and state; payments, credit notes and balances.
 */
export function* checkDocuments(work: Work): Generator<string> {
	yield* checkIssuedInvoices(work);
	yield* checkIssuedCreditNotes(work);
	yield* checkEntrySeals(work);
}

const byInvoice = <Row extends { readonly invoiceId: string | null }>(rows: readonly Row[]) =>
	Map.groupBy(rows, ({ invoiceId }) => invoiceId);

/** In the order of issue, from the sequence `first` on; so are credit notes. */
export function* checkIssuedInvoices(work: Work, first = 1): Generator<string> {
	const order = new NumberOrder(prefixesOf(work, "INVOICE"));
	const seals = new Seals();
	for (let from = first; ; ) {
		const rows = readInvoices(work, from);
		const last = rows.at(-1);
		if (!last) return;
		const ids = rows.map(({ id }) => id);
		const lines = linesByInvoice(work, rows);
		const payments = byInvoice(paymentsOfInvoices(work, ids));
		const notes = byInvoice(creditNotesOfInvoices(work, ids));
		const entries = byInvoice(entriesOfInvoices(work, ids));
		for (const row of rows) {
			const named = `the invoice ${row.number}`;
			const [own, paid, of] = [lines.get(row.id) ?? [], payments.get(row.id) ?? [], entries.get(row.id) ?? []];
			const settled = { notes: notes.get(row.id) ?? [], paid: paidOf(paid), entries: of };
			yield* order.differences(named, row);
			yield* stateDifferences(named, row, settled);
			yield* creditedDifferences(named, row, settled.notes);
			yield* entryDifferences(named, row, of);
			yield* lineDifferences(named, row, own);
			yield* seals.differences(named, row, { lines: sealOfLines(own), row: sealOfInvoice(row) });
			for (const payment of paid)
				if (payment.seal !== null && payment.seal !== sealOfPayment(payment))
					yield `${named}: its payment ${payment.id} ${changedOutside}`;
		}
		from = last.sequence + 1;
	}
}

export function* checkIssuedCreditNotes(work: Work, first = 1): Generator<string> {
	const order = new NumberOrder(prefixesOf(work, "CREDIT_NOTE"));
	const seals = new Seals();
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
			yield* seals.differences(named, row, { lines: sealOfLines(own), row: sealOfCreditNote(row) });
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

const changedOutside = "is not what Tollgate wrote: it was changed outside of Tollgate";

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
