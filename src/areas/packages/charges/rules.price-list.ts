import { minimumPath, modelPath, periodPath, refuse } from "../rules.field-paths";
import { periodIn } from "./rules.billing-periods";
import { pricingOfPhase, pricingsOf } from "./rules.phases";
import type { PackageCharges, PhaseChargesInput, Phases, PriceInput, PricePeriod, PricingModel } from "./schema";

// The rules that relate the rows of a price list to each other. `rules.ts` checks each row by itself.

/**
 * Returns the price list with an explicit currency for every price. A price without a currency takes that of its price period, else
 * the first one of its country. Otherwise it takes that of the default prices, or else `fallback`, the environment's currency.
 * Our choice (docs/interface/catalogue.md#prices), because the wire makes the currency optional.
 */
export function withCurrencies(charges: PackageCharges, fallback: string | CurrencyIn): PackageCharges {
	const { pricingModels, overagePricingModels, minimumSpend, phases } = charges;
	const ofCharges = currenciesOf(charges);
	const currencyIn = (country: string | undefined): string =>
		ofCharges(country) ?? (typeof fallback === "string" ? fallback : fallback(country));
	const priced = (price: PriceInput, currency: string): PriceInput => ({
		...price,
		currency: price.currency ?? currency,
	});
	const unitPrice = ({ price, tiers }: Pick<PricePeriod, "price" | "tiers">, currency: string) => ({
		...(price && { price: priced(price, currency) }),
		...(tiers && {
			tiers: tiers.map(({ unitPrice, flatPrice, ...tier }) => ({
				...tier,
				...(unitPrice && { unitPrice: priced(unitPrice, currency) }),
				...(flatPrice && { flatPrice: priced(flatPrice, currency) }),
			})),
		}),
	});
	const period = (row: PricePeriod): PricePeriod => {
		const { transactionPrice, variants, ...terms } = row;
		const currency = currenciesIn(row)[0] ?? currencyIn(terms.billingCountryCode);
		return {
			...terms,
			...unitPrice(terms, currency),
			...(variants && { variants: variants.map((variant) => ({ ...variant, ...unitPrice(variant, currency) })) }),
			...(transactionPrice && {
				transactionPrice: { ...transactionPrice, currency: transactionPrice.currency ?? currency },
			}),
		};
	};
	const model = <Model extends { pricePeriods: PricePeriod[] }>(one: Model): Model => ({
		...one,
		pricePeriods: one.pricePeriods.map(period),
	});
	return {
		...charges,
		...(pricingModels && { pricingModels: pricingModels.map(model) }),
		...(overagePricingModels && { overagePricingModels: overagePricingModels.map(model) }),
		...(minimumSpend && {
			minimumSpend: minimumSpend.map(({ minimum, ...terms }) => ({
				...terms,
				minimum: priced(minimum, currencyIn(undefined)),
			})),
		}),
		...(phases && { phases: phases.map((phase) => ({ ...phase, ...pricedPhase(phase, charges, currencyIn) })) }),
	};
}

type CurrencyIn = (country: string | undefined) => string;

/** Prices of a phase that name no currency take that of the plan's prices. */
function pricedPhase(
	{ charges }: Phases[number],
	plan: PackageCharges,
	currencyIn: CurrencyIn,
): { charges?: PhaseChargesInput } {
	if (!charges) return {};
	const {
		pricingType: _,
		phases: __,
		billingAnchor: ___,
		spendThresholds: ____,
		billingId: _____,
		...priced
	} = withCurrencies(pricingOfPhase(charges, plan.pricingType), currencyIn);
	return { charges: { ...(charges.pricingType && { pricingType: charges.pricingType }), ...priced } };
}

/** Returns the currency that the prices for a country name; undefined if they name none. */
function currenciesOf(charges: PackageCharges): (country: string | undefined) => string | undefined {
	const named = new Map<string | undefined, string>();
	for (const { country, currencies } of allRows(charges))
		for (const currency of currencies) if (!named.has(country)) named.set(country, currency);
	return (country) => named.get(country) ?? named.get(undefined);
}

/** Throws BadUserInput for a phase whose prices for a country have another currency than the plan's: a subscription has one currency. */
export function assertPhaseCurrencies(charges: PackageCharges): void {
	const ofPlan = currenciesOf(charges);
	const countries = (of: PackageCharges) => allRows(of).map(({ country }) => country);
	for (const { place, pricing } of pricingsOf(charges)) {
		const ofPhase = currenciesOf(pricing);
		for (const country of new Set([...countries(charges), ...countries(pricing)])) {
			const [plan, phase] = [ofPlan(country), ofPhase(country)];
			if (plan === undefined || phase === undefined || plan === phase) continue;
			const countryText = country === undefined ? "" : ` in ${country}`;
			throw refuse(
				place,
				`is in '${phase}'${countryText}, and the plan is in '${plan}'; a subscription has one currency in all phases.`,
			);
		}
	}
}

interface PlacedRow {
	readonly where: string;
	/** The identity of what it prices. */
	readonly thing: readonly (string | undefined)[];
	/** Default prices have no country. */
	readonly country: string | undefined;
	readonly row: Pick<PricePeriod, "billingPeriod" | "billingInterval">;
	/** The named currencies, each once. */
	readonly currencies: readonly string[];
}

