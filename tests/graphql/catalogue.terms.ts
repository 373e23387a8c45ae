import { flat, graduated, monthly, paid, perUnit, usage, usd } from "../areas/packages/prices";

/** One operation of the catalogue in both languages. */
export interface Step {
	readonly mutation: string;
	readonly rest: readonly [method: string, path: string, body?: object];
	/** The fields of the mutation's input that are in the path. */
	readonly path?: Readonly<Record<string, string>>;
	/** The key of the REST body that the input holds the inside of. */
	readonly under?: string;
	/** The REST reads that follow in both worlds. */
	readonly reads: readonly string[];
}

export const settings = {
	subscriptionStartSetup: "FREE_PLAN",
	subscriptionStartPlanId: "free",
	subscriptionEndSetup: "DOWNGRADE_TO_FREE",
	downgradePlanId: "free",
	subscriptionCancellationTime: "END_OF_BILLING_PERIOD",
	prorateAtEndOfBillingPeriod: true,
};

export const meter = {
	aggregation: { function: "SUM", field: "tokens" },
	filters: [
		{
			conditions: [
				{ field: "eventName", operation: "IN", values: ["call", "chat"] },
				{ field: "model", operation: "STARTS_WITH", value: "big" },
			],
		},
	],
};

export const overage = {
	...paid(
		flat(20, { billingPeriod: "MONTHLY", billingCountryCode: "DE", price: { amount: 18.5, currency: "eur" } }),
		perUnit({ minUnitQuantity: 1, maxUnitQuantity: 50 }),
		usage({ tiersMode: "GRADUATED", billingModel: "USAGE_BASED" }, { tiers: graduated }),
	),
	overagePricingModels: [
		{
			billingModel: "USAGE_BASED",
			featureId: "calls",
			entitlement: {
				featureId: "calls",
				usageLimit: 500,
				resetPeriod: "WEEK",
				weeklyResetPeriodConfiguration: { accordingTo: "EveryMonday" },
			},
			pricePeriods: [monthly({ price: usd(0.002) })],
		},
	],
	overageBillingPeriod: "MONTHLY",
	minimumSpend: [{ billingPeriod: "MONTHLY", minimum: usd(100) }],
};
