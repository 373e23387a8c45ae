import { EventReport } from "../../../src/areas/usage/schema";
import { none, type Template } from "./template";

const consumed = { customerId: "acme", currencyId: "gold", resourceId: "site-1", amount: 1, idempotencyKey: "spoilt" };

const measured = { customerId: "acme", featureId: "width", resourceId: "site-1", value: 1 };

const ofReservation = (tail: string) =>
	({
		path: `/reservations/{reservation}${tail}`,
		unknown: [[`/reservations/01900000-0000-7000-8000-000000000000${tail}`, null]],
	}) as const;

const reported = { eventName: "call", customerId: "acme", idempotencyKey: "fresh" };

export const usage: Record<string, Template> = {
	"POST /events": {
		path: "/events",
		scope: "USAGE:WRITE",
		body: { events: [reported] },
		schema: EventReport,
		unknown: [["/events", "CustomerNotFound", { events: [{ ...reported, customerId: none }] }]],
	},
	"GET /events": { path: "/events", scope: "USAGE:READ", foreign: "an empty list" },
	"POST /events/cancel": {
		path: "/events/cancel",
		scope: "USAGE:WRITE",
		body: { events: [{ customerId: "acme", resourceId: "site-1", eventName: "call", idempotencyKey: "e-1" }] },
		unknown: [["/events/cancel", null, { events: [{ ...reported, idempotencyKey: none }] }]],
	},
	"GET /events/unmatched": { path: "/events/unmatched", scope: "USAGE:READ", foreign: "an empty list" },
	"POST /usage": {
		path: "/usage",
		scope: "USAGE:WRITE",
		body: { usages: [measured] },
		unknown: [
			["/usage", "CustomerNotFound", { usages: [{ ...measured, customerId: none }] }],
			["/usage", "FeatureNotFound", { usages: [{ ...measured, featureId: none }] }],
			["/usage", "CustomerResourceNotFound", { usages: [{ ...measured, resourceId: none }] }],
		],
	},
	"POST /usage/estimate": {
		path: "/usage/estimate",
		scope: "USAGE:READ",
		body: measured,
		unknown: [["/usage/estimate", "CustomerNotFound", { ...measured, customerId: none }]],
	},
	"POST /events/estimate": {
		path: "/events/estimate",
		scope: "USAGE:READ",
		body: { customerId: "acme", eventName: "call" },
		unknown: [["/events/estimate", "CustomerNotFound", { customerId: none, eventName: "call" }]],
	},
	...Object.fromEntries(
		["ledger", "usage", "balances"].map((read): [string, Template] => [
			`GET /credits/${read}`,
			{
				path: `/credits/${read}`,
				query: "customerId=acme",
				scope: "CREDIT:READ",
				unknown: [
					[`/credits/${read}?customerId=${none}`, "CustomerNotFound"],
					[`/credits/${read}?customerId=acme&currencyId=${none}`, "CustomCurrencyNotFound"],
				],
			},
		]),
	),
	"POST /credits/consumption": {
		path: "/credits/consumption",
		scope: "CREDIT:WRITE",
		body: consumed,
		unknown: [
			["/credits/consumption", "CustomerNotFound", { ...consumed, customerId: none }],
			["/credits/consumption", "CustomCurrencyNotFound", { ...consumed, currencyId: none }],
			["/credits/consumption", "CustomerResourceNotFound", { ...consumed, resourceId: none }],
		],
	},
	"POST /credits/consumption/async": {
		path: "/credits/consumption/async",
		scope: "CREDIT:WRITE",
		body: { consumptions: [{ ...consumed, idempotencyKey: "list" }] },
		unknown: [
			[
				"/credits/consumption/async",
				"CustomerNotFound",
				{ consumptions: [{ ...consumed, customerId: none, idempotencyKey: "new" }] },
			],
			[
				"/credits/consumption/async",
				"CustomCurrencyNotFound",
				{ consumptions: [{ ...consumed, currencyId: none, idempotencyKey: "new" }] },
			],
			[
				"/credits/consumption/async",
				"CustomerResourceNotFound",
				{ consumptions: [{ ...consumed, resourceId: none, idempotencyKey: "new" }] },
			],
		],
	},
	"POST /customers/:id/entitlements/:featureId/consume": {
		path: "/customers/acme/entitlements/width/consume",
		scope: "USAGE:WRITE",
		body: { amount: 1, resourceId: "site-1" },
		foreign: "no access",
	},
	"POST /customers/:id/entitlements/:featureId/reservations": {
		path: "/customers/acme/entitlements/width/reservations",
		scope: "USAGE:WRITE",
		body: { amount: 1, resourceId: "site-1" },
		foreign: "no access",
	},
	"GET /customers/:id/reservations": {
		path: "/customers/acme/reservations",
		scope: "USAGE:READ",
		unknown: [[`/customers/${none}/reservations`, "CustomerNotFound"]],
	},
	"GET /reservations/:id": { ...ofReservation(""), scope: "USAGE:READ" },
	"POST /reservations/:id/commit": { ...ofReservation("/commit"), scope: "USAGE:WRITE", body: { amount: 1 } },
	// Committed by then, so that it is refused; that it can be called at all is seen all the same.
	"POST /reservations/:id/release": {
		...ofReservation("/release"),
		scope: "USAGE:WRITE",
		answers: [400, "InvalidArgumentError"],
	},
	"GET /usage/:customerId/reports/:featureId": {
		path: "/usage/acme/reports/width",
		scope: "USAGE:READ",
		unknown: [
			[`/usage/${none}/reports/width`, "CustomerNotFound"],
			[`/usage/acme/reports/${none}`, "FeatureNotFound"],
		],
	},
	"GET /usage/:customerId/history/:featureId": {
		path: "/usage/acme/history/calls",
		query: "startDate=2026-01-01T00:00:00Z",
		scope: "USAGE:READ",
		unknown: [
			[`/usage/${none}/history/calls`, "CustomerNotFound"],
			[`/usage/acme/history/${none}`, "FeatureNotFound"],
		],
	},
	"POST /usage/rebuild": {
		path: "/usage/rebuild",
		scope: "ENVIRONMENT:WRITE",
		body: { featureId: "calls" },
		unknown: [["/usage/rebuild", "FeatureNotFound", { featureId: none }]],
	},
	"GET /events/by-day": { path: "/events/by-day", scope: "USAGE:READ", foreign: "its own" },
};
