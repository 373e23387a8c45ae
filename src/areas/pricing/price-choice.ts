import { fail } from "../../kernel/errors";
import { currencyOfCharge, type PricedCharge } from "./charge";

export type BillingPeriod = "MONTHLY" | "ANNUALLY";

/** What the choice among a version's price rows reads. A charge is one row for each billing period and country. */
export interface OfferedCharge extends PricedCharge {
	readonly isOverage: boolean;
	readonly billingCadence: "RECURRING" | "ONE_OFF";
	readonly billingPeriod: BillingPeriod;
	readonly billingCountryCode: string | null;
	readonly featureId: string | null;
	readonly overageCurrencyId: string | null;
	readonly topUpCurrencyId: string | null;
	readonly creditCurrencyId: string | null;
}

/** The billing periods that a version's own prices (not its overage) are offered for, shorter first. */
export const offeredPeriods = (charges: readonly OfferedCharge[]): BillingPeriod[] =>
	(["MONTHLY", "ANNUALLY"] as const).filter((period) =>
		charges.some((charge) => !charge.isOverage && charge.billingPeriod === period),
	);

/**
 * The period a subscription is billed by: the one asked for, or the only one offered; null when nothing is priced.
 * Several offered and none asked is refused rather than guessed (BillingPeriodMissingError; source: semantics-extra 4).
 */
export function chooseBillingPeriod(
	charges: readonly OfferedCharge[],
	asked: BillingPeriod | undefined,
): BillingPeriod | null {
	const offered = offeredPeriods(charges);
	const [only] = offered;
	if (only === undefined) return asked ?? null;
	if (asked !== undefined) {
		if (offered.includes(asked)) return asked;
		throw fail("BillingPeriodMissingError", `There is no ${asked} price; choose ${offered.join(" or ")}.`);
	}
	if (offered.length > 1)
		throw fail("BillingPeriodMissingError", `Give 'billingPeriod': the prices are ${offered.join(" and ")}.`);
	return only;
}

/**
 * One row for each thing that is priced: the country's where there is one, else the default (no country).
 * Source: semantics-extra 10, Localisation. A thing without a row for the period, or with foreign rows only, is left out.
 */
export function chargesFor<Charge extends OfferedCharge>(
	charges: readonly Charge[],
	billingPeriod: BillingPeriod,
	billingCountryCode: string | null,
): Charge[] {
	const chosen = new Map<string, Charge>();
	for (const charge of charges) {
		if (charge.billingPeriod !== billingPeriod) continue;
		const country = charge.billingCountryCode;
		if (country !== null && country !== billingCountryCode) continue;
		const thing = pricedThing(charge);
		if (country !== null || !chosen.has(thing)) chosen.set(thing, charge);
	}
	return [...chosen.values()];
}

/** What of a buyer decides whose prices hold. Countries are ISO 3166-1 alpha-2, currencies ISO 4217 in lower case. */
export interface Buyer {
	/** By name, the most binding first: the country that the call names, and that of what the sale takes the place of. */
	readonly countries: readonly string[];
	/** Of who pays. */
	readonly currency: string | null;
	readonly country: string | null;
}

/**
 * The country whose prices hold for a sale, of packages that are sold together; null is the default prices. Of these the first
 * that there are prices for:
 *
 * 1. the countries by name;
 * 2. the payer's currency: in it the prices of the payer's country, else the default ones, else those of the first country by
 *    code;
 * 3. the payer's country;
 * 4. the default prices.
 *
 * What is not named must have all its prices in one currency, or the next is looked at; what is named is taken as it is, and
 * rating refuses two currencies. Where it ends at the default prices, the country by name is kept. (Our choice: a call goes before
 * what is known of a customer, and a customer's currency, in which all its invoices are to be, before its address.)
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
			.flatMap((charge) => (charge.billingPeriod === billingPeriod ? (charge.billingCountryCode ?? []) : [])),
	);
	const named = countries.find((one) => priced.has(one));
	if (named !== undefined) return named;
	const known = country !== null && priced.has(country) ? [country] : [];
	const currenciesIn = (one: string | null) =>
		currenciesOf(priceLists.flatMap((charges) => chargesFor(charges, billingPeriod, one)));
	const inCurrency = [...known, null, ...[...priced].sort()].find((one) => {
		const [only, another] = currenciesIn(one);
		return currency !== null && only === currency && another === undefined;
	});
	if (inCurrency !== undefined) return inCurrency ?? byName;
	return known.find((one) => currenciesIn(one).length <= 1) ?? byName;
}

const currenciesOf = (charges: readonly PricedCharge[]): string[] => [
	...new Set(charges.map(currencyOfCharge).filter((currency) => currency !== undefined)),
];

const pricedThing = (charge: OfferedCharge): string =>
	JSON.stringify([
		charge.isOverage,
		charge.billingModel,
		charge.billingCadence,
		charge.featureId,
		charge.overageCurrencyId,
		charge.topUpCurrencyId,
		charge.creditCurrencyId,
	]);

/** The one currency of all prices; undefined when none costs money. Two currencies cannot share an invoice. */
export function currencyOf(charges: readonly PricedCharge[]): string | undefined {
	const currencies = currenciesOf(charges);
	if (currencies.length > 1)
		throw fail(
			"InvalidArgumentError",
			`The prices are in ${currencies.join(" and ")}; choose packages of one currency.`,
		);
	return currencies[0];
}

/** What a renewal charges again: everything that was not paid once and for all when the subscription began. */
export const recurringCharges = <Charge extends Pick<OfferedCharge, "billingCadence">>(
	charges: readonly Charge[],
): Charge[] => charges.filter(({ billingCadence }) => billingCadence === "RECURRING");
