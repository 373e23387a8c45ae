import { Type } from "@sinclair/typebox";
import { inputOf } from "../../graphql/area";
import { customerFields, customerRefOf } from "../../graphql/input/customer-input";
import type { Input } from "../../graphql/input/operation";
import { isoText, sent, subscriptionInputDefs } from "../../graphql/input/subscription-input";
import { CustomerUpdate } from "./schema";
import { vendorFields } from "./schema.integrations";

export const inputDefs = `
	${subscriptionInputDefs}
	"Replaces what was sent before, but for currency, language and timezone, which stay when they are left out."
	input CustomerBillingInfo {
		billingAddress: Address
		shippingAddress: Address
		customerName: String
		currency: Currency
		language: String
		timezone: String
		taxIds: [TaxIdInput!]
		invoiceCustomFields: JSON
		metadata: JSON
		paymentMethodId: String
		integrationId: String
	}
	"What is left out stays, null clears."
	input UpdateCustomerInput {
		${customerFields}
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

export const UpdateInput = Type.Object({ ...CustomerUpdate.properties, ...vendorFields }, closed);

/** A missing name or email is null, as REST wants both. */
export function importedOf(input: Input): Input {
	const { name, email, billingId, paymentMethodId, salesforceId, additionalMetaData, updatedAt } = input;
	return {
		name: name ?? null,
		email: email ?? null,
		...sent({
			refId: customerRefOf(input),
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
