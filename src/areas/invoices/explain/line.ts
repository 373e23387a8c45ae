import { HttpRefusal } from "../../../http/refusal";
import type { Work } from "../../../kernel/work";
import { getCustomersInvoice, getInvoicedCustomer, linesByInvoice } from "../operations";
import type { LineExplanation } from "./schema";
import { viewExplanation } from "./view";

/**
 * Explains the calculation of a line, by its number from 1. Throws CustomerNotFound, InvoiceNotFound. The catalogue of errors has no
 * code for an unknown line.
 */
export function explainLineOf(
	work: Work,
	customerRef: string,
	invoiceRef: string,
	lineNumber: number,
): LineExplanation {
	const invoice = getCustomersInvoice(work, getInvoicedCustomer(work, customerRef), invoiceRef);
	const lines = linesByInvoice(work, [invoice]).get(invoice.id) ?? [];
	const line = lines[lineNumber - 1];
	if (!line)
		throw new HttpRefusal(
			404,
			`${invoice.number} has no line ${lineNumber}; ${lines.length === 0 ? "it has none" : `its lines are 1 to ${lines.length}`}.`,
		);
	return viewExplanation(invoice, line);
}
