import { none, type Template } from "./template";

const sale = { customerId: "acme", planId: "free", resourceId: "fresh" };

const imported = { id: "fresh", customerId: "acme", planId: "free" };

const ofSubscription = (id: string, tail: string) => ({
	path: `/subscriptions/${id}${tail}`,
	scope: "SUBSCRIPTION:WRITE" as const,
	unknown: [[`/subscriptions/${none}${tail}`, "SubscriptionNotFound"]] as const,
});

export const subscriptions: Record<string, Template> = {
	"GET /subscriptions": { path: "/subscriptions", scope: "SUBSCRIPTION:READ", foreign: "an empty list" },
	"POST /subscriptions": {
		path: "/subscriptions",
		scope: "SUBSCRIPTION:WRITE",
		body: sale,
		unknown: [
			["/subscriptions", "CustomerNotFound", { ...sale, customerId: none }],
			["/subscriptions", "PlanNotFound", { ...sale, planId: none }],
		],
	},
	"POST /subscriptions/import": {
		path: "/subscriptions/import",
		scope: "SUBSCRIPTION:WRITE",
		body: { subscriptions: [imported] },
		unknown: [["/subscriptions/import", "CustomerNotFound", { subscriptions: [{ ...imported, customerId: none }] }]],
	},
	"GET /subscriptions/:id": {
		path: "/subscriptions/sub-1",
		scope: "SUBSCRIPTION:READ",
		unknown: [[`/subscriptions/${none}`, "SubscriptionNotFound"]],
	},
	"POST /subscriptions/:id/cancel": {
		path: "/subscriptions/sub-2/cancel",
		scope: "SUBSCRIPTION:WRITE",
		body: { prorate: false },
		answers: [400, "SubscriptionAlreadyCanceledOrExpired"],
		unknown: [[`/subscriptions/${none}/cancel`, "SubscriptionNotFound"]],
	},
	"POST /subscriptions/:id/trial/end": {
		...ofSubscription("sub-1", "/trial/end"),
		answers: [400, "InvalidSubscriptionStatus"],
	},
	"POST /subscriptions/:id/pause": {
		...ofSubscription("sub-2", "/pause"),
		body: { prorate: false },
		answers: [400, "SubscriptionAlreadyCanceledOrExpired"],
	},
	"POST /subscriptions/:id/resume": {
		...ofSubscription("sub-1", "/resume"),
		body: { billingCycleAnchor: "NOW" },
		answers: [400, "InvalidSubscriptionStatus"],
	},
	"POST /subscriptions/preview": {
		path: "/subscriptions/preview",
		scope: "SUBSCRIPTION:READ",
		body: sale,
		unknown: [
			["/subscriptions/preview", "CustomerNotFound", { ...sale, customerId: none }],
			["/subscriptions/preview", "PlanNotFound", { ...sale, planId: none }],
		],
	},
	"PATCH /subscriptions/:id": { ...ofSubscription("sub-1", ""), body: { metadata: { changed: "yes" } } },
	"POST /subscriptions/:id/migrate": {
		...ofSubscription("sub-usage", "/migrate"),
		body: { subscriptionMigrationTime: "IMMEDIATE" },
	},
	"POST /subscriptions/:id/transfer": {
		...ofSubscription("sub-de", "/transfer"),
		body: { destinationResourceId: "fresh-site" },
	},
	"POST /subscriptions/:id/delegate": {
		...ofSubscription("sub-de", "/delegate"),
		body: { targetCustomerId: "acme" },
		unknown: [
			[`/subscriptions/${none}/delegate`, "SubscriptionNotFound"],
			["/subscriptions/sub-de/delegate", "CustomerNotFound", { targetCustomerId: none }],
		],
	},
	// The scenario has dropped what was to come, and paid what was to be paid.
	"DELETE /subscriptions/:id/future-update/schedule": {
		...ofSubscription("sub-1", "/future-update/schedule"),
		answers: [404, "FutureUpdateNotFound"],
	},
	"DELETE /subscriptions/:id/future-update/pending-payment": {
		...ofSubscription("sub-1", "/future-update/pending-payment"),
		answers: [404, "FutureUpdateNotFound"],
	},
	"POST /subscriptions/:id/invoice/paid": {
		...ofSubscription("sub-de", "/invoice/paid"),
		answers: [404, "BillingInvoiceStatusError"],
	},
	"POST /subscriptions/:id/usage/charge": { ...ofSubscription("sub-usage", "/usage/charge"), body: {} },
	"POST /subscriptions/:id/usage/sync": ofSubscription("sub-usage", "/usage/sync"),
};
