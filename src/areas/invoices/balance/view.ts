import { toIso } from "../../../kernel/clock";
import { toWire } from "../../../kernel/decimal";
import type { CustomerBalanceEntryRow } from "../table.receipts";
import type { BalanceEntry } from "./schema";

export const viewBalanceEntry = (entry: CustomerBalanceEntryRow): BalanceEntry => ({
	entryId: entry.id,
	kind: entry.kind,
	amount: toWire(entry.amount),
	balance: toWire(entry.balance),
	currency: entry.currency,
	invoiceId: entry.invoiceId,
	creditNoteId: entry.creditNoteId,
	paymentId: entry.paymentId,
	reason: entry.reason,
	createdAt: toIso(entry.createdAt),
});
