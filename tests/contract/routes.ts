import type { TSchema } from "@sinclair/typebox";
import type { Scope } from "../../src/areas/access/rules.actors";
import { EventReport } from "../../src/areas/usage/schema";
import { item } from "../areas/promotional-entitlements/grants";

/** A request that each route takes, over what the scenario has made, and what it says of things that are not there. */
export interface Template {
	/**
	 * Below `/api/v1`; `{invoice}` (acme's), `{unpaid}` (the parent's), `{creditNote}`, `{task}`, `{alert}`, `{webhook}`, `{delivery}`, `{simulation}`,
	 * `{reservation}`, `{grant}`, `{entity}`, `{keptKey}`, `{rotatedKey}`, `{endedKey}` and
	 * `{environment}` and `{checkout}` stand for ids that only the running world knows.
	 */
	readonly path: string;
	/** Parameters that the route cannot do without. */
	readonly query?: string;
	readonly body?: Readonly<Record<string, unknown>>;
	/** Where the body is checked by another thread, and so not by the route. */
	readonly schema?: TSchema;
	/** Undefined: any server key may call; what it sees depends on the thing asked for. */
	readonly scope?: Scope;
	/** Any server key may call, and is shown what it may read. */
	readonly isFiltered?: true;
	/** A second one, without which the first is not enough. */
	readonly also?: Scope;
	readonly publishable?: true | "with the customer's id signed";
	/** What the template itself answers; its success status when left out. */
	readonly answers?: readonly [status: number, code: string];
	/** Paths, or bodies, that name what nobody has, and the code of the 404. */
	readonly unknown?: ReadonlyArray<
		readonly [path: string, code: string | null, body?: Readonly<Record<string, unknown>>]
	>;
	/** What a foreign environment's key gets: the 404 of `unknown` unless it is a list, makes its own thing, or what ours gets too. */
	readonly foreign?: "an empty list" | "its own" | "no access" | "the same";
}

const none = "no-such-thing";
const consumed = { customerId: "acme", currencyId: "gold", resourceId: "site-1", amount: 1, idempotencyKey: "spoilt" };
const measured = { customerId: "acme", featureId: "width", resourceId: "site-1", value: 1 };
const ofReservation = (tail: string) =>
	({
		path: `/reservations/{reservation}${tail}`,
		unknown: [[`/reservations/01900000-0000-7000-8000-000000000000${tail}`, null]],
	}) as const;
const clock = {
	path: "/environments/{environment}/clock",
	unknown: [[`/environments/${none}/clock`, "EnvironmentMissing"]],
} as const;
const environment = (tail: string) =>
	({
		path: `/environments/{environment}${tail}`,
		unknown: [[`/environments/${none}${tail}`, "EnvironmentMissing"]],
	}) as const;
const ofKey = (name: "kept" | "rotated" | "ended", tail = "") =>
	({
		path: `/api-keys/{${name}Key}${tail}`,
		unknown: [[`/api-keys/01900000-0000-7000-8000-000000000000${tail}`, "ApiKeyNotFound"]],
	}) as const;
const catalogueRead = { scope: "CATALOG:READ", publishable: true } as const;
const simulation = { scope: "CATALOG:READ", also: "SUBSCRIPTION:READ" } as const;
const publish = { migrationType: "NEW_CUSTOMERS" };
const sso = { entitlements: [{ type: "FEATURE", id: "sso" }] };

const previewedSale = { draft: {}, customerId: "acme", resourceId: "site-3", billingPeriod: "MONTHLY" };
const packagePreviews = {
	plans: {
		body: previewedSale,
		unknown: [
			[`/plans/${none}/preview`, "PlanNotFound"],
			["/plans/pro/preview", "CustomerNotFound", { ...previewedSale, customerId: none }],
		],
	},
	addons: {
		body: { ...previewedSale, planId: "pro" },
		unknown: [
			[`/addons/${none}/preview`, "AddonNotFound"],
			["/addons/extra/preview", "PlanNotFound", { ...previewedSale, planId: none }],
		],
	},
} as const;

