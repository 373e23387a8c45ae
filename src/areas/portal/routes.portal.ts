import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity, type Permit } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { IdOnly } from "../subscriptions/schema";
import type { SubscriptionRow } from "../subscriptions/table";
import { invoicePdfs, receiptPdfs } from "./invoice-pdf";
import { portalOperations as operations } from "./openapi";
import { cancelOwn, changeOwn, keepOwn, previewChange, readOptions, updateOwnBilling } from "./operations";
import {
	invoicesShown,
	listShownInvoices,
	listShownReceipts,
	readBranding,
	readOwnOverview,
	viewShownReceipt,
} from "./operations.overview";
import { endOwnSession, ownSession } from "./operations.sessions";
import { billingOf } from "./rules";
import {
	BillingUpdate,
	Branding,
	PortalBilling,
	PortalChange,
	PortalInvoice,
	PortalInvoicePath,
	PortalInvoiceQuery,
	PortalOptions,
	PortalOverview,
	PortalPreview,
	PortalReceipt,
	PortalReceiptPath,
	SubscriptionPath,
} from "./schema";

/** Routes for the link to a portal. The link identifies the customer, so no route names one. */
const permit: Permit = { session: "PORTAL" };
/** Writes, and their previews. */
const limited: Permit = { ...permit, limitedBy: "session" };

const params = SubscriptionPath;
const show = ({ refId }: SubscriptionRow) => ({ data: { id: refId } });

export const portalRoutes = (services: Services) => {
	const answerPdf = invoicePdfs(services);
	const answerReceipt = receiptPdfs(services);
	return new Elysia({ prefix: "/api/v1/portal", tags: ["Portal"], normalize: false })
		.use(identity(services))
		.get("", ({ read }) => read((work) => ({ data: readOwnOverview(work) })), {
			detail: operations.overview,
			permit,
			response: single(PortalOverview),
		})
		.get("/branding", ({ read }) => read((work) => ({ data: readBranding(work) })), {
			detail: operations.branding,
			permit,
			response: single(Branding),
		})
		.get(
			"/subscriptions/:id/options",
			({ read, params: { id } }) => read((work) => ({ data: readOptions(work, id) })),
			{
				detail: operations.options,
				permit,
				params,
				response: single(PortalOptions),
			},
		)
		.post(
			"/subscriptions/:id/preview",
			({ write, params: { id }, body }) => write((work) => ({ data: previewChange(work, id, body) })),
			{ detail: operations.preview, permit: limited, params, body: PortalChange, response: single(PortalPreview) },
		)
		.post(
			"/subscriptions/:id/change",
			({ write, params: { id }, body }) => write((work) => show(changeOwn(work, id, body))),
			{
				detail: operations.change,
				permit: limited,
				params,
				body: PortalChange,
				response: single(IdOnly),
			},
		)
		.post("/subscriptions/:id/cancel", ({ write, params: { id } }) => write((work) => show(cancelOwn(work, id))), {
			detail: operations.cancel,
			permit: limited,
			params,
			response: single(IdOnly),
		})
		.post("/subscriptions/:id/keep", ({ write, params: { id } }) => write((work) => show(keepOwn(work, id))), {
			detail: operations.keep,
			permit: limited,
			params,
			response: single(IdOnly),
		})
		.patch("/billing", ({ write, body }) => write((work) => ({ data: billingOf(updateOwnBilling(work, body)) })), {
			detail: operations.updateBilling,
			permit: limited,
			body: BillingUpdate,
			response: single(PortalBilling),
		})
		.get(
			"/invoices",
			({ read, query }) =>
				read((work) => {
					const page = listShownInvoices(work, ownSession(work).customer, query);
					return viewPage(page, invoicesShown(work, page.rows));
				}),
			{ detail: operations.invoices, permit, query: PortalInvoiceQuery, response: listOf(PortalInvoice) },
		)
		.get(
			"/receipts",
			({ read, query }) =>
				read((work) => viewPage(listShownReceipts(work, ownSession(work).customer, query), viewShownReceipt)),
			{ detail: operations.receipts, permit, query: PortalInvoiceQuery, response: listOf(PortalReceipt) },
		)
		.get(
			"/invoices/:invoiceId/pdf",
			({ actor, request, params: { invoiceId } }) => {
				const customerRef = services.transactions.read(actor, (work) => ownSession(work).customer.refId);
				return answerPdf(actor, customerRef, invoiceId, request.signal);
			},
			{ detail: operations.invoicePdf, permit, params: PortalInvoicePath },
		)
		.get(
			"/receipts/:receiptId/pdf",
			({ actor, request, params: { receiptId } }) => {
				const customerRef = services.transactions.read(actor, (work) => ownSession(work).customer.refId);
				return answerReceipt(actor, customerRef, receiptId, request.signal);
			},
			{ detail: operations.receiptPdf, permit, params: PortalReceiptPath },
		)
		.delete(
			"/session",
			({ write }) =>
				write((work) => {
					endOwnSession(work);
					return { data: {} };
				}),
			{ detail: operations.endSession, permit, response: single(Type.Object({})) },
		);
};
