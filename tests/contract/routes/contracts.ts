import { none, type Template } from "./template";

const items = "/billing/items";

const ofContract = (tail: string, id = "C-1") => ({
	path: `/contracts/${id}${tail}`,
	unknown: [[`/contracts/${none}${tail}`, "ContractNotFound"]] as const,
});

export const contracts: Record<string, Template> = {
	"GET /contracts": { path: "/contracts", scope: "CONTRACT:READ", foreign: "an empty list" },
	"POST /contracts": {
		path: "/contracts",
		scope: "CONTRACT:WRITE",
		body: { customerId: "acme", subscriptions: [{ existingSubscriptionId: "sub-custom" }], contractId: "C-1" },
		unknown: [
			["/contracts", "CustomerNotFound", { customerId: none, subscriptions: [{ existingSubscriptionId: "sub-1" }] }],
			["/contracts", "SubscriptionNotFound", { customerId: "acme", subscriptions: [{ existingSubscriptionId: none }] }],
		],
	},
	"GET /contracts/pricing-models": { path: "/contracts/pricing-models", scope: "CONTRACT:READ", foreign: "its own" },
	"GET /contracts/legal-entities": { path: "/contracts/legal-entities", scope: "CONTRACT:READ", foreign: "its own" },
	"GET /contracts/:id": { ...ofContract(""), scope: "CONTRACT:READ" },
	"PATCH /contracts/:id": {
		...ofContract(""),
		scope: "CONTRACT:WRITE",
		body: { name: "Framework", subscriptionIds: ["sub-custom"] },
		unknown: [
			[`/contracts/${none}`, "ContractNotFound"],
			["/contracts/C-1", "SubscriptionNotFound", { subscriptionIds: [none] }],
		],
	},
	"POST /contracts/:id/subscriptions": {
		...ofContract("/subscriptions"),
		scope: "CONTRACT:WRITE",
		body: { subscriptionIds: ["sub-custom-2"] },
		unknown: [
			[`/contracts/${none}/subscriptions`, "ContractNotFound"],
			["/contracts/C-1/subscriptions", "SubscriptionNotFound", { subscriptionIds: [none] }],
			[
				"/contracts/C-1/subscriptions",
				"PlanNotFound",
				{ subscriptions: [{ newSubscription: { customerId: "acme", planId: none } }] },
			],
		],
	},
	"DELETE /contracts/:id/subscriptions/:subscriptionId": {
		...ofContract("/subscriptions/sub-custom-2"),
		scope: "CONTRACT:WRITE",
		unknown: [
			[`/contracts/${none}/subscriptions/sub-custom-2`, "ContractNotFound"],
			[`/contracts/C-1/subscriptions/${none}`, "SubscriptionNotFound"],
		],
	},
	"PATCH /contracts/:id/billing/terms": {
		...ofContract("/billing/terms"),
		scope: "CONTRACT:WRITE",
		body: { netTerms: 30 },
	},
	"PATCH /contracts/:id/billing/settings": {
		...ofContract("/billing/settings"),
		scope: "CONTRACT:WRITE",
		body: { note: "Please quote our order number." },
	},
	"GET /contracts/:id/billing/summary": { ...ofContract("/billing/summary"), scope: "CONTRACT:READ" },
	"GET /contracts/:id/billing/invoice-schedule": { ...ofContract("/billing/invoice-schedule"), scope: "CONTRACT:READ" },
	"GET /contracts/:id/billing/items": { ...ofContract(items), scope: "CONTRACT:READ" },
	"POST /contracts/:id/billing/items": {
		...ofContract(items),
		scope: "CONTRACT:WRITE",
		body: { items: [{ name: "Fresh", externalId: "fresh", netTerms: 30 }] },
	},
	"PATCH /contracts/:id/billing/items/:itemRef": {
		...ofContract(`${items}/seats`),
		scope: "CONTRACT:WRITE",
		body: {
			rows: [
				{ to: 5, price: 2 },
				{ from: 5, price: 1 },
			],
		},
	},
	"DELETE /contracts/:id/billing/items/:itemRef/rows/:rowIndex": {
		...ofContract(`${items}/seats/rows/0`),
		scope: "CONTRACT:WRITE",
	},
	"DELETE /contracts/:id/billing/items/:itemRef": { ...ofContract(`${items}/seats`), scope: "CONTRACT:WRITE" },
	"POST /contracts/:id/billing/publish": { ...ofContract("/billing/publish"), scope: "CONTRACT:WRITE" },
	"POST /contracts/:id/billing/edit-active": {
		...ofContract("/billing/edit-active"),
		scope: "CONTRACT:WRITE",
		body: {},
	},
	"DELETE /contracts/:id/billing/edit-active": { ...ofContract("/billing/edit-active"), scope: "CONTRACT:WRITE" },
	"GET /contracts/:id/billing/next-invoice": { ...ofContract("/billing/next-invoice"), scope: "CONTRACT:READ" },
	"GET /contracts/:id/pdf": { ...ofContract("/pdf"), scope: "CONTRACT:READ" },
	"POST /contracts/:id/usage/refresh": { ...ofContract("/usage/refresh"), scope: "CONTRACT:WRITE" },
	"GET /contracts/:id/billing/credit-notes": { ...ofContract("/billing/credit-notes"), scope: "CONTRACT:READ" },
	"POST /contracts/:id/billing/cancel": { ...ofContract("/billing/cancel", "C-3"), scope: "CONTRACT:WRITE" },
	"POST /contracts/:id/billing/reopen": { ...ofContract("/billing/reopen", "C-3"), scope: "CONTRACT:WRITE" },
	// The last one: nothing can be done to the contract after it.
	"POST /contracts/:id/archive": { ...ofContract("/archive"), scope: "CONTRACT:WRITE" },
};
