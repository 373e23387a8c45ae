import type { Instant } from "../../../kernel/clock";
import { type Big, type Decimal, divide, exact, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import type { UpdateBehavior } from "./schema";

/** The spans of rows in the totals, the longest first. */
export const spans = { day: 1, hour: 2, minute: 3 } as const;
export type Span = (typeof spans)[keyof typeof spans];

export const spanMs: Readonly<Record<Span, number>> = {
	[spans.day]: 86_400_000,
	[spans.hour]: 3_600_000,
	[spans.minute]: 60_000,
};

export const allSpans: readonly Span[] = [spans.day, spans.hour, spans.minute];

export const bucketOf = (span: Span, at: Instant): number => Math.floor(at / spanMs[span]);
export const bucketStart = (span: Span, bucket: number): number => bucket * spanMs[span];

/** Whole buckets [from, to) of a span, or less than a minute, which is read report by report. */
export type Piece =
	| { readonly span: Span; readonly from: number; readonly to: number }
	| { readonly span: null; readonly period: Period };

/** Divides a period into the fewest pieces: whole days, whole hours around them, minutes around those, and the rest. */
export function piecesOf({ start, end }: Period, [span, ...finer]: readonly Span[] = allSpans): Piece[] {
	if (start >= end) return [];
	if (span === undefined) return [{ span: null, period: { start, end } }];
	const ms = spanMs[span];
	const [from, to] = [Math.ceil(start / ms), Math.floor(end / ms)];
	if (from >= to) return piecesOf({ start, end }, finer);
	return [
		...piecesOf({ start, end: (from * ms) as Instant }, finer),
		{ span, from, to },
		...piecesOf({ start: (to * ms) as Instant, end }, finer),
	];
}

/**
 * Our choices (docs/interface/usage.md#reported-usage): numbers that JSON holds without loss, with a margin for sums;
 * and finer than any price.
 */
export const reportedMax = 999_999_999_999_999;
export const reportedPlacesMax = 12;

export interface Change {
	readonly behavior: UpdateBehavior;
	readonly value: Decimal;
	/** The value at the time of the report, before it. */
	readonly current: Decimal;
	/** `usages/3`, for the message. */
	readonly where: string;
}

/**
 * Returns the difference that a report makes. Throws UsageMeasurementDiffOutOfRangeError if it, or the resulting usage, is
 * invalid: below zero, beyond 15 digits, or finer than 12 places.
 */
export function deltaOf({ behavior, value, current, where }: Change): Decimal {
	const sent = exact(value);
	const delta = behavior === "SET" ? sent.minus(exact(current)) : sent;
	const after = behavior === "SET" ? sent : exact(current).plus(sent);
	if (isTooFine(sent))
		throw outOfRange(`${where}/value: has more than ${reportedPlacesMax} places after the point; round it.`);
	if (sent.abs().gt(reportedMax) || after.gt(reportedMax))
		throw outOfRange(`${where}/value: usage counts up to ${reportedMax}; report it in larger units.`);
	if (after.lt(0))
		throw outOfRange(
			behavior === "SET"
				? `${where}/value: usage cannot be set below zero.`
				: `${where}/value: ${value} would take the usage of ${current} below zero; send what is there, or SET it.`,
		);
	return toDecimal(delta);
}

const outOfRange = (message: string) => fail("UsageMeasurementDiffOutOfRangeError", message);

const isTooFine = (value: Big): boolean => value.c.length - 1 - value.e > reportedPlacesMax;

/** A level at the start of a period, and the additions within it. */
export interface LevelOverTime {
	readonly atStart: Decimal;
	/** The sum of each addition times the milliseconds from it to the end of the period. */
	readonly addedTimes: Decimal;
}

/** As for a meter's average: more decimal places than any price has. */
const averagePlaces = 12;

/**
 * Returns the time-weighted average of a level over `overMs`; for a part of it, the part's share of the average. Exact,
 * and rounded once, half up.
 */
export function weightedByTime(
	{ atStart, addedTimes }: LevelOverTime,
	{ start, end }: Period,
	overMs: number,
): Decimal {
	if (overMs <= 0) return zero;
	const times = exact(atStart)
		.times(end - start)
		.plus(exact(addedTimes));
	return toDecimal(divide(times, exact(overMs), averagePlaces, "half-up"));
}
