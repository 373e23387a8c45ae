import { isLess, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { listInvoices } from "../../invoices/lists/operations";
import type { OpenInvoice } from "./rules.match";

export interface OpenInvoices {
	readonly invoices: readonly OpenInvoice[];
	/** Where the next page begins; null after the last. */
	readonly next: string | null;
}

/** Returns a page of the open invoices of a legal entity with an amount due; 100 at most. */
export function openInvoicesAfter(work: Work, legalEntityId: string, after: string | null): OpenInvoices {
	const { rows, next } = listInvoices(work, { stateIn: "OPEN", limit: "100", ...(after !== null && { after }) });
	const invoices = rows.flatMap(({ invoice, due }) => {
		if (invoice.legalEntityId !== legalEntityId || !isLess(zero, due)) return [];
		const { id, number, sequence, customerId, currency, customer } = invoice;
		return [{ id, number, sequence, customerId, customerName: customer.name, currency, due }];
	});
	return { invoices, next };
}
