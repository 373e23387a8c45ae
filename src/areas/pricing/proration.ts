import type { Instant } from "../../kernel/clock";
import { type Big, exact } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import { divideToMinor } from "../../kernel/money";
import type { Period } from "../../kernel/period";

/** A part of a period as an exact fraction of its milliseconds; it is divided only where the line is rounded. */
export interface Share {
	readonly partMs: number;
	readonly wholeMs: number;
}

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
		(largest, share) =>
			exact(share.partMs).times(largest.wholeMs).gt(exact(largest.partMs).times(share.wholeMs)) ? share : largest,
		{ partMs: 0, wholeMs: 1 },
	);

/** amount × share, rounded once to the currency's minor unit, half up (away from zero, so that a credit mirrors its charge). */
export const prorate = (amount: Big, { partMs, wholeMs }: Share, currency: string): Big =>
	divideToMinor(amount.times(partMs), exact(wholeMs), currency);
