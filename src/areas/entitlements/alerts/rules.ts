import { type Decimal, exact, zero } from "../../../kernel/decimal";
import type { ThresholdType } from "./schema";

/** What an alert looks at. */
export interface Measured {
	readonly usage: Decimal;
	/** Null: there is none. */
	readonly limit: Decimal | null;
}

export interface Threshold {
	readonly type: ThresholdType;
	readonly threshold: Decimal;
}

/** Reached at the threshold, not only above it. A share of no limit is never reached; of a limit of 0 by the first unit. */
export function isReached({ type, threshold }: Threshold, { usage, limit }: Measured): boolean {
	const used = exact(usage);
	if (type === "ABSOLUTE") return used.gte(exact(threshold));
	if (limit === null || used.lte(exact(zero))) return false;
	return used.times(100).gte(exact(limit).times(exact(threshold)));
}

/** In place of a customer's row id: of every customer that has none of its own. */
export const everybody = "";

interface AlertOf {
	readonly customerId: string;
	/** One of the two is empty. */
	readonly featureId: string;
	readonly currencyId: string;
}

/** A customer's own alerts for a feature, or a currency of credits, take the place of those for everybody. */
export function applicable<Alert extends AlertOf>(alerts: readonly Alert[]): Alert[] {
	const own = new Set(alerts.flatMap((alert) => (alert.customerId === everybody ? [] : [subjectOf(alert)])));
	return alerts.filter((alert) => alert.customerId !== everybody || !own.has(subjectOf(alert)));
}

const subjectOf = ({ featureId, currencyId }: AlertOf): string => featureId || currencyId;

/**
 * Of thresholds of one balance that were reached, those that are news: of each type the highest, and none where one as high
 * was told of since credits came last.
 */
export function highestNews<Reached extends Threshold>(
	reached: readonly Reached[],
	told: readonly Threshold[],
): Reached[] {
	return [...Map.groupBy(reached, ({ type }) => type)].flatMap(([type, those]) => {
		const highest = those.reduce((one, other) => (isAsHigh(one, other) ? one : other));
		return told.some((one) => one.type === type && isAsHigh(one, highest)) ? [] : [highest];
	});
}

const isAsHigh = (one: Threshold, other: Threshold): boolean => exact(one.threshold).gte(exact(other.threshold));
