import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../kernel/page";
import { Address, CustomerRefId, Email, literals, nullable, RefId, TaxId, TaxIds } from "../../kernel/schema";
import { invoiceStates } from "../invoices/schema";
import { BillingPeriod, PricingType } from "../packages/schema";
import { SubscriptionPreviewed } from "../subscriptions/preview/schema";
import { SubscriptionStatus } from "../subscriptions/schema";
import { AddonSelections, Short } from "../subscriptions/schema.provision";

// Everything here is ours: the interface has no portal of its own.

const closed = { additionalProperties: false };
const Text = Type.String();
const nullableText = nullable(Text);
const nullableNumber = nullable(Type.Number());

/** Where a page of ours leads a customer: another scheme could be a script. */
export const WebAddress = Type.String({
	maxLength: 2048,
	pattern: "^https?://[^\\s<>\"'\\\\]+$",
	description: "an address that begins with https:// or http://",
});

/** Our bounds: long enough to be opened, short enough to be forgotten in a mail; a day at most. */
export const portalMinutesDefault = 60;
const portalMinutesMax = 24 * 60;

export const PortalSessionCreate = Type.Object(
	{
		/** Where "back" leads; left out: the page has no such link. */
		returnUrl: Type.Optional(WebAddress),
		expiresInMinutes: Type.Optional(Type.Integer({ minimum: 5, maximum: portalMinutesMax })),
	},
	closed,
);
export type PortalSessionCreate = Static<typeof PortalSessionCreate>;

export const PortalSession = Type.Object(
	{
		id: Text,
		customerId: Text,
		/** The page, with the token behind '#', where no server is told of it. */
		url: Text,
		/** For the widget; shown this once. */
		token: Text,
		expiresAt: Text,
	},
	{ $id: "PortalSession" },
);
export type PortalSession = Static<typeof PortalSession>;

/** What customers may change of a product's subscriptions by themselves. */
export const PortalSettings = Type.Object(
	{
		changePlan: Type.Boolean(),
		changeQuantities: Type.Boolean(),
		changeAddons: Type.Boolean(),
		cancel: Type.Boolean(),
	},
	{ $id: "PortalSettings", ...closed },
);
export type PortalSettings = Static<typeof PortalSettings>;

export const PortalSettingsUpdate = Type.Partial(Type.Object(PortalSettings.properties), closed);
export type PortalSettingsUpdate = Static<typeof PortalSettingsUpdate>;

export const Branding = Type.Object(
	{
		name: Text,
		/** As `#rrggbb`. */
		color: nullableText,
		/** A data URI. */
		logo: nullableText,
		/** Whom a customer asks. */
		email: nullableText,
	},
	{ $id: "PortalBranding" },
);
export type Branding = Static<typeof Branding>;

export const PortalPrice = Type.Object({
	billingPeriod: BillingPeriod,
	billingModel: Text,
	isOneOff: Type.Boolean(),
	/** What is sold by the unit, or counted; null: the plan or addon itself. */
	featureId: nullableText,
	featureName: nullableText,
	/** Of one unit or block; null where tiers or credits make the price. */
	amount: nullableNumber,
	currency: nullableText,
	blockSize: nullableNumber,
	tiersMode: nullableText,
	tiers: Type.Array(
		Type.Object({ upTo: nullableNumber, unitPrice: nullableNumber, flatPrice: nullableNumber, currency: Text }),
	),
	minUnits: nullableNumber,
	maxUnits: nullableNumber,
});
export type PortalPrice = Static<typeof PortalPrice>;

export const PortalOffer = Type.Object({
	id: Text,
	displayName: Text,
	description: nullableText,
	pricingType: nullable(PricingType),
	prices: Type.Array(PortalPrice),
	/** What it brings, in words: a name, and how much of it where it is counted. */
	entitlements: Type.Array(
		Type.Object({ name: Text, limit: nullableNumber, isUnlimited: Type.Boolean(), units: nullableText }),
	),
	/** Plans: the addons that may go with it; null: all. */
	addonIds: nullable(Type.Array(Text)),
	/** Addons: how many one subscription may hold. */
	maxQuantity: nullableNumber,
});
export type PortalOffer = Static<typeof PortalOffer>;

