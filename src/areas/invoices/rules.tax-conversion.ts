import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, toDecimal } from "../../kernel/decimal";
import { roundToMinor } from "../../kernel/money";
import { exchangeRateAt } from "../legal-entities/rules";
import type { ExchangeRate } from "../legal-entities/schema";
import type { TaxConversion } from "./schema.party";

/** What a legal entity says of the currency in which it declares tax. */
interface Declares {
	readonly taxCurrency: string | null;
	readonly exchangeRates: readonly ExchangeRate[];
}

/**
 * The tax of an invoice in the currency in which its issuer declares it, at the rate that holds at its issue. Source: Directive
 * 2006/112/EC, article 230. Null where it is that currency already, where no tax is charged, and where no rate is known (our
 * choice: no sale fails for a rate).
 */
export function taxConversionOf(
	{ taxCurrency, exchangeRates }: Declares,
	{ currency, tax }: { readonly currency: string; readonly tax: Decimal },
	issuedAt: Instant,
): TaxConversion | null {
	if (taxCurrency === null || taxCurrency === currency || exact(tax).eq(0)) return null;
	const known = exchangeRateAt(exchangeRates, currency, issuedAt);
	if (!known) return null;
	const { rate, source, date } = known;
	return converted(tax, { currency: taxCurrency, rate: toDecimal(rate), source, date });
}

/** What a credit note gives back of the tax, at the rate of its invoice. */
export const sameConversion = (invoice: TaxConversion | null, tax: Decimal): TaxConversion | null =>
	invoice === null || exact(tax).eq(0) ? null : converted(tax, invoice);

const converted = (tax: Decimal, at: Omit<TaxConversion, "amount">): TaxConversion => ({
	currency: at.currency,
	rate: at.rate,
	source: at.source,
	date: at.date,
	amount: toDecimal(roundToMinor(exact(tax).times(exact(at.rate)), at.currency)),
});
