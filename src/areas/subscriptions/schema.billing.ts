import { type Static, Type } from "@sinclair/typebox";
import { literals, Metadata, nullable } from "../../kernel/schema";
import { Address, TaxIds } from "../customers/schema";

const closed = { additionalProperties: false };
export const Short = Type.String({ maxLength: 255 });

export const ProrationBehavior = literals("INVOICE_IMMEDIATELY", "CREATE_PRORATIONS", "NONE");
export type ProrationBehavior = Static<typeof ProrationBehavior>;

/** What is kept, and shown, of the billing information as it was sent; the rest has columns of its own. */
export const BillingDetails = Type.Object(
	{
		billingAddress: Type.Optional(Address),
		chargeOnBehalfOfAccount: Type.Optional(nullable(Short)),
		isBackdated: Type.Optional(Type.Boolean()),
		metadata: Type.Optional(Metadata),
		prorationBehavior: Type.Optional(ProrationBehavior),
		taxIds: Type.Optional(TaxIds),
		taxRateIds: Type.Optional(Type.Array(Short, { maxItems: 20 })),
	},
	closed,
);
export type BillingDetails = Static<typeof BillingDetails>;
