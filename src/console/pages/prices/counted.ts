import type { OveragePricingModel, PricingModel } from "../../../areas/packages/charges/schema";
import { type BillingPeriod, shownPeriod } from "../../../areas/pricing/rules.billing-period";
import { periodsOfPrices } from "../../kit/billing-periods";
import { currencyOfPeriod } from "./currencies";

/** The end of a slider without bounds. */
const unboundMax = { usage: 1_000, units: 100 } as const;

/** A feature that a price counts: bought by the unit, or used. */
export interface Counted {
	readonly id: string;
	readonly isUsage: boolean;
	readonly least: number;
	readonly most: number;
	/** The initial position of the slider. */
	readonly usual: number;
}

/** The billing periods on sale. Usage is billed monthly, to yearly customers too. */
export function soldBy(models: readonly PricingModel[]): BillingPeriod[] {
	const inAdvance = models.filter(({ billingModel }) => billingModel !== "USAGE_BASED");
	return periodsOfPrices((inAdvance.length > 0 ? inAdvance : models).flatMap(({ pricePeriods }) => pricePeriods));
}

/** Countries with their own prices. */
export const countriesOf = (models: readonly PricingModel[]): string[] => [
	...new Set(
		models.flatMap(({ pricePeriods }) => pricePeriods.flatMap(({ billingCountryCode: country }) => country ?? [])),
	),
];

/** The currencies of prices, each once. */
export const currenciesOf = (models: readonly PricingModel[]): string[] => [
	...new Set(models.flatMap(({ pricePeriods }) => pricePeriods.flatMap((period) => currencyOfPeriod(period) ?? []))),
];

/** The features bought by the unit in a period, and those used in any, including overage. */
export function countedOf(
	models: readonly PricingModel[],
	overage: readonly OveragePricingModel[],
	period: BillingPeriod | undefined,
): Counted[] {
	const found = new Map<string, Counted>();
	for (const { featureId: id, billingModel, pricePeriods, minUnitQuantity, maxUnitQuantity } of models) {
		const isUsage = billingModel === "USAGE_BASED";
		const isSold = pricePeriods.some((one) => shownPeriod(one) === period);
		if (!id || !(isUsage || (billingModel === "PER_UNIT" && isSold))) continue;
		const tiers = pricePeriods.flatMap((one) => one.tiers ?? []);
		const bound = Math.max(0, ...tiers.map(({ upTo }) => upTo ?? 0)) * 2;
		const least = isUsage ? 0 : (minUnitQuantity ?? 1);
		const open = bound || unboundMax[isUsage ? "usage" : "units"];
		const most = Math.max(least, Math.min(maxUnitQuantity || Number.POSITIVE_INFINITY, open));
		found.set(id, { id, isUsage, least, most, usual: isUsage ? Math.ceil(most / 10) : Math.max(least, 1) });
	}
	for (const { featureId: id, entitlement } of overage) {
		if (!id || found.has(id)) continue;
		// Starts beyond the limit, to show the overage.
		const limit = entitlement?.usageLimit || unboundMax.usage / 2;
		found.set(id, { id, isUsage: true, least: 0, most: Math.ceil(limit * 2), usual: Math.ceil(limit * 1.5) });
	}
	return [...found.values()];
}
