import type { Instant } from "../../kernel/clock";
import type { Period } from "../../kernel/period";

export const hourMs = 3_600_000;
export const hoursPerDay = 24;

/** Hours since the epoch, UTC. */
export const hourOf = (at: Instant): number => Math.floor(at / hourMs);
export const dayOfHour = (hour: number): number => Math.floor(hour / hoursPerDay);

/** Half open, in hours or days since the epoch. */
export interface Range {
	readonly from: number;
	readonly to: number;
}

export interface Cover {
	/** Parts of one hour each, which are counted event by event: at most two. */
	readonly parts: readonly Period[];
	readonly hours: readonly Range[];
	readonly days: Range;
}

/** Divides a period into whole days, the whole hours around them, and a part of an hour at either end. */
export function coverPeriod({ start, end }: Period): Cover {
	const none = { from: 0, to: 0 };
	if (end <= start) return { parts: [], hours: [], days: none };
	const [firstHour, lastHour] = [hourOf((start - 1) as Instant) + 1, hourOf(end)];
	if (firstHour > lastHour) return { parts: [{ start, end }], hours: [], days: none };
	const parts = [
		{ start, end: (firstHour * hourMs) as Instant },
		{ start: (lastHour * hourMs) as Instant, end },
	].filter((part) => part.start < part.end);
	const days = { from: dayOfHour(firstHour - 1) + 1, to: dayOfHour(lastHour) };
	const hasDays = days.from < days.to;
	const around = hasDays
		? [
				{ from: firstHour, to: days.from * hoursPerDay },
				{ from: days.to * hoursPerDay, to: lastHour },
			]
		: [{ from: firstHour, to: lastHour }];
	return { parts, hours: around.filter(({ from, to }) => from < to), days: hasDays ? days : none };
}

/** The earliest and the latest time of some events. */
export interface Times {
	readonly firstAt: number;
	readonly lastAt: number;
}

/** Widens a part of an hour by time without events: to the whole hour if all of them lie within the part. */
export const widenPart = ({ start, end }: Period, hour: number, { firstAt, lastAt }: Times): Period => ({
	start: start <= firstAt ? ((hour * hourMs) as Instant) : start,
	end: lastAt < end ? (((hour + 1) * hourMs) as Instant) : end,
});

export const isWholeHour = ({ start, end }: Period): boolean => end - start === hourMs;

/** Returns the cut that a part of an hour belongs to, and its side, if the part begins or ends with the hour. */
export function sideOf(
	{ start, end }: Period,
	hour: number,
): { readonly side: "head" | "tail"; readonly at: Instant } | undefined {
	if (end === (hour + 1) * hourMs) return { side: "tail", at: start };
	return start === hour * hourMs ? { side: "head", at: end } : undefined;
}