/** Plans and addons have most of their routes alike. */
const packages = (kind: "plans" | "addons", notFound: string): Record<string, Template> => {
	const [published, old] = kind === "plans" ? ["pro", "old"] : ["extra", "old"];
	const unknown = (tail: string) => [[`/${kind}/${none}${tail}`, notFound]] as const;
	const of = (tail: string) => ({ path: `/${kind}/${published}${tail}`, unknown: unknown(tail) });
	const body = { id: "fresh", displayName: "Fresh", productId: "app" };
	const write = { scope: "CATALOG:WRITE" } as const;
	const entitlement = `/${kind}/${published}/entitlements/${none}`;
	return {
		[`GET /${kind}`]: { path: `/${kind}`, ...catalogueRead, foreign: "an empty list" },
		[`POST /${kind}`]: {
			path: `/${kind}`,
			...write,
			body,
			unknown: [[`/${kind}`, "ProductNotFoundError", { ...body, productId: none }]],
		},
		// The changes that follow need a draft; publishing uses it up.
		[`POST /${kind}/:id/draft`]: { ...of("/draft"), ...write },
		[`GET /${kind}/:id`]: { ...of(""), ...catalogueRead },
		[`PATCH /${kind}/:id`]: { ...of(""), ...write, body: { displayName: "Shown" } },
		[`GET /${kind}/:id/versions`]: { ...of("/versions"), scope: "CATALOG:READ" },
		[`GET /${kind}/:id/charges`]: { ...of("/charges"), ...catalogueRead },
		[`GET /${kind}/:id/entitlements`]: { ...of("/entitlements"), ...catalogueRead },
		[`POST /${kind}/:id/entitlements`]: { ...of("/entitlements"), ...write, body: sso },
		[`PATCH /${kind}/:id/entitlements/:entitlementId`]: {
			path: `/${kind}/${published}/entitlements/calls`,
			...write,
			body: { type: "FEATURE", order: 1 },
			unknown: [...unknown("/entitlements/calls"), [entitlement, "FeatureNotFound"]],
		},
		[`DELETE /${kind}/:id/entitlements/:entitlementId`]: {
			path: `/${kind}/${published}/entitlements/region`,
			...write,
			unknown: [...unknown("/entitlements/region"), [entitlement, "FeatureNotFound"]],
		},
		[`POST /${kind}/:id/preview`]: { ...of("/preview"), ...simulation, ...packagePreviews[kind] },
		[`POST /${kind}/:id/publish`]: { ...of("/publish"), ...write, body: publish },
		[`DELETE /${kind}/:id/draft`]: {
			...of("/draft"),
			...write,
			answers: [400, "EditAllowedOnDraftPackageOnlyError"],
		},
		[`POST /${kind}/:id/archive`]: { ...of("/archive"), path: `/${kind}/${old}/archive`, ...write },
	};
};

const ofProduct = (tail: string, id: string) => ({
	path: `/products/${id}${tail}`,
	unknown: [[`/products/${none}${tail}`, "ProductNotFoundError"]] as const,
});

const ofCurrency = (tail: string, id = "gold") => ({
	path: `/credits/custom-currencies/${id}${tail}`,
	unknown: [[`/credits/custom-currencies/${none}${tail}`, "CustomCurrencyNotFound"]] as const,
});

const ofGrant = (tail: string) => ({
	path: `/credits/grants/{grant}${tail}`,
	scope: "CREDIT:WRITE" as const,
	unknown: [[`/credits/grants/01900000-0000-7000-8000-000000000000${tail}`, "CreditGrantNotFound"]] as const,
});

const creditGrant = {
	customerId: "acme",
	currencyId: "gold",
	displayName: "Gift",
	grantType: "PROMOTIONAL",
	amount: 5,
};

const recharge = {
	customerId: "acme",
	currencyId: "gold",
	isEnabled: false,
	thresholdType: "CREDIT_AMOUNT",
	thresholdValue: 1,
	targetBalance: 10,
	grantExpirationPeriod: "1_YEAR",
};

