import type { Instant } from "../../kernel/clock";
import { type Big, type Decimal, exact } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import { divideToMinor } from "../../kernel/money";
import { dayMs, dayNumber, type Interval, type Period, startOfDayNumber, utc } from "../../kernel/period";
import type { ProrationMode } from "../../kernel/schema.proration-mode";

/** A rule for the share of a part. */
export interface Proration {
	readonly mode: ProrationMode;
	/** The unit of the whole period. Months of thirty days apply to MONTH only; other periods are counted by day. */
	readonly unit: Interval["unit"];
	/** An IANA time zone, for the modes that count dates. Missing: UTC. */
	readonly timeZone?: string;
}

/** A part of a period. */
export interface Part extends Period {
	/** Nothing follows this part, so the date on which it ends counts as a whole day. */
	readonly isEnd?: boolean;
}

/**
 * A part of a period as an exact fraction. A mode that counts dates counts 24 hours for each. The division happens only when
 * the line is rounded.
 */
export interface Share {
	readonly partMs: number;
	readonly wholeMs: number;
	/** The share counts dates. */
	readonly isByDate?: true;
	/** The rest of the charge, if a part of it was credited before. */
	readonly left?: { readonly part: Decimal; readonly whole: Decimal };
}

/** Returns the numerator and the denominator of a share, exact. */
const fractionOf = ({ partMs, wholeMs, left }: Share): { readonly part: Big; readonly whole: Big } => ({
	part: exact(partMs).times(left?.part ?? 1),
	whole: exact(wholeMs).times(left?.whole ?? 1),
});

export const wholePeriod: Share = { partMs: 1, wholeMs: 1 };

const byTime: Proration = { mode: "BY_TIME", unit: "MONTH" };

/**
 * Returns the share of `period` that lies in `part`; both are half-open. Time outside the period does not count.
 * Source: docs/interface/subscriptions.md#changes.
 */
export function shareOf(period: Period, part: Part, proration: Proration = byTime): Share {
	if (proration.mode === "NONE") return wholePeriod;
	const wholeMs = period.end - period.start;
	assert(wholeMs > 0, "a billing period has a length");
	const start = Math.max(part.start, period.start) as Instant;
	const end = Math.min(part.end, period.end) as Instant;
	// The date of an end counts, even if no time has passed.
	if (end < start || (end === start && !part.isEnd)) return { partMs: 0, wholeMs };
	const byDate = proration.mode === "BY_TIME" ? null : shareByDate(period, { ...part, start, end }, proration);
	return byDate ?? { partMs: end - start, wholeMs };
}

/** Null for a period within one date, which a clock change can leave. */
function shareByDate(period: Period, part: Part, { mode, unit, timeZone = utc }: Proration): Share | null {
	const numberOf = mode === "THIRTY_DAY_MONTH" && unit === "MONTH" ? thirtyDayNumber : dayNumber;
	const [first, last] = [numberOf(period.start, timeZone), numberOf(period.end, timeZone)];
	if (first === last) return null;
	const isMidnight = startOfDayNumber(dayNumber(part.end, timeZone), timeZone) === part.end;
	const end = numberOf(part.end, timeZone) + (part.isEnd && !isMidnight ? 1 : 0);
	const days = Math.min(end, last) - numberOf(part.start, timeZone);
	return { partMs: days * dayMs, wholeMs: (last - first) * dayMs, isByDate: true };
}

/** Returns the number of the local date where all months have thirty days: the last day of a month is its 30th. */
function thirtyDayNumber(at: Instant, timeZone: string): number {
	const date = new Date(dayNumber(at, timeZone) * dayMs);
	const day = date.getUTCDate();
	const isLastDay = new Date(date.getTime() + dayMs).getUTCDate() === 1;
	return 360 * date.getUTCFullYear() + 30 * date.getUTCMonth() + (isLastDay ? 30 : day);
}

/**
 * Returns the rest of a period at `at`: the share that a mid-cycle change credits and charges. If nothing follows (`isEnd`),
 * the date of `at` counts as used.
 */
export function remainingShare(period: Period, at: Instant, proration?: Proration, isEnd = false): Share {
	if (!isEnd) return shareOf(period, { start: at, end: period.end }, proration);
	const { partMs, wholeMs, ...used } = shareOf(period, { start: period.start, end: at, isEnd }, proration);
	return { partMs: wholeMs - partMs, wholeMs, ...used };
}

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
