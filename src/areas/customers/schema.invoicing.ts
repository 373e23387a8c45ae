import { type Static, Type } from "@sinclair/typebox";
import { literals, nullable } from "../../kernel/schema";
import { CashDiscountTerms } from "../legal-entities/schema";

// Ours: the interface knows one issuer of a customer's invoices, and no reasons for charging no tax.

const closed = { additionalProperties: false };

/** REVERSE_CHARGE: the customer owes the tax (Directive 2006/112/EC, article 196). EXEMPT: nobody does. */
export const taxExemptions = ["REVERSE_CHARGE", "EXEMPT"] as const;
export type TaxExemption = (typeof taxExemptions)[number];

/** One line of a document. Our bound. */
const TaxExemptionProvision = Type.String({
	minLength: 1,
	maxLength: 200,
	// A visible character, and no line break or other control character.
	pattern: "^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+$",
	description: "the provision of law by which no tax is charged, as documents print it, such as '§ 4 Nr. 11 UStG'",
});

/** What is left out stays; null takes away. */
export const CustomerInvoicingUpdate = Type.Object(
	{
		legalEntityId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 255 }))),
		taxExemption: Type.Optional(nullable(literals(...taxExemptions))),
		taxExemptionProvision: Type.Optional(nullable(TaxExemptionProvision)),
		/** In the place of the legal entity's; a percentage of 0 grants none. */
		cashDiscount: Type.Optional(nullable(CashDiscountTerms)),
	},
	closed,
);
export type CustomerInvoicingUpdate = Static<typeof CustomerInvoicingUpdate>;

export const CustomerInvoicing = Type.Object(
	{
		customerId: Type.String(),
		legalEntityId: nullable(Type.String()),
		taxExemption: nullable(literals(...taxExemptions)),
		taxExemptionProvision: nullable(Type.String()),
		cashDiscount: nullable(CashDiscountTerms),
	},
	{ $id: "CustomerInvoicing", additionalProperties: false },
);
export type CustomerInvoicing = Static<typeof CustomerInvoicing>;
