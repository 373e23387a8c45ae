import type { Instant } from "../../kernel/clock";
import { type Big, type Decimal, exact } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import { divideToMinor } from "../../kernel/money";
import type { Period } from "../../kernel/period";

/** A part of a period as an exact fraction of its milliseconds. The division happens only when the line is rounded. */
export interface Share {
	readonly partMs: number;
	readonly wholeMs: number;
	/** The rest of the charge, if a part of it was credited before. */
	readonly left?: { readonly part: Decimal; readonly whole: Decimal };
}

/** Returns the numerator and the denominator of a share, exact. */
const fractionOf = ({ partMs, wholeMs, left }: Share): { readonly part: Big; readonly whole: Big } => ({
	part: exact(partMs).times(left?.part ?? 1),
	whole: exact(wholeMs).times(left?.whole ?? 1),
});

export const wholePeriod: Share = { partMs: 1, wholeMs: 1 };

/**
 * Returns the share of `period` that lies in `part`; both are half-open. Time outside the period does not count.
 * Source: docs/interface/subscriptions.md#changes.
 */
export function shareOf(period: Period, part: Period): Share {
	const wholeMs = period.end - period.start;
	assert(wholeMs > 0, "a billing period has a length");
	const partMs = Math.min(part.end, period.end) - Math.max(part.start, period.start);
	return { partMs: Math.max(0, partMs), wholeMs };
}

/** Returns the rest of a period at `at`: the share that a mid-cycle change credits and charges. */
export const remainingShare = (period: Period, at: Instant): Share => shareOf(period, { start: at, end: period.end });

/** Returns the largest share, compared as exact fractions; an empty list gives an empty share. */
export const largestShare = (shares: readonly Share[]): Share =>
	shares.reduce(
		(largest, share) => {
			const [one, other] = [fractionOf(share), fractionOf(largest)];
			return one.part.times(other.whole).gt(other.part.times(one.whole)) ? share : largest;
		},
		{ partMs: 0, wholeMs: 1 },
	);

/**
 * Returns amount × share, rounded once to the currency's minor unit. It rounds half up, away from zero, so that a credit mirrors its
 * charge.
 */
export function prorate(amount: Big, share: Share, currency: string): Big {
	const { part, whole } = fractionOf(share);
	return divideToMinor(amount.times(part), whole, currency);
}
