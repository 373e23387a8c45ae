import { type Decimal, exact } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { CreditNoteRow, InvoiceRow } from "../table";

/**
 * Checks that a note is unused, so that it can be voided: an invoice that was OPEN at the credit is still OPEN, and the balance still
 * holds the note's amount. Notes of a subscription change cannot be voided, because Tollgate would issue them again. Throws
 * InvalidArgumentError.
 */
export function assertMayBeVoided(note: CreditNoteRow, invoice: InvoiceRow | undefined, balance: Decimal): void {
	const { number } = note;
	if (note.voidedAt !== null) throw fail("InvalidArgumentError", `The credit note ${number} is VOIDED already.`);
	if (!note.isByHand)
		throw fail(
			"InvalidArgumentError",
			`The credit note ${number} follows from a change of a subscription or contract; only one that was issued by a call is voided.`,
		);
	if (note.reducesDue && invoice?.state !== "OPEN")
		throw fail(
			"InvalidArgumentError",
			`The credit note ${number} was used: ${invoice?.number} is ${invoice?.state}, and stays so. Charge what is owed by a new invoice.`,
		);
	if (exact(balance).lt(note.toBalance))
		throw fail(
			"InvalidArgumentError",
			`The credit note ${number} was used: of the ${note.toBalance} that the balance got there is only ${balance} left.`,
		);
}
