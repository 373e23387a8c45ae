import { fail } from "../../../kernel/errors";
import { currencyOfCharge } from "../models/charge";
import type { BillingPeriod } from "../rules.billing-period";
import { appliesIn, chargesFor, isBilledWithin, mustBePriced, type OfferedCharge, pricedThing } from "./price";

/** The rows of each package of a sale. */
type PriceLists = readonly (readonly OfferedCharge[])[];

/** The currencies that a sale asks for. All are ISO 4217 in lower case. */
export interface CurrencyTerms {
	/** The currency that the call names. */
	readonly requested: string | null;
	/** The currencies that the sale prefers, first the currency of the replaced subscription, then that of the payer. */
	readonly preferred: readonly string[];
	/** The currency of the subscription that this sale changes. */
	readonly held: { readonly currency: string; readonly isFixed: boolean } | null;
}

/**
 * Returns the one currency of a sale; null if its price lists leave no choice, so that the nearest rows apply. The first of these
 * wins in which everything that recurs has a price of the country, or a default price:
 *
 * 1. the currency that the call names;
 * 2. the preferred currencies;
 * 3. the currency of the country's first row, or else of the first default row.
 *
 * Only 1 applies to price lists with one currency for each country, where the country decides the currency. A subscription that is
 * changed keeps its currency. Throws PriceNotFound if no currency is complete.
 */
export function chooseCurrency(
	priceLists: PriceLists,
	billingPeriod: BillingPeriod | null,
	country: string | null,
	terms: CurrencyTerms,
): string | null {
	const { requested, held } = terms;
	if (billingPeriod === null) return held?.isFixed ? held.currency : requested;
	const { chosen, tried, complete } = examineCurrencies(priceLists, billingPeriod, country, terms);
	if (chosen !== undefined) return chosen;
	const others = [...(complete ?? [])].sort();
	const remedy = held
		? "the subscription keeps this currency: add the missing prices, or sell a new subscription"
		: others.length > 0
			? `request 'billingCurrency' ${others.join(" or ")}`
			: "choose packages with prices in one currency";
	throw fail("PriceNotFound", `Not everything that recurs has a price in ${tried.join(" or in ")}; ${remedy}.`);
}

/** Returns the currency of a sale as `chooseCurrency` does, but null instead of a refusal. */
export const offeredCurrency = (
	priceLists: PriceLists,
	billingPeriod: BillingPeriod,
	country: string | null,
	terms: CurrencyTerms,
): string | null => examineCurrencies(priceLists, billingPeriod, country, terms).chosen ?? null;

interface Examined {
	/** Null: the price lists leave no choice. Undefined: no currency is complete. */
	readonly chosen: string | null | undefined;
	readonly tried: readonly string[];
	/** Undefined: nothing costs money. */
	readonly complete: ReadonlySet<string> | undefined;
}

function examineCurrencies(
	priceLists: PriceLists,
	billingPeriod: BillingPeriod,
	country: string | null,
	{ requested, preferred, held }: CurrencyTerms,
): Examined {
	const lists = priceLists.map((charges) => reachableRows(charges, billingPeriod, country));
	const isChoice = offersSeveralCurrencies(lists);
	const complete = completeCurrencies(lists);
	const firstOf = (tried: readonly string[]): Examined => ({
		chosen: tried.find((currency) => complete?.has(currency) ?? true),
		tried: [...new Set(tried)],
		complete,
	});
	if (held && (held.isFixed || isChoice)) return firstOf([held.currency]);
	const asked = requested === null ? [] : [requested];
	if (isChoice) return firstOf([...asked, ...preferred, ...firstCurrency(lists, country)]);
	const { chosen = null } = firstOf(asked);
	return { chosen, tried: [], complete };
}

const reachableRows = (
	charges: readonly OfferedCharge[],
	billingPeriod: BillingPeriod,
	country: string | null,
): OfferedCharge[] => charges.filter((row) => isBilledWithin(row, billingPeriod) && appliesIn(row, country));

/** Whether something has prices in several currencies for the same billing period and country. */
function offersSeveralCurrencies(lists: PriceLists): boolean {
	const first = new Map<string, string>();
	return lists.some((charges, at) =>
		charges.some((row) => {
			const currency = currencyOfCharge(row);
			if (currency === undefined) return false;
			const key = JSON.stringify([at, pricedThing(row), row.billingPeriod, row.billingCountryCode]);
			const other = first.get(key) ?? currency;
			first.set(key, other);
			return other !== currency;
		}),
	);
}

/** Returns the rows that decide the currency of a package: those of everything that recurs, or else all. */
function decisiveRows(charges: readonly OfferedCharge[]): readonly OfferedCharge[] {
	const recurring = charges.filter((row) => mustBePriced(row) && currencyOfCharge(row) !== undefined);
	return recurring.length > 0 ? recurring : charges;
}

/** Returns the currencies in which everything decisive has a price; undefined if nothing costs money. */
const completeCurrencies = (lists: PriceLists): ReadonlySet<string> | undefined =>
	sharedCurrencies(lists.flatMap((charges) => [...Map.groupBy(decisiveRows(charges), pricedThing).values()]));

/** Returns the currencies that all groups of rows have; undefined if none costs money. */
function sharedCurrencies(groups: readonly (readonly OfferedCharge[])[]): ReadonlySet<string> | undefined {
	const priced = groups
		.map((rows) => new Set(rows.flatMap((row) => currencyOfCharge(row) ?? [])))
		.filter(({ size }) => size > 0);
	return priced.reduce<ReadonlySet<string> | undefined>((shared, one) => shared?.intersection(one) ?? one, undefined);
}

function firstCurrency(lists: PriceLists, country: string | null): string[] {
	const priced = lists.flat().filter((row) => currencyOfCharge(row) !== undefined);
	const first = priced.find(({ billingCountryCode }) => billingCountryCode === country) ?? priced[0];
	return first ? [currencyOfCharge(first) ?? ""] : [];
}

/**
 * Returns the currencies in which the nearest prices of a country are complete: its own, and the default prices of things that it
 * does not price. Undefined if nothing costs money.
 */
export function nearestCurrencies(
	priceLists: PriceLists,
	billingPeriod: BillingPeriod,
	country: string | null,
): ReadonlySet<string> | undefined {
	const lists = priceLists.map((charges) => reachableRows(charges, billingPeriod, country));
	const decisive = offersSeveralCurrencies(lists) ? lists.map(decisiveRows) : lists;
	return sharedCurrencies(
		decisive.flatMap((charges) =>
			chargesFor(charges, billingPeriod, country).map((nearest) => charges.filter((row) => isAsNear(row, nearest))),
		),
	);
}

const isAsNear = (row: OfferedCharge, nearest: OfferedCharge): boolean =>
	pricedThing(row) === pricedThing(nearest) &&
	row.billingPeriod === nearest.billingPeriod &&
	row.billingCountryCode === nearest.billingCountryCode;
