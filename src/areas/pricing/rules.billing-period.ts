import type { Interval } from "../../kernel/period";

const named = {
	DAILY: { unit: "DAY", count: 1 },
	WEEKLY: { unit: "DAY", count: 7 },
	MONTHLY: { unit: "MONTH", count: 1 },
	QUARTERLY: { unit: "MONTH", count: 3 },
	HALF_YEARLY: { unit: "MONTH", count: 6 },
	ANNUALLY: { unit: "MONTH", count: 12 },
} as const satisfies Readonly<Record<string, Interval>>;

export type NamedPeriod = keyof typeof named;

/**
 * The length of a billing period: its name, or its interval if that has no name, such as "45 DAY". Equal lengths are equal
 * texts, so periods are compared, grouped and stored as text.
 */
export type BillingPeriod = NamedPeriod | `${number} ${Interval["unit"]}`;

const isNamed = (period: string): period is NamedPeriod => Object.hasOwn(named, period);

/** From the shortest to the longest. */
export const namedPeriods = Object.keys(named).filter(isNamed);

export function intervalOf(period: BillingPeriod): Interval {
	if (isNamed(period)) return named[period];
	const [count, unit] = period.split(" ");
	return { unit: unit === "DAY" ? "DAY" : "MONTH", count: Number(count) };
}

const units = {
	DAY: { unit: "DAY", count: 1 },
	WEEK: { unit: "DAY", count: 7 },
	MONTH: { unit: "MONTH", count: 1 },
	YEAR: { unit: "MONTH", count: 12 },
} as const satisfies Readonly<Record<string, Interval>>;

/** An interval as requests may give it. A week counts as 7 days, and a year as 12 months. */
export interface AnyInterval {
	readonly unit: keyof typeof units;
	readonly count: number;
}

export function periodOf({ unit, count }: AnyInterval): BillingPeriod {
	const length = units[unit];
	const text = textOf({ unit: length.unit, count: length.count * count });
	return namedPeriods.find((name) => textOf(named[name]) === text) ?? text;
}

const textOf = ({ unit, count }: Interval): BillingPeriod => `${count} ${unit}`;

/** The length in the 4,800th part of a day, exact: 4,800 months of the Gregorian calendar have 146,097 days. */
export function lengthOf(period: BillingPeriod): number {
	const { unit, count } = intervalOf(period);
	return count * (unit === "DAY" ? 4800 : 146_097);
}

/** Returns each period once, the shortest first. */
export const eachPeriodOnce = (periods: readonly BillingPeriod[]): BillingPeriod[] =>
	[...new Set(periods)].sort((one, other) => lengthOf(one) - lengthOf(other));

export const isWholeMonths = (period: BillingPeriod): boolean => intervalOf(period).unit === "MONTH";

/** Whether a whole number of parts, more than one, makes up exactly one period. */
export function isPartOf(part: BillingPeriod, period: BillingPeriod): boolean {
	const [one, whole] = [intervalOf(part), intervalOf(period)];
	return one.unit === whole.unit && one.count < whole.count && whole.count % one.count === 0;
}

/** A period in the words of messages. */
export const periodText = (period: BillingPeriod): string => (isNamed(period) ? period : `CUSTOM (${period})`);

/**
 * Returns a period as responses show it. The two periods of the interface stand without an interval, as there
 * (docs/interface/catalogue.md#prices).
 */
export function viewBillingPeriod(period: BillingPeriod): {
	readonly billingPeriod: NamedPeriod | "CUSTOM";
	readonly billingInterval?: Interval;
} {
	if (period === "MONTHLY" || period === "ANNUALLY") return { billingPeriod: period };
	return { billingPeriod: periodName(period), billingInterval: intervalOf(period) };
}

export const periodName = (period: BillingPeriod): NamedPeriod | "CUSTOM" => (isNamed(period) ? period : "CUSTOM");

/** Returns the period that a response shows. */
export const shownPeriod = ({
	billingPeriod,
	billingInterval,
}: {
	readonly billingPeriod: NamedPeriod | "CUSTOM";
	readonly billingInterval?: AnyInterval | undefined;
}): BillingPeriod =>
	billingPeriod !== "CUSTOM" ? billingPeriod : billingInterval ? periodOf(billingInterval) : "MONTHLY";

/** A price of usage, as far as it says how often it counts. */
interface Windowed {
	readonly billingPeriod: BillingPeriod;
	readonly priceTerms?: { readonly chargeInterval?: BillingPeriod } | null;
}

/** Returns the length of the windows in which a price of usage counts. */
export const windowPeriodOf = ({ billingPeriod, priceTerms }: Windowed): BillingPeriod =>
	priceTerms?.chargeInterval ?? billingPeriod;
