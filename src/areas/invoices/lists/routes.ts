import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { formatAccepted } from "../../../http/responses/csv";
import { viewPage } from "../../../kernel/page";
import { listOf } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { invoiceListOperations as operations } from "./openapi";
import { listInvoices } from "./operations";
import { AllInvoicesQuery, csvRowsMax, InvoiceInBooks } from "./schema";
import { invoicesCsv, viewBooked } from "./view";

export const invoiceListRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/invoices", tags: ["Invoices"], normalize: false }).use(identity(services)).get(
		"",
		({ actor, query: { format, ...asked }, request }) => {
			const isCsv = (format ?? formatAccepted(request)) === "csv";
			const query = isCsv ? { limit: `${csvRowsMax}`, ...asked } : asked;
			const page = services.transactions.read(actor, (work) => listInvoices(work, query));
			return isCsv ? invoicesCsv(page, request) : viewPage(page, viewBooked);
		},
		{
			detail: operations.list,
			permit: "INVOICE:READ",
			query: AllInvoicesQuery,
			response: listOf(InvoiceInBooks),
		},
	);
