import type { Instant } from "../../kernel/clock";
import { type Big, type Decimal, exact } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import { divideToMinor } from "../../kernel/money";
import type { Period } from "../../kernel/period";

/** A part of a period as an exact fraction of its milliseconds; it is divided only where the line is rounded. */
export interface Share {
	readonly partMs: number;
	readonly wholeMs: number;
	/** How much of the charge is left, where a part of it was given back already. */
	readonly left?: { readonly part: Decimal; readonly whole: Decimal };
}

/** The fraction that it is: numerator and denominator, exact. */
const fractionOf = ({ partMs, wholeMs, left }: Share): { readonly part: Big; readonly whole: Big } => ({
	part: exact(partMs).times(left?.part ?? 1),
	whole: exact(wholeMs).times(left?.whole ?? 1),
});

export const wholePeriod: Share = { partMs: 1, wholeMs: 1 };

/**
 * How much of `period` lies in `part`; both half open. What lies outside counts nothing.
 * Source: docs/interface/subscriptions.md, by elapsed time in the period.
 */
export function shareOf(period: Period, part: Period): Share {
	const wholeMs = period.end - period.start;
	assert(wholeMs > 0, "a billing period has a length");
	const partMs = Math.min(part.end, period.end) - Math.max(part.start, period.start);
	return { partMs: Math.max(0, partMs), wholeMs };
}

/** What is left of a period at `at`: the share that a change in mid-period credits and charges. */
export const remainingShare = (period: Period, at: Instant): Share => shareOf(period, { start: at, end: period.end });

/** The largest of some shares, compared as exact fractions; nothing where there are none. */
export const largestShare = (shares: readonly Share[]): Share =>
	shares.reduce(
		(largest, share) => {
			const [one, other] = [fractionOf(share), fractionOf(largest)];
			return one.part.times(other.whole).gt(other.part.times(one.whole)) ? share : largest;
		},
		{ partMs: 0, wholeMs: 1 },
	);

/** amount × share, rounded once to the currency's minor unit, half up (away from zero, so that a credit mirrors its charge). */
export function prorate(amount: Big, share: Share, currency: string): Big {
	const { part, whole } = fractionOf(share);
	return divideToMinor(amount.times(part), whole, currency);
}
