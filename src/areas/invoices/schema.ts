import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../kernel/page";
import { queryList } from "../../kernel/query";
import { CustomerRefId, literals, nullable, Timestamp } from "../../kernel/schema";
import { SearchText } from "../../kernel/search";
import { IssuerWarning } from "../legal-entities/schema";

/** Our choice (docs/interface/invoices.md#limits): more lines than a price list with a thousand groups produces. */
export const linesMax = 5000;

/** Source: docs/interface/invoices.md#invoices. An invoice is issued OPEN or PAID; PAID and CANCELED are final. */
export const issuedStates = ["OPEN", "PAID", "CANCELED"] as const;

/** Includes our own state: a DRAFT has no number yet, and is issued when its grace period ends. */
export const invoiceStates = [...issuedStates, "DRAFT"] as const;
export type InvoiceState = (typeof invoiceStates)[number];

/** Source: docs/interface/invoices.md#invoices. */
export const billingReasons = [
	"BILLING_CYCLE",
	"SUBSCRIPTION_CREATION",
	"SUBSCRIPTION_UPDATE",
	"MANUAL",
	"MINIMUM_INVOICE_AMOUNT_EXCEEDED",
	"OTHER",
] as const;
export type BillingReason = (typeof billingReasons)[number];

/** Source: docs/interface/invoices.md#invoices. */
export const invoiceLineKinds = [
	"BaseCharge",
	"AddonCharge",
	"InAdvanceCommitmentCharge",
	"PayAsYouGoCharge",
	"OverageCharge",
	"TierCharge",
	"MinimumSpendCharge",
	"MinimumSpendAdjustmentCharge",
	"ZeroAmountBaseCharge",
	"Other",
] as const;
export type InvoiceLineKind = (typeof invoiceLineKinds)[number];

export const CustomerPath = Type.Object({ id: CustomerRefId }, { additionalProperties: false });

/** Source: docs/interface/README.md#the-eight-endpoints. */
export const InvoicePath = Type.Object(
	{ id: CustomerRefId, invoiceRef: Type.String({ minLength: 1, maxLength: 255 }) },
	{ additionalProperties: false },
);

export const InvoicePdf = Type.Object(
	{
		invoiceId: Type.String({ maxLength: 255 }),
		externalId: Type.String({ maxLength: 255 }),
		status: literals("PENDING", "READY"),
		fileName: nullable(Type.String({ maxLength: 255 })),
		contentType: nullable(Type.String({ maxLength: 255 })),
		contentBase64: nullable(Type.String({ maxLength: 20_000_000 })),
	},
	{ $id: "InvoicePdf", additionalProperties: false },
);
export type InvoicePdf = Static<typeof InvoicePdf>;

export const InvoicePdfGeneration = Type.Object(
	{
		invoiceId: Type.String(),
		externalId: Type.String(),
		status: literals("PENDING", "READY"),
		taskId: Type.String(),
	},
	{ $id: "InvoicePdfGeneration", additionalProperties: false },
);
export type InvoicePdfGeneration = Static<typeof InvoicePdfGeneration>;

/** Source: docs/interface/invoices.md#invoices. Without a `paidDate`, the invoice was paid now. */
export const InvoicePayment = Type.Object({ paidDate: Type.Optional(Timestamp) }, { additionalProperties: false });

export const InvoiceListQuery = Type.Object(
	{
		...pageQuery,
		contractExternalId: Type.Optional(Type.String({ maxLength: 255 })),
		issuedAfter: Type.Optional(Timestamp),
		issuedBefore: Type.Optional(Timestamp),
		stateIn: Type.Optional(queryList(...invoiceStates)),
		// Ours.
		dueBefore: Type.Optional(Timestamp),
		number: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
		search: Type.Optional(SearchText),
		overdue: Type.Optional(literals("true", "false")),
		orderBy: Type.Optional(literals("issueDate", "dueDate", "total")),
		orderDir: Type.Optional(literals("ASC", "DESC")),
	},
	{ additionalProperties: false },
);
export type InvoiceListQuery = Static<typeof InvoiceListQuery>;

