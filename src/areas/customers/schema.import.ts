import { type Static, Type } from "@sinclair/typebox";
import { CustomerRefId, Email, Metadata, nullable, Timestamp } from "../../kernel/schema";
import { CustomerBillingAnchor } from "../pricing/schema.billing-anchor";
import { grouping, place } from "./schema";

/** Our limit, the same as for an import of subscriptions. */
const customersPerImportMax = 1000;

const closed = { additionalProperties: false };
const Short = Type.String({ minLength: 1, maxLength: 255 });

export const CustomerImportItem = Type.Object(
	{
		id: CustomerRefId,
		email: nullable(Email),
		name: nullable(Type.String({ maxLength: 255 })),
		billingId: Type.Optional(Short),
		metadata: Type.Optional(Metadata),
		paymentMethodId: Type.Optional(Short),
		salesforceId: Type.Optional(Short),
		...place,
		...grouping,
		/** Our addition. Null removes it. */
		billingAnchor: Type.Optional(nullable(CustomerBillingAnchor)),
		/** The date of the item's data. A newer stored record is not changed (docs/interface/customers.md). */
		updatedAt: Type.Optional(Timestamp),
	},
	closed,
);
export type CustomerImportItem = Static<typeof CustomerImportItem>;

export const CustomerImport = Type.Object(
	{
		customers: Type.Array(CustomerImportItem, { minItems: 1, maxItems: customersPerImportMax }),
		integrationId: Type.Optional(Short),
	},
	{ $id: "CustomerImportBody", ...closed },
);
export type CustomerImport = Static<typeof CustomerImport>;

export const CustomersImported = Type.Object(
	{
		/** The ids of the new customers, in the order of the request. */
		newCustomers: Type.Array(Type.String()),
	},
	{ $id: "CustomersImported" },
);
