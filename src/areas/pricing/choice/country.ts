import type { BillingPeriod } from "../rules.billing-period";
import { nearestCurrencies } from "./currency";
import { isBilledWithin, type OfferedCharge } from "./price";

/** The fields of a buyer that decide the price list. Countries are ISO 3166-1 alpha-2; currencies are ISO 4217 in lower case. */
export interface Buyer {
	/** Named countries, in order of precedence: the country of the call, then the country of the sale that this one replaces. */
	readonly countries: readonly string[];
	/** The payer's currency. */
	readonly currency: string | null;
	readonly country: string | null;
}

/**
 * Returns the country whose price list applies to a sale of packages; null for the default prices. The first of these that has prices
 * wins:
 *
 * 1. the named countries;
 * 2. the payer's currency: the prices of the payer's country in it, else the default prices, else the first country by code;
 * 3. the payer's country;
 * 4. the default prices.
 *
 * A country that is not named needs all its prices in one currency; otherwise the next candidate is examined. A named country applies
 * as it is, and rating rejects two currencies. If the default prices apply, the result keeps the named country. Our choice (docs/interface/catalogue.md#prices): the call takes precedence over the customer. The customer's currency, which all its invoices share, takes precedence over its address.
 */
export function chooseCountry(
	priceLists: readonly (readonly OfferedCharge[])[],
	billingPeriod: BillingPeriod | null,
	{ countries, currency, country }: Buyer,
): string | null {
	const [byName = null] = countries;
	if (billingPeriod === null) return byName;
	const priced = new Set(
		priceLists
			.flat()
			.flatMap((charge) => (isBilledWithin(charge, billingPeriod) ? (charge.billingCountryCode ?? []) : [])),
	);
	const named = countries.find((one) => priced.has(one));
	if (named !== undefined) return named;
	const known = country !== null && priced.has(country) ? [country] : [];
	const currenciesIn = (one: string | null) => nearestCurrencies(priceLists, billingPeriod, one);
	const inCurrency = [...known, null, ...[...priced].sort()].find(
		(one) => currency !== null && currenciesIn(one)?.has(currency),
	);
	if (inCurrency !== undefined) return inCurrency ?? byName;
	return known.find((one) => currenciesIn(one)?.size !== 0) ?? byName;
}
