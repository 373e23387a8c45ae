import type { Address } from "../../../kernel/schema";
import type { Work } from "../../../kernel/work";
import { defaultCurrencyOf } from "../../access/operations";
import type { CustomerRow } from "../../customers/table";
import { currencyOfCharge } from "../../pricing/models/charge";
import type { Buyer } from "../../pricing/price-choice";
import type { SubscriptionProvision } from "../schema.provision";
import type { Sale } from "./sale";

/** What is known of who pays; `countries` are those by name, the most binding first. */
export const buyerOf = (paying: CustomerRow, ...countries: readonly (string | null | undefined)[]): Buyer => {
	const { stripe, zuora } = paying.passthrough ?? {};
	return {
		countries: countries.filter((country) => typeof country === "string"),
		currency: paying.billingCurrency ?? zuora?.currency ?? null,
		country: countryOf(stripe?.billingAddress ?? zuora?.billingAddress),
	};
};

/** The countries that a call names: as that of the prices, or in the address that its invoices are for. */
export const countriesIn = ({
	billingCountryCode,
	billingInformation,
}: Pick<SubscriptionProvision, "billingCountryCode" | "billingInformation">) => [
	billingCountryCode,
	countryOf(billingInformation?.billingAddress),
];

/** What an amount is in that names no currency: that of the prices sold, else of who pays, else of the environment. */
export const currencyOfSale = (work: Work, { prices }: Pick<Sale, "prices">, paying: CustomerRow): string =>
	prices.map(({ charge }) => currencyOfCharge(charge)).find((currency) => currency !== undefined) ??
	buyerOf(paying).currency ??
	defaultCurrencyOf(work);

/** An address is free text: only a country written as its code of two letters is told. */
const countryOf = (address: Address | undefined): string | null => {
	const code = address?.country?.trim().toUpperCase() ?? "";
	return /^[A-Z]{2}$/.test(code) ? code : null;
};
