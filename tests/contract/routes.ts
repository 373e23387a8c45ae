import { bank } from "./routes/bank";
import { catalogue, coupons, taxes } from "./routes/catalogue";
import { collection } from "./routes/collection";
import { contracts } from "./routes/contracts";
import { credits } from "./routes/credits";
import { customers } from "./routes/customers";
import { directDebits } from "./routes/direct-debits";
import { environment } from "./routes/environment";
import { governance } from "./routes/governance";
import { invoices } from "./routes/invoices";
import { legalEntities } from "./routes/legal-entities";
import { portal } from "./routes/portal";
import { subscriptions } from "./routes/subscriptions";
import type { Template } from "./routes/template";
import { usage } from "./routes/usage";
import { webhooks } from "./routes/webhooks";

/** By method and route below `/api/v1`. A route that has no entry fails the test. */
export const templates: Readonly<Record<string, Template>> = {
	...catalogue,
	...credits,
	...coupons,
	...taxes,
	...customers,
	...governance,
	...invoices,
	...bank,
	...directDebits,
	...subscriptions,
	...usage,
	...environment,
	...collection,
	...contracts,
	...legalEntities,
	...portal,
	...webhooks,
};

/** A customer calls these by a link of its own (tests/areas/portal); nobody else may. */
export const customersOwn: readonly string[] = [
	...["GET /portal", "GET /portal/branding", "GET /portal/subscriptions/:id/options"],
	...["GET /portal/session", "GET /portal/budgets", "GET /portal/budgets/:entityId", "PATCH /portal/budgets/:entityId"],
	...["GET /portal/budget-requests", "POST /portal/budget-requests"],
	...["POST /portal/budget-requests/:id/approve", "POST /portal/budget-requests/:id/decline"],
	...["POST /portal/subscriptions/:id/preview", "POST /portal/subscriptions/:id/change"],
	...["POST /portal/subscriptions/:id/cancel", "POST /portal/subscriptions/:id/keep", "PATCH /portal/billing"],
	...[
		"GET /portal/invoices",
		"GET /portal/invoices/:invoiceId/pdf",
		"GET /portal/receipts",
		"GET /portal/receipts/:receiptId/pdf",
		"DELETE /portal/session",
	],
	...["GET /portal/payment", "POST /portal/payment/page", "POST /portal/invoices/:invoiceId/pay"],
	...["POST /portal/payment/methods/:methodId/default", "DELETE /portal/payment/methods/:methodId"],
	...["GET /checkout", "GET /checkout/branding", "POST /checkout/preview", "POST /checkout/confirm"],
];

/** Routes without an API key, and why. */
export const keyless: Readonly<Record<string, string>> = {
	"POST /auth/login": "here a user becomes known",
	"POST /auth/logout": "belongs to the user's session, not to an environment",
	"GET /me": "belongs to the user, who names no environment yet",
};

const scimRoutes = [
	...["GET /Users", "POST /Users", "GET /Groups", "POST /Groups", "GET /ServiceProviderConfig"],
	...["Users", "Groups"].flatMap((kind) => ["GET", "PUT", "PATCH", "DELETE"].map((method) => `${method} /${kind}/:id`)),
	...["ResourceTypes", "Schemas"].flatMap((kind) => [`GET /${kind}`, `GET /${kind}/:id`]),
].map((route) => route.replace(" ", " /scim/v2"));

const providerRoutes = [
	...["GET /identity-providers", "POST /identity-providers", "PATCH /identity-providers/:id"],
	...["DELETE /identity-providers/:id", "POST /identity-providers/:id/scim-token"],
	"DELETE /identity-providers/:id/scim-token",
];

const signInRoutes = ["GET /auth/oidc", "GET /auth/oidc/:id/start", "GET /auth/oidc/:id/callback"];

/** Routes whose callers and refusals are of another kind: their bad input is tested in their own areas. */
export const testedElsewhere: Readonly<Record<string, string>> = Object.fromEntries([
	...providerRoutes.map((route) => [route, "areas/identity-providers/routes.test.ts: for owners"]),
	["POST /bank-imports", "areas/bank/imports/routes.test.ts: its body is a file"],
	["POST /provider-connections/:id/events", "areas/collection/events/receive.test.ts: a signature authenticates it"],
	...signInRoutes.map((route) => [route, "areas/identity-providers/routes.sign-in/refusals.test.ts: for browsers"]),
	...scimRoutes.map((route) => [route, "areas/scim/routes.test.ts: in SCIM's own shape"]),
]);
