// The code of a Tollgate user, written against the client that is generated from `/openapi.json`: it must compile, and work.
// `./generated` is written by the test (openapi.client.test.ts) next to a copy of this file.
import createClient from "openapi-fetch";
import type { components, paths } from "./generated";

type Plan = components["schemas"]["Plan"];
type Refusal = components["schemas"]["Error"];

const [baseUrl = "", key = ""] = process.argv.slice(2);
const { GET, POST, PATCH } = createClient<paths>({ baseUrl, headers: { "X-API-KEY": key } });

const created = await POST("/api/v1/plans", {
	body: { id: "plan-generated", displayName: "Generated", productId: "product-atlas" },
});
const plan: Plan | undefined = created.data?.data;

await PATCH("/api/v1/plans/{id}", {
	params: { path: { id: "plan-generated" } },
	body: {
		charges: {
			pricingType: "PAID",
			pricingModels: [
				{
					billingModel: "FLAT_FEE",
					pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount: 12.5, currency: "eur" } }],
				},
			],
		},
	},
});
// @ts-expect-error a currency that does not exist is no currency of the generated types
const wrongCurrency: components["schemas"]["Currency"] = "xyz";

const access = await GET("/api/v1/customers/{id}/entitlements/check", {
	params: { path: { id: "customer-acme" }, query: { featureId: "feature-api-calls" } },
});
const coupons = await GET("/api/v1/coupons", { params: { query: { limit: 1, status: ["ACTIVE"] } } });
const refused = await GET("/api/v1/plans/{id}", { params: { path: { id: "no-such-plan" } } });
const refusal: Refusal | undefined = refused.error;
const invoices = await GET("/api/v1/customers/{id}/invoices", { params: { path: { id: "customer-acme" } } });
const pdf = await GET("/api/v1/customers/{id}/invoices/{invoiceRef}/pdf", {
	params: { path: { id: "customer-acme", invoiceRef: invoices.data?.data[0]?.invoiceId ?? "" } },
	parseAs: "text",
});

process.stdout.write(
	JSON.stringify({
		plan: plan?.id,
		isGranted: access.data?.data.isGranted,
		coupons: coupons.data?.data.length,
		next: typeof coupons.data?.pagination.next,
		refusal: refusal?.code,
		pdf: pdf.data?.slice(0, 5),
		wrongCurrency,
	}),
);
