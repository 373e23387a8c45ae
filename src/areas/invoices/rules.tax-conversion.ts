import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, toDecimal } from "../../kernel/decimal";
import { roundToMinor } from "../../kernel/money";
import { exchangeRateAt } from "../legal-entities/rules";
import type { ExchangeRate } from "../legal-entities/schema";
import type { TaxConversion } from "./schema.party";

/** The currency in which a legal entity declares tax. */
interface Declares {
	readonly taxCurrency: string | null;
	readonly exchangeRates: readonly ExchangeRate[];
}

/** The tax in the declared currency, or only that currency if no rate is known. */
export interface StatedTax {
	readonly taxConversion: TaxConversion | null;
	readonly missingRateTo: string | null;
}

const statedOnce: StatedTax = { taxConversion: null, missingRateTo: null };

/**
 * Returns the tax of an invoice in the currency in which its issuer declares it, at the rate of the issue date, as
 * article 230 of Directive 2006/112/EC requires. Returns none if both currencies are the same, or if no tax is charged.
 * Our choice (docs/interface/invoices.md#invoices): a missing rate is recorded, and the invoice is issued, so a missing
 * rate never blocks a sale.
 */
export function taxConversionOf(
	{ taxCurrency, exchangeRates }: Declares,
	{ currency, tax }: { readonly currency: string; readonly tax: Decimal },
	issuedAt: Instant,
): StatedTax {
	if (taxCurrency === null || taxCurrency === currency || exact(tax).eq(0)) return statedOnce;
	const known = exchangeRateAt(exchangeRates, currency, issuedAt);
	if (!known) return { taxConversion: null, missingRateTo: taxCurrency };
	const { rate, source, date } = known;
	return {
		taxConversion: converted(tax, { currency: taxCurrency, rate: toDecimal(rate), source, date }),
		missingRateTo: null,
	};
}

/** Returns the converted tax of a credit note, at the rate of its invoice. */
export function sameConversion({ taxConversion, missingRateTo }: StatedTax, tax: Decimal): StatedTax {
	if (exact(tax).eq(0)) return statedOnce;
	return { taxConversion: taxConversion && converted(tax, taxConversion), missingRateTo };
}

const converted = (tax: Decimal, at: Omit<TaxConversion, "amount">): TaxConversion => ({
	currency: at.currency,
	rate: at.rate,
	source: at.source,
	date: at.date,
	amount: toDecimal(roundToMinor(exact(tax).times(exact(at.rate)), at.currency)),
});