const credits: Record<string, Template> = {
	"GET /credits/grants": {
		path: "/credits/grants",
		query: "customerId=acme",
		scope: "CREDIT:READ",
		unknown: [[`/credits/grants?customerId=${none}`, "CustomerNotFound"]],
	},
	"POST /credits/grants": {
		path: "/credits/grants",
		scope: "CREDIT:WRITE",
		body: creditGrant,
		unknown: [
			["/credits/grants", "CustomerNotFound", { ...creditGrant, customerId: none }],
			["/credits/grants", "CustomCurrencyNotFound", { ...creditGrant, currencyId: none }],
		],
	},
	"GET /credits/auto-recharge": {
		path: "/credits/auto-recharge",
		query: "customerId=acme&currencyId=gold",
		scope: "CREDIT:READ",
		unknown: [
			[`/credits/auto-recharge?customerId=${none}&currencyId=gold`, "CustomerNotFound"],
			[`/credits/auto-recharge?customerId=acme&currencyId=${none}`, "CustomCurrencyNotFound"],
		],
	},
	"PUT /credits/auto-recharge": {
		path: "/credits/auto-recharge",
		scope: "CREDIT:WRITE",
		body: recharge,
		unknown: [
			["/credits/auto-recharge", "CustomerNotFound", { ...recharge, customerId: none }],
			["/credits/auto-recharge", "CustomCurrencyNotFound", { ...recharge, currencyId: none }],
		],
	},
	"PATCH /credits/grants/:id": { ...ofGrant(""), body: { displayName: "Given" } },
	"POST /credits/grants/:id/void": ofGrant("/void"),
};

const catalogue: Record<string, Template> = {
	"GET /products": { path: "/products", ...catalogueRead, foreign: "an empty list" },
	"POST /products": {
		path: "/products",
		scope: "CATALOG:WRITE",
		body: { id: "fresh", displayName: "Fresh" },
		foreign: "its own",
	},
	"PATCH /products/:id": {
		path: "/products/app",
		scope: "CATALOG:WRITE",
		body: { displayName: "App" },
		unknown: [[`/products/${none}`, "ProductNotFoundError"]],
	},
	"POST /products/:id/archive": { ...ofProduct("/archive", "copy"), scope: "CATALOG:WRITE" },
	"POST /products/:id/unarchive": { ...ofProduct("/unarchive", "copy"), scope: "CATALOG:WRITE" },
	"POST /products/:id/duplicate": {
		...ofProduct("/duplicate", "app"),
		scope: "CATALOG:WRITE",
		body: { targetId: "fresh-copy" },
	},
	"GET /features": { path: "/features", ...catalogueRead, foreign: "an empty list" },
	"POST /features": {
		path: "/features",
		scope: "CATALOG:WRITE",
		body: { id: "fresh", displayName: "Fresh", featureType: "BOOLEAN" },
		foreign: "its own",
	},
	"GET /features/:id": {
		path: "/features/calls",
		...catalogueRead,
		unknown: [[`/features/${none}`, "FeatureNotFound"]],
	},
	"PATCH /features/:id": {
		path: "/features/calls",
		scope: "CATALOG:WRITE",
		body: { displayName: "Calls" },
		unknown: [[`/features/${none}`, "FeatureNotFound"]],
	},
	"POST /features/:id/archive": {
		path: "/features/spare/archive",
		scope: "CATALOG:WRITE",
		unknown: [[`/features/${none}/archive`, "FeatureNotFound"]],
	},
	"POST /features/:id/unarchive": {
		path: "/features/spare/unarchive",
		scope: "CATALOG:WRITE",
		unknown: [[`/features/${none}/unarchive`, "FeatureNotFound"]],
	},
	"GET /features/:id/meter": {
		path: "/features/calls/meter",
		scope: "CATALOG:READ",
		unknown: [[`/features/${none}/meter`, "FeatureNotFound"]],
	},
	"GET /credits/custom-currencies": {
		path: "/credits/custom-currencies",
		scope: "CATALOG:READ",
		foreign: "an empty list",
	},
	"POST /credits/custom-currencies": {
		path: "/credits/custom-currencies",
		scope: "CATALOG:WRITE",
		body: { id: "fresh", displayName: "Fresh" },
		foreign: "its own",
	},
	"PATCH /credits/custom-currencies/:id": {
		...ofCurrency(""),
		scope: "CATALOG:WRITE",
		body: { displayName: "Gold" },
	},
	"GET /credits/custom-currencies/:id/associated-entities": {
		...ofCurrency("/associated-entities"),
		scope: "CATALOG:READ",
	},
	"POST /credits/custom-currencies/:id/archive": { ...ofCurrency("/archive", "silver"), scope: "CATALOG:WRITE" },
	"POST /credits/custom-currencies/:id/unarchive": { ...ofCurrency("/unarchive", "silver"), scope: "CATALOG:WRITE" },
	"GET /credits/revenue": {
		path: "/credits/revenue",
		scope: "CREDIT:READ",
		foreign: "its own",
		unknown: [[`/credits/revenue?currencyId=${none}`, "CustomCurrencyNotFound"]],
	},
	...packages("plans", "PlanNotFound"),
	"GET /plans/:id/overage-charges": {
		path: "/plans/pro/overage-charges",
		...catalogueRead,
		unknown: [[`/plans/${none}/overage-charges`, "PlanNotFound"]],
	},
	"POST /plans/:id/simulate": {
		path: "/plans/pro/simulate",
		...simulation,
		body: { startDate: "2026-01-01T00:00:00Z", endDate: "2026-02-01T00:00:00Z", versionNumber: 1 },
		unknown: [
			[`/plans/${none}/simulate`, "PlanNotFound"],
			["/plans/pro/simulate", "PlanNotFound", { versionNumber: 99 }],
		],
	},
	"GET /plans/:id/simulations/:taskId": {
		path: "/plans/usage/simulations/{simulation}",
		...simulation,
		unknown: [
			[`/plans/${none}/simulations/{simulation}`, "PlanNotFound"],
			[`/plans/usage/simulations/${none}`, null],
			["/plans/pro/simulations/{simulation}", null],
		],
	},
	...packages("addons", "AddonNotFound"),
};

