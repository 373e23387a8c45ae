import { fail } from "../../kernel/errors";
import { inputOf } from "../area";
import { type Input, sent } from "./operation";
import { addressBody } from "./subscription-input";

// The input that creates or changes a customer.

export const customerFields = `
	refId: String
	"As refId."
	customerId: String
	name: String email: String billingId: String billingAnchor: BillingAnchorInput
	"The id of the customer that this one belongs to. Null removes it."
	parentCustomerId: String
	"PARENT: the parent pays for subscriptions that name no payer."
	billsTo: BillsTo
	"CONSOLIDATED: subscriptions that fall due together for this payer share an invoice."
	invoiceGrouping: InvoiceGrouping
	"Null removes the coupon."
	couponRefId: String
	additionalMetaData: JSON billingInformation: CustomerBillingInfo
	"The customer's id at HubSpot. Null unlinks."
	crmId: String
	"Null unlinks."
	salesforceId: String
	"Null unlinks."
	awsMarketplaceCustomerId: String
	environmentId: String
`;

/** Members that clients send and that have no effect. */
export const customerFieldsWithoutEffect = `
	"Has no effect: a customer exists from its creation."
	createdAt: DateTime
	"Has no effect: nothing is synchronized."
	shouldSyncFree: Boolean
`;

/** The caller's id under either name. Throws EntityIdDifferentFromRefIdError when both were sent and differ. */
export function customerRefOf({ refId, customerId }: Input): unknown {
	if (refId != null && customerId != null && refId !== customerId)
		throw fail(
			"EntityIdDifferentFromRefIdError",
			`'refId' is '${refId}' and 'customerId' is '${customerId}': they are one id; send one of them.`,
		);
	return refId ?? customerId;
}

/** An input as the body of `POST /customers`. */
export function customerBody(input: Input): Input {
	const { name, email, billingId, billingAnchor, couponRefId, parentCustomerId, billsTo, invoiceGrouping } = input;
	const { additionalMetaData, crmId, salesforceId, awsMarketplaceCustomerId } = input;
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
		billingAnchor,
		parentCustomerId,
		billsTo: billsTo ?? undefined,
		invoiceGrouping: invoiceGrouping ?? undefined,
		couponId: couponRefId,
		additionalMetaData,
		vendorIds: defined({ HUBSPOT: crmId, SALESFORCE: salesforceId, AWS_MARKETPLACE: awsMarketplaceCustomerId }),
		billingCurrency: currency,
		language,
		timezone,
		integrationId,
		passthrough: Object.keys(passthrough).length > 0 ? { stripe: passthrough } : undefined,
	});
}

/** Without undefined members. Null stays: it clears. */
export const defined = (input: Input): Input =>
	Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
