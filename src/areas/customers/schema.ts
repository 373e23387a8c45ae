import { type Static, Type } from "@sinclair/typebox";
import { createdAtQuery, pageQuery } from "../../kernel/page";
import {
	Address,
	Currency,
	CustomerRefId,
	Email,
	literals,
	Metadata,
	nullable,
	RefId,
	TaxIds,
} from "../../kernel/schema";
import { SearchText } from "../../kernel/search";
import { CustomerBillingAnchor } from "../pricing/schema.billing-anchor";
import { TaxRefs } from "../taxes/schema";

/** Our limits, so that the size of a row is bounded. */
const Short = Type.String({ maxLength: 255 });
const closed = { additionalProperties: false };

export const vendors = [
	"AUTH0",
	"ZUORA",
	"STRIPE",
	"HUBSPOT",
	"AWS_MARKETPLACE",
	"SNOWFLAKE",
	"SALESFORCE",
	"BIG_QUERY",
	"OPEN_FGA",
	"APP_STORE",
	"RECEIVED",
	"PREQUEL",
	"AIRWALLEX",
	"STRIPE_INVOICING",
] as const;
export const VendorIdentifier = literals(...vendors);
export type VendorIdentifier = Static<typeof VendorIdentifier>;

export const IntegrationId = Type.String({ minLength: 1, maxLength: 255 });

export const CustomerIntegrationRef = Type.Object(
	{
		id: IntegrationId,
		syncedEntityId: nullable(Short),
		vendorIdentifier: VendorIdentifier,
	},
	closed,
);
export type CustomerIntegrationRef = Static<typeof CustomerIntegrationRef>;

/** Our limit. Usually there is one link per vendor; twenty is far more. */
export const linksMax = 20;
export const CustomerIntegrations = Type.Array(CustomerIntegrationRef, { maxItems: linksMax });

export const DefaultPaymentMethod = Type.Object(
	{
		billingId: nullable(Short),
		cardExpiryMonth: nullable(Type.Integer({ minimum: 1, maximum: 12 })),
		cardExpiryYear: nullable(Type.Integer({ minimum: 0, maximum: 9999 })),
		cardLast4Digits: nullable(Type.String({ pattern: "^[0-9]{4}$" })),
		type: literals("CARD", "BANK", "CASH_APP"),
	},
	closed,
);
export type DefaultPaymentMethod = Static<typeof DefaultPaymentMethod>;

/** The source of a payment method, for the connector that will charge it. */
export interface PaymentMethodSource {
	readonly integrationId: string;
	readonly vendorIdentifier: VendorIdentifier;
}

/** Billing details by the provider names of the wire. The built-in billing reads the address, name and tax ids from them. */
export const BillingPassthrough = Type.Object(
	{
		stripe: Type.Optional(
			Type.Object(
				{
					billingAddress: Type.Optional(Address),
					customerName: Type.Optional(Short),
					invoiceCustomFields: Type.Optional(Metadata),
					metadata: Type.Optional(Metadata),
					paymentMethodId: Type.Optional(Short),
					shippingAddress: Type.Optional(Address),
					taxIds: Type.Optional(TaxIds),
				},
				closed,
			),
		),
		zuora: Type.Optional(
			Type.Object(
				{
					billingAddress: Type.Optional(Address),
					currency: Type.Optional(Currency),
					metadata: Type.Optional(Metadata),
					paymentMethodId: Type.Optional(Short),
				},
				closed,
			),
		),
	},
	closed,
);
export type BillingPassthrough = Static<typeof BillingPassthrough>;

/** The payer of subscriptions that name none: the customer itself, or its parent. */
export const billsTo = ["SELF", "PARENT"] as const;

/** Our additions: the customer that this one belongs to, and who pays. */
export const place = {
	parentCustomerId: Type.Optional(nullable(CustomerRefId)),
	billsTo: Type.Optional(literals(...billsTo)),
};
const Place = Type.Object(place);
export type Place = Static<typeof Place>;

