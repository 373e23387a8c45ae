import type { Catalogue } from "./catalogue";

const functions = ["SUM", "MAX", "MIN", "AVG", "COUNT", "UNIQUE", "LATEST", "PERCENTILE"] as const;
const eur = (amount: number) => ({ amount, currency: "eur" });

const features = functions.map((name) => ({
	id: `by-${name.toLowerCase()}`,
	displayName: `By ${name}`,
	featureType: "NUMBER",
	meterType: "INCREMENTAL",
	...(name === "SUM" && {
		unitTransformation: { divide: 10, round: "UP", featureUnits: "ten", featureUnitsPlural: "tens" },
	}),
	meter: {
		aggregation: {
			function: name,
			...(name !== "COUNT" && { field: "n" }),
			...(name === "PERCENTILE" && { percentile: 95 }),
		},
		filters: [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "measured" }] }],
	},
}));

const tiers = [
	{ upTo: 10, unitPrice: eur(1.5), flatPrice: eur(2) },
	{ upTo: 100, unitPrice: eur(0.75) },
	{ unitPrice: eur(0.335), flatPrice: eur(20) },
];

/** A plan with a meter of each function, an addon, and prices in each model of usage. */
export const everyMeter: Catalogue = {
	products: [{ id: "metered", multipleSubscriptions: true }],
	features,
	addons: [
		{
			...{ id: "support", displayName: "Support", productId: "metered" },
			charges: {
				pricingType: "PAID",
				pricingModels: [
					{
						billingModel: "FLAT_FEE",
						pricePeriods: [{ billingPeriod: "MONTHLY", ...{ price: eur(12.5) } }],
					},
				],
			},
		},
	],
	plans: [
		{
			...{ id: "all", displayName: "All meters", productId: "metered" },
			charges: {
				pricingType: "PAID",
				pricingModels: features.map(({ id }, nth) => ({
					billingModel: "USAGE_BASED",
					featureId: id,
					...(nth % 3 === 0 && { tiersMode: nth % 2 === 0 ? "VOLUME" : "GRADUATED" }),
					pricePeriods: [
						{
							billingPeriod: "MONTHLY",
							...(nth % 3 === 0
								? { tiers }
								: { price: eur(0.125 * (nth + 1)), ...(nth % 3 === 1 && { blockSize: 5 }) }),
						},
					],
				})),
				...{ minimumSpend: [{ billingPeriod: "MONTHLY", minimum: eur(30) }] },
			},
		},
		{
			...{ id: "over", displayName: "Beyond the limit", productId: "metered" },
			charges: {
				pricingType: "PAID",
				pricingModels: [
					{
						billingModel: "FLAT_FEE",
						pricePeriods: [
							{ billingPeriod: "MONTHLY", ...{ price: eur(9.9) } },
							{ billingPeriod: "ANNUALLY", ...{ price: eur(99) } },
						],
					},
				],
				...{
					overageBillingPeriod: "MONTHLY",
					overagePricingModels: [
						{
							billingModel: "USAGE_BASED",
							featureId: "by-count",
							entitlement: { featureId: "by-count", usageLimit: 5, hasSoftLimit: true, resetPeriod: "MONTH" },
							pricePeriods: [{ billingPeriod: "MONTHLY", price: eur(0.45) }],
						},
					],
				},
			},
		},
	],
};
