import type { Instant } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import { addHours, boundary, type Interval, indexAt, type Period, startOfHour, utc } from "../../../kernel/period";
import type { Commitment, CommittedTime } from "../models/commitment";
import { type Proration, type Share, shareOf, wholePeriod } from "../proration";

/** Our limit (docs/interface/catalogue.md#limits): two years of hours. */
export const commitmentWindowsMax = 20_000;

/** The counted part of a window. */
export interface CommitmentWindow extends Period {
	/** Missing: all of it. */
	readonly share?: Share;
	readonly isOpen: boolean;
}

/**
 * Returns the windows of a commitment that overlap a part of its billing period. They run from the start of the period; hours are
 * those of UTC. A cut window keeps its whole length as the denominator of its share.
 */
export function commitmentWindows(commitment: Commitment, part: Period, time: CommittedTime): CommitmentWindow[] {
	const windows: CommitmentWindow[] = [];
	for (const whole of wholeWindows(commitment, part, time)) {
		if (windows.length >= commitmentWindowsMax)
			throw fail(
				"UnsupportedParameter",
				`A bill has at most ${commitmentWindowsMax} windows of a commitment; choose a longer 'interval'.`,
			);
		windows.push(cutTo(part, whole, commitment, time));
	}
	return windows;
}

function* wholeWindows(
	{ interval }: Commitment,
	{ start, end }: Period,
	{ whole, anchorAt, proration }: CommittedTime,
) {
	if (!interval) {
		if (start < end) yield whole;
		return;
	}
	if (interval.unit === "HOUR") {
		for (let at = startOfHour(start); at < end; at = addHours(at, 1)) yield { start: at, end: addHours(at, 1) };
		return;
	}
	const { timeZone = utc } = proration;
	const recurrence = { anchorAt: anchorAt ?? whole.start, interval, timeZone };
	const from = indexAt(recurrence, start);
	for (let index = from, at = boundary(recurrence, from); at < end; index += 1) {
		const next = boundary(recurrence, index + 1);
		// A zone can skip a day.
		if (next > at) yield { start: at, end: next };
		at = next;
	}
}

function cutTo(part: Period, whole: Period, { interval }: Commitment, time: CommittedTime): CommitmentWindow {
	const { proration, isEnded = false, isEnd = false } = time;
	const start = Math.max(part.start, whole.start) as Instant;
	const end = Math.min(part.end, whole.end) as Instant;
	const isLast = end === part.end;
	const isOpen = isLast && !isEnded && end < whole.end && end < time.whole.end;
	// A window that continues owes its share up to its end, so that bills in between charge no factor too early.
	const until = isOpen ? (Math.min(whole.end, time.whole.end) as Instant) : end;
	const owing = { start, end: until, isEnd: isEnd && isLast };
	const isCut = start > whole.start || until < whole.end;
	const share = isCut ? shareOf(whole, owing, within(proration, interval)) : wholePeriod;
	return { start, end, isOpen, ...(share.partMs !== share.wholeMs && { share }) };
}

/** Whether windows of the billing anchor divide the periods, so that a short month makes no short window. */
export function dividesPeriod({ interval }: Commitment, period: Interval): boolean {
	return interval !== undefined && interval.unit === period.unit && period.count % interval.count === 0;
}

/** The dates of an hour are no measure of its parts. */
function within(proration: Proration, interval: Commitment["interval"]): Proration {
	if (!interval) return proration;
	if (interval.unit !== "HOUR") return { ...proration, unit: interval.unit };
	return proration.mode === "NONE" ? proration : { ...proration, mode: "BY_TIME" };
}
