import { type Static, Type } from "@sinclair/typebox";
import { inputOf } from "../../graphql/area";
import type { Input } from "../../graphql/operation";
import {
	addressBody,
	isoText,
	sent,
	subscriptionBody,
	subscriptionInputDefs,
	subscriptionInputFields,
} from "../../graphql/subscription-input";
import { fail } from "../../kernel/errors";
import { nullable } from "../../kernel/schema";
import { SubscriptionProvision } from "../subscriptions/schema.provision";
import { withVendorId } from "./rules.integrations";
import { type CustomerIntegrationRef, CustomerProvision, CustomerUpdate, IntegrationId } from "./schema";

const profileFields = `
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
const withoutEffect = `
	"Has no effect: a customer is there from when it is created."
	createdAt: DateTime
	"Has no effect: nothing is synchronised."
	shouldSyncFree: Boolean
`;

export const inputDefs = `
	${subscriptionInputDefs}
	"Replaces what was sent before, but for currency, language and timezone, which stay when they are left out."
	input CustomerBillingInfo {
		billingAddress: Address
		shippingAddress: Address
		customerName: String
		currency: String
		language: String
		timezone: String
		taxIds: [TaxIdInput!]
		invoiceCustomFields: JSON
		metadata: JSON
		paymentMethodId: String
		integrationId: String
	}
	input ProvisionCustomerSubscriptionInput { ${subscriptionInputFields} }
	input ProvisionCustomerInput {
		${profileFields} ${withoutEffect}
		"Has no effect: there are no experiments."
		excludeFromExperiment: Boolean
		"A subscription to begin with; the customer is created with it or not at all."
		subscriptionParams: ProvisionCustomerSubscriptionInput
	}
	input CustomerInput { ${profileFields} ${withoutEffect} }
	"What is left out stays, null clears."
	input UpdateCustomerInput {
		${profileFields}
		"Has no effect: nothing is synchronised."
		shouldWaitSync: Boolean
	}
	input ImportCustomerInput {
		refId: String
		"As refId."
		customerId: String
		name: String
		email: String
		billingId: String
		paymentMethodId: String
		salesforceId: String
		additionalMetaData: JSON
		"As of when this is so; what is known to be newer stays."
		updatedAt: DateTime
		environmentId: String
	}
	input ImportCustomersBulkInput { customers: [ImportCustomerInput!]! integrationId: String environmentId: String }
	input ByCustomerIdInput { customerId: String! environmentId: String }
`;

const closed = { additionalProperties: false };
const VendorId = Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 255 })));

/** Ids at vendors, where REST has the list of links. */
const VendorIds = Type.Object({ HUBSPOT: VendorId, SALESFORCE: VendorId, AWS_MARKETPLACE: VendorId }, closed);
type VendorIds = Static<typeof VendorIds>;

const beyondRest = { vendorIds: VendorIds, integrationId: Type.Optional(nullable(IntegrationId)) };

const { customerId: _, ...subscriptionTerms } = SubscriptionProvision.properties;

export const ProvisionInput = Type.Object(
	{
		...CustomerProvision.properties,
		...beyondRest,
		subscriptionParams: Type.Optional(Type.Object(subscriptionTerms, closed)),
	},
	closed,
);

export const UpdateInput = Type.Object({ ...CustomerUpdate.properties, ...beyondRest }, closed);

/** The caller's id under either name. EntityIdDifferentFromRefIdError when they say different things. */
function refIdOf({ refId, customerId }: Input): unknown {
	if (refId != null && customerId != null && refId !== customerId)
		throw fail(
			"EntityIdDifferentFromRefIdError",
			`'refId' is '${refId}' and 'customerId' is '${customerId}': they are one id; send one of them.`,
		);
	return refId ?? customerId;
}

/** What REST takes at its first level, and in `passthrough`. */
export function profileOf(input: Input): Input {
	const { name, email, billingId, couponRefId, additionalMetaData, crmId, salesforceId, awsMarketplaceCustomerId } =
		input;
	const { currency, language, timezone, integrationId, ...billing } = inputOf(input, "billingInformation");
	const passthrough = sent({
		...billing,
		billingAddress: addressBody(billing, "billingAddress"),
		shippingAddress: addressBody(billing, "shippingAddress"),
	});
	return defined({
		refId: refIdOf(input),
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
const defined = (input: Input): Input =>
	Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

export const provisionOf = (input: Input): Input =>
	defined({
		...profileOf(input),
		subscriptionParams:
			input.subscriptionParams == null ? undefined : subscriptionBody(inputOf(input, "subscriptionParams")),
	});

/** A missing name or email is null, as REST wants both. */
export function importedOf(input: Input): Input {
	const { name, email, billingId, paymentMethodId, salesforceId, additionalMetaData, updatedAt } = input;
	return {
		name: name ?? null,
		email: email ?? null,
		...sent({
			refId: refIdOf(input),
			billingId,
			paymentMethodId,
			salesforceId,
			additionalMetaData,
			updatedAt: isoText(updatedAt),
		}),
	};
}

export function importOf(input: Input): Input {
	const items = Array.isArray(input.customers) ? input.customers : [];
	return {
		customers: items.map((item) => importedOf(inputOf({ item }, "item"))),
		...sent({ integrationId: input.integrationId }),
	};
}

/** Undefined where the input names no vendor: the links stay as they are. */
export function linksWith(
	links: readonly CustomerIntegrationRef[],
	ids: VendorIds,
): CustomerIntegrationRef[] | undefined {
	const named = (["HUBSPOT", "SALESFORCE", "AWS_MARKETPLACE"] as const).flatMap((vendor) => {
		const id = ids[vendor];
		return id === undefined ? [] : [{ vendor, id }];
	});
	if (named.length === 0) return undefined;
	return named.reduce<CustomerIntegrationRef[]>((given, { vendor, id }) => withVendorId(given, vendor, id), [...links]);
}