const terms = { description: null, percentOff: 5, amountsOff: null, durationInMonths: null, metadata: null };

const coupons: Record<string, Template> = {
	"GET /coupons": { path: "/coupons", scope: "COUPON:READ", foreign: "an empty list" },
	"POST /coupons": {
		path: "/coupons",
		scope: "COUPON:WRITE",
		body: { id: "fresh", name: "Fresh", ...terms },
		foreign: "its own",
	},
	"GET /coupons/:id": { path: "/coupons/TEN", scope: "COUPON:READ", unknown: [[`/coupons/${none}`, "CouponNotFound"]] },
	"PATCH /coupons/:id": {
		path: "/coupons/TEN",
		scope: "COUPON:WRITE",
		body: { name: "Ten" },
		unknown: [[`/coupons/${none}`, "CouponNotFound"]],
	},
	"POST /coupons/:id/archive": {
		path: "/coupons/OLD/archive",
		scope: "COUPON:WRITE",
		unknown: [[`/coupons/${none}/archive`, "CouponNotFound"]],
	},
};

const ofCustomer = (tail: string, path = `/customers/acme${tail}`) => ({
	path,
	unknown: [[`/customers/${none}${tail}`, "CustomerNotFound"]] as const,
});

const ofInvoice = (customer: string, invoice: string, tail: string) => ({
	path: `/customers/${customer}/invoices/${invoice}${tail}`,
	unknown: [
		[`/customers/${none}/invoices/${invoice}${tail}`, "CustomerNotFound"],
		[`/customers/${customer}/invoices/${none}${tail}`, "InvoiceNotFound"],
	] as const,
});

const ofCreditNote = (tail: string) => ({
	path: `/customers/acme/credit-notes/{creditNote}${tail}`,
	unknown: [
		[`/customers/${none}/credit-notes/{creditNote}${tail}`, "CustomerNotFound"],
		// The catalogue has no code for it.
		[`/customers/acme/credit-notes/${none}${tail}`, null],
	] as const,
});

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

