import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { pageQuery } from "../../../kernel/page";
import { CustomerRefId, literals, nullable, Timestamp } from "../../../kernel/schema";
import { amountMax } from "../balance/schema";
import { LineItem, linesMax } from "../schema";
import { taxInOtherCurrency } from "../schema.tax-conversion";

/** Source: docs/interface/invoices.md#credit-notes. */
const reasonsByCall = [
	"ORDER_CHANGE",
	"ORDER_CANCELLATION",
	"WAIVER",
	"PRODUCT_UNSATISFACTORY",
	"SERVICE_UNSATISFACTORY",
	"USAGE_CREDIT",
	"OTHER",
] as const;

/** Includes our own reason: Tollgate credits a cash discount when a payment uses it. */
export const creditNoteReasons = [...reasonsByCall, "CASH_DISCOUNT"] as const;
export type CreditNoteReason = (typeof creditNoteReasons)[number];

/** In major units, with tax. */
const CreditedAmount = ExactNumber({ exclusiveMinimum: 0, maximum: amountMax });

/** Source: docs/interface/invoices.md#credit-notes. */
export const InvoiceCredit = Type.Object(
	{
		reasonCode: Type.Optional(literals(...reasonsByCall)),
		issueDate: Type.Optional(Timestamp),
		// Ours: a partial credit, by an amount with tax, or by lines.
		amount: Type.Optional(CreditedAmount),
		lines: Type.Optional(
			Type.Array(
				Type.Object(
					{ line: Type.Integer({ minimum: 1, maximum: linesMax }), amount: Type.Optional(CreditedAmount) },
					{ additionalProperties: false },
				),
				{ minItems: 1, maxItems: linesMax },
			),
		),
	},
	{ additionalProperties: false },
);
/** A reason that a caller may give. */
export type ReasonByCall = (typeof reasonsByCall)[number];
export type InvoiceCredit = Static<typeof InvoiceCredit>;

export const CreditNotePath = Type.Object(
	{ id: CustomerRefId, creditNoteRef: Type.String({ minLength: 1, maxLength: 255 }) },
	{ additionalProperties: false },
);

export const CreditNoteListQuery = Type.Object(pageQuery, { additionalProperties: false });
export type CreditNoteListQuery = Static<typeof CreditNoteListQuery>;

const nullableText = nullable(Type.String());

/** A credit note in our own shape, similar to an invoice. The interface names credit notes but does not show one. Amounts are credits. */
export const CreditNote = Type.Object(
	{
		creditNoteId: Type.String(),
		creditNoteNumber: Type.String(),
		customerExternalId: Type.String(),
		invoiceId: nullableText,
		invoiceNumber: nullableText,
		reasonCode: literals(...creditNoteReasons),
		state: literals("ISSUED", "VOIDED"),
		issueDate: Type.String(),
		voidedDate: nullableText,
		/** The part that went to the customer's balance. */
		balanceAmount: Type.Number(),
		currency: Type.String(),
		subtotal: Type.Number(),
		discount: Type.Number(),
		tax: Type.Number(),
		...taxInOtherCurrency,
		total: Type.Number(),
		lineItems: Type.Array(LineItem),
	},
	{ $id: "CreditNote", additionalProperties: false },
);
export type CreditNote = Static<typeof CreditNote>;
