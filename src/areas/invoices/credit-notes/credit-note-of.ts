import { HttpRefusal } from "../../../http/refusal";
import type { Work } from "../../../kernel/work";
import { getInvoicedCustomer } from "../operations";
import { findCreditNoteOf } from "./operations";

/** Finds a customer's credit note. The catalogue of errors has no code for an unknown one. */
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
