import { type Static, Type } from "@sinclair/typebox";
import { toWire } from "../../kernel/decimal";
import { nullable } from "../../kernel/schema";
import type { TaxConversion } from "./schema.party";

/** Ours: the tax in the currency in which its issuer declares it; null where it is stated in no other. */
export const TaxInOtherCurrency = nullable(
	Type.Object(
		{
			currency: Type.String(),
			/** So many units of it are one of the document's currency. */
			rate: Type.Number(),
			source: Type.String(),
			date: Type.String(),
			amount: Type.Number(),
		},
		{ additionalProperties: false },
	),
);

export const viewTaxConversion = (conversion: TaxConversion | null): Static<typeof TaxInOtherCurrency> =>
	conversion && { ...conversion, rate: toWire(conversion.rate), amount: toWire(conversion.amount) };
