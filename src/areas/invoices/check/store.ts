import { amongIds, idsIn } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { type CustomerBalanceEntryRow, customerBalanceEntries as entries } from "../table.receipts";

const amongInvoices = (tx: Transaction) =>
	tx.select().from(entries).where(amongIds(entries.environmentId, entries.invoiceId)).prepare();

const amongCreditNotes = (tx: Transaction) =>
	tx.select().from(entries).where(amongIds(entries.environmentId, entries.creditNoteId)).prepare();

export const entriesOfInvoices = (work: Work, ids: readonly string[]): CustomerBalanceEntryRow[] =>
	work.prepared(amongInvoices).all(idsIn(work, ids));

export const entriesOfCreditNotes = (work: Work, ids: readonly string[]): CustomerBalanceEntryRow[] =>
	work.prepared(amongCreditNotes).all(idsIn(work, ids));
