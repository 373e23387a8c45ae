import { item } from "../../areas/promotional-entitlements/grants";
import { none, ofCustomer, type Template } from "./template";

const grant = item("sso", { period: "lifetime" });

const link = { id: "fresh", syncedEntityId: "1", vendorIdentifier: "STRIPE" };

const card = { integrationId: "stripe-1", paymentMethodId: "pm_1", vendorIdentifier: "STRIPE" };

const ofLink = {
	path: "/customers/acme/integrations/crm",
	unknown: [
		[`/customers/${none}/integrations/crm`, "CustomerNotFound"],
		[`/customers/acme/integrations/${none}`, "IntegrationNotFound"],
	],
} as const;

export const customers: Record<string, Template> = {
	"GET /customers": { path: "/customers", scope: "CUSTOMER:READ", foreign: "an empty list" },
	"POST /customers": { path: "/customers", scope: "CUSTOMER:WRITE", body: { id: "fresh" }, foreign: "its own" },
	"GET /customers/:id": { ...ofCustomer(""), scope: "CUSTOMER:READ" },
	"PATCH /customers/:id": { ...ofCustomer(""), scope: "CUSTOMER:WRITE", body: { name: "Acme" } },
	"POST /customers/:id/archive": {
		...ofCustomer("/archive", "/customers/parent/archive"),
		scope: "CUSTOMER:WRITE",
	},
	"POST /customers/:id/unarchive": {
		...ofCustomer("/unarchive", "/customers/parent/unarchive"),
		scope: "CUSTOMER:WRITE",
	},
	"POST /customers/import": {
		path: "/customers/import",
		scope: "CUSTOMER:WRITE",
		body: { customers: [{ id: "fresh", email: null, name: null }] },
		unknown: [
			[
				"/customers/import",
				"IntegrationNotFound",
				{ customers: [{ id: "fresh", email: null, name: null }], integrationId: none },
			],
		],
		foreign: "its own",
	},
	"POST /customers/:id/payment-method": { ...ofCustomer("/payment-method"), scope: "CUSTOMER:WRITE", body: card },
	"DELETE /customers/:id/payment-method": { ...ofCustomer("/payment-method"), scope: "CUSTOMER:WRITE" },
	"GET /customers/:id/integrations": { ...ofCustomer("/integrations"), scope: "CUSTOMER:READ" },
	"POST /customers/:id/integrations": { ...ofCustomer("/integrations"), scope: "CUSTOMER:WRITE", body: link },
	"GET /customers/:id/integrations/:integrationId": { ...ofLink, scope: "CUSTOMER:READ" },
	"PATCH /customers/:id/integrations/:integrationId": {
		...ofLink,
		scope: "CUSTOMER:WRITE",
		body: { syncedEntityId: "2" },
	},
	"DELETE /customers/:id/integrations/:integrationId": { ...ofLink, scope: "CUSTOMER:WRITE" },
	"GET /customers/:id/export": { ...ofCustomer("/export"), scope: "CUSTOMER:READ" },
	"POST /customers/:id/erase": {
		...ofCustomer("/erase", "/customers/leaver/erase"),
		scope: "CUSTOMER:WRITE",
	},
	"GET /customers/:id/erasures": { ...ofCustomer("/erasures", "/customers/leaver/erasures"), scope: "CUSTOMER:READ" },
	"GET /customers/:id/balance": { ...ofCustomer("/balance"), scope: "CUSTOMER:READ" },
	"GET /customers/:id/balance/entries": { ...ofCustomer("/balance/entries"), scope: "CUSTOMER:READ" },
	"POST /customers/:id/balance/entries": {
		...ofCustomer("/balance/entries"),
		scope: "INVOICE:WRITE",
		body: { amount: 5, currency: "usd", reason: "goodwill" },
	},
	"GET /customers/:id/contracts": { ...ofCustomer("/contracts"), scope: "CONTRACT:READ" },
	"GET /customers/:id/timeline": { ...ofCustomer("/timeline"), scope: "CUSTOMER:READ", also: "WEBHOOK:READ" },
	"GET /customers/:id/resources": { ...ofCustomer("/resources"), scope: "CUSTOMER:READ" },
	"GET /customers/:id/promotional-entitlements": { ...ofCustomer("/promotional-entitlements"), scope: "CUSTOMER:READ" },
	"POST /customers/:id/promotional-entitlements": {
		...ofCustomer("/promotional-entitlements"),
		scope: "CUSTOMER:WRITE",
		body: { promotionalEntitlements: [grant] },
		unknown: [
			[`/customers/${none}/promotional-entitlements`, "CustomerNotFound"],
			[
				"/customers/acme/promotional-entitlements",
				"FeatureNotFound",
				{ promotionalEntitlements: [{ ...grant, featureId: none }] },
			],
		],
	},
	"DELETE /customers/:id/promotional-entitlements/:featureId": {
		path: "/customers/acme/promotional-entitlements/sso",
		scope: "CUSTOMER:WRITE",
		unknown: [
			[`/customers/${none}/promotional-entitlements/sso`, "CustomerNotFound"],
			[`/customers/acme/promotional-entitlements/${none}`, "FeatureNotFound"],
			["/customers/acme/promotional-entitlements/seats", "PromotionalEntitlementNotFoundError"],
		],
	},
	// A check never fails on what is unknown: it answers why access is denied (docs/interface/entitlements.md).
	"GET /customers/:id/entitlements": {
		path: "/customers/acme/entitlements",
		scope: "CUSTOMER:READ",
		publishable: true,
		foreign: "no access",
	},
	"GET /customers/:id/entitlements/check": {
		path: "/customers/acme/entitlements/check",
		query: "featureId=calls",
		scope: "CUSTOMER:READ",
		publishable: true,
		foreign: "no access",
	},
	// The beta path, `/api/v1-beta/…`.
	"GET -beta/customers/:id/entitlements/check": {
		path: "-beta/customers/acme/entitlements/check",
		query: "featureId=calls",
		scope: "CUSTOMER:READ",
		publishable: true,
		foreign: "no access",
	},
	"GET /usage-alerts": { path: "/usage-alerts", scope: "USAGE:READ", foreign: "an empty list" },
	"GET /usage-alerts/reached": { path: "/usage-alerts/reached", scope: "USAGE:READ", foreign: "an empty list" },
	"POST /usage-alerts": {
		path: "/usage-alerts",
		scope: "USAGE:WRITE",
		body: { featureId: "calls", customerId: "acme", type: "PERCENT", threshold: 80 },
		unknown: [
			["/usage-alerts", "CustomerNotFound", { featureId: "calls", customerId: none, type: "PERCENT", threshold: 80 }],
			["/usage-alerts", "FeatureNotFound", { featureId: none, type: "PERCENT", threshold: 80 }],
			["/usage-alerts", "CustomCurrencyNotFound", { currencyId: none, type: "PERCENT", threshold: 80 }],
		],
	},
	"PATCH /usage-alerts/:id": {
		path: "/usage-alerts/{alert}",
		scope: "USAGE:WRITE",
		body: { type: "ABSOLUTE", threshold: 7 },
		unknown: [[`/usage-alerts/${none}`, null]],
	},
	"DELETE /usage-alerts/:id": {
		path: "/usage-alerts/{alert}",
		scope: "USAGE:WRITE",
		unknown: [[`/usage-alerts/${none}`, null]],
	},
	"GET /stream/entitlements": {
		path: "/stream/entitlements",
		query: "customerId=acme&once=true",
		scope: "CUSTOMER:READ",
		foreign: "its own",
	},
};