export const PortalSubscription = Type.Object({
	id: Text,
	plan: Type.Object({ id: Text, displayName: Text }),
	resourceId: nullableText,
	status: SubscriptionStatus,
	billingPeriod: nullable(BillingPeriod),
	/** What a whole period costs in advance, at the terms of today. */
	price: nullable(Type.Object({ total: Type.Number(), currency: Text })),
	quantities: Type.Array(Type.Object({ featureId: Text, featureName: Text, quantity: Type.Number() })),
	addons: Type.Array(Type.Object({ id: Text, displayName: Text, quantity: Type.Number() })),
	startDate: Text,
	trialEndDate: nullableText,
	currentBillingPeriodEnd: nullableText,
	/** When it ends, where that is agreed. */
	cancellationDate: nullableText,
	changes: Type.Array(Type.Object({ at: Text, planName: nullableText })),
	/** What its customer may do by itself. */
	allowed: Type.Object(PortalSettings.properties),
	/** When a cancellation would end it. */
	cancelsAt: literals("NOW", "END_OF_BILLING_PERIOD"),
});
export type PortalSubscription = Static<typeof PortalSubscription>;

export const PortalUsage = Type.Object({
	name: Text,
	/** Of what it is, where the customer has several. */
	resourceId: nullableText,
	kind: literals("FEATURE", "CREDIT"),
	isGranted: Type.Boolean(),
	used: nullableNumber,
	limit: nullableNumber,
	isUnlimited: Type.Boolean(),
	units: nullableText,
	resetsAt: nullableText,
});
export type PortalUsage = Static<typeof PortalUsage>;

export const PortalBilling = Type.Object({
	name: nullableText,
	email: nullableText,
	address: nullable(Address),
	taxIds: TaxIds,
});
export type PortalBilling = Static<typeof PortalBilling>;

export const PortalOverview = Type.Object(
	{
		customerId: Text,
		/** BCP 47; null: the page asks the browser. */
		language: nullableText,
		billing: PortalBilling,
		subscriptions: Type.Array(PortalSubscription),
		usage: Type.Array(PortalUsage),
		returnUrl: nullableText,
		/** Of the link; null by the customer's id. */
		expiresAt: nullableText,
	},
	{ $id: "PortalOverview" },
);
export type PortalOverview = Static<typeof PortalOverview>;

/** What a subscription may be changed to. */
export const PortalOptions = Type.Object(
	{ plans: Type.Array(PortalOffer), addons: Type.Array(PortalOffer) },
	{ $id: "PortalOptions" },
);
export type PortalOptions = Static<typeof PortalOptions>;

const quantitiesMax = 50;

/** A customer's browser sends numbers, so the portal takes no number in quotes. */
const ChosenQuantity = Type.Number({ minimum: 0, maximum: 1e15 });

export const Quantities = Type.Array(Type.Object({ featureId: RefId, quantity: ChosenQuantity }, closed), {
	maxItems: quantitiesMax,
});

/** What is left out stays; the list of addons is the whole list. */
export const PortalChange = Type.Object(
	{
		planId: Type.Optional(RefId),
		billingPeriod: Type.Optional(BillingPeriod),
		quantities: Type.Optional(Quantities),
		addons: Type.Optional(AddonSelections),
		/** What the preview answered: refused where another price list was published meanwhile. */
		offer: Type.Optional(Type.String({ maxLength: 64 })),
	},
	{ $id: "PortalChangeBody", ...closed },
);
export type PortalChange = Static<typeof PortalChange>;

export const PortalPreview = Type.Object(
	{ ...SubscriptionPreviewed.properties, offer: Text, takesEffectAt: Text },
	{ $id: "PortalPreview" },
);
export type PortalPreview = Static<typeof PortalPreview>;

export const SubscriptionPath = Type.Object({ id: RefId });

/** What is left out stays; null takes away. */
export const BillingUpdate = Type.Object(
	{
		name: Type.Optional(nullable(Short)),
		email: Type.Optional(nullable(Email)),
		address: Type.Optional(nullable(Address)),
		taxIds: Type.Optional(Type.Array(TaxId, { maxItems: 5 })),
	},
	{ $id: "PortalBillingBody", ...closed },
);
export type BillingUpdate = Static<typeof BillingUpdate>;

export const PortalInvoiceQuery = Type.Object(pageQuery, closed);
export type PortalInvoiceQuery = Static<typeof PortalInvoiceQuery>;
const InvoiceId = Type.String({ minLength: 1, maxLength: 255 });
export const PortalInvoicePath = Type.Object({ invoiceId: InvoiceId });
export const CustomersInvoicePath = Type.Object({ id: CustomerRefId, invoiceId: InvoiceId });

export const PortalInvoice = Type.Object(
	{
		id: Text,
		number: Text,
		state: literals(...invoiceStates),
		issueDate: Text,
		dueDate: Text,
		currency: Text,
		total: Type.Number(),
		/** What is left to pay. */
		due: Type.Number(),
	},
	{ $id: "PortalInvoice" },
);
export type PortalInvoice = Static<typeof PortalInvoice>;
