import { type Static, Type } from "@sinclair/typebox";
import { toWire } from "../../kernel/decimal";
import { nullable } from "../../kernel/schema";
import type { TaxConversion } from "./schema.party";

/** Ours: the tax in the currency in which its issuer declares it; null if that is the document's currency. */
const TaxInOtherCurrency = nullable(
	Type.Object(
		{
			currency: Type.String(),
			/** The number of its units for one unit of the document's currency. */
			rate: Type.Number(),
			source: Type.String(),
			date: Type.String(),
			amount: Type.Number(),
		},
		{ additionalProperties: false },
	),
);

/** Ours: the rate that was unknown at issue, so that the tax has no conversion; null if none is missing. */
const MissingExchangeRate = nullable(
	Type.Object({ from: Type.String(), to: Type.String() }, { additionalProperties: false }),
);

/** How a document states its tax in another currency, or which rate it lacks. */
export const taxInOtherCurrency = { taxConversion: TaxInOtherCurrency, missingExchangeRate: MissingExchangeRate };

interface Stating {
	readonly currency: string;
	readonly taxConversion: TaxConversion | null;
	readonly missingRateTo: string | null;
}

export const viewTaxInOtherCurrency = ({ currency, taxConversion, missingRateTo }: Stating) => ({
	taxConversion: viewTaxConversion(taxConversion),
	missingExchangeRate: missingRateOf({ currency, missingRateTo }),
});

export const missingRateOf = ({ currency, missingRateTo }: Pick<Stating, "currency" | "missingRateTo">) =>
	missingRateTo === null ? null : { from: currency, to: missingRateTo };

const viewTaxConversion = (conversion: TaxConversion | null): Static<typeof TaxInOtherCurrency> =>
	conversion && { ...conversion, rate: toWire(conversion.rate), amount: toWire(conversion.amount) };
