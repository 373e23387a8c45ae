import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { assertAllowed } from "../../areas/access/rules";
import { identity } from "../../http/identity";
import { single } from "../../kernel/schema";
import { operation } from "../../openapi/operation";
import type { Services } from "../../server/context";
import { FixedAnswers } from "./answers";
import { paywallDocument } from "./documents";
import { paywallInput } from "./routes";
import { PaywallOfCustomerQuery } from "./schema";

const open = { additionalProperties: true };

/** The paywall in GraphQL's format, with all fields that clients read. */
export const Paywall = Type.Object(
	{
		plans: Type.Array(Type.Object({ refId: Type.String(), displayName: Type.String() }, open)),
		currency: Type.Object({ code: Type.String(), symbol: Type.String() }),
		configuration: Type.Null(),
		customer: Type.Union([Type.Object({ refId: Type.String() }, open), Type.Null()]),
		resource: Type.Union([Type.Object({ resourceId: Type.String() }), Type.Null()]),
		activeSubscriptions: Type.Array(Type.Object({ refId: Type.String() }, open)),
	},
	{ $id: "Paywall" },
);

const notes = operation({
	operationId: "paywall.retrieve",
	summary: "Read what is for sale",
	description:
		"Published plans, free ones first, then by price, with the prices that one buyer would pay, entitlements that are not hidden, and addons; of a customer what it has as well. Spelt as in GraphQL's `paywall`. Ours.",
	query: {
		productId: ["Of this product alone", "product-atlas"],
		customerId: "In the prices of this customer, with its active subscriptions: for server keys",
		resourceId: "The customer's resource",
		billingCountryCode: "In the prices of this country",
		currency: "In prices of this currency, as far as there are some; for no customer in particular",
		billingCurrency: "In the prices of a sale that names this currency",
		fetchAllCountriesPrices: "`true`: the prices of all countries; for server keys",
		includeHiddenPlans: "Has no effect: no plan is hidden",
	},
	refusals: [
		"ProductNotFoundError",
		"CustomerNotFound",
		"CustomerResourceNotFound",
		"FetchAllCountriesPricesNotAllowed",
	],
	response: single(Paywall),
});

/** `GET /api/v1/paywall` (ours). */
export const paywallRoutes = (services: Services) => {
	const answers = new FixedAnswers(services);
	return new Elysia({ prefix: "/api/v1", tags: ["Plans"], normalize: false }).use(identity(services)).get(
		"/paywall",
		async ({ request, actor, read, query }) => {
			const { productId, customerId, resourceId, currency, billingCurrency } = query;
			if (customerId !== undefined)
				for (const scope of ["CUSTOMER:READ", "SUBSCRIPTION:READ"] as const) assertAllowed(actor, { scope });
			const input = { ...paywallInput(query), productId, customerId, resourceId, currency, billingCurrency };
			const body = await answers.body(request, read, {
				document: paywallDocument,
				variables: { input },
				data: ({ paywall }) => paywall,
				...(customerId !== undefined && { holder: { customerId, resourceId: null } }),
			});
			return services.unread.respond(body, { headers: { "content-type": "application/json;charset=utf-8" } });
		},
		{ detail: notes, permit: { scope: "CATALOG:READ", publishable: true }, query: PaywallOfCustomerQuery },
	);
};
