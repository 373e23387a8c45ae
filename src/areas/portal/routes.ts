import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { originOf } from "../../http/origin";
import { HttpRefusal } from "../../http/refusal";
import { single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { CustomerPath } from "../customers/schema";
import { checkoutOperations, portalOperations } from "./openapi";
import { findStartedCheckout, startCheckout } from "./operations.checkout";
import { startPortalSession } from "./operations.sessions";
import { readSettings, updateSettings } from "./operations.settings";
import { PortalSession, PortalSessionCreate, PortalSettings, PortalSettingsUpdate, SubscriptionPath } from "./schema";
import { CheckoutCreate, CheckoutPath, CheckoutSession, CheckoutStarted } from "./schema.checkout";
import { viewCheckout, viewPortalSession, viewStarted } from "./view";

/** Routes for the seller's servers: portal links and portal settings. */
export const portalSellerRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1", tags: ["Portal"], normalize: false })
		.use(identity(services))
		.post(
			"/customers/:id/portal-sessions",
			({ create, params: { id }, body, request }) =>
				create((work) => ({
					data: viewPortalSession(startPortalSession(work, id, body ?? {}), originOf(services, request)),
				})),
			{
				detail: portalOperations.startSession,
				permit: { scope: "CUSTOMER:WRITE", also: "SUBSCRIPTION:WRITE" },
				params: CustomerPath,
				// A missing body equals an empty one (docs/interface/http.md).
				body: Type.Union([PortalSessionCreate, Type.Undefined()]),
				response: { 201: single(PortalSession) },
			},
		)
		.get(
			"/products/:id/portal-settings",
			({ read, params: { id } }) => read((work) => ({ data: readSettings(work, id) })),
			{
				detail: portalOperations.settings,
				permit: "CATALOG:READ",
				params: SubscriptionPath,
				response: single(PortalSettings),
			},
		)
		.patch(
			"/products/:id/portal-settings",
			({ write, params: { id }, body }) => write((work) => ({ data: updateSettings(work, id, body) })),
			{
				detail: portalOperations.updateSettings,
				permit: "CATALOG:WRITE",
				params: SubscriptionPath,
				body: PortalSettingsUpdate,
				response: single(PortalSettings),
			},
		);

/** Routes for the seller's servers: checkout links. */
export const checkoutSellerRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/checkout-sessions", tags: ["Checkout"], normalize: false })
		.use(identity(services))
		.post(
			"",
			({ create, body, request }) =>
				create((work) => ({ data: viewStarted(work, startCheckout(work, body), originOf(services, request)) })),
			{
				detail: checkoutOperations.start,
				permit: { scope: "SUBSCRIPTION:WRITE", also: "CUSTOMER:WRITE" },
				body: CheckoutCreate,
				response: { 201: single(CheckoutStarted) },
			},
		)
		.get(
			"/:id",
			({ read, params: { id } }) =>
				read((work) => {
					const checkout = findStartedCheckout(work, id);
					// The error catalogue has no code for this case.
					if (!checkout) throw new HttpRefusal(404, `There is no checkout '${id}' in this environment.`);
					return { data: viewCheckout(work, checkout) };
				}),
			{
				detail: checkoutOperations.retrieve,
				permit: "SUBSCRIPTION:READ",
				params: CheckoutPath,
				response: single(CheckoutSession),
			},
		);
