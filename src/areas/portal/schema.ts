import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../kernel/page";
import { Address, CustomerRefId, Email, literals, nullable, RefId, TaxId, TaxIds } from "../../kernel/schema";
import { paymentMethods, receiptKinds } from "../invoices/payments/schema";
import { invoiceStates } from "../invoices/schema";
import { BillingInterval, BillingPeriod, PricingType, requestedPeriodFields } from "../packages/schema";
import { SubscriptionPreviewed } from "../subscriptions/preview/schema";
import { SubscriptionStatus } from "../subscriptions/schema";
import { AddonSelections, Short } from "../subscriptions/schema.provision";

// This file is our addition: the interface has no portal.

const closed = { additionalProperties: false };
const Text = Type.String();
const nullableText = nullable(Text);
const nullableNumber = nullable(Type.Number());

/** A link target on our pages. Other schemes could run scripts. */
export const WebAddress = Type.String({
	maxLength: 2048,
	pattern: "^https?://[^\\s<>\"'\\\\]+$",
	description: "an address that begins with https:// or http://",
});

/** Our limits: long enough to open the link, and short enough that a link in an old email is harmless. */
export const portalMinutesDefault = 60;
const portalMinutesMax = 24 * 60;

/** The access of a link to budgets. */
export const BudgetAccess = literals("VIEW", "GOVERN");
export type BudgetAccess = Static<typeof BudgetAccess>;

/** The access to budgets, its scope, and the person. */
const delegationFields = {
	budgets: Type.Optional(BudgetAccess),
	/** The link shows only the budgets of this entity and those below. Needs `budgets`. */
	entityId: Type.Optional(RefId),
	/** Your id of the person who uses the link, for requests and the audit log. */
	personId: Type.Optional(RefId),
};

export const PortalSessionCreate = Type.Object(
	{
		/** The target of the link "Back". Without it the page has no such link. */
		returnUrl: Type.Optional(WebAddress),
		expiresInMinutes: Type.Optional(Type.Integer({ minimum: 5, maximum: portalMinutesMax })),
		...delegationFields,
	},
	closed,
);
export type PortalSessionCreate = Static<typeof PortalSessionCreate>;

export const PortalSession = Type.Object(
	{
		id: Text,
		customerId: Text,
		/** The page, with the token behind '#', which browsers send to no server. */
		url: Text,
		/** The token for the widget, returned once. */
		token: Text,
		expiresAt: Text,
		...delegationFields,
	},
	{ $id: "PortalSession" },
);
export type PortalSession = Static<typeof PortalSession>;

/** The changes that customers may make to subscriptions of a product. */
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
		/** A color such as `#rrggbb`. */
		color: nullableText,
		/** A data URI. */
		logo: nullableText,
		/** The contact address for customers. */
		email: nullableText,
	},
	{ $id: "PortalBranding" },
);
export type Branding = Static<typeof Branding>;

export const PortalPrice = Type.Object({
	billingPeriod: BillingPeriod,
	/** Present for periods other than MONTHLY and ANNUALLY. */
	billingInterval: Type.Optional(BillingInterval),
	billingModel: Text,
	isOneOff: Type.Boolean(),
	/** The feature that is sold by the unit or metered; null for the plan or addon itself. */
	featureId: nullableText,
	featureName: nullableText,
	/** The price of one unit or block; null if tiers or credits set the price. */
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
	/** The entitlements as names, with limits where they are metered. */
	entitlements: Type.Array(
		Type.Object({ name: Text, limit: nullableNumber, isUnlimited: Type.Boolean(), units: nullableText }),
	),
	/** For plans: the compatible addons; null means all. */
	addonIds: nullable(Type.Array(Text)),
	/** For addons: the maximum per subscription. */
	maxQuantity: nullableNumber,
});
export type PortalOffer = Static<typeof PortalOffer>;

