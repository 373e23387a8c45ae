import { type Static, Type } from "@sinclair/typebox";
import { literals, nullable } from "../../kernel/schema";
import { CashDiscountTerms } from "../legal-entities/schema";

// Our addition. The interface has one issuer for all invoices of a customer, and no tax exemptions.

const closed = { additionalProperties: false };

/** REVERSE_CHARGE: the customer owes the tax (Directive 2006/112/EC, article 196). EXEMPT: no tax is owed. */
const taxExemptions = ["REVERSE_CHARGE", "EXEMPT"] as const;
export type TaxExemption = (typeof taxExemptions)[number];

/** One line of a document. Our limit. */
const TaxExemptionProvision = Type.String({
	minLength: 1,
	maxLength: 200,
	// Requires a visible character; forbids line breaks and other control characters.
	pattern: "^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+$",
	description: "the provision of law by which no tax is charged, as documents print it, such as '§ 4 Nr. 11 UStG'",
});

/** A missing field keeps its value; null removes it. */
export const CustomerInvoicingUpdate = Type.Object(
	{
		legalEntityId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 255 }))),
		taxExemption: Type.Optional(nullable(literals(...taxExemptions))),
		taxExemptionProvision: Type.Optional(nullable(TaxExemptionProvision)),
		/** Replaces the legal entity's cash discount; 0 percent grants none. */
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
