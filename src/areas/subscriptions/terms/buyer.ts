import type { Address } from "../../../kernel/schema";
import type { Work } from "../../../kernel/work";
import { defaultCurrencyOf } from "../../access/operations";
import type { CustomerRow } from "../../customers/table";
import type { Buyer } from "../../pricing/choice/country";
import { currencyOfCharge } from "../../pricing/models/charge";
import type { SubscriptionProvision } from "../schema.provision";
import type { Sale } from "./sale";

/** Returns the payer's attributes that prices depend on. `countries` are the named ones, most binding first. */
export const buyerOf = (paying: CustomerRow, ...countries: readonly (string | null | undefined)[]): Buyer => {
	const { stripe, zuora } = paying.passthrough ?? {};
	return {
		countries: countries.filter((country) => typeof country === "string"),
		currency: paying.billingCurrency ?? zuora?.currency ?? null,
		country: countryOf(stripe?.billingAddress ?? zuora?.billingAddress),
	};
};

/** Returns the countries that a request names: for its prices, and in its billing address. */
export const countriesIn = ({
	billingCountryCode,
	billingInformation,
}: Pick<SubscriptionProvision, "billingCountryCode" | "billingInformation">) => [
	billingCountryCode,
	countryOf(billingInformation?.billingAddress),
];

/**
 * Returns the currency of an amount that names none: that of the sold prices, else of the payer, else of the
 * environment.
 */
export const currencyOfSale = (work: Work, { prices }: Pick<Sale, "prices">, paying: CustomerRow): string =>
	prices.map(({ charge }) => currencyOfCharge(charge)).find((currency) => currency !== undefined) ??
	buyerOf(paying).currency ??
	defaultCurrencyOf(work);

/** Addresses are free text; only a two-letter country code is recognized. */
const countryOf = (address: Address | undefined): string | null => {
	const code = address?.country?.trim().toUpperCase() ?? "";
	return /^[A-Z]{2}$/.test(code) ? code : null;
};