/** Returns every row of the list with its path. */
function allRows({ pricingModels = [], overagePricingModels = [], minimumSpend }: PackageCharges): PlacedRow[] {
	const ofPeriods = (model: string, thing: PlacedRow["thing"], periods: readonly PricePeriod[]): PlacedRow[] =>
		periods.map((row, at) => ({
			...{ where: periodPath(model, at), thing, country: row.billingCountryCode, row },
			currencies: currenciesIn(row),
		}));
	return [
		...pricingModels.flatMap((model, at) => {
			const { billingModel, billingCadence = "RECURRING", featureId, topUpCustomCurrencyId } = model;
			const key = distinguishes(model) ? model.key : undefined;
			const thing = [billingModel, billingCadence, featureId, topUpCustomCurrencyId, key];
			return ofPeriods(modelPath("pricingModels", at), thing, model.pricePeriods);
		}),
		...overagePricingModels.flatMap((model, at) => {
			const thing = ["OVERAGE", model.featureId ?? model.entitlement?.featureId, model.currencyId];
			return ofPeriods(modelPath("overagePricingModels", at), thing, model.pricePeriods);
		}),
		...(minimumSpend ?? []).map(({ minimum, ...row }, at) => ({
			...{ where: minimumPath(at), thing: ["MINIMUM_SPEND", "RECURRING"], country: undefined, row },
			currencies: currenciesIn({ price: minimum }),
		})),
	];
}

/** Returns the currencies that a price period names, each once. */
export const currenciesIn = ({
	transactionPrice,
	variants = [],
	...period
}: Pick<PricePeriod, "price" | "tiers" | "transactionPrice" | "variants">): string[] => [
	...new Set(
		[
			transactionPrice?.currency,
			...[period, ...variants].flatMap(({ price, tiers = [] }) => [
				price?.currency,
				...tiers.flatMap(({ unitPrice, flatPrice }) => [unitPrice?.currency, flatPrice?.currency]),
			]),
		].filter((currency) => currency !== undefined),
	),
];

/** Throws if the list has two prices for the same item, cadence, billing period, country and currency. */
export function assertEachOnce(charges: PackageCharges): void {
	const placeByKey = new Map<string, string>();
	for (const { where, thing, country, row, currencies } of allRows(charges)) {
		const key = JSON.stringify([...thing, periodIn(where, row), country, currencies[0]]);
		const earlier = placeByKey.get(key);
		if (earlier)
			throw refuse(where, `prices the same as ${earlier}; leave one of them out, or give each its own 'key'.`);
		placeByKey.set(key, where);
	}
}

/** Whether keys make several charges of one thing. Credits and top-ups have one price each. */
const distinguishes = ({ billingModel, topUpCustomCurrencyId }: PricingModel): boolean =>
	topUpCustomCurrencyId === undefined && keyedModels.has(billingModel);
const keyedModels: ReadonlySet<PricingModel["billingModel"]> = new Set(["FLAT_FEE", "PER_UNIT", "USAGE_BASED"]);

/** Throws BadUserInput if two charges have one key. A charge without a key is named by the feature or currency that it prices. */
export function assertKeys({ pricingModels = [], overagePricingModels = [] }: PackageCharges): void {
	const models = [
		...pricingModels.map((model, at) => ({
			...{ where: modelPath("pricingModels", at), key: model.key },
			thing: model.featureId ?? model.topUpCustomCurrencyId,
		})),
		...overagePricingModels.map((model, at) => ({
			...{ where: modelPath("overagePricingModels", at), key: model.key },
			thing: model.featureId ?? model.entitlement?.featureId ?? model.currencyId,
		})),
	];
	for (const { where, key } of models) {
		const other = models.find((one) => one.where !== where && key !== undefined && (one.key ?? one.thing) === key);
		if (other) throw refuse(where, `the key '${key}' names ${other.where} already; choose another one.`);
	}
}

/**
 * Throws unless each price period has one currency, and everything has a price in the first currency of its country. Further
 * currencies are additional, so that every sale without a requested currency finds its prices.
 */
export function assertCurrencies(charges: PackageCharges): void {
	const rows = allRows(charges).filter(({ currencies }) => currencies.length > 0);
	const first = new Map<string | undefined, { readonly currency: string; readonly where: string }>();
	for (const { where, country, currencies } of rows) {
		const [currency = "", another] = currencies;
		if (another !== undefined)
			throw refuse(
				where,
				`is in '${currency}' and in '${another}'; give it one currency, and add a price period for the other.`,
			);
		if (!first.has(country)) first.set(country, { currency, where });
	}
	const groups = Map.groupBy(rows, ({ where, thing, country, row }) =>
		JSON.stringify([...thing, periodIn(where, row), country]),
	);
	for (const [{ where, country, currencies } = { where: "" }, ...others] of groups.values()) {
		const main = first.get(country);
		if (!main || [currencies, ...others.map((one) => one.currencies)].some((all) => all?.includes(main.currency)))
			continue;
		throw refuse(
			where,
			`is in '${currencies?.[0]}', but ${main.where} is in '${main.currency}'; price everything in '${main.currency}', the first currency of this country, and add further currencies as price periods.`,
		);
	}
}
