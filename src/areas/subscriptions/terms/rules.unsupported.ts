import type { Unsupported } from "../../../kernel/unsupported";

// Parameters of the interface that the built-in billing does not support.

const ofEvery: readonly Unsupported[] = [
	{
		path: "billingInformation.chargeOnBehalfOfAccount",
		code: "UnsupportedParameter",
		why: "Tollgate collects no money, so none on behalf of another account; leave it out.",
	},
	{
		path: "priceOverrides[].creditRate",
		code: "UnsupportedParameter",
		why: "a rate in credits belongs to the plan; set it there, or override a price in money.",
	},
	{
		path: "priceOverrides[].creditGrantCadence",
		code: "UnsupportedParameter",
		why: "the cadence of credits belongs to the plan; set it there.",
	},
];

export const unsupportedInSale: readonly Unsupported[] = [
	{
		path: "checkoutOptions",
		code: "CheckoutIsNotSupported",
		why: "the subscription starts at once, or with 'awaitPaymentConfirmation' after its invoice is paid; leave it out, or let the customer confirm it by POST /api/v1/checkout-sessions.",
	},
	...ofEvery,
];

/** Parameters that GraphQL's `applySubscription` has in addition to a provision. */
export const unsupportedInApply: readonly Unsupported[] = [
	{
		path: "paymentMethodId",
		code: "BillingIntegrationMissing",
		why: "Tollgate charges the customer's default payment method; make this one the default, and leave it out.",
	},
];

export const unsupportedInUpdate: readonly Unsupported[] = [
	...ofEvery,
	{
		path: "billingInformation.isBackdated",
		code: "UnsupportedParameter",
		why: "it charges a start in the past, and the subscription has started already; leave it out.",
	},
];
