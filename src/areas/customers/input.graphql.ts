import { Type } from "@sinclair/typebox";
import { inputOf } from "../../graphql/area";
import { customerFields, customerRefOf } from "../../graphql/input/customer-input";
import { type Input, sent } from "../../graphql/input/operation";
import { subscriptionInputDefs, subscriptionInputSchemas } from "../../graphql/input/subscription-input";
import { BillingPassthrough, CustomerUpdate } from "./schema";
import { CustomerImport } from "./schema.import";
import { vendorFields } from "./schema.integrations";

export const inputSchemas = { ...subscriptionInputSchemas, BillingPassthrough, CustomerImport };

export const inputDefs = `
	${subscriptionInputDefs}
	"Replaces the previous billing information. Currency, language and timezone stay when they are omitted."
	input CustomerBillingInfo from BillingPassthrough.stripe {
		billingAddress as Address shippingAddress as Address customerName currency: Currency language: String
		timezone: String taxIds invoiceCustomFields metadata paymentMethodId integrationId: String
	}
	"Omitted members stay. Null clears."
	input UpdateCustomerInput {
		${customerFields}
		"Has no effect: nothing is synchronized."
		shouldWaitSync: Boolean
	}
	input ImportCustomersBulkInput from CustomerImport {
		customers as ImportCustomerInput {
			refId?
			"As refId."
			customerId: String
			name * additionalMetaData
			billsTo as BillsTo
			invoiceGrouping as InvoiceGrouping
			"The time of these values. Newer values stay."
			updatedAt as DateTime
			environmentId
		}
		integrationId environmentId
	}
	input ByCustomerIdInput { customerId: String! environmentId: String }
`;

const closed = { additionalProperties: false };

export const UpdateInput = Type.Object({ ...CustomerUpdate.properties, ...vendorFields }, closed);

/** Sets a missing name or email to null, because REST requires both. */
export function importedOf(input: Input): Input {
	const { name, email, customerId: _, refId: __, ...others } = input;
	return { name: name ?? null, email: email ?? null, ...sent({ ...others, refId: customerRefOf(input) }) };
}

export function importOf(input: Input): Input {
	const items = Array.isArray(input.customers) ? input.customers : [];
	return {
		customers: items.map((item) => importedOf(inputOf({ item }, "item"))),
		...sent({ integrationId: input.integrationId }),
	};
}
