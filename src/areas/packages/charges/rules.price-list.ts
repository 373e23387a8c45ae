import { minimumPath, modelPath, periodPath, refuse } from "../rules.field-paths";
import { periodIn } from "./rules.billing-periods";
import { pricingOfPhase, pricingsOf } from "./rules.phases";
import type { PackageCharges, PhaseChargesInput, Phases, PriceInput, PricePeriod, PricingModel } from "./schema";

// The rules that relate the rows of a price list to each other. `rules.ts` checks each row by itself.

/**
 * Returns the price list with an explicit currency for every price. A price without a currency takes that of the other
 * prices of its country. Otherwise it takes that of the default prices, or else `fallback`, the environment's currency.
 * Our choice (docs/interface/catalogue.md#prices), because the wire makes the currency optional.
 */
export function withCurrencies(charges: PackageCharges, fallback: string | CurrencyIn): PackageCharges {
	const { pricingModels, overagePricingModels, minimumSpend, phases } = charges;
	const ofCharges = currenciesOf(charges);
	const currencyIn = (country: string | undefined): string =>
		ofCharges(country) ?? (typeof fallback === "string" ? fallback : fallback(country));
	const priced = (price: PriceInput, country?: string): PriceInput => ({
		...price,
		currency: price.currency ?? currencyIn(country),
	});
	const unitPrice = ({ price, tiers }: Pick<PricePeriod, "price" | "tiers">, country: string | undefined) => ({
		...(price && { price: priced(price, country) }),
		...(tiers && {
			tiers: tiers.map(({ unitPrice, flatPrice, ...tier }) => ({
				...tier,
				...(unitPrice && { unitPrice: priced(unitPrice, country) }),
				...(flatPrice && { flatPrice: priced(flatPrice, country) }),
			})),
		}),
	});
	const period = ({ transactionPrice, variants, ...terms }: PricePeriod): PricePeriod => ({
		...terms,
		...unitPrice(terms, terms.billingCountryCode),
		...(variants && {
			variants: variants.map((variant) => ({ ...variant, ...unitPrice(variant, terms.billingCountryCode) })),
		}),
		...(transactionPrice && {
			transactionPrice: {
				...transactionPrice,
				currency: transactionPrice.currency ?? currencyIn(terms.billingCountryCode),
			},
		}),
	});
	const model = <Model extends { pricePeriods: PricePeriod[] }>(one: Model): Model => ({
		...one,
		pricePeriods: one.pricePeriods.map(period),
	});
	return {
		...charges,
		...(pricingModels && { pricingModels: pricingModels.map(model) }),
		...(overagePricingModels && { overagePricingModels: overagePricingModels.map(model) }),
		...(minimumSpend && {
			minimumSpend: minimumSpend.map(({ minimum, ...terms }) => ({ ...terms, minimum: priced(minimum) })),
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
	for (const { country, price } of allPrices(charges))
		if (price.currency && !named.has(country)) named.set(country, price.currency);
	return (country) => named.get(country) ?? named.get(undefined);
}

/** Throws BadUserInput for a phase whose prices for a country have another currency than the plan's: a subscription has one currency. */
export function assertPhaseCurrencies(charges: PackageCharges): void {
	const ofPlan = currenciesOf(charges);
	const countries = (of: PackageCharges) => allPrices(of).map(({ country }) => country);
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

interface PlacedPrice {
	readonly where: string;
	readonly country: string | undefined;
	readonly price: PriceInput;
}

/** Returns every price of the list with its path and its country. Default prices have no country. */
function allPrices({ pricingModels = [], overagePricingModels = [], minimumSpend }: PackageCharges): PlacedPrice[] {
	const ofPeriods = (model: string, periods: readonly PricePeriod[]): PlacedPrice[] =>
		periods.flatMap(({ billingCountryCode: country, transactionPrice: of, variants = [], ...period }, at) =>
			[
				...(of?.currency === undefined ? [] : [{ amount: 0, currency: of.currency }]),
				...[period, ...variants].flatMap(({ price, tiers = [] }) => [
					price,
					...tiers.flatMap(({ unitPrice, flatPrice }) => [unitPrice, flatPrice]),
				]),
			].flatMap((one) => (one ? { where: periodPath(model, at), country, price: one } : [])),
		);
	return [
		...pricingModels.flatMap(({ pricePeriods }, at) => ofPeriods(modelPath("pricingModels", at), pricePeriods)),
		...overagePricingModels.flatMap(({ pricePeriods }, at) =>
			ofPeriods(modelPath("overagePricingModels", at), pricePeriods),
		),
		...(minimumSpend ?? []).map(({ minimum }, at) => ({
			where: minimumPath(at),
			country: undefined,
			price: minimum,
		})),
	];
}

/** Throws if the list has two prices for the same item, cadence, billing period and country. */
export function assertEachOnce({ pricingModels = [], overagePricingModels = [], minimumSpend }: PackageCharges): void {
	const placeByKey = new Map<string, string>();
	const assertNew = (where: string, key: readonly (string | undefined)[]): void => {
		const text = JSON.stringify(key);
		const earlier = placeByKey.get(text);
		if (earlier)
			throw refuse(where, `prices the same as ${earlier}; leave one of them out, or give each its own 'key'.`);
		placeByKey.set(text, where);
	};
	pricingModels.forEach((model, modelAt) => {
		const { billingModel, billingCadence = "RECURRING", featureId, topUpCustomCurrencyId } = model;
		const key = distinguishes(model) ? model.key : undefined;
		model.pricePeriods.forEach((period, at) => {
			const where = periodPath(modelPath("pricingModels", modelAt), at);
			const thing = [billingModel, billingCadence, featureId, topUpCustomCurrencyId, key];
			assertNew(where, [...thing, periodIn(where, period), period.billingCountryCode]);
		});
	});
	overagePricingModels.forEach((model, modelAt) => {
		const target = model.featureId ?? model.entitlement?.featureId;
		model.pricePeriods.forEach((period, at) => {
			const where = periodPath(modelPath("overagePricingModels", modelAt), at);
			assertNew(where, ["OVERAGE", target, model.currencyId, periodIn(where, period), period.billingCountryCode]);
		});
	});
	minimumSpend?.forEach((row, at) => {
		const period = periodIn(minimumPath(at), row);
		assertNew(minimumPath(at), ["MINIMUM_SPEND", "RECURRING", undefined, undefined, period, undefined]);
	});
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

/** Throws unless all prices of one country have one currency, because an invoice has one currency. */
export function assertOneCurrencyForEachCountry(charges: PackageCharges): void {
	const first = new Map<string | undefined, { readonly currency: string; readonly where: string }>();
	for (const { where, country, price } of allPrices(charges)) {
		const { currency } = price;
		if (currency === undefined) continue;
		const earlier = first.get(country);
		if (earlier && earlier.currency !== currency)
			throw refuse(
				where,
				`is in '${currency}', but ${earlier.where} is in '${earlier.currency}'; a price list has one currency for each country.`,
			);
		if (!earlier) first.set(country, { currency, where });
	}
}
