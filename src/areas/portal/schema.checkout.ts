import { type Static, Type } from "@sinclair/typebox";
import { Address, Currency, CustomerRefId, Email, literals, nullable, RefId, TaxId } from "../../kernel/schema";
import { BillingInterval, BillingPeriod, requestedPeriodFields } from "../packages/schema";
import { InvoicePreview } from "../subscriptions/preview/schema";
import { AddonSelections, ChargeSelections, Country, Quantity, Short } from "../subscriptions/schema.provision";
import { PortalOffer, WebAddress } from "./schema";

const closed = { additionalProperties: false };
const Text = Type.String();
const nullableText = nullable(Text);

/** The order, with the fields of provisioning. */
const order = {
	planId: RefId,
	...requestedPeriodFields,
	addons: Type.Optional(AddonSelections),
	charges: Type.Optional(ChargeSelections),
	unitQuantity: Type.Optional(Quantity),
	resourceId: Type.Optional(nullable(RefId)),
	billingCountryCode: Type.Optional(nullable(Country)),
	billingCurrency: Type.Optional(Currency),
	/** The coupon of the order. */
	couponId: Type.Optional(RefId),
};
const Order = Type.Object(order, closed);
export type CheckoutOrder = Static<typeof Order>;

const options = {
	successUrl: WebAddress,
	cancelUrl: WebAddress,
	/** Whether the customer may enter a coupon ID. */
	allowPromoCodes: Type.Optional(Type.Boolean()),
	/** Whether the customer must enter an address. */
	collectBillingAddress: Type.Optional(Type.Boolean()),
	allowTaxIdCollection: Type.Optional(Type.Boolean()),
	/** A reference of the caller. The checkout session returns it. */
	referenceId: Type.Optional(nullable(Short)),
};
/** The options of the page, complete with defaults. */
export interface CheckoutOptions {
	readonly successUrl: string;
	readonly cancelUrl: string;
	readonly allowPromoCodes: boolean;
	readonly collectBillingAddress: boolean;
	readonly allowTaxIdCollection: boolean;
	readonly referenceId: string | null;
}

/**
 * Our choice (docs/interface/customers.md#portal-and-checkout): an order can be confirmed for a day, at most for a
 * week.
 */
export const checkoutMinutesDefault = 24 * 60;
const checkoutMinutesMax = 7 * 24 * 60;

export const CheckoutCreate = Type.Object(
	{
		customerId: CustomerRefId,
		...order,
		...options,
		expiresInMinutes: Type.Optional(Type.Integer({ minimum: 5, maximum: checkoutMinutesMax })),
	},
	{ $id: "CheckoutSessionBody", ...closed },
);
export type CheckoutCreate = Static<typeof CheckoutCreate>;

export const CheckoutStatus = literals("OPEN", "COMPLETED", "EXPIRED");
export type CheckoutStatus = Static<typeof CheckoutStatus>;

const checkout = {
	id: Text,
	customerId: Text,
	planId: Text,
	status: CheckoutStatus,
	/** The new subscription; null until the order is completed. */
	subscriptionId: nullableText,
	referenceId: nullableText,
	expiresAt: Text,
	completedAt: nullableText,
	createdAt: Text,
};
export const CheckoutSession = Type.Object(checkout, { $id: "CheckoutSession" });
export type CheckoutSession = Static<typeof CheckoutSession>;

/** `url` is returned once. Anybody who has it can order as the customer. */
export const CheckoutStarted = Type.Object({ ...checkout, url: Text }, { $id: "CheckoutSessionStarted" });
export type CheckoutStarted = Static<typeof CheckoutStarted>;

export const CheckoutPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 255 }) });

/** The billing details and the coupon that the customer enters. */
const details = {
	couponId: Type.Optional(RefId),
	name: Type.Optional(Short),
	email: Type.Optional(Email),
	address: Type.Optional(Address),
	taxId: Type.Optional(TaxId),
};

export const CheckoutDetails = Type.Object(details, { $id: "CheckoutDetailsBody", ...closed });
export type CheckoutDetails = Static<typeof CheckoutDetails>;

/** `offer` identifies the price that the page has shown. Tollgate rejects the confirmation if the price has changed. */
export const CheckoutConfirm = Type.Object(
	{ ...details, offer: Type.String({ maxLength: 64 }) },
	{ $id: "CheckoutConfirmBody", ...closed },
);
export type CheckoutConfirm = Static<typeof CheckoutConfirm>;

export const CheckoutPreview = Type.Object(
	{ immediateInvoice: InvoicePreview, recurringInvoice: Type.Optional(InvoicePreview), offer: Text },
	{ $id: "CheckoutPreview" },
);
export type CheckoutPreview = Static<typeof CheckoutPreview>;

export const Checkout = Type.Object(
	{
		status: CheckoutStatus,
		plan: PortalOffer,
		addons: Type.Array(Type.Object({ id: Text, displayName: Text, quantity: Type.Number() })),
		billingPeriod: nullable(BillingPeriod),
		billingInterval: Type.Optional(BillingInterval),
		customer: Type.Object({
			name: nullableText,
			email: nullableText,
			address: nullable(Address),
			taxIds: Type.Array(TaxId),
		}),
		language: nullableText,
		allowPromoCodes: Type.Boolean(),
		collectBillingAddress: Type.Boolean(),
		allowTaxIdCollection: Type.Boolean(),
		cancelUrl: Text,
		/** Present when the order is completed. */
		successUrl: nullableText,
		subscriptionId: nullableText,
		expiresAt: Text,
	},
	{ $id: "Checkout" },
);
export type Checkout = Static<typeof Checkout>;

export const CheckoutConfirmed = Type.Object({ subscriptionId: Text, successUrl: Text }, { $id: "CheckoutConfirmed" });
export type CheckoutConfirmed = Static<typeof CheckoutConfirmed>;
