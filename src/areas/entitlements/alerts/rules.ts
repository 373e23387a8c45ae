import { type Decimal, exact, zero } from "../../../kernel/decimal";
import type { ThresholdType } from "./schema";

/** The usage and limit that an alert compares. */
export interface MeasuredUsage {
	readonly usage: Decimal;
	/** Null: no limit. */
	readonly limit: Decimal | null;
}

export interface Threshold {
	readonly type: ThresholdType;
	readonly threshold: Decimal;
}

/** Whether usage is at or above a threshold. A percentage is never reached without a limit, and by the first unit with a limit of 0. */
export function isReached({ type, threshold }: Threshold, { usage, limit }: MeasuredUsage): boolean {
	const used = exact(usage);
	if (type === "ABSOLUTE") return used.gte(exact(threshold));
	if (limit === null || used.lte(exact(zero))) return false;
	return used.times(100).gte(exact(limit).times(exact(threshold)));
}

/** Instead of a customer's row id: all customers without an alert of their own. */
export const allCustomers = "";

interface AlertOf {
	readonly customerId: string;
	/** One of the two is empty. */
	readonly featureId: string;
	readonly currencyId: string;
}

/** Returns the applicable alerts: a customer's own alerts for a feature or currency replace those for all customers. */
export function applicable<Alert extends AlertOf>(alerts: readonly Alert[]): Alert[] {
	const own = new Set(alerts.flatMap((alert) => (alert.customerId === allCustomers ? [] : [subjectOf(alert)])));
	return alerts.filter((alert) => alert.customerId !== allCustomers || !own.has(subjectOf(alert)));
}

const subjectOf = ({ featureId, currencyId }: AlertOf): string => featureId || currencyId;

/**
 * Returns the highest reached threshold of each type, except where one at least as high was recorded since the last grant. All
 * belong to one balance.
 */
export function highestUnrecorded<Reached extends Threshold>(
	reached: readonly Reached[],
	recorded: readonly Threshold[],
): Reached[] {
	return [...Map.groupBy(reached, ({ type }) => type)].flatMap(([type, those]) => {
		const highest = those.reduce((one, other) => (isAsHigh(one, other) ? one : other));
		return recorded.some((one) => one.type === type && isAsHigh(one, highest)) ? [] : [highest];
	});
}

const isAsHigh = (one: Threshold, other: Threshold): boolean => exact(one.threshold).gte(exact(other.threshold));
