import { fail } from "../../kernel/errors";
import type { ProrationMode } from "../../kernel/schema.proration-mode";
import { currencyOfCharge, type PricedCharge } from "./models/charge";
import { type BillingPeriod, eachPeriodOnce, isWholeMonths, periodText } from "./rules.billing-period";

/** The fields of a version's price rows that the choice reads. A charge has one row for each billing period and country. */
export interface OfferedCharge extends PricedCharge {
	readonly isOverage: boolean;
	readonly billingCadence: "RECURRING" | "ONE_OFF";
	readonly billingPeriod: BillingPeriod;
	readonly billingCountryCode: string | null;
	readonly featureId: string | null;
	readonly overageCurrencyId: string | null;
	readonly topUpCurrencyId: string | null;
	readonly creditCurrencyId: string | null;
	/** Null or missing: that of the subscription, version or environment. */
	readonly prorationMode?: ProrationMode | null;
	/** Null: in advance, or usage. */
	readonly paymentTime?: "IN_ARREARS" | null;
	readonly refundsUnusedTime?: boolean;
	/** The name of the charge; null: what it prices. */
	readonly key?: string | null;
	/** The ids of its taxes; null or missing: those of the version. */
	readonly taxes?: readonly string[] | null;
}

/**
 * Returns the billing periods that a version is sold by, shorter first. These are the periods of its prices in advance within which
 * all its other prices can be billed. Usage-based prices decide only if nothing is paid in advance. Overage never decides.
 */
export function offeredPeriods(charges: readonly OfferedCharge[]): BillingPeriod[] {
	const own = charges.filter(({ isOverage }) => !isOverage);
	const inAdvance = own.filter(isPaidInAdvance);
	const decisive = inAdvance.length > 0 ? inAdvance : own;
	const priced = eachPeriodOnce(decisive.map(({ billingPeriod }) => billingPeriod));
	const complete = priced.filter((period) => notBilledWithin(charges, period) === undefined);
	// If no period is complete, the caller's error names the missing price.
	return complete.length > 0 ? complete : priced;
}

const isPaidInAdvance = ({ billingModel, billingCadence }: OfferedCharge): boolean =>
	billingCadence === "RECURRING" && billingModel !== "USAGE_BASED" && billingModel !== "CREDIT_BASED";

/**
 * Returns the billing period of a subscription: the requested one, or the only one offered; null if nothing has a price. Throws
 * BillingPeriodMissingError if several are offered and none is requested.
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
		throw fail(
			"BillingPeriodMissingError",
			`Not everything has a ${periodText(asked)} price; choose ${offered.map(periodText).join(" or ")}.`,
		);
	}
	if (offered.length > 1)
		throw fail(
			"BillingPeriodMissingError",
			`Give 'billingPeriod': the prices are ${offered.map(periodText).join(" and ")}.`,
		);
	return only;
}

/**
 * Returns something that has a price for other periods only, so that a subscription of this period would get it for free. Undefined if
 * there is none. One-off charges, a minimum spend, credits and top-ups may be offered for one period only.
 */
export function notBilledWithin<Charge extends OfferedCharge>(
	charges: readonly Charge[],
	billingPeriod: BillingPeriod,
): Charge | undefined {
	const billed = new Set(charges.filter((charge) => isBilledWithin(charge, billingPeriod)).map(pricedThing));
	return charges.find(
		(charge) =>
			charge.billingCadence === "RECURRING" &&
			goesWithPeriod.has(charge.billingModel) &&
			charge.topUpCurrencyId === null &&
			!billed.has(pricedThing(charge)),
	);
}

const goesWithPeriod: ReadonlySet<PricedCharge["billingModel"]> = new Set(["FLAT_FEE", "PER_UNIT", "USAGE_BASED"]);

/** Returns whether a charge can be billed within the billing period. Usage by the month can be billed within more months. */
const isBilledWithin = (charge: OfferedCharge, billingPeriod: BillingPeriod): boolean =>
	charge.billingPeriod === billingPeriod ||
	(charge.billingModel === "USAGE_BASED" && charge.billingPeriod === "MONTHLY" && isWholeMonths(billingPeriod));

/**
 * Returns one row for each priced thing. A row of the billing period comes first, then, for charges in arrears, a row of a shorter
 * one. A row of the country comes first, then the default (no country). A thing with rows of other countries only is left out.
 */
export function chargesFor<Charge extends OfferedCharge>(
	charges: readonly Charge[],
	billingPeriod: BillingPeriod,
	billingCountryCode: string | null,
): Charge[] {
	const chosen = new Map<string, Charge>();
	for (const charge of charges) {
		const country = charge.billingCountryCode;
		if (!isBilledWithin(charge, billingPeriod) || (country !== null && country !== billingCountryCode)) continue;
		const thing = pricedThing(charge);
		const before = chosen.get(thing);
		if (!before || isNearer(charge, before, billingPeriod)) chosen.set(thing, charge);
	}
	return [...chosen.values()];
}

/** Compares two rows of one thing; the period counts before the country. */
function isNearer(charge: OfferedCharge, before: OfferedCharge, billingPeriod: BillingPeriod): boolean {
	const [is, was] = [charge.billingPeriod === billingPeriod, before.billingPeriod === billingPeriod];
	return is === was ? charge.billingCountryCode !== null : is;
}

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
		charge.key ?? null,
	]);

/**
 * Returns the one currency of all prices; undefined if none costs money. Throws InvalidArgumentError for two currencies: they cannot
 * share an invoice.
 */
export function currencyOf(charges: readonly PricedCharge[]): string | undefined {
	const currencies = currenciesOf(charges);
	if (currencies.length > 1)
		throw fail(
			"InvalidArgumentError",
			`The prices are in ${currencies.join(" and ")}; choose packages of one currency.`,
		);
	return currencies[0];
}