export const PortalSubscription = Type.Object({
	id: Text,
	plan: Type.Object({ id: Text, displayName: Text }),
	resourceId: nullableText,
	status: SubscriptionStatus,
	billingPeriod: nullable(BillingPeriod),
	billingInterval: Type.Optional(BillingInterval),
	/** The advance charge for a full period at the current terms. */
	price: nullable(Type.Object({ total: Type.Number(), currency: Text })),
	quantities: Type.Array(Type.Object({ featureId: Text, featureName: Text, quantity: Type.Number() })),
	addons: Type.Array(Type.Object({ id: Text, displayName: Text, quantity: Type.Number() })),
	/** The phase that runs: its name, its percentage off unless it has prices of its own, and its end. */
	phase: Type.Optional(Type.Object({ displayName: Text, percentOff: Type.Optional(Type.Number()), endDate: Text })),
	/** The term that runs: its end, the last time to prevent its renewal, and the end that a cancellation now would have. */
	term: Type.Optional(
		Type.Object({
			endDate: Text,
			noticeDate: nullableText,
			cancellationEnd: Text,
			/** The time up to which the customer pays after that end. */
			owedUntil: nullableText,
		}),
	),
	/**
	 * The amounts that its charges owe by the end of the running window: major units, before discounts and exclusive taxes. ON_DEMAND:
	 * usage alone counts.
	 */
	commitments: Type.Optional(
		Type.Array(
			Type.Object({
				scope: literals("ALL", "ON_DEMAND"),
				currency: Text,
				amount: Type.Number(),
				counted: Type.Number(),
				missing: Type.Number(),
				endDate: Text,
			}),
		),
	),
	/** The least and the greatest cost of usage in a window, where its prices have them. */
	bounds: Type.Optional(
		Type.Array(
			Type.Object({
				featureName: Text,
				currency: Text,
				minimumAmount: nullableNumber,
				maximumAmount: nullableNumber,
			}),
		),
	),
	startDate: Text,
	trialEndDate: nullableText,
	currentBillingPeriodEnd: nullableText,
	/** The scheduled end. */
	cancellationDate: nullableText,
	changes: Type.Array(Type.Object({ at: Text, planName: nullableText })),
	/** The changes that the customer may make. */
	allowed: Type.Object(PortalSettings.properties),
	/** The effective time of a cancellation. */
	cancelsAt: literals("NOW", "END_OF_BILLING_PERIOD"),
});
export type PortalSubscription = Static<typeof PortalSubscription>;

export const PortalUsage = Type.Object({
	name: Text,
	/** The resource, if the customer has several. */
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
		/** BCP 47; null means the language of the browser. */
		language: nullableText,
		billing: PortalBilling,
		subscriptions: Type.Array(PortalSubscription),
		usage: Type.Array(PortalUsage),
		returnUrl: nullableText,
		/** The expiry of the link; null for requests by customer id. */
		expiresAt: nullableText,
	},
	{ $id: "PortalOverview" },
);
export type PortalOverview = Static<typeof PortalOverview>;

/** The plans and addons that a subscription can be changed to. */
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

/** Omitted values stay unchanged. The list of addons replaces the current list. */
export const PortalChange = Type.Object(
	{
		planId: Type.Optional(RefId),
		...requestedPeriodFields,
		quantities: Type.Optional(Quantities),
		addons: Type.Optional(AddonSelections),
		/** The offer of the preview. Tollgate rejects the change if the price has changed. */
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

/** Omitted values stay unchanged; null removes a value. */
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
export const PortalReceiptPath = Type.Object({ receiptId: InvoiceId });
export const CustomersReceiptPath = Type.Object({ id: CustomerRefId, receiptId: InvoiceId });

/** A payment, or money that went back: a refund or a return. Amounts are positive. */
export const PortalReceipt = Type.Object(
	{
		id: Text,
		number: Text,
		kind: literals(...receiptKinds),
		date: Text,
		currency: Text,
		amount: Type.Number(),
		method: literals(...paymentMethods),
	},
	{ $id: "PortalReceipt" },
);
export type PortalReceipt = Static<typeof PortalReceipt>;

export const PortalInvoice = Type.Object(
	{
		id: Text,
		number: Text,
		state: literals(...invoiceStates),
		issueDate: Text,
		dueDate: Text,
		currency: Text,
		total: Type.Number(),
		/** The amount due. */
		due: Type.Number(),
	},
	{ $id: "PortalInvoice" },
);
export type PortalInvoice = Static<typeof PortalInvoice>;
