import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { single } from "../../../kernel/schema";
import type { Work } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import { getCustomersInvoice, getInvoicedCustomer, linesByInvoice } from "../operations";
import { InvoicePath, ShownInvoice } from "../schema";
import type { InvoiceRow } from "../table";
import { viewShownInvoice } from "../view";
import { draftOperations as operations } from "./openapi";
import { addManualLine, finalizeInvoice, type LateUsageOf, removeManualLine } from "./operations";
import { DraftLinePath, ManualLine } from "./schema";

/** Runs a change of a customer's invoice, and shows the result. */
function changed(
	work: Work,
	{ id, invoiceRef }: { readonly id: string; readonly invoiceRef: string },
	change: (invoice: InvoiceRow) => InvoiceRow,
) {
	const customer = getInvoicedCustomer(work, id);
	const invoice = change(getCustomersInvoice(work, customer, invoiceRef));
	return { data: viewShownInvoice(invoice, linesByInvoice(work, [invoice]).get(invoice.id) ?? [], customer.refId) };
}

export const draftRoutes = (services: Services, lateUsageOf: LateUsageOf) =>
	new Elysia({ prefix: "/api/v1/customers/:id/invoices/:invoiceRef", tags: ["Invoices"], normalize: false })
		.use(identity(services))
		.post(
			"/finalize",
			({ write, params }) =>
				write((work) => changed(work, params, (invoice) => finalizeInvoice(work, invoice, lateUsageOf))),
			{ detail: operations.finalize, permit: "INVOICE:WRITE", params: InvoicePath, response: single(ShownInvoice) },
		)
		.post(
			"/lines",
			({ create, params, body }) =>
				create((work) => changed(work, params, (invoice) => addManualLine(work, invoice, body))),
			{
				detail: operations.addLine,
				permit: "INVOICE:WRITE",
				params: InvoicePath,
				body: ManualLine,
				response: { 201: single(ShownInvoice) },
			},
		)
		.delete(
			"/lines/:line",
			({ write, params }) =>
				write((work) => changed(work, params, (invoice) => removeManualLine(work, invoice, Number(params.line)))),
			{
				detail: operations.removeLine,
				permit: "INVOICE:WRITE",
				params: DraftLinePath,
				response: single(ShownInvoice),
			},
		);
