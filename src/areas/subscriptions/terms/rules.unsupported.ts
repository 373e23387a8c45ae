import type { Unsupported } from "../../../kernel/unsupported";

// Parameters of the interface that the built-in billing does not support.

const ofEvery: readonly Unsupported[] = [
	{
		path: "billingInformation.chargeOnBehalfOfAccount",
		code: "UnsupportedParameter",
		why: "money is never collected here, so not on behalf of another account either; leave it out.",
	},
	{
		path: "billingInformation.taxRateIds",
		code: "UnsupportedParameter",
		why: "there are no tax rates with ids; give the rate itself as 'taxPercentage'.",
	},
	{
		path: "priceOverrides[].creditRate",
		code: "UnsupportedParameter",
		why: "a rate in credits is the plan's for everybody; set it there, or override a price in money.",
	},
	{
		path: "priceOverrides[].creditGrantCadence",
		code: "UnsupportedParameter",
		why: "when credits are granted is the plan's to say; set it there.",
	},
];

export const unsupportedInSale: readonly Unsupported[] = [
	{
		path: "paymentCollectionMethod",
		value: "CHARGE",
		code: "BillingIntegrationMissing",
		why: "no payment provider is connected that could charge by itself; use INVOICE, and mark the invoices as paid.",
	},
	{
		path: "checkoutOptions",
		code: "CheckoutIsNotSupported",
		why: "the subscription begins at once, or with 'awaitPaymentConfirmation' when its invoice is paid; leave it out, or let its customer confirm it by POST /api/v1/checkout-sessions.",
	},
	...ofEvery,
];

/** Parameters that GraphQL's `applySubscription` has in addition to a provision. */
export const unsupportedInApply: readonly Unsupported[] = [
	{
		path: "paymentMethodId",
		code: "BillingIntegrationMissing",
		why: "no payment provider is connected that could charge it; attach it to the customer, and mark the invoices as paid.",
	},
];

export const unsupportedInUpdate: readonly Unsupported[] = [
	...ofEvery,
	{
		path: "billingInformation.isBackdated",
		code: "UnsupportedParameter",
		why: "it charges a start in the past, and a subscription has started once and for all; leave it out.",
	},
];
