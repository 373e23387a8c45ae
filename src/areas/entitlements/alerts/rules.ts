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

/** A customer's own alerts for a feature take the place of those for everybody. */
export function applicable<Alert extends { readonly customerId: string; readonly featureId: string }>(
	alerts: readonly Alert[],
): Alert[] {
	const own = new Set(alerts.flatMap(({ customerId, featureId }) => (customerId === everybody ? [] : [featureId])));
	return alerts.filter(({ customerId, featureId }) => customerId !== everybody || !own.has(featureId));
}
