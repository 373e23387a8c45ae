import { type Decimal, exact } from "../../../kernel/decimal";

/** A decimal that is compared often. */
export interface Ranked {
	readonly value: Decimal;
	/** The nearest double, which decides most comparisons. */
	readonly nearest: number;
}

export const ranked = (value: Decimal): Ranked => ({ value, nearest: Number(value) });

/**
 * Compares exactly; returns a number below, at or above zero. Rounding to doubles never reverses an order, so only
 * equal doubles need the decimals.
 */
export function compareRanked(one: Ranked, other: Ranked): number {
	if (one.nearest !== other.nearest) return one.nearest < other.nearest ? -1 : 1;
	return one.value === other.value ? 0 : exact(one.value).cmp(exact(other.value));
}
