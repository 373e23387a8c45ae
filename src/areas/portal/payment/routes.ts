import { Elysia } from "elysia";
import { identity, type Permit } from "../../../http/identity";
import { originOf } from "../../../http/origin";
import { single } from "../../../kernel/schema";
import type { Work } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import { chooseDefault } from "../../collection/methods/operations.choose";
import { removeMethod } from "../../subscriptions/customers/operations.remove-method";
import { ownSession } from "../operations.sessions";
import { PortalInvoicePath } from "../schema";
import { portalPaymentOperations as operations } from "./openapi";
import { openOwnPage, paymentOf, payOwn } from "./operations";
import { OwnAttempt, OwnMethodPath, PortalPayment, ProviderPage } from "./schema";

const permit: Permit = { session: "PORTAL" };
const limited: Permit = { ...permit, limitedBy: "session" };

const shown = (work: Work) => ({ data: paymentOf(work, ownSession(work).customer) });
const response = single(PortalPayment);

/** Routes of the portal for payment methods, and to pay invoices. The link identifies the customer. */
export const portalPaymentRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/portal", tags: ["Portal"], normalize: false })
		.use(identity(services))
		.get("/payment", ({ read }) => read(shown), { detail: operations.read, permit, response })
		.post(
			"/payment/page",
			async ({ actor, cause, request, once, status }) =>
				status(
					201,
					await once(async () => ({
						data: await openOwnPage(services, actor, cause(), `${originOf(services, request)}/portal`, (work) => ({
							customer: ownSession(work).customer,
							legalEntityId: null,
						})),
					})),
				),
			{
				detail: operations.openPage,
				permit: { ...limited, takesLong: true },
				response: { 201: single(ProviderPage) },
			},
		)
		.post(
			"/payment/methods/:methodId/default",
			({ write, params: { methodId } }) =>
				write((work) => {
					chooseDefault(work, ownSession(work).customer.refId, methodId);
					return shown(work);
				}),
			{ detail: operations.chooseDefault, permit: limited, params: OwnMethodPath, response },
		)
		.delete(
			"/payment/methods/:methodId",
			({ write, params: { methodId } }) =>
				write((work) => {
					removeMethod(work, ownSession(work).customer.refId, methodId);
					return shown(work);
				}),
			{ detail: operations.remove, permit: limited, params: OwnMethodPath, response },
		)
		.post(
			"/invoices/:invoiceId/pay",
			({ create, params: { invoiceId } }) =>
				create((work) => ({ data: payOwn(work, ownSession(work).customer, invoiceId) })),
			{
				detail: operations.pay,
				permit: limited,
				params: PortalInvoicePath,
				response: { 201: single(OwnAttempt) },
			},
		);
