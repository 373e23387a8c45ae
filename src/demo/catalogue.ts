import { createAddon, updateAddon } from "../areas/addons/operations";
import { createCoupon } from "../areas/coupons/operations";
import { createCurrency } from "../areas/currencies/operations";
import { createFeature, updateFeature } from "../areas/features/operations";
import { createEntitlements } from "../areas/packages/entitlements/operations";
import { createPlan, updatePlan } from "../areas/plans/operations";
import { createProduct } from "../areas/products/operations";
import { publishPackage } from "../areas/subscriptions/versions/operations.publish";
import { createTax } from "../areas/taxes/operations";
import type { Work } from "../kernel/work";

/** Seeds Atlas, a typical maps platform: three plans, an addon, and a feature of each kind. */
export function seedCatalogue(work: Work): void {
	createProduct(work, {
		id: "product-atlas",
		displayName: "Atlas",
		description: "Maps and routes for other products.",
	});
	seedFeatures(work);
	createCurrency(work, {
		id: "currency-ai-credits",
		displayName: "AI credits",
		symbol: "✦",
		units: { singular: "credit", plural: "credits" },
	});
	seedCoupons(work);
	createTax(work, {
		id: "tax-de-19",
		displayName: "VAT",
		percentage: 19,
		isInclusive: true,
		country: "DE",
		code: "DE19",
	});
	seedSupportAddon(work);
	seedFreePlan(work);
	seedProPlan(work);
	seedEnterprisePlan(work);
}

function seedFeatures(work: Work): void {
	createFeature(work, { id: "feature-sso", displayName: "Single sign-on", featureType: "BOOLEAN" });
	createFeature(work, {
		id: "feature-projects",
		displayName: "Projects",
		featureType: "NUMBER",
		meterType: "None",
		featureUnits: "project",
		featureUnitsPlural: "projects",
	});
	createFeature(work, {
		id: "feature-region",
		displayName: "Data region",
		featureType: "ENUM",
		enumConfiguration: [
			{ value: "eu", displayName: "European Union" },
			{ value: "us", displayName: "United States" },
			{ value: "ap", displayName: "Asia Pacific" },
		],
	});
	createFeature(work, {
		id: "feature-seats",
		displayName: "Seats",
		featureType: "NUMBER",
		meterType: "FLUCTUATING",
		featureUnits: "seat",
		featureUnitsPlural: "seats",
	});
	createFeature(work, {
		id: "feature-api-calls",
		displayName: "API calls",
		featureType: "NUMBER",
		meterType: "INCREMENTAL",
		featureUnits: "call",
		featureUnitsPlural: "calls",
	});
	updateFeature(work, "feature-api-calls", {
		meter: {
			aggregation: { function: "COUNT" },
			filters: [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "api_call" }] }],
		},
	});
	createFeature(work, {
		id: "feature-storage",
		displayName: "Storage",
		featureType: "NUMBER",
		meterType: "INCREMENTAL",
		featureUnits: "GB",
		featureUnitsPlural: "GB",
	});
	updateFeature(work, "feature-storage", {
		meter: {
			aggregation: { function: "SUM", field: "gigabytes" },
			filters: [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "file_stored" }] }],
		},
	});
}

function seedCoupons(work: Work): void {
	createCoupon(work, {
		id: "coupon-welcome",
		name: "Welcome",
		description: "Ten percent off for the first three months",
		percentOff: 10,
		amountsOff: null,
		durationInMonths: 3,
		metadata: null,
	});
	createCoupon(work, {
		id: "coupon-launch",
		name: "Launch",
		description: "Twenty off for early customers",
		percentOff: null,
		amountsOff: [
			{ amount: 20, currency: "usd" },
			{ amount: 18, currency: "eur" },
		],
		durationInMonths: null,
		metadata: { campaign: "launch" },
	});
}

function seedSupportAddon(work: Work): void {
	createAddon(work, {
		id: "addon-priority-support",
		displayName: "Priority support",
		productId: "product-atlas",
		description: "An answer within the hour.",
		maxQuantity: 1,
	});
	updateAddon(work, "addon-priority-support", {
		charges: {
			pricingType: "PAID",
			pricingModels: [
				{
					billingModel: "FLAT_FEE",
					pricePeriods: [
						{ billingPeriod: "MONTHLY", price: { amount: 99, currency: "usd" } },
						{ billingPeriod: "ANNUALLY", price: { amount: 990, currency: "usd" } },
					],
				},
			],
		},
	});
	publishPackage(work, "ADDON", "addon-priority-support", { migrationType: "NEW_CUSTOMERS" });
}

