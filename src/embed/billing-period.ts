import type { BillingPeriod } from "../areas/packages/schema";
import type { Words } from "./messages";

/** The fields that name a billing period. The interval can be missing for MONTHLY and ANNUALLY. */
export interface OfPeriod {
	readonly billingPeriod: BillingPeriod;
	readonly billingInterval?: { readonly unit: "DAY" | "WEEK" | "MONTH" | "YEAR"; readonly count: number };
}

/** Equal periods have equal keys. */
export const keyOf = ({ billingPeriod, billingInterval: of }: OfPeriod): string =>
	of && billingPeriod === "CUSTOM" ? `${of.count} ${of.unit}` : billingPeriod;

export const isPer = (one: OfPeriod, other: OfPeriod): boolean => keyOf(one) === keyOf(other);

/** Returns each period of prices once, the shortest first. */
export const periodsOf = (prices: readonly OfPeriod[]): OfPeriod[] =>
	[...new Map(prices.map((price) => [keyOf(price), price])).values()].sort((one, other) => daysOf(one) - daysOf(other));

/** About the length in days. */
const daysOf = ({ billingPeriod, billingInterval: of }: OfPeriod): number =>
	of ? of.count * (of.unit === "DAY" ? 1 : 30.4) : billingPeriod === "MONTHLY" ? 30.4 : 365;

/** Returns a period as requests take it. */
export const requested = ({ billingPeriod, billingInterval }: OfPeriod): OfPeriod =>
	billingInterval && !/^(MONTH|ANNUAL)LY$/.test(billingPeriod) ? { billingPeriod, billingInterval } : { billingPeriod };

/** Returns a text such as "Yearly" or "Every 3 months", or for after a price "per year" or "every 3 months". */
export function periodText(
	{ say, language }: Words,
	{ billingPeriod, billingInterval }: OfPeriod,
	isAfter = true,
): string {
	const start = isAfter ? "per_" : "";
	if (billingPeriod === "DAILY" || billingPeriod === "MONTHLY" || billingPeriod === "ANNUALLY")
		return say(`${start}${billingPeriod}`);
	const { unit = "DAY", count = 1 } = billingInterval ?? {};
	const format = new Intl.NumberFormat(language, { style: "unit", unit: unit.toLowerCase(), unitDisplay: "long" });
	return say(`${start}every`, { length: format.format(count) });
}
