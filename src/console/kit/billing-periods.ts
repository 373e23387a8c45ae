import {
	type BillingPeriod,
	eachPeriodOnce,
	intervalOf,
	periodName,
	shownPeriod,
} from "../../areas/pricing/rules.billing-period";
import { words } from "../messages/shared/words";

/** Returns "Quarterly" or "Every 45 days". */
export function periodLabel(period: BillingPeriod): string {
	const name = periodName(period);
	if (name !== "CUSTOM") return words[name];
	const { unit, count } = intervalOf(period);
	return unit === "DAY" ? words.everyDays({ count }) : words.everyMonths({ count });
}

type Shown = Parameters<typeof shownPeriod>[0];

/** Returns the periods of prices, the shortest first. */
export const periodsOfPrices = (prices: readonly Shown[]): BillingPeriod[] => eachPeriodOnce(prices.map(shownPeriod));

export const periodOptions = (periods: readonly BillingPeriod[]) =>
	periods.map((value) => ({ value, label: periodLabel(value) }));
