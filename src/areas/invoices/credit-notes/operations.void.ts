import { exact, toDecimal } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { removeUses } from "../../coupons/operations.uses";
import { addBalanceEntry, balanceOf } from "../balance/ledger";
import { getInvoice } from "../operations";
import { changeInvoice } from "../store";
import type { CreditNoteRow } from "../table";
import { assertMayBeVoided } from "./rules.void";
import { markVoided } from "./store";

/**
 * Voids a manual, unused credit note. The invoice's amount due rises again, and the balance is reduced. The number stays used. Throws
 * InvalidArgumentError.
 */
export function voidCreditNote(work: Work, note: CreditNoteRow): CreditNoteRow {
	const invoice = note.invoiceId === null ? undefined : getInvoice(work, note.invoiceId);
	assertMayBeVoided(note, invoice, balanceOf(work, note));
	const taken = toDecimal(exact(note.toBalance).times(-1));
	addBalanceEntry(work, note, { kind: "VOIDED", amount: taken, creditNoteId: note.id });
	if (invoice) changeInvoice(work, invoice, {});
	removeUses(work, [note.id]);
	return markVoided(work, note);
}
