import type { Instant } from "../../kernel/clock";
import { atLocalHour, dayNumber } from "../../kernel/period";
import type { DunningCaseRow } from "./table";

/** Steps run at 08:00 of the customer's zone. */
export const stepHour = 8;

/** The terms on which the next step depends. */
export type Scheduled = Pick<DunningCaseRow, "reminders" | "endAfterDays" | "anchorDay" | "position">;

/** Returns the local day of the due date, which is a whole day in UTC. */
export const dueDayOf = (dueAt: Instant): number => dayNumber(dueAt, "UTC");

/** Returns the days from the due date of a step. */
export const daysOf = ({ reminders, endAfterDays }: Pick<Scheduled, "reminders" | "endAfterDays">, position: number) =>
	reminders[position] ?? endAfterDays;

export const isEnd = ({ reminders }: Pick<Scheduled, "reminders">, position: number): boolean =>
	position >= reminders.length;

/** Returns the time of a step by the schedule alone. */
export const plannedAt = (terms: Scheduled, position: number, timeZone: string): Instant =>
	atLocalHour(terms.anchorDay + daysOf(terms, position), stepHour, timeZone);

/**
 * Returns when the next step of a case runs after an instant: its start, its resumption, or its last step. A step whose time has passed by
 * then runs at the next 08:00. `isStart`: a first reminder whose time has passed runs at once, with the issue of the invoice.
 */
export function nextAt(terms: Scheduled, timeZone: string, from: Instant, isStart = false): Instant {
	const planned = plannedAt(terms, terms.position, timeZone);
	if (planned > from) return planned;
	return isStart ? from : nextMorning(from, timeZone);
}

/**
 * Returns the step that runs at an instant: the last reminder whose time has come. It replaces the reminders before it. The end is no
 * reminder and replaces none.
 */
export function positionAt(terms: Scheduled, timeZone: string, at: Instant): number {
	let { position } = terms;
	while (position + 1 < terms.reminders.length && plannedAt(terms, position + 1, timeZone) <= at) position += 1;
	return position;
}

/** Returns the first 08:00 after an instant. */
function nextMorning(from: Instant, timeZone: string): Instant {
	const day = dayNumber(from, timeZone);
	const today = atLocalHour(day, stepHour, timeZone);
	return today > from ? today : atLocalHour(day + 1, stepHour, timeZone);
}

/** Returns the day from which the steps count after the schedule stood still. */
export const movedAnchor = ({ anchorDay }: Pick<Scheduled, "anchorDay">, stoodStill: Span, timeZone: string): number =>
	anchorDay + Math.max(0, dayNumber(stoodStill.until, timeZone) - dayNumber(stoodStill.since, timeZone));

interface Span {
	readonly since: Instant;
	readonly until: Instant;
}

/**
 * Returns the day from which the end counts after the last reminder ran: the policy's last days run in full, also after a late reminder.
 */
export const anchorAfterLast = (terms: Scheduled, ranAt: Instant, timeZone: string): number =>
	Math.max(terms.anchorDay, dayNumber(ranAt, timeZone) - daysOf(terms, terms.reminders.length - 1));

/** Returns the instant at which a promise until a day is over: 08:00 of the day after it. */
export const promiseOver = (day: number, timeZone: string): Instant => atLocalHour(day + 1, stepHour, timeZone);