function seedFreePlan(work: Work): void {
	createPlan(work, { id: "plan-free", displayName: "Free", productId: "product-atlas", description: "To try it out." });
	updatePlan(work, "plan-free", { charges: { pricingType: "FREE" } });
	createEntitlements(work, "PLAN", "plan-free", {
		entitlements: [
			{ type: "FEATURE", id: "feature-projects", usageLimit: 3 },
			{ type: "FEATURE", id: "feature-region", enumValues: ["us"] },
			{
				type: "FEATURE",
				id: "feature-api-calls",
				usageLimit: 1000,
				resetPeriod: "MONTH",
				monthlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
			},
		],
	});
	publishPackage(work, "PLAN", "plan-free", { migrationType: "NEW_CUSTOMERS" });
}

function seedProPlan(work: Work): void {
	createPlan(work, {
		id: "plan-pro",
		displayName: "Pro",
		productId: "product-atlas",
		description: "For growing teams.",
	});
	updatePlan(work, "plan-pro", {
		compatibleAddonIds: ["addon-priority-support"],
		charges: {
			pricingType: "PAID",
			pricingModels: [
				{
					billingModel: "FLAT_FEE",
					pricePeriods: [
						{ billingPeriod: "MONTHLY", price: { amount: 49, currency: "usd" } },
						{ billingPeriod: "ANNUALLY", price: { amount: 490, currency: "usd" } },
					],
				},
				{
					billingModel: "PER_UNIT",
					featureId: "feature-seats",
					minUnitQuantity: 1,
					tiersMode: "GRADUATED",
					pricePeriods: (["MONTHLY", "ANNUALLY"] as const).map((billingPeriod) => {
						const months = billingPeriod === "MONTHLY" ? 1 : 10;
						return {
							billingPeriod,
							tiers: [
								{ upTo: 5, unitPrice: { amount: 12 * months, currency: "usd" } },
								{ upTo: 20, unitPrice: { amount: 10 * months, currency: "usd" } },
								{ unitPrice: { amount: 8 * months, currency: "usd" } },
							],
						};
					}),
				},
			],
		},
	});
	createEntitlements(work, "PLAN", "plan-pro", {
		entitlements: [
			{ type: "FEATURE", id: "feature-projects", usageLimit: 50 },
			{ type: "FEATURE", id: "feature-region", enumValues: ["us", "eu"] },
			{
				type: "FEATURE",
				id: "feature-api-calls",
				usageLimit: 100_000,
				resetPeriod: "MONTH",
				monthlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
			},
			{ type: "FEATURE", id: "feature-storage", usageLimit: 500, hasSoftLimit: true },
			{ type: "CREDIT", id: "currency-ai-credits", amount: 1000, cadence: "MONTH" },
		],
	});
	publishPackage(work, "PLAN", "plan-pro", { migrationType: "NEW_CUSTOMERS" });
}

function seedEnterprisePlan(work: Work): void {
	createPlan(work, {
		id: "plan-enterprise",
		displayName: "Enterprise",
		productId: "product-atlas",
		description: "By contract.",
		parentPlanId: "plan-pro",
	});
	updatePlan(work, "plan-enterprise", {
		charges: { pricingType: "CUSTOM" },
		compatibleAddonIds: ["addon-priority-support"],
	});
	createEntitlements(work, "PLAN", "plan-enterprise", {
		entitlements: [
			{ type: "FEATURE", id: "feature-sso" },
			{ type: "FEATURE", id: "feature-projects", hasUnlimitedUsage: true },
			{ type: "FEATURE", id: "feature-region", enumValues: ["us", "eu", "ap"] },
			{ type: "FEATURE", id: "feature-api-calls", hasUnlimitedUsage: true },
		],
	});
	publishPackage(work, "PLAN", "plan-enterprise", { migrationType: "NEW_CUSTOMERS" });
}