const customers: Record<string, Template> = {
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
	// Of the beta path, `/api/v1-beta/…`.
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
	"GET /invoices": {
		path: "/invoices",
		scope: "INVOICE:READ",
		foreign: "an empty list",
	},
	"GET /customers/:id/invoices": { ...ofCustomer("/invoices"), scope: "INVOICE:READ" },
	"GET /customers/:id/invoices/:invoiceRef": { ...ofInvoice("acme", "{invoice}", ""), scope: "INVOICE:READ" },
	"GET /customers/:id/invoices/:invoiceRef/pdf": {
		...ofInvoice("acme", "{invoice}", "/pdf"),
		scope: "INVOICE:READ",
	},
	"GET /customers/:id/invoices/:invoiceRef/payments": {
		...ofInvoice("acme", "{invoice}", "/payments"),
		scope: "INVOICE:READ",
	},
	"POST /customers/:id/invoices/:invoiceRef/payments": {
		...ofInvoice("parent", "{unpaid}", "/payments"),
		scope: "INVOICE:WRITE",
		body: {
			amount: 0.5,
			kind: "PAYMENT",
			method: "CARD",
			reference: "7",
			note: "by phone",
		},
	},
	"POST /customers/:id/invoices/:invoiceRef/paid": {
		...ofInvoice("parent", "{unpaid}", "/paid"),
		scope: "INVOICE:WRITE",
		body: {},
	},
	"GET /customers/:id/invoices/:invoiceRef/lines/:line/explain": {
		...ofInvoice("acme", "{invoice}", "/lines/1/explain"),
		scope: "INVOICE:READ",
	},
	// What is issued is no draft any more.
	"POST /customers/:id/invoices/:invoiceRef/finalize": {
		...ofInvoice("acme", "{invoice}", "/finalize"),
		scope: "INVOICE:WRITE",
		answers: [404, "BillingInvoiceStatusError"],
	},
	"POST /customers/:id/invoices/:invoiceRef/lines": {
		...ofInvoice("acme", "{invoice}", "/lines"),
		scope: "INVOICE:WRITE",
		body: { description: "Workshop", quantity: 2, unit: "days", unitPrice: 900, taxPercentage: 19 },
		answers: [404, "BillingInvoiceStatusError"],
	},
	"DELETE /customers/:id/invoices/:invoiceRef/lines/:line": {
		...ofInvoice("acme", "{invoice}", "/lines/1"),
		scope: "INVOICE:WRITE",
		answers: [404, "BillingInvoiceStatusError"],
	},
	"POST /customers/:id/invoices/:invoiceRef/credit-note": {
		...ofInvoice("parent", "{unpaid}", "/credit-note"),
		scope: "INVOICE:WRITE",
		body: { reasonCode: "WAIVER", lines: [{ line: 1, amount: 0.01 }] },
	},
	"GET /customers/:id/credit-notes": { ...ofCustomer("/credit-notes"), scope: "INVOICE:READ" },
	"GET /customers/:id/credit-notes/:creditNoteRef": { ...ofCreditNote(""), scope: "INVOICE:READ" },
	"POST /customers/:id/credit-notes/:creditNoteRef/void": {
		...ofCreditNote("/void"),
		scope: "INVOICE:WRITE",
		// Its invoice was credited as a whole.
		answers: [400, "InvalidArgumentError"],
	},
	"GET /customers/:id/credit-notes/:creditNoteRef/pdf": { ...ofCreditNote("/pdf"), scope: "INVOICE:READ" },
	"GET /customers/:id/invoices/:invoiceRef/pdf/status": {
		path: "/customers/acme/invoices/{invoice}/pdf/status",
		scope: "INVOICE:READ",
		unknown: [
			[`/customers/${none}/invoices/{invoice}/pdf/status`, "InvoiceNotFound"],
			[`/customers/acme/invoices/${none}/pdf/status`, "InvoiceNotFound"],
		],
	},
	"POST /customers/:id/invoices/:invoiceRef/pdf/generate": {
		path: "/customers/acme/invoices/{invoice}/pdf/generate",
		scope: "INVOICE:WRITE",
		unknown: [
			[`/customers/${none}/invoices/{invoice}/pdf/generate`, "CustomerNotFound"],
			[`/customers/acme/invoices/${none}/pdf/generate`, "InvoiceNotFound"],
		],
	},
};

