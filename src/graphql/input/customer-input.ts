import { fail } from "../../kernel/errors";
import { inputOf } from "../area";
import type { Input } from "./operation";
import { addressBody, sent } from "./subscription-input";

// How a customer is spelled where it is created and where it is changed.

export const customerFields = `
	refId: String
	"As refId."
	customerId: String
	name: String
	email: String
	billingId: String
	"Null removes."
	couponRefId: String
	additionalMetaData: JSON
	billingInformation: CustomerBillingInfo
	"The customer's id at HubSpot; null unlinks."
	crmId: String
	"Null unlinks."
	salesforceId: String
	"Null unlinks."
	awsMarketplaceCustomerId: String
	environmentId: String
`;

/** Members that the clients know and that have nothing to act on here. */
export const customerFieldsWithoutEffect = `
	"Has no effect: a customer is there from when it is created."
	createdAt: DateTime
	"Has no effect: nothing is synchronised."
	shouldSyncFree: Boolean
`;

/** The caller's id under either name. EntityIdDifferentFromRefIdError when they say different things. */
export function customerRefOf({ refId, customerId }: Input): unknown {
	if (refId != null && customerId != null && refId !== customerId)
		throw fail(
			"EntityIdDifferentFromRefIdError",
			`'refId' is '${refId}' and 'customerId' is '${customerId}': they are one id; send one of them.`,
		);
	return refId ?? customerId;
}

/** What REST takes at its first level, and in `passthrough`. */
export function customerBody(input: Input): Input {
	const { name, email, billingId, couponRefId, additionalMetaData, crmId, salesforceId, awsMarketplaceCustomerId } =
		input;
	const { currency, language, timezone, integrationId, ...billing } = inputOf(input, "billingInformation");
	const passthrough = sent({
		...billing,
		billingAddress: addressBody(billing, "billingAddress"),
		shippingAddress: addressBody(billing, "shippingAddress"),
	});
	return defined({
		refId: customerRefOf(input),
		name,
		email,
		billingId,
		couponId: couponRefId,
		additionalMetaData,
		vendorIds: defined({ HUBSPOT: crmId, SALESFORCE: salesforceId, AWS_MARKETPLACE: awsMarketplaceCustomerId }),
		billingCurrency: typeof currency === "string" ? currency.toLowerCase() : currency,
		language,
		timezone,
		integrationId,
		passthrough: Object.keys(passthrough).length > 0 ? { stripe: passthrough } : undefined,
	});
}

/** Null says something here: it clears. */
export const defined = (input: Input): Input =>
	Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
