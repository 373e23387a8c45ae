import { type Instant, parseInstant } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import { dayMs, dayNumber } from "../../kernel/period";
import type { CollectionSuspend } from "./schema";

/** Our bound: a longer agreement is a hold. */
const daysAheadMax = 366;

/** A day of a calendar: its number, and its start in UTC. */
export interface CalendarDay {
	readonly number: number;
	readonly start: Instant;
}

/**
 * Returns the last day of a suspension; null: a person resumes it. Throws InvalidArgumentError for a PROMISE without a day, a DISPUTE with one,
 * a day that does not exist or is past, and a day more than a year ahead.
 */
export function dayOf(
	{ reason, untilDay }: Pick<CollectionSuspend, "reason" | "untilDay">,
	now: Instant,
	timeZone: string,
): CalendarDay | null {
	if (untilDay === undefined) {
		if (reason !== "PROMISE") return null;
		throw fail("InvalidArgumentError", "A PROMISE needs 'untilDay', the day until which the customer pays.");
	}
	if (reason === "DISPUTE")
		throw fail("InvalidArgumentError", "'untilDay' does not go with a DISPUTE, which a person ends; leave it out.");
	const start = parseInstant(`${untilDay}T00:00:00Z`);
	if (start === undefined) throw fail("InvalidArgumentError", `'untilDay': there is no day ${untilDay}.`);
	const number = start / dayMs;
	const today = dayNumber(now, timeZone);
	if (number < today)
		throw fail("InvalidArgumentError", `'untilDay' is ${untilDay}, which is past; name today or a later day.`);
	if (number > today + daysAheadMax)
		throw fail("InvalidArgumentError", `'untilDay' is more than ${daysAheadMax} days ahead; use a HOLD without a day.`);
	return { number, start };
}
