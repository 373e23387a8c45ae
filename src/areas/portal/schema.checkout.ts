import { type Static, Type } from "@sinclair/typebox";
import { Address, CustomerRefId, Email, literals, nullable, RefId, TaxId } from "../../kernel/schema";
import { BillingPeriod } from "../packages/schema";
import { InvoicePreview } from "../subscriptions/preview/schema";
import { AddonSelections, ChargeSelections, Country, Quantity, Short } from "../subscriptions/schema.provision";
import { PortalOffer, WebAddress } from "./schema";

const closed = { additionalProperties: false };
const Text = Type.String();
const nullableText = nullable(Text);

/** What is to be sold, in the words of provisioning. */
const order = {
	planId: RefId,
	billingPeriod: Type.Optional(BillingPeriod),
	addons: Type.Optional(AddonSelections),
	charges: Type.Optional(ChargeSelections),
	unitQuantity: Type.Optional(Quantity),
	resourceId: Type.Optional(nullable(RefId)),
	billingCountryCode: Type.Optional(nullable(Country)),
	/** A discount that the order has already. */
	couponId: Type.Optional(RefId),
};
const Order = Type.Object(order, closed);
export type CheckoutOrder = Static<typeof Order>;

const options = {
	successUrl: WebAddress,
	cancelUrl: WebAddress,
	/** Whether the customer may enter the id of a coupon. */
	allowPromoCodes: Type.Optional(Type.Boolean()),
	/** Whether an address must be given. */
	collectBillingAddress: Type.Optional(Type.Boolean()),
	allowTaxIdCollection: Type.Optional(Type.Boolean()),
	/** The caller's own, which reading the checkout answers. */
	referenceId: Type.Optional(nullable(Short)),
};
/** What the page asks for, and where it leads; with what was left out filled in. */
export interface CheckoutOptions {
	readonly successUrl: string;
	readonly cancelUrl: string;
	readonly allowPromoCodes: boolean;
	readonly collectBillingAddress: boolean;
	readonly allowTaxIdCollection: boolean;
	readonly referenceId: string | null;
}

/** Our choice: a day to confirm an order, a week at most. */
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
	/** What it came to; null until it is completed. */
	subscriptionId: nullableText,
	referenceId: nullableText,
	expiresAt: Text,
	completedAt: nullableText,
	createdAt: Text,
};
export const CheckoutSession = Type.Object(checkout, { $id: "CheckoutSession" });
export type CheckoutSession = Static<typeof CheckoutSession>;

/** `url` is shown this once: it lets whoever has it order for the customer. */
export const CheckoutStarted = Type.Object({ ...checkout, url: Text }, { $id: "CheckoutSessionStarted" });
export type CheckoutStarted = Static<typeof CheckoutStarted>;

export const CheckoutPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 255 }) });

/** What the customer says of itself and of a discount. */
const details = {
	couponId: Type.Optional(RefId),
	name: Type.Optional(Short),
	email: Type.Optional(Email),
	address: Type.Optional(Address),
	taxId: Type.Optional(TaxId),
};

export const CheckoutDetails = Type.Object(details, { $id: "CheckoutDetailsBody", ...closed });
export type CheckoutDetails = Static<typeof CheckoutDetails>;

/** `offer`: what the page has shown last. Where another price list was published meanwhile, it is refused. */
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
		/** Once it is completed. */
		successUrl: nullableText,
		subscriptionId: nullableText,
		expiresAt: Text,
	},
	{ $id: "Checkout" },
);
export type Checkout = Static<typeof Checkout>;

export const CheckoutConfirmed = Type.Object({ subscriptionId: Text, successUrl: Text }, { $id: "CheckoutConfirmed" });
export type CheckoutConfirmed = Static<typeof CheckoutConfirmed>;
