import { Elysia } from "elysia";
import { identity, type Permit } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { CustomerPath } from "../customers/schema";
import { invoicePdfs, receiptPdfs } from "./invoice-pdf";
import { portalOperations as operations } from "./openapi";
import {
	invoicesShown,
	listShownInvoices,
	listShownReceipts,
	readOverview,
	shownCustomer,
	viewShownReceipt,
} from "./operations.overview";
import {
	CustomersInvoicePath,
	CustomersReceiptPath,
	PortalInvoice,
	PortalInvoiceQuery,
	PortalOverview,
	PortalReceipt,
} from "./schema";

/** For widgets in the seller's page. A publishable key can only read, and must always prove its customer. */
const signed = { publishable: true, signed: true, customer: "id" } as const;
const ofInvoices: Permit = { ...signed, scope: "INVOICE:READ", also: "CUSTOMER:READ" };

/** Routes for the portal widget in the seller's page. */
export const portalShownRoutes = (services: Services) => {
	const answerPdf = invoicePdfs(services);
	const answerReceipt = receiptPdfs(services);
	return new Elysia({ prefix: "/api/v1/customers/:id/portal", tags: ["Portal"], normalize: false })
		.use(identity(services))
		.get("", ({ read, params: { id } }) => read((work) => ({ data: readOverview(work, id) })), {
			detail: operations.shown,
			permit: { ...signed, scope: "CUSTOMER:READ", also: "SUBSCRIPTION:READ" },
			params: CustomerPath,
			response: single(PortalOverview),
		})
		.get(
			"/invoices",
			({ read, params: { id }, query }) =>
				read((work) => {
					const page = listShownInvoices(work, shownCustomer(work, id), query);
					return viewPage(page, invoicesShown(work, page.rows));
				}),
			{
				detail: operations.shownInvoices,
				permit: ofInvoices,
				params: CustomerPath,
				query: PortalInvoiceQuery,
				response: listOf(PortalInvoice),
			},
		)
		.get(
			"/receipts",
			({ read, params: { id }, query }) =>
				read((work) => viewPage(listShownReceipts(work, shownCustomer(work, id), query), viewShownReceipt)),
			{
				detail: operations.shownReceipts,
				permit: ofInvoices,
				params: CustomerPath,
				query: PortalInvoiceQuery,
				response: listOf(PortalReceipt),
			},
		)
		.get(
			"/invoices/:invoiceId/pdf",
			({ actor, request, params: { id, invoiceId } }) => {
				const { refId } = services.transactions.read(actor, (work) => shownCustomer(work, id));
				return answerPdf(actor, refId, invoiceId, request.signal);
			},
			{ detail: operations.shownInvoicePdf, permit: ofInvoices, params: CustomersInvoicePath },
		)
		.get(
			"/receipts/:receiptId/pdf",
			({ actor, request, params: { id, receiptId } }) => answerReceipt(actor, id, receiptId, request.signal),
			{ detail: operations.shownReceiptPdf, permit: ofInvoices, params: CustomersReceiptPath },
		);
};
