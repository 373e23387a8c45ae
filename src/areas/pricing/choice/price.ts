import { fail } from "../../../kernel/errors";
import type { ProrationMode } from "../../../kernel/schema.proration-mode";
import { currencyOfCharge, type PricedCharge } from "../models/charge";
import { type BillingPeriod, eachPeriodOnce, isWholeMonths, periodText } from "../rules.billing-period";

/**
 * The fields of a version's price rows that the choice reads. A charge has one row for each billing period, country and currency.
 */
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
	return charges.find((charge) => mustBePriced(charge) && !billed.has(pricedThing(charge)));
}

/** Whether a subscription needs a price of the charge for its billing period and in its currency. Others may lack one. */
export const mustBePriced = ({ billingCadence, billingModel, topUpCurrencyId }: OfferedCharge): boolean =>
	billingCadence === "RECURRING" && goesWithPeriod.has(billingModel) && topUpCurrencyId === null;

const goesWithPeriod: ReadonlySet<PricedCharge["billingModel"]> = new Set(["FLAT_FEE", "PER_UNIT", "USAGE_BASED"]);

/** Returns whether a charge can be billed within the billing period. Usage by the month can be billed within more months. */
export const isBilledWithin = (charge: OfferedCharge, billingPeriod: BillingPeriod): boolean =>
	charge.billingPeriod === billingPeriod ||
	(charge.billingModel === "USAGE_BASED" && charge.billingPeriod === "MONTHLY" && isWholeMonths(billingPeriod));

/**
 * Returns one row for each priced thing. A row of the billing period comes first, then, for charges in arrears, a row of a shorter
 * one. A row of the country comes first, then the default (no country). A thing with rows of other countries only is left out, and
 * so is one without a row in the currency, if there is one. Without a currency the first row counts.
 */
export function chargesFor<Charge extends OfferedCharge>(
	charges: readonly Charge[],
	billingPeriod: BillingPeriod,
	billingCountryCode: string | null,
	currency: string | null = null,
): Charge[] {
	const chosen = new Map<string, Charge>();
	for (const charge of charges) {
		if (!isBilledWithin(charge, billingPeriod) || !appliesIn(charge, billingCountryCode)) continue;
		if (currency !== null && (currencyOfCharge(charge) ?? currency) !== currency) continue;
		const thing = pricedThing(charge);
		const before = chosen.get(thing);
		if (!before || isNearer(charge, before, billingPeriod)) chosen.set(thing, charge);
	}
	return [...chosen.values()];
}

/** Whether the row is one of the country, or of all countries. */
export const appliesIn = ({ billingCountryCode }: OfferedCharge, country: string | null): boolean =>
	billingCountryCode === null || billingCountryCode === country;

/** Compares two rows of one thing; the period counts before the country. */
function isNearer(charge: OfferedCharge, before: OfferedCharge, billingPeriod: BillingPeriod): boolean {
	const [is, was] = [charge.billingPeriod === billingPeriod, before.billingPeriod === billingPeriod];
	return is === was ? charge.billingCountryCode !== null && before.billingCountryCode === null : is;
}

/** Returns the currencies of prices, in their order. */
export const currenciesOf = (charges: readonly PricedCharge[]): string[] => [
	...new Set(charges.map(currencyOfCharge).filter((currency) => currency !== undefined)),
];

/** Returns the identity of the priced thing, which several rows can price. */
export const pricedThing = (charge: OfferedCharge): string =>
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
