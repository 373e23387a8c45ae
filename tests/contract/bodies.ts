// The bodies of the scenario: as many fields set as one call can have.

export const usd = (amount: number) => ({ amount, currency: "usd" });
export const metadata = { team: "billing", tier: "1" };
export const published = { migrationType: "NEW_CUSTOMERS" };
export const later = "2026-03-01T00:00:00.000Z";

export const both = (monthly: object, annually: object) => [
	{ billingPeriod: "MONTHLY", ...monthly },
	{ billingPeriod: "ANNUALLY", ...annually },
];
export const base = {
	billingModel: "FLAT_FEE",
	billingCadence: "RECURRING",
	pricePeriods: [
		...both({ price: usd(20) }, { price: usd(200) }),
		{ billingPeriod: "MONTHLY", billingCountryCode: "DE", price: usd(19) },
	],
};
const seatPrice = {
	billingModel: "PER_UNIT",
	featureId: "seats",
	minUnitQuantity: 1,
	maxUnitQuantity: 50,
	tiersMode: "GRADUATED",
	pricePeriods: both(
		{ tiers: [{ upTo: 5, unitPrice: usd(10), flatPrice: usd(1) }, { unitPrice: usd(8) }] },
		{ tiers: [{ upTo: 5, unitPrice: usd(100), flatPrice: usd(1) }, { unitPrice: usd(80) }] },
	),
};
/** Pay-as-you-go, which only plans with MONTHLY as their sole period have (docs/interface/catalogue.md). */
export const usageCharges = {
	pricingType: "PAID",
	pricingModels: [
		{
			billingModel: "USAGE_BASED",
			featureId: "calls",
			resetPeriod: "MONTH",
			monthlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
			pricePeriods: [{ billingPeriod: "MONTHLY", price: usd(0.01), blockSize: 1000 }],
		},
	],
};
export const charges = {
	pricingType: "PAID",
	billingId: "provider-1",
	minimumSpend: [{ billingPeriod: "MONTHLY", minimum: usd(15) }],
	pricingModels: [
		base,
		seatPrice,
		{
			billingModel: "CREDIT_BASED",
			featureId: "calls",
			pricePeriods: both(
				{
					creditRate: { amount: 0.5, currencyId: "gold", costFormula: "tokens / 1000" },
					creditGrantCadence: "MONTHLY",
				},
				{ creditRate: { amount: 0.5, currencyId: "gold" } },
			),
		},
		{
			billingModel: "PER_UNIT",
			billingCadence: "ONE_OFF",
			topUpCustomCurrencyId: "gold",
			pricePeriods: [{ billingPeriod: "MONTHLY", price: usd(0.01) }],
		},
	],
};

export const display = {
	description: "How it shows",
	displayNameOverride: "Shown",
	hiddenFromWidgets: ["PAYWALL", "CHECKOUT"],
	isCustom: false,
	isGranted: true,
	order: 2,
};
export const entitlements = [
	{
		type: "FEATURE",
		id: "calls",
		...display,
		behavior: "Increment",
		usageLimit: 1000,
		hasUnlimitedUsage: false,
		hasSoftLimit: true,
		resetPeriod: "MONTH",
		monthlyResetPeriodConfiguration: { accordingTo: "StartOfTheMonth" },
	},
	{ type: "FEATURE", id: "region", enumValues: ["eu"] },
	{ type: "FEATURE", id: "sso" },
	{
		type: "FEATURE",
		id: "width",
		usageLimit: 9,
		resetPeriod: "WEEK",
		weeklyResetPeriodConfiguration: { accordingTo: "EveryMonday" },
	},
	{
		type: "FEATURE",
		id: "depth",
		usageLimit: null,
		hasUnlimitedUsage: true,
		resetPeriod: "YEAR",
		yearlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
	},
	{
		type: "CREDIT",
		id: "gold",
		...display,
		behavior: "Increment",
		amount: 100,
		cadence: "MONTH",
		hasSoftLimit: false,
		dependencyFeatureId: "seats",
	},
];

const address = {
	line1: "1 Main St",
	line2: "Floor 2",
	city: "Springfield",
	state: "OR",
	postalCode: "97403",
	country: "US",
};
export const customer = {
	id: "acme",
	name: "Acme Ltd",
	email: "billing@acme.test",
	billingCurrency: "usd",
	billingId: "cus_1",
	couponId: "TEN",
	defaultPaymentMethod: {
		type: "CARD",
		billingId: "pm_1",
		cardExpiryMonth: 12,
		cardExpiryYear: 2030,
		cardLast4Digits: "4242",
	},
	integrations: [{ id: "crm", vendorIdentifier: "HUBSPOT", syncedEntityId: "hub-1" }],
	language: "en",
	metadata,
	passthrough: {
		stripe: {
			billingAddress: address,
			shippingAddress: address,
			customerName: "Acme",
			invoiceCustomFields: { po: "7" },
			metadata,
			paymentMethodId: "pm_1",
			taxIds: [{ type: "us_ein", value: "12-3456789" }],
		},
		zuora: { billingAddress: address, currency: "usd", metadata, paymentMethodId: "pm_2" },
	},
	timezone: "Europe/Berlin",
};

export const subscription = {
	id: "sub-1",
	customerId: "acme",
	planId: "pro",
	resourceId: "site-1",
	payingCustomerId: "parent",
	billingId: "billing-1",
	billingPeriod: "MONTHLY",
	addons: [{ id: "extra", quantity: 2 }],
	appliedCoupon: { couponId: "FIVE", configuration: { startDate: "2026-01-31T00:00:00.000Z" } },
	billingInformation: { billingAddress: address, taxPercentage: 19, invoiceDaysUntilDue: 14, metadata },
	budget: { limit: 500, hasSoftLimit: true },
	charges: [{ id: "seats", quantity: 7, type: "FEATURE" }],
	entitlements: [
		{ type: "FEATURE", id: "seats", usageLimit: 5000 },
		{ type: "CREDIT", id: "gold", amount: 10, cadence: "MONTH" },
	],
	metadata,
	minimumSpend: usd(5),
	paymentCollectionMethod: "INVOICE",
	priceOverrides: [{ baseCharge: true, amount: 18, currency: "usd" }],
	trialOverrideConfiguration: { isTrial: false },
};
