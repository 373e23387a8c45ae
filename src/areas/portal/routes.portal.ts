import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { pdfResponse, pdfWaitLimits, pdfWaits } from "../../http/answers/pdf";
import { identity, type Permit } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Services } from "../../services";
import { readPdf, stillComing } from "../invoices/operations.pdf";
import { IdOnly } from "../subscriptions/schema";
import type { SubscriptionRow } from "../subscriptions/table";
import { portalOperations as operations } from "./openapi";
import { cancelOwn, changeOwn, keepOwn, previewChange, readOptions, updateOwnBilling } from "./operations";
import { invoicesShown, listOwnInvoices, readBranding, readOverview } from "./operations.overview";
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
	SubscriptionPath,
} from "./schema";

/** All that a customer may do by the link to its portal: no route here names a customer, the link does. */
const permit: Permit = { session: "PORTAL" };
/** Writing, and what rehearses it. */
const limited: Permit = { ...permit, limitedBy: "session" };

const params = SubscriptionPath;
const show = ({ refId }: SubscriptionRow) => ({ data: { id: refId } });

export const portalRoutes = (services: Services) => {
	const { transactions, stopping } = services;
	const wait = pdfWaits(pdfWaitLimits, stopping);
	return new Elysia({ prefix: "/api/v1/portal", tags: ["Portal"], normalize: false })
		.use(identity(services))
		.get("", ({ read }) => read((work) => ({ data: readOverview(work) })), {
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
					const page = listOwnInvoices(work, query);
					return viewPage(page, invoicesShown(work, page.rows));
				}),
			{ detail: operations.invoices, permit, query: PortalInvoiceQuery, response: listOf(PortalInvoice) },
		)
		.get(
			"/invoices/:number/pdf",
			async ({ actor, request, params: { number } }) => {
				const pdfOf = (work: Work) => readPdf(work, ownSession(work).customer.refId, number);
				const { invoice, bytes } = transactions.read(actor, pdfOf);
				if (bytes) return pdfResponse(invoice.number, bytes);
				const customerRef = transactions.read(actor, (work) => ownSession(work).customer.refId);
				const taskId = await services.write(actor, "renderInvoice", { customerRef, invoiceRef: number });
				const look = () =>
					transactions.read(actor, (work) => pdfOf(work).bytes ?? stillComing(work, invoice.number, taskId));
				return pdfResponse(invoice.number, await wait(invoice.number, look, request.signal));
			},
			{ detail: operations.invoicePdf, permit, params: PortalInvoicePath },
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
