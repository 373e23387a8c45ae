import { fail } from "../../kernel/errors";
import { currencyOfCharge, type PricedCharge } from "./models/charge";

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

/**
 * The billing periods that a version can be sold by, shorter first: those that its prices in advance are for, as far as all
 * else of it can be billed within them. What is priced by use decides by itself only where nothing is paid in advance, and
 * overage says nothing about how a version is sold.
 */
export function offeredPeriods(charges: readonly OfferedCharge[]): BillingPeriod[] {
	const own = charges.filter(({ isOverage }) => !isOverage);
	const inAdvance = own.filter(isPaidInAdvance);
	const decisive = inAdvance.length > 0 ? inAdvance : own;
	const priced = billingPeriods.filter((period) => decisive.some(({ billingPeriod }) => billingPeriod === period));
	const complete = priced.filter((period) => notBilledWithin(charges, period) === undefined);
	// Where none is, whoever sells it says what is missing.
	return complete.length > 0 ? complete : priced;
}

const billingPeriods = ["MONTHLY", "ANNUALLY"] as const;

const isPaidInAdvance = ({ billingModel, billingCadence }: OfferedCharge): boolean =>
	billingCadence === "RECURRING" && billingModel !== "USAGE_BASED" && billingModel !== "CREDIT_BASED";

/**
 * The period a subscription is billed by: the one asked for, or the only one offered; null when nothing is priced.
 * Several offered and none asked is refused rather than guessed (BillingPeriodMissingError).
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
		throw fail("BillingPeriodMissingError", `Not everything has a ${asked} price; choose ${offered.join(" or ")}.`);
	}
	if (offered.length > 1)
		throw fail("BillingPeriodMissingError", `Give 'billingPeriod': the prices are ${offered.join(" and ")}.`);
	return only;
}

/**
 * Something that is priced for other periods only, so that a subscription of this one would get it for free; undefined
 * where there is none. What is paid once, a minimum spend, credits and top-ups may be offered to
 * one period alone.
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

/** What is used is billed by its own period, which may be shorter than the subscription's. */
const isBilledWithin = (charge: OfferedCharge, billingPeriod: BillingPeriod): boolean =>
	charge.billingPeriod === billingPeriod ||
	(charge.billingModel === "USAGE_BASED" && charge.billingPeriod === "MONTHLY");

/**
 * One row for each thing that is priced: that of the billing period, else, of what is billed in arrears, that of a shorter
 * one; the country's where there is one, else the default (no country). A thing with foreign rows only is left out.
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

/** The period counts before the country. */
function isNearer(charge: OfferedCharge, before: OfferedCharge, billingPeriod: BillingPeriod): boolean {
	const [is, was] = [charge.billingPeriod === billingPeriod, before.billingPeriod === billingPeriod];
	return is === was ? charge.billingCountryCode !== null : is;
}

/** What of a buyer decides whose prices hold. Countries are ISO 3166-1 alpha-2, currencies ISO 4217 in lower case. */
export interface Buyer {
	/** By name, the most binding first: the country that the call names, and that of what the sale replaces. */
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
 * What is not named must have all its prices in one currency, or the next is looked at; what is named is taken as it
 * is, and rating refuses two currencies. Where it ends at the default prices, the country by name is kept. (Our choice:
 * a call goes before what is known of a customer, and a customer's currency, in which all its invoices are to be,
 * before its address.)
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
