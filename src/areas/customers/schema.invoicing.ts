import { type Static, Type } from "@sinclair/typebox";
import { literals, nullable } from "../../kernel/schema";

// Ours: the interface knows one issuer of a customer's invoices, and no reasons for charging no tax.

const closed = { additionalProperties: false };

/** REVERSE_CHARGE: the customer owes the tax (Directive 2006/112/EC, article 196). EXEMPT: nobody does. */
export const taxExemptions = ["REVERSE_CHARGE", "EXEMPT"] as const;
export type TaxExemption = (typeof taxExemptions)[number];

/** What is left out stays; null takes away. */
export const CustomerInvoicingUpdate = Type.Object(
	{
		legalEntityId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 255 }))),
		taxExemption: Type.Optional(nullable(literals(...taxExemptions))),
	},
	closed,
);
export type CustomerInvoicingUpdate = Static<typeof CustomerInvoicingUpdate>;

export const CustomerInvoicing = Type.Object(
	{
		customerId: Type.String(),
		legalEntityId: nullable(Type.String()),
		taxExemption: nullable(literals(...taxExemptions)),
	},
	{ $id: "CustomerInvoicing", additionalProperties: false },
);
export type CustomerInvoicing = Static<typeof CustomerInvoicing>;
