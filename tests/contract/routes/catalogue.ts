import { catalogueRead, none, type Template } from "./template";

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

const terms = { description: null, percentOff: 5, amountsOff: null, durationInMonths: null, metadata: null };

export const catalogue: Record<string, Template> = {
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

export const coupons: Record<string, Template> = {
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

export const taxes: Record<string, Template> = {
	"GET /taxes": { path: "/taxes", scope: "CATALOG:READ", foreign: "an empty list" },
	"POST /taxes": {
		path: "/taxes",
		scope: "CATALOG:WRITE",
		body: { id: "fresh", displayName: "Fresh", percentage: 19 },
		foreign: "its own",
	},
	"GET /taxes/:id": {
		path: "/taxes/VAT",
		scope: "CATALOG:READ",
		unknown: [[`/taxes/${none}`, null]],
	},
	"PATCH /taxes/:id": {
		path: "/taxes/VAT",
		scope: "CATALOG:WRITE",
		body: { displayName: "VAT" },
		unknown: [[`/taxes/${none}`, null]],
	},
	"POST /taxes/:id/archive": {
		path: "/taxes/VAT/archive",
		scope: "CATALOG:WRITE",
		unknown: [[`/taxes/${none}/archive`, null]],
	},
};
