import { toIso, toIsoOrNull } from "../../kernel/clock";
import { toWire, toWireOrNull } from "../../kernel/decimal";
import type { CustomerInvoice, InvoicePdf } from "./schema";
import type { InvoiceLineRow, InvoiceRow } from "./table";

/** Source: operations, `customers.listInvoices`. An invoice has no external id of its own, so its id stands there. */
export const viewInvoice = (
	invoice: InvoiceRow,
	lines: readonly InvoiceLineRow[],
	customerRefId: string,
): CustomerInvoice => ({
	invoiceId: invoice.id,
	invoiceExternalId: invoice.id,
	invoiceNumber: invoice.number,
	customerExternalId: customerRefId,
	contractExternalId: invoice.contractRefId,
	state: invoice.state,
	currency: invoice.currency,
	issueDate: toIso(invoice.issuedAt),
	dueDate: toIso(invoice.dueAt),
	paidDate: toIsoOrNull(invoice.paidAt),
	subtotal: toWire(invoice.subTotal),
	discount: toWire(invoice.discount),
	tax: toWire(invoice.tax),
	total: toWire(invoice.total),
	lineItems: lines.map((line) => ({
		description: line.description,
		quantity: toWireOrNull(line.quantity),
		unitPrice: toWireOrNull(line.unitPrice),
		amount: toWire(line.amount),
		productExternalId: line.productRefId,
	})),
});

/** `customerRef` is the id that the caller used in the path, whichever of the two it was. */
export const viewPdf = (invoice: InvoiceRow, customerRef: string, bytes: Buffer | undefined): InvoicePdf => ({
	invoiceId: invoice.id,
	externalId: customerRef,
	status: bytes ? "READY" : "PENDING",
	fileName: bytes ? `${invoice.number}.pdf` : null,
	contentType: bytes ? "application/pdf" : null,
	contentBase64: bytes?.toString("base64") ?? null,
});
