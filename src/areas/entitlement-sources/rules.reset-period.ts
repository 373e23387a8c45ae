import type { Instant } from "../../kernel/clock";
import { unreachable } from "../../kernel/errors";
import { type Period, periodContaining, startOfMonth, startOfWeek } from "../../kernel/period";
import type { ResetAnchor, ResetPeriod } from "../packages/schema";

export interface Reset {
	/** Null: usage never starts again. */
	readonly resetPeriod: ResetPeriod | null;
	readonly resetAnchor: ResetAnchor | null;
	/** From where "SubscriptionStart" counts. */
	readonly usageAnchorAt: Instant;
}

/** The window in which usage counts now, and the instant its windows are counted from. */
export interface UsagePeriod extends Period {
	readonly anchor: Instant;
}

/** ISO 8601: 1 is Monday. */
const weekdays = {
	EveryMonday: 1,
	EveryTuesday: 2,
	EveryWednesday: 3,
	EveryThursday: 4,
	EveryFriday: 5,
	EverySaturday: 6,
	EverySunday: 7,
} as const;

const isWeekday = (anchor: ResetAnchor | null): anchor is keyof typeof weekdays =>
	anchor !== null && anchor in weekdays;

const epoch = 0 as Instant;

/** The window of each that was asked for last: what is asked a thousand times a second reckons with the calendar once. */
const lastPeriods = new WeakMap<Reset, UsagePeriod>();

/**
 * Source: docs/interface/usage.md: windows are UTC; months and years clamp to the month's last day and do not drift; hours and
 * days have no anchor of their own, so they are the clock's. Null when usage never resets.
 */
export function usagePeriodAt(reset: Reset, now: Instant): UsagePeriod | null {
	const last = lastPeriods.get(reset);
	if (last && last.start <= now && now < last.end) return last;
	const period = reckonPeriod(reset, now);
	if (period) lastPeriods.set(reset, period);
	return period;
}

function reckonPeriod({ resetPeriod, resetAnchor, usageAnchorAt }: Reset, now: Instant): UsagePeriod | null {
	switch (resetPeriod) {
		case null:
			return null;
		case "YEAR":
			return { anchor: usageAnchorAt, ...periodContaining(usageAnchorAt, "years", 1, now) };
		case "MONTH": {
			const anchor = resetAnchor === "StartOfTheMonth" ? startOfMonth(usageAnchorAt) : usageAnchorAt;
			return { anchor, ...periodContaining(anchor, "months", 1, now) };
		}
		case "WEEK": {
			const anchor = isWeekday(resetAnchor) ? startOfWeek(usageAnchorAt, weekdays[resetAnchor]) : usageAnchorAt;
			return { anchor, ...periodContaining(anchor, "weeks", 1, now) };
		}
		case "DAY":
		case "HOUR": {
			const unit = resetPeriod === "DAY" ? "days" : "hours";
			return {
				anchor: periodContaining(epoch, unit, 1, usageAnchorAt).start,
				...periodContaining(epoch, unit, 1, now),
			};
		}
		default:
			return unreachable(resetPeriod);
	}
}
