import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { type Instant, instantOf } from "../../kernel/clock";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Services } from "../../server/context";
import { assertDateOf } from "./credit-notes/rules";
import { invoiceOperations as operations } from "./openapi";
import { getCustomersInvoice, getInvoicedCustomer, linesByInvoice, listCustomerInvoices } from "./operations";
import { CustomerInvoice, CustomerPath, InvoiceListQuery, InvoicePath, InvoicePayment, ShownInvoice } from "./schema";
import type { InvoiceRow } from "./table";
import { viewInvoice, viewShownInvoice } from "./view";

const show = (work: Work, invoice: InvoiceRow, customerRefId: string) => ({
	data: viewShownInvoice(invoice, linesByInvoice(work, [invoice]).get(invoice.id) ?? [], customerRefId),
});

/** Marks an invoice as paid at a time, and updates the subscription. That area is later, so routes/invoices.ts passes it in. */
type PayInvoice = (work: Work, invoiceId: string, paidAt: Instant) => InvoiceRow;

function pay(
	work: Work,
	payInvoice: PayInvoice,
	customerRef: string,
	invoiceRef: string,
	paidDate: string | undefined,
) {
	const customer = getInvoicedCustomer(work, customerRef);
	const invoice = getCustomersInvoice(work, customer, invoiceRef);
	const paidAt = paidDate === undefined ? work.now : instantOf(paidDate);
	if (paidDate !== undefined) assertDateOf(invoice, "paidDate", paidAt, work.now);
	return show(work, payInvoice(work, invoice.id, paidAt), customer.refId);
}

export const invoiceRoutes = (services: Services, payInvoice: PayInvoice) =>
	new Elysia({ prefix: "/api/v1/customers/:id", tags: ["Invoices"], normalize: false })
		.use(identity(services))
		.get(
			"/invoices",
			({ read, params, query }) =>
				read((work) => {
					const customer = getInvoicedCustomer(work, params.id);
					const page = listCustomerInvoices(work, customer.id, query);
					const lines = linesByInvoice(work, page.rows);
					return viewPage(page, (invoice) => viewInvoice(invoice, lines.get(invoice.id) ?? [], customer.refId));
				}),
			{
				detail: operations.list,
				permit: "INVOICE:READ",
				params: CustomerPath,
				query: InvoiceListQuery,
				response: listOf(CustomerInvoice),
			},
		)
		.get(
			"/invoices/:invoiceRef",
			({ read, params: { id, invoiceRef } }) =>
				read((work) => {
					const customer = getInvoicedCustomer(work, id);
					return show(work, getCustomersInvoice(work, customer, invoiceRef), customer.refId);
				}),
			{ detail: operations.retrieve, permit: "INVOICE:READ", params: InvoicePath, response: single(ShownInvoice) },
		)
		.post(
			"/invoices/:invoiceRef/paid",
			({ write, params: { id, invoiceRef }, body }) =>
				write((work) => pay(work, payInvoice, id, invoiceRef, body?.paidDate)),
			{
				detail: operations.markAsPaid,
				permit: "INVOICE:WRITE",
				params: InvoicePath,
				// A missing body equals an empty one (docs/interface/http.md).
				body: Type.Union([InvoicePayment, Type.Undefined()]),
				response: single(ShownInvoice),
			},
		);