const nullableNumber = nullable(Type.Number());
const nullableText = nullable(Type.String());

export const LineItemTax = Type.Object(
	{
		taxId: Type.String(),
		percentage: Type.Number(),
		isInclusive: Type.Boolean(),
		amount: Type.Number(),
	},
	{ additionalProperties: false },
);
export type LineItemTax = Static<typeof LineItemTax>;

export const LineItemFreeUnits = Type.Object(
	{ couponId: Type.String(), quantity: Type.Number() },
	{ additionalProperties: false },
);
export type LineItemFreeUnits = Static<typeof LineItemFreeUnits>;

/** Our additions: what a line charges for, and which part of its usage. Each is present if the line has it. */
export const lineOfCharge = {
	/** The customer and the subscription, if another customer pays as its parent. */
	customerId: Type.Optional(Type.String()),
	subscriptionId: Type.Optional(Type.String()),
	/** The name of the charge, if it has one of its own. */
	chargeKey: Type.Optional(Type.String()),
	/** The variant of its price. */
	variantId: Type.Optional(Type.String()),
	/** The values of the dimensions by which its usage is grouped. */
	dimensions: Type.Optional(Type.Record(Type.String(), Type.String())),
	/** The units that coupons made free, in addition to those that the line charges. */
	freeUnits: Type.Optional(Type.Array(LineItemFreeUnits)),
};

export const LineItemDiscount = Type.Object(
	{ couponId: Type.String(), amount: Type.Number() },
	{ additionalProperties: false },
);
export type LineItemDiscount = Static<typeof LineItemDiscount>;

export const LineItem = Type.Object(
	{
		description: nullableText,
		quantity: nullableNumber,
		unitPrice: nullableNumber,
		amount: nullableNumber,
		productExternalId: nullableText,
		...lineOfCharge,
		/** Our addition: present if the line has taxes. Their amounts sum to the tax of the line. */
		taxes: Type.Optional(Type.Array(LineItemTax)),
		/** Our addition: present if several coupons can apply. Their amounts sum to the discount of the line. */
		discounts: Type.Optional(Type.Array(LineItemDiscount)),
	},
	{ additionalProperties: false },
);
export type LineItem = Static<typeof LineItem>;

/** Discount for a payment until `untilDate`; null for none. */
const InvoiceCashDiscount = Type.Object(
	{ percentage: Type.Number(), amount: Type.Number(), untilDate: Type.String() },
	{ additionalProperties: false },
);

export const CustomerInvoice = Type.Object(
	{
		invoiceId: Type.String(),
		invoiceExternalId: nullableText,
		invoiceNumber: nullableText,
		customerExternalId: nullableText,
		contractExternalId: nullableText,
		state: literals(...invoiceStates),
		currency: nullableText,
		issueDate: nullableText,
		dueDate: nullableText,
		paidDate: nullableText,
		subtotal: nullableNumber,
		discount: nullableNumber,
		tax: nullableNumber,
		total: nullableNumber,
		lineItems: Type.Array(LineItem),
	},
	{ $id: "CustomerInvoice", additionalProperties: false },
);
export type CustomerInvoice = Static<typeof CustomerInvoice>;

/** An invoice as our own routes show it. The list of a customer's invoices belongs to the reference service and has no further keys. */
export const ShownInvoice = Type.Object(
	{
		...CustomerInvoice.properties,
		cashDiscount: nullable(InvoiceCashDiscount),
		/** ISO 11649; null for a draft. */
		creditorReference: nullable(Type.String()),
		warnings: Type.Array(IssuerWarning),
	},
	{ $id: "ShownInvoice", additionalProperties: false },
);
export type ShownInvoice = Static<typeof ShownInvoice>;