const sale = { customerId: "acme", planId: "free", resourceId: "fresh" };
const imported = { id: "fresh", customerId: "acme", planId: "free" };
const reported = { eventName: "call", customerId: "acme", idempotencyKey: "fresh" };

const ofSubscription = (id: string, tail: string) => ({
	path: `/subscriptions/${id}${tail}`,
	scope: "SUBSCRIPTION:WRITE" as const,
	unknown: [[`/subscriptions/${none}${tail}`, "SubscriptionNotFound"]] as const,
});

const subscriptions: Record<string, Template> = {
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
	"GET /paywall": {
		path: "/paywall",
		...catalogueRead,
		unknown: [[`/paywall?productId=${none}`, "ProductNotFoundError"]],
		foreign: "its own",
	},
	"GET /invoices/totals": { path: "/invoices/totals", scope: "INVOICE:READ", foreign: "its own" },
	"GET /events/by-day": { path: "/events/by-day", scope: "USAGE:READ", foreign: "its own" },
	"GET /tasks": { path: "/tasks", isFiltered: true, foreign: "an empty list" },
	"GET /tasks/:taskId": { path: "/tasks/{task}", unknown: [[`/tasks/${none}`, null]] },
	"GET /audit-log": {
		path: "/audit-log",
		scope: "AUDIT_LOG:READ",
		query: "operation=customers.create",
		foreign: "an empty list",
	},
	"GET /api-keys": { path: "/api-keys", scope: "API_KEY:READ", foreign: "its own" },
	"POST /api-keys": {
		path: "/api-keys",
		scope: "API_KEY:WRITE",
		body: { displayName: "Reader", scopes: [{ resource: "API_KEY", action: "READ" }] },
		foreign: "its own",
	},
	"GET /api-keys/:id": { ...ofKey("kept"), scope: "API_KEY:READ" },
	"PATCH /api-keys/:id": { ...ofKey("kept"), scope: "API_KEY:WRITE", body: { description: "Kept" } },
	"POST /api-keys/:id/rotate": {
		...ofKey("rotated", "/rotate"),
		scope: "API_KEY:WRITE",
		body: { keepUntil: "2026-12-31T00:00:00Z" },
	},
	"DELETE /api-keys/:id": { ...ofKey("ended"), scope: "API_KEY:WRITE" },
	"GET /environments": { path: "/environments", scope: "ENVIRONMENT:READ", foreign: "its own" },
	"POST /environments": {
		path: "/environments",
		scope: "ENVIRONMENT:WRITE",
		body: { name: "Staging" },
		// For people.
		answers: [403, "IdentityForbidden"],
		foreign: "the same",
	},
	"GET /environments/:id": { ...environment(""), scope: "ENVIRONMENT:READ" },
	"PATCH /environments/:id": { ...environment(""), scope: "ENVIRONMENT:WRITE", body: { unknownCustomers: "refuse" } },
	"POST /environments/:id/archive": {
		...environment("/archive"),
		scope: "ENVIRONMENT:WRITE",
		answers: [403, "IdentityForbidden"],
	},
	"POST /environments/:id/merge": {
		...environment("/merge"),
		scope: "ENVIRONMENT:WRITE",
		also: "CATALOG:WRITE",
		body: { from: none },
		// A key sees no other environment.
		answers: [404, "EnvironmentMissing"],
	},
	"GET /environments/:id/clock": { ...clock, scope: "ENVIRONMENT:READ" },
	// Frozen where the wall clock stands: nothing falls due, and it can be released.
	"POST /environments/:id/clock": { ...clock, scope: "ENVIRONMENT:WRITE", body: {} },
	"DELETE /environments/:id/clock": { ...clock, scope: "ENVIRONMENT:WRITE" },
};

const items = "/billing/items";
const ofContract = (tail: string, id = "C-1") => ({
	path: `/contracts/${id}${tail}`,
	unknown: [[`/contracts/${none}${tail}`, "ContractNotFound"]] as const,
});