/** Whether subscriptions that fall due together for one payer share an invoice. */
const invoiceGroupings = ["SEPARATE", "CONSOLIDATED"] as const;

/** Our addition: the setting of the payer; missing: SEPARATE, or what it was. */
export const grouping = { invoiceGrouping: Type.Optional(literals(...invoiceGroupings)) };
const Grouping = Type.Object(grouping);
export type Grouping = Static<typeof Grouping>;

const profile = {
	billingCurrency: Type.Optional(nullable(Currency)),
	billingId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 255 }))),
	/** The empty text and null remove the coupon. */
	couponId: Type.Optional(nullable(Type.Union([RefId, Type.Literal("")]))),
	email: Type.Optional(nullable(Email)),
	integrations: Type.Optional(CustomerIntegrations),
	language: Type.Optional(nullable(Short)),
	metadata: Type.Optional(Metadata),
	name: Type.Optional(nullable(Short)),
	passthrough: Type.Optional(BillingPassthrough),
	/** Our addition: the ids of the taxes that the customer pays; null: those of the environment. */
	taxes: Type.Optional(nullable(TaxRefs)),
	timezone: Type.Optional(nullable(Short)),
	// Our additions.
	billingAnchor: Type.Optional(nullable(CustomerBillingAnchor)),
	...place,
	...grouping,
};

export const CustomerProvision = Type.Object(
	{ id: CustomerRefId, ...profile, defaultPaymentMethod: Type.Optional(nullable(DefaultPaymentMethod)) },
	closed,
);
export type CustomerProvision = Static<typeof CustomerProvision>;

/** A missing key keeps its value; null clears it. */
export const CustomerUpdate = Type.Object(profile, closed);
export type CustomerUpdate = Static<typeof CustomerUpdate>;

export const CustomerListQuery = Type.Object(
	{
		...pageQuery,
		...createdAtQuery,
		email: Type.Optional(Type.String({ maxLength: 320 })),
		name: Type.Optional(Short),
		// Our additions.
		couponId: Type.Optional(RefId),
		parentCustomerId: Type.Optional(CustomerRefId),
		search: Type.Optional(SearchText),
	},
	closed,
);
export type CustomerListQuery = Static<typeof CustomerListQuery>;

export const ResourceListQuery = Type.Object(pageQuery, closed);
export type ResourceListQuery = Static<typeof ResourceListQuery>;

/**
 * The constraints of the invoice endpoints apply to every customer route. Source:
 * docs/interface/README.md#the-eight-endpoints.
 */
export const CustomerPath = Type.Object({ id: CustomerRefId });

export const Customer = Type.Object(
	{
		id: Type.String(),
		billingCurrency: nullable(Type.String()),
		billingId: nullable(Type.String()),
		couponId: nullable(Type.String()),
		defaultPaymentMethod: nullable(DefaultPaymentMethod),
		email: nullable(Type.String()),
		integrations: CustomerIntegrations,
		language: nullable(Type.String()),
		metadata: Metadata,
		name: nullable(Type.String()),
		passthrough: Type.Optional(BillingPassthrough),
		/** Present if the customer has taxes. */
		taxes: Type.Optional(Type.Array(Type.String())),
		timezone: nullable(Type.String()),
		// Our addition, present if it is set.
		billingAnchor: Type.Optional(CustomerBillingAnchor),
		// Our additions, present if the customer has a parent.
		parentCustomerId: Type.Optional(Type.String()),
		billsTo: Type.Optional(literals(...billsTo)),
		// Our addition, present if it is CONSOLIDATED.
		...grouping,
		archivedAt: nullable(Type.String()),
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "Customer" },
);
export type Customer = Static<typeof Customer>;

export const CustomerResource = Type.Object(
	{ id: Type.String(), createdAt: Type.String(), updatedAt: Type.String() },
	{ $id: "CustomerResource" },
);
export type CustomerResource = Static<typeof CustomerResource>;
