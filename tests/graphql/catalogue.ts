import { flat, paid, usd } from "../areas/packages/prices";
import { meter, overage, type Step, settings } from "./catalogue.terms";

const ref = (refId: string) => ({ refId });

/** A price list from nothing to its end: every mutation of the catalogue at least once, in an order that makes sense. */
export const steps: readonly Step[] = [
	{
		mutation: "createOneProduct",
		rest: [
			"POST",
			"/products",
			{ id: "app", displayName: "App", description: "It", metadata: { refId: "kept", id: "too" } },
		],
		reads: ["/products"],
	},
	{
		mutation: "createCustomCurrency",
		rest: [
			"POST",
			"/credits/custom-currencies",
			{
				id: "gold",
				displayName: "Gold",
				symbol: "G",
				units: { singular: "coin", plural: "coins" },
				metadata: { a: "b" },
			},
		],
		reads: ["/credits/custom-currencies"],
	},
	{
		mutation: "updateCustomCurrency",
		rest: ["PATCH", "/credits/custom-currencies/gold", { displayName: "Golden", symbol: null, metadata: null }],
		path: ref("gold"),
		reads: ["/credits/custom-currencies"],
	},
	...(["calls", "seats"] as const).map((id) => ({
		mutation: "createOneFeature",
		rest: [
			"POST",
			"/features",
			{
				id,
				displayName: id,
				featureType: "NUMBER",
				meterType: id === "calls" ? "INCREMENTAL" : "FLUCTUATING",
				featureUnits: "one",
				featureUnitsPlural: "many",
				metadata: { k: "v" },
			},
		] as const,
		reads: ["/features", `/features/${id}`],
	})),
	{
		mutation: "createOneFeature",
		rest: [
			"POST",
			"/features",
			{
				id: "region",
				displayName: "Region",
				featureType: "ENUM",
				enumConfiguration: [{ value: "eu", displayName: "Europe" }],
			},
		],
		reads: ["/features/region"],
	},
	{
		mutation: "updateOneFeature",
		rest: [
			"PATCH",
			"/features/calls",
			{ displayName: "Calls", meter, unitTransformation: { divide: 1000, round: "UP", featureUnits: "k" } },
		],
		path: ref("calls"),
		reads: ["/features/calls", "/features/calls/meter"],
	},
	{
		mutation: "archiveFeature",
		rest: ["POST", "/features/region/archive"],
		path: ref("region"),
		reads: ["/features/region"],
	},
	{
		mutation: "unarchiveFeature",
		rest: ["POST", "/features/region/unarchive"],
		path: ref("region"),
		reads: ["/features/region"],
	},
	{
		mutation: "createOnePlan",
		rest: ["POST", "/plans", { id: "free", displayName: "Free", productId: "app", pricingType: "FREE" }],
		reads: ["/plans/free"],
	},
	{
		mutation: "createOnePlan",
		rest: [
			"POST",
			"/plans",
			{
				id: "pro",
				displayName: "Pro",
				productId: "app",
				parentPlanId: "free",
				billingId: "b-1",
				metadata: { tier: "2" },
				defaultTrialConfig: {
					duration: 14,
					units: "DAY",
					budget: { limit: 99.5, hasSoftLimit: true },
					trialEndBehavior: "CANCEL_SUBSCRIPTION",
				},
			},
		],
		reads: ["/plans/pro", "/plans"],
	},
	{
		mutation: "createOneAddon",
		rest: ["POST", "/addons", { id: "extra", displayName: "Extra", productId: "app", maxQuantity: 3 }],
		reads: ["/addons/extra"],
	},
	{
		mutation: "createPackageEntitlements",
		rest: [
			"POST",
			"/plans/pro/entitlements",
			{
				entitlements: [
					{
						type: "FEATURE",
						id: "calls",
						usageLimit: 1000,
						resetPeriod: "MONTH",
						monthlyResetPeriodConfiguration: { accordingTo: "StartOfTheMonth" },
						hiddenFromWidgets: ["PAYWALL"],
						order: 2,
					},
					{ type: "FEATURE", id: "region", enumValues: ["eu"], isCustom: true },
					{ type: "CREDIT", id: "gold", amount: 100, cadence: "MONTH", dependencyFeatureId: "seats" },
				],
			},
		],
		path: { packageType: "PLAN", packageId: "pro" },
		reads: ["/plans/pro/entitlements", "/plans/pro"],
	},
	{
		mutation: "createPackageEntitlements",
		rest: ["POST", "/addons/extra/entitlements", { entitlements: [{ type: "FEATURE", id: "calls", usageLimit: 5 }] }],
		path: { packageType: "ADDON", packageId: "extra" },
		reads: ["/addons/extra/entitlements"],
	},
	{
		mutation: "updatePackageEntitlement",
		rest: ["PATCH", "/plans/pro/entitlements/gold", { type: "CREDIT", amount: 250.5, dependencyFeatureId: null }],
		path: { packageType: "PLAN", packageId: "pro", refId: "gold" },
		reads: ["/plans/pro/entitlements"],
	},
	{
		mutation: "deletePackageEntitlement",
		rest: ["DELETE", "/plans/pro/entitlements/region"],
		path: { packageType: "PLAN", packageId: "pro", refId: "region" },
		reads: ["/plans/pro/entitlements"],
	},
	{
		mutation: "updateOnePlan",
		rest: [
			"PATCH",
			"/plans/pro",
			{
				displayName: "Pro!",
				description: "Best",
				compatibleAddonIds: ["extra"],
				defaultTrialConfig: null,
				charges: paid(flat(10)),
			},
		],
		path: ref("pro"),
		reads: ["/plans/pro", "/plans/pro/charges"],
	},
	{
		mutation: "setPlanPricing",
		rest: ["PATCH", "/plans/pro", { charges: overage }],
		path: ref("pro"),
		under: "charges",
		reads: ["/plans/pro/charges", "/plans/pro/overage-charges", "/plans/pro/entitlements"],
	},
	{
		mutation: "updateOneAddon",
		rest: ["PATCH", "/addons/extra", { maxQuantity: null, description: "More", metadata: {} }],
		path: ref("extra"),
		reads: ["/addons/extra"],
	},
	{
		mutation: "setAddonPricing",
		rest: ["PATCH", "/addons/extra", { charges: paid(flat(3.33)) }],
		path: ref("extra"),
		under: "charges",
		reads: ["/addons/extra", "/addons/extra/charges"],
	},
	...(["plans/free", "addons/extra", "plans/pro"] as const).map((path) => ({
		mutation: path.startsWith("plans") ? "publishPlan" : "publishAddon",
		rest: ["POST", `/${path}/publish`, { migrationType: "ALL_CUSTOMERS" }] as const,
		path: ref(path.split("/")[1] ?? ""),
		reads: [`/${path}`],
	})),
	...(["plans/pro", "addons/extra"] as const).flatMap((path) => {
		const type = path.startsWith("plans") ? "Plan" : "Addon";
		const of = { path: ref(path.split("/")[1] ?? ""), reads: [`/${path}`, `/${path.split("/")[0]}?status=DRAFT`] };
		return [
			{ mutation: `create${type}Draft`, rest: ["POST", `/${path}/draft`] as const, ...of },
			{ mutation: `remove${type}Draft`, rest: ["DELETE", `/${path}/draft`] as const, ...of },
		];
	}),
	{
		mutation: "updateOneProduct",
		rest: [
			"PATCH",
			"/products/app",
			{
				displayName: "The app",
				description: null,
				multipleSubscriptions: true,
				productSettings: settings,
				usageResetCutoffRule: { behavior: "NEVER_RESET" },
			},
		],
		path: ref("app"),
		reads: ["/products"],
	},
	{
		mutation: "duplicateProduct",
		rest: ["POST", "/products/app/duplicate", { targetId: "copy", displayName: "Copy" }],
		path: ref("app"),
		reads: ["/products", "/plans", "/addons", "/plans/copy-pro/charges", "/plans/copy-pro/entitlements"],
	},
	{ mutation: "archivePlan", rest: ["POST", "/plans/pro/archive"], path: ref("pro"), reads: ["/plans/pro"] },
	{ mutation: "archiveAddon", rest: ["POST", "/addons/extra/archive"], path: ref("extra"), reads: ["/addons/extra"] },
	{
		mutation: "archiveProduct",
		rest: ["POST", "/products/copy/archive"],
		path: ref("copy"),
		reads: ["/products", "/plans"],
	},
	{
		mutation: "unarchiveProduct",
		rest: ["POST", "/products/copy/unarchive"],
		path: ref("copy"),
		reads: ["/products", "/plans"],
	},
	{
		mutation: "createCustomCurrency",
		rest: ["POST", "/credits/custom-currencies", { id: "silver", displayName: "Silver" }],
		reads: ["/credits/custom-currencies"],
	},
	{
		mutation: "archiveCustomCurrency",
		rest: ["POST", "/credits/custom-currencies/silver/archive"],
		path: ref("silver"),
		reads: ["/credits/custom-currencies?status=ARCHIVED"],
	},
	{
		mutation: "unarchiveCustomCurrency",
		rest: ["POST", "/credits/custom-currencies/silver/unarchive"],
		path: ref("silver"),
		reads: ["/credits/custom-currencies"],
	},
	{
		mutation: "createOneCoupon",
		rest: [
			"POST",
			"/coupons",
			{
				id: "TEN",
				name: "Ten",
				description: null,
				percentOff: null,
				amountsOff: [usd(10), { amount: 9.5, currency: "eur" }],
				durationInMonths: 3,
				metadata: { campaign: "x" },
			},
		],
		reads: ["/coupons/TEN"],
	},
	{
		mutation: "updateOneCoupon",
		rest: ["PATCH", "/coupons/TEN", { name: "Tenner", metadata: null }],
		path: ref("TEN"),
		reads: ["/coupons/TEN"],
	},
	{ mutation: "archiveCoupon", rest: ["POST", "/coupons/TEN/archive"], path: ref("TEN"), reads: ["/coupons/TEN"] },
];
