import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../kernel/page";
import { queryList } from "../../kernel/query";
import { Currency, CustomerRefId, nullable } from "../../kernel/schema";
import { IntegrationId, VendorIdentifier, vendors } from "./schema";

const closed = { additionalProperties: false };
const Text = Type.String({ minLength: 1, maxLength: 255 });

export const IntegrationLink = Type.Object(
	{ id: IntegrationId, syncedEntityId: Text, vendorIdentifier: VendorIdentifier },
	closed,
);
export type IntegrationLink = Static<typeof IntegrationLink>;

/** Null if the customer does not exist at the other system. */
export const IntegrationUpdate = Type.Object({ syncedEntityId: nullable(Text) }, closed);
export type IntegrationUpdate = Static<typeof IntegrationUpdate>;

export const IntegrationListQuery = Type.Object(
	{ ...pageQuery, vendorIdentifier: Type.Optional(queryList(...vendors)) },
	closed,
);
export type IntegrationListQuery = Static<typeof IntegrationListQuery>;

export const IntegrationPath = Type.Object({ id: CustomerRefId, integrationId: IntegrationId });

export const CustomerIntegration = Type.Object(
	{
		id: Type.String(),
		syncedEntityId: nullable(Type.String()),
		vendorIdentifier: VendorIdentifier,
		/** The state of the synchronization by a connector; none exists yet. */
		syncData: Type.Null(),
	},
	{ $id: "CustomerIntegration" },
);
export type CustomerIntegration = Static<typeof CustomerIntegration>;

export const PaymentMethodAttach = Type.Object(
	{
		integrationId: IntegrationId,
		paymentMethodId: Text,
		vendorIdentifier: VendorIdentifier,
		billingCurrency: Type.Optional(nullable(Currency)),
	},
	{ $id: "PaymentMethodAttachBody", ...closed },
);
export type PaymentMethodAttach = Static<typeof PaymentMethodAttach>;

const VendorId = Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 255 })));

/** Ids at vendors; GraphQL uses them in place of REST's list of links. */
const VendorIds = Type.Object(
	{ HUBSPOT: VendorId, SALESFORCE: VendorId, AWS_MARKETPLACE: VendorId },
	{ additionalProperties: false },
);
export type VendorIds = Static<typeof VendorIds>;

/** The fields by which GraphQL names a vendor. */
export const vendorFields = { vendorIds: VendorIds, integrationId: Type.Optional(nullable(IntegrationId)) };
