import { modelPlace, periodPlace, refuse } from "./rules.places";
import type { PackageCharges, PricePeriod } from "./schema.charges";

// What the rows of a price list must be to each other; each row for itself is checked in `rules.charges.ts`.

/** Our choice: a price that names no currency is in US dollars. */
export const defaultCurrency = "usd";

/** One price for each thing, cadence, billing period and country. */
export function assertEachOnce({ pricingModels = [], overagePricingModels = [], minimumSpend }: PackageCharges): void {
	const placeByKey = new Map<string, string>();
	const assertNew = (where: string, key: readonly (string | undefined)[]): void => {
		const text = JSON.stringify(key);
		const earlier = placeByKey.get(text);
		if (earlier) throw refuse(where, `prices the same as ${earlier}; leave one of them out.`);
		placeByKey.set(text, where);
	};
	pricingModels.forEach((model, modelAt) => {
		const { billingModel, billingCadence = "RECURRING", featureId, topUpCustomCurrencyId } = model;
		model.pricePeriods.forEach(({ billingPeriod, billingCountryCode }, at) => {
			const key = [billingModel, billingCadence, featureId, topUpCustomCurrencyId, billingPeriod, billingCountryCode];
			assertNew(periodPlace(modelPlace("pricingModels", modelAt), at), key);
		});
	});
	overagePricingModels.forEach((model, modelAt) => {
		const target = model.featureId ?? model.entitlement?.featureId;
		model.pricePeriods.forEach(({ billingPeriod, billingCountryCode }, at) => {
			const key = ["OVERAGE", target, model.currencyId, billingPeriod, billingCountryCode];
			assertNew(periodPlace(modelPlace("overagePricingModels", modelAt), at), key);
		});
	});
	minimumSpend?.forEach(({ billingPeriod }, at) => {
		assertNew(`charges.minimumSpend[${at}]`, [
			"MINIMUM_SPEND",
			"RECURRING",
			undefined,
			undefined,
			billingPeriod,
			undefined,
		]);
	});
}

/** An invoice has one currency, so all that one customer may be charged has. */
export function assertOneCurrencyForEachCountry({
	pricingModels = [],
	overagePricingModels = [],
	minimumSpend,
}: PackageCharges): void {
	const first = new Map<string | undefined, { readonly currency: string; readonly where: string }>();
	const assertSame = (where: string, country: string | undefined, currency: string = defaultCurrency): void => {
		const earlier = first.get(country);
		if (earlier && earlier.currency !== currency)
			throw refuse(
				where,
				`is in '${currency}', but ${earlier.where} is in '${earlier.currency}'; a price list has one currency for each country.`,
			);
		if (!earlier) first.set(country, { currency, where });
	};
	const assertPeriods = (model: string, periods: readonly PricePeriod[]): void => {
		periods.forEach(({ billingCountryCode, price, tiers = [] }, at) => {
			const where = periodPlace(model, at);
			const prices = [price, ...tiers.flatMap(({ unitPrice, flatPrice }) => [unitPrice, flatPrice])];
			for (const one of prices) if (one) assertSame(where, billingCountryCode, one.currency);
		});
	};
	pricingModels.forEach(({ pricePeriods }, at) => {
		assertPeriods(modelPlace("pricingModels", at), pricePeriods);
	});
	overagePricingModels.forEach(({ pricePeriods }, at) => {
		assertPeriods(modelPlace("overagePricingModels", at), pricePeriods);
	});
	minimumSpend?.forEach(({ minimum }, at) => {
		assertSame(`charges.minimumSpend[${at}]`, undefined, minimum.currency);
	});
}

/** Pay as you go is billed at the end of each month, also within a year that is paid in advance. */
export function assertUsageBilledMonthly({ pricingModels = [] }: PackageCharges): void {
	pricingModels.forEach(({ billingModel, pricePeriods }, modelAt) => {
		const yearly = pricePeriods.findIndex(({ billingPeriod }) => billingPeriod === "ANNUALLY");
		if (billingModel === "USAGE_BASED" && yearly !== -1)
			throw refuse(
				periodPlace(modelPlace("pricingModels", modelAt), yearly),
				"is ANNUALLY, but usage is billed each month; price it MONTHLY: that holds for yearly customers too.",
			);
	});
}
