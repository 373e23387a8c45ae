import { TaxId } from "../../kernel/schema";
import { inputOf } from "../area";
import { type Input, sent } from "./operation";

// The input of a subscription, alone or together with its customer. The names of two releases (docs/interface/graphql.md)
// become the body of `POST /subscriptions`.

/** The members that decide a price, of every input that sells or previews. JSON is REST's own, name for name. */
export const pricedFields = `
	planId: String! resourceId: String payingCustomerId: String billingPeriod: BillingPeriod billingInterval: BillingIntervalInput
	billingCountryCode: String
	"The usage of the customer's children counts too."
	includesChildUsage: Boolean
	"The currency of the prices, if everything that recurs has a price in it."
	billingCurrency: Currency
	prorationMode: ProrationMode billingAnchor: BillingAnchorInput timeZone: String phases: [PhaseInput!] term: TermInput spendThresholds: [SpendThresholdInput!] commitments: [SpendCommitmentInput!] billingCycleAnchor: String billingInformation: SubscriptionBillingInfo addons: [SubscriptionAddonInput!]
	unitQuantity: Float
	"As unitQuantity."
	priceUnitAmount: Float
	"Units of features that the plan sells. Of others: usage, which only the recurring invoice of a preview counts."
	billableFeatures: [BillableFeatureInput!]
	charges: JSON appliedCoupon: JSON
	"The coupons that all apply, as couponId and startDate, in place of appliedCoupon."
	appliedCoupons: JSON
	promotionCode: String startDate: DateTime scheduleStrategy: String priceOverrides: JSON
	"From when a change of plan applies. Scheduled if it is in the future; in the past, its prices apply from then."
	effectiveDate: DateTime
	trialOverrideConfiguration: JSON
	"The ids of taxes, in place of those of the charges."
	taxes: [String!]
	"True skips the plan's trial."
	skipTrial: Boolean
	environmentId: String
`;

/** The members of every input that sells. */
export const subscriptionInputFields = `
	${pricedFields}
	refId: String
	"As refId."
	subscriptionId: String
	billingId: String entitlements: JSON subscriptionEntitlements: JSON minimumSpend: MoneyInput
	budget: JSON cancellationDate: DateTime paymentCollectionMethod: PaymentCollectionMethod
	awaitPaymentConfirmation: Boolean salesforceId: String additionalMetaData: JSON
`;

export const subscriptionInputSchemas = { TaxId };

export const subscriptionInputDefs = `
	input SubscriptionAddonInput { addonId: String! quantity: Int }
	input BillableFeatureInput { featureId: String! quantity: Float! }
	input TaxIdInput from TaxId
	"The phone number is not stored."
	input Address {
		country: String state: String city: String addressLine1: String addressLine2: String postalCode: String
		phoneNumber: String
	}
	input SubscriptionBillingInfo {
		billingAddress: Address chargeOnBehalfOfAccount: String couponId: String integrationId: String
		invoiceDaysUntilDue: Int isBackdated: Boolean isInvoicePaid: Boolean metadata: JSON prorationBehavior: String
		taxIds: [TaxIdInput!] taxPercentage: Float taxRateIds: [String!]
	}
`;

/** An input as the body of `POST /subscriptions`. Where two names mean the same, the first one that was sent counts. */
export function subscriptionBody(input: Input): Input {
	const { skipTrial, promotionCode, ...terms } = termsOf(input);
	const { couponId, ...billing } = inputOf(input, "billingInformation");
	return sent({
		...terms,
		appliedCoupon: input.appliedCoupon ?? couponNamed(promotionCode, couponId),
		trialOverrideConfiguration:
			input.trialOverrideConfiguration ?? (skipTrial === true ? { isTrial: false } : undefined),
		billingInformation: billingBody(billing),
	});
}

/** As the body of `POST /subscriptions/preview`, which has billable features of its own. */
export const previewBody = ({ billableFeatures, ...input }: Input): Input => ({
	...subscriptionBody(input),
	...sent({ billableFeatures: itemsOf(billableFeatures) }),
});

const clearable = [
	"budget",
	"cancellationDate",
	"billingAnchor",
	"minimumSpend",
	"phases",
	"prorationMode",
	"salesforceId",
	"commitments",
	"spendThresholds",
	"taxes",
	"term",
	"timeZone",
] as const;

/** As the body of `PATCH /subscriptions/{id}`. */
export const updateBody = (input: Input): Input => ({
	...sent({
		...termsOf(input),
		billingInformation: billingBody(inputOf(input, "billingInformation")),
	}),
	...Object.fromEntries(clearable.flatMap((name) => (input[name] === null ? [[name, null]] : []))),
});

/** The terms of a purchase or a change, which have the same names. */
function termsOf(input: Input): Input {
	const { addons, billableFeatures, charges, entitlements, subscriptionEntitlements, ...others } = input;
	const { subscriptionId, priceUnitAmount, ...plain } = others;
	return {
		...plain,
		refId: input.refId ?? subscriptionId,
		unitQuantity: input.unitQuantity ?? priceUnitAmount,
		addons: itemsOf(addons)?.map(({ addonId, quantity }) => ({ id: addonId, quantity: quantity ?? 1 })),
		charges: joined(
			charges,
			itemsOf(billableFeatures)?.map(({ featureId, quantity }) => ({ id: featureId, quantity, type: "FEATURE" })),
		),
		entitlements: joined(
			entitlements,
			itemsOf(subscriptionEntitlements)?.map(({ featureId, ...terms }) => ({
				...terms,
				id: featureId,
				type: "FEATURE",
			})),
		),
	};
}

function couponNamed(promotionCode: unknown, billingCouponId: unknown): Input | undefined {
	const named = sent({ promotionCode, billingCouponId });
	return Object.keys(named).length > 0 ? named : undefined;
}

/** Undefined for the empty object that clients of the first release send. */
export function billingBody(billing: Input): Input | undefined {
	const body = sent({ ...billing, billingAddress: addressBody(billing, "billingAddress") });
	return Object.keys(body).length > 0 ? body : undefined;
}

/** An address of an input with REST's names. Undefined when it was not sent. */
export function addressBody(input: Input, name: string): Input | undefined {
	if (input[name] == null) return undefined;
	const { addressLine1, addressLine2, phoneNumber: _, ...rest } = inputOf(input, name);
	return sent({ ...rest, line1: addressLine1, line2: addressLine2 });
}

export const itemsOf = (value: unknown): Input[] | undefined =>
	Array.isArray(value) ? value.map((item, at) => inputOf({ [at]: item }, String(at))) : undefined;

/** Joins two lists. A value that is no list is left for the body's schema to refuse. */
function joined(first: unknown, second: readonly Input[] | undefined): unknown {
	if (!second) return first;
	return Array.isArray(first) ? [...first, ...second] : second;
}
