import { type Decimal, exact } from "../../../kernel/decimal";

/** A decimal that is compared often. */
export interface Ranked {
	readonly value: Decimal;
	/** The nearest double: it decides most comparisons. */
	readonly nearest: number;
}

export const ranked = (value: Decimal): Ranked => ({ value, nearest: Number(value) });

/**
 * Below, at or above zero, exactly. Rounding to doubles never turns two numbers round: only where both round to the same,
 * the decimals themselves have to be asked.
 */
export function compareRanked(one: Ranked, other: Ranked): number {
	if (one.nearest !== other.nearest) return one.nearest < other.nearest ? -1 : 1;
	return one.value === other.value ? 0 : exact(one.value).cmp(exact(other.value));
}
