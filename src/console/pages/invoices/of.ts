import type { InvoiceInBooks } from "../../../areas/invoices/lists/schema";

export interface InvoiceProps {
	readonly invoice: InvoiceInBooks;
}

/** Below /api/v1: what is done with an invoice is done below its customer. */
export const pathOf = ({ customerExternalId, invoiceId }: InvoiceInBooks): string =>
	`/customers/${encodeURIComponent(customerExternalId ?? "")}/invoices/${encodeURIComponent(invoiceId)}`;
