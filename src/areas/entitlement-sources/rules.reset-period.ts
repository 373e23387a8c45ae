import type { Instant } from "../../kernel/clock";
import { unreachable } from "../../kernel/errors";
import {
	addDays,
	addHours,
	oneMonth,
	oneWeek,
	oneYear,
	type Period,
	periodContaining,
	startOfDay,
	startOfHour,
	startOfMonth,
	startOfWeek,
} from "../../kernel/period";
import type { ResetAnchor, ResetPeriod } from "../packages/schema";

export interface Reset {
	/** Null: usage never resets. */
	readonly resetPeriod: ResetPeriod | null;
	readonly resetAnchor: ResetAnchor | null;
	/** The anchor of "SubscriptionStart". */
	readonly usageAnchorAt: Instant;
}

/** A usage period, and the anchor of the periods. */
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

/** The last period of each entitlement. Thousands of requests a second share one calendar calculation. */
const lastPeriods = new WeakMap<Reset, UsagePeriod>();

/**
 * Returns the usage period at an instant; null where usage never resets. Periods are in UTC. Months and years end at the last day of
 * shorter months and do not drift. Hours and days follow the clock, without an anchor (docs/interface/usage.md).
 */
export function usagePeriodAt(reset: Reset, now: Instant): UsagePeriod | null {
	const last = lastPeriods.get(reset);
	if (last && last.start <= now && now < last.end) return last;
	const period = calculatePeriod(reset, now);
	if (period) lastPeriods.set(reset, period);
	return period;
}

function calculatePeriod({ resetPeriod, resetAnchor, usageAnchorAt }: Reset, now: Instant): UsagePeriod | null {
	switch (resetPeriod) {
		case null:
			return null;
		case "YEAR":
			return { anchor: usageAnchorAt, ...periodContaining({ anchorAt: usageAnchorAt, interval: oneYear }, now) };
		case "MONTH": {
			const anchor = resetAnchor === "StartOfTheMonth" ? startOfMonth(usageAnchorAt) : usageAnchorAt;
			return { anchor, ...periodContaining({ anchorAt: anchor, interval: oneMonth }, now) };
		}
		case "WEEK": {
			const anchor = isWeekday(resetAnchor) ? startOfWeek(usageAnchorAt, weekdays[resetAnchor]) : usageAnchorAt;
			return { anchor, ...periodContaining({ anchorAt: anchor, interval: oneWeek }, now) };
		}
		case "DAY": {
			const start = startOfDay(now);
			return { anchor: startOfDay(usageAnchorAt), start, end: addDays(start, 1) };
		}
		case "HOUR": {
			const start = startOfHour(now);
			return { anchor: startOfHour(usageAnchorAt), start, end: addHours(start, 1) };
		}
		default:
			return unreachable(resetPeriod);
	}
}