const contracts: Record<string, Template> = {
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

const ofWebhook = (tail: string) => ({
	path: `/webhooks/{webhook}${tail}`,
	// The catalogue has no code for it.
	unknown: [[`/webhooks/${none}${tail}`, null]] as const,
});
const endpoint = "https://example.com/hook";
const writesWebhooks = { scope: "WEBHOOK:WRITE" } as const;
const readsWebhooks = { scope: "WEBHOOK:READ" } as const;

const webhooks: Record<string, Template> = {
	"GET /webhooks/event-types": { path: "/webhooks/event-types", ...readsWebhooks, foreign: "its own" },
	"GET /webhooks": { path: "/webhooks", ...readsWebhooks, foreign: "an empty list" },
	"POST /webhooks": { path: "/webhooks", ...writesWebhooks, body: { endpoint }, foreign: "its own" },
	"GET /webhooks/:id": { ...ofWebhook(""), ...readsWebhooks },
	"PATCH /webhooks/:id": { ...ofWebhook(""), ...writesWebhooks, body: { description: "Changed" } },
	"POST /webhooks/:id/rotate-secret": { ...ofWebhook("/rotate-secret"), ...writesWebhooks },
	"POST /webhooks/:id/test": { ...ofWebhook("/test"), ...writesWebhooks },
	"GET /webhooks/:id/deliveries": { ...ofWebhook("/deliveries"), ...readsWebhooks },
	"POST /webhooks/:id/replay": {
		...ofWebhook("/replay"),
		...writesWebhooks,
		body: { since: "2026-01-01T00:00:00Z" },
	},
	"GET /webhook-deliveries/:id": {
		path: "/webhook-deliveries/{delivery}",
		unknown: [[`/webhook-deliveries/${none}`, null]],
		...readsWebhooks,
	},
	"POST /webhooks/deliveries/:id/replay": {
		path: "/webhooks/deliveries/{delivery}/replay",
		unknown: [[`/webhooks/deliveries/${none}/replay`, null]],
		...writesWebhooks,
	},
	"GET /events-out": { path: "/events-out", query: "limit=2", ...readsWebhooks, foreign: "its own" },
	"GET /stream/events-out": { path: "/stream/events-out", query: "once=true", ...readsWebhooks, foreign: "its own" },
	// The last one: nothing can be done to the webhook after it.
	"DELETE /webhooks/:id": { ...ofWebhook(""), ...writesWebhooks },
};

const ofEntity = (tail: string, path = `/legal-entities/{entity}${tail}`) => ({
	path,
	// The catalogue has no code for it.
	unknown: [[`/legal-entities/${none}${tail}`, null]] as const,
});

const numberFormat = { invoicePrefix: "FRESH-", creditNotePrefix: "FRESH-CN-", year: true, padding: 4 };

const legalEntities: Record<string, Template> = {
	"GET /customers/:id/invoicing": { ...ofCustomer("/invoicing"), scope: "CUSTOMER:READ" },
	"PATCH /customers/:id/invoicing": {
		...ofCustomer("/invoicing"),
		scope: "CUSTOMER:WRITE",
		body: { taxExemption: "EXEMPT" },
	},
	"GET /plans/:id/invoicing": {
		path: "/plans/pro/invoicing",
		scope: "CATALOG:READ",
		unknown: [[`/plans/${none}/invoicing`, "PlanNotFound"]],
	},
	"PATCH /plans/:id/invoicing": {
		path: "/plans/pro/invoicing",
		scope: "CATALOG:WRITE",
		body: { legalEntityId: null },
		unknown: [[`/plans/${none}/invoicing`, "PlanNotFound"]],
	},
	"GET /legal-entities": { path: "/legal-entities", scope: "INVOICE:READ", foreign: "its own" },
	"POST /legal-entities": {
		path: "/legal-entities",
		scope: "ENVIRONMENT:WRITE",
		body: { name: "Fresh", numberFormat },
		foreign: "its own",
	},
	"GET /legal-entities/:id": { ...ofEntity(""), scope: "INVOICE:READ" },
	"GET /legal-entities/:id/logo": { ...ofEntity("/logo"), scope: "INVOICE:READ" },
	"PATCH /legal-entities/:id": { ...ofEntity(""), scope: "ENVIRONMENT:WRITE", body: { netTerms: 14 } },
	"POST /legal-entities/:id/archive": { ...ofEntity("/archive"), scope: "ENVIRONMENT:WRITE" },
};

const order = {
	...{ customerId: "acme", planId: "pro", billingPeriod: "MONTHLY" },
	...{ successUrl: "https://app.example/yes", cancelUrl: "https://app.example/no" },
};

const signed = { publishable: "with the customer's id signed" } as const;

/** What sellers call; what customers call is in tests/areas/portal. */
const portal: Record<string, Template> = {
	"GET /customers/:id/portal": {
		...ofCustomer("/portal"),
		...{ scope: "CUSTOMER:READ", also: "SUBSCRIPTION:READ", ...signed },
	},
	"GET /customers/:id/portal/invoices": {
		...ofCustomer("/portal/invoices"),
		...{ scope: "INVOICE:READ", also: "CUSTOMER:READ", ...signed },
	},
	"GET /customers/:id/portal/invoices/:invoiceId/pdf": {
		...ofCustomer("/portal/invoices/{invoice}/pdf"),
		...{ scope: "INVOICE:READ", also: "CUSTOMER:READ", ...signed },
	},
	"POST /customers/:id/portal-sessions": {
		...ofCustomer("/portal-sessions"),
		...{ scope: "CUSTOMER:WRITE", also: "SUBSCRIPTION:WRITE" },
		body: { returnUrl: "https://app.example/" },
		// It shows invoices, too: a third scope (tests/areas/portal).
		answers: [403, "AccessDeniedError"],
	},
	"GET /products/:id/portal-settings": {
		path: "/products/app/portal-settings",
		scope: "CATALOG:READ",
		unknown: [[`/products/${none}/portal-settings`, "ProductNotFoundError"]],
	},
	"PATCH /products/:id/portal-settings": {
		path: "/products/app/portal-settings",
		scope: "CATALOG:WRITE",
		body: { cancel: true },
		unknown: [[`/products/${none}/portal-settings`, "ProductNotFoundError"]],
	},
	"POST /checkout-sessions": {
		path: "/checkout-sessions",
		...{ scope: "SUBSCRIPTION:WRITE", also: "CUSTOMER:WRITE" },
		body: order,
		unknown: [["/checkout-sessions", "CustomerNotFound", { ...order, customerId: none }]],
	},
	"GET /checkout-sessions/:id": {
		path: "/checkout-sessions/{checkout}",
		scope: "SUBSCRIPTION:READ",
		// The catalogue has no code for it.
		unknown: [[`/checkout-sessions/${none}`, null]],
	},
};

/** By method and route below `/api/v1`. A route that has no entry fails the test. */
export const templates: Readonly<Record<string, Template>> = {
	...catalogue,
	...credits,
	...coupons,
	...customers,
	...subscriptions,
	...contracts,
	...legalEntities,
	...portal,
	...webhooks,
};

/** A customer calls these by a link of its own (tests/areas/portal); nobody else may. */
export const customersOwn: readonly string[] = [
	...["GET /portal", "GET /portal/branding", "GET /portal/subscriptions/:id/options"],
	...["POST /portal/subscriptions/:id/preview", "POST /portal/subscriptions/:id/change"],
	...["POST /portal/subscriptions/:id/cancel", "POST /portal/subscriptions/:id/keep", "PATCH /portal/billing"],
	...["GET /portal/invoices", "GET /portal/invoices/:invoiceId/pdf", "DELETE /portal/session"],
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
	...providerRoutes.map((route) => [route, "areas/identity-providers/api.test.ts: for owners"]),
	...signInRoutes.map((route) => [route, "areas/identity-providers/refusals.test.ts: for browsers"]),
	...scimRoutes.map((route) => [route, "areas/scim/scim.test.ts: in SCIM's own shape"]),
]);
