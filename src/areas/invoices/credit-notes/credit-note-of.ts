import { HttpRefusal } from "../../../http/refusal";
import type { Work } from "../../../kernel/work";
import { getInvoicedCustomer } from "../operations";
import { findCreditNoteOf } from "./operations";

/** The catalogue has no code for it. */
export function getCustomersCreditNote(work: Work, customerRef: string, creditNoteRef: string) {
	const customer = getInvoicedCustomer(work, customerRef);
	const note = findCreditNoteOf(work, customer.id, creditNoteRef);
	if (!note)
		throw new HttpRefusal(
			404,
			`The customer '${customerRef}' has no credit note '${creditNoteRef}' in this environment.`,
		);
	return { note, customer };
}
