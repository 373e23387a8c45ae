import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Services } from "../../services";
import { generatePdf, getInvoicedCustomer, linesByInvoice, listCustomerInvoices, readPdf } from "./operations";
import {
	CustomerInvoice,
	CustomerPath,
	InvoiceListQuery,
	InvoicePath,
	InvoicePdf,
	InvoicePdfGeneration,
} from "./schema";
import { viewInvoice, viewPdf } from "./view";

export const invoiceRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/customers/:id/invoices", tags: ["Invoices"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, params, query }) =>
				read((work) => {
					const customer = getInvoicedCustomer(work, params.id);
					const page = listCustomerInvoices(work, customer.id, query);
					const lines = linesByInvoice(work, page.rows);
					return viewPage(page, (invoice) => viewInvoice(invoice, lines.get(invoice.id) ?? [], customer.refId));
				}),
			{ permit: "INVOICE:READ", params: CustomerPath, query: InvoiceListQuery, response: listOf(CustomerInvoice) },
		)
		.get(
			"/:invoiceRef/pdf/status",
			({ read, params: { id, invoiceRef } }) =>
				read((work) => {
					const { invoice, bytes } = readPdf(work, id, invoiceRef);
					return { data: viewPdf(invoice, id, bytes) };
				}),
			{ permit: "INVOICE:READ", params: InvoicePath, response: single(InvoicePdf) },
		)
		.post(
			"/:invoiceRef/pdf/generate",
			({ write, params: { id, invoiceRef } }) => write((work) => ({ data: generatePdf(work, id, invoiceRef) })),
			{ permit: "INVOICE:WRITE", params: InvoicePath, response: single(InvoicePdfGeneration) },
		);
