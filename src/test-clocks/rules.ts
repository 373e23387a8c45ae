import type { EnvironmentRow } from "../areas/access/table";
import { type Instant, instantOf, toIso } from "../kernel/clock";
import { assert, fail } from "../kernel/errors";
import { type ClockBody, parseDuration } from "./schema";

/** The last year with four digits, so that every date of a step can be written. */
const latest = Date.parse("9999-01-01T00:00:00Z") as Instant;

/** Returns the target of a clock at `from`. Months and years are counted on the UTC calendar. */
export function targetOf({ now, advanceBy }: ClockBody, from: Instant): Instant {
	if (now !== undefined && advanceBy !== undefined)
		throw fail("BadUserInput", "body: give either 'now' or 'advanceBy', not both.");
	const target = now === undefined ? later(from, advanceBy) : instantOf(now);
	if (target > latest) throw fail("InvalidArgumentError", `A test clock goes no further than ${toIso(latest)}.`);
	return target;
}

function later(from: Instant, advanceBy: string | undefined): Instant {
	if (advanceBy === undefined) return from;
	const duration = parseDuration(advanceBy);
	assert(duration, "the schema has checked the duration");
	try {
		const start = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO("UTC");
		return start.add(duration).epochMilliseconds as Instant;
	} catch (error) {
		if (error instanceof RangeError)
			throw fail("InvalidArgumentError", `'${advanceBy}' leads beyond the calendar; advance by less.`);
		throw error;
	}
}

/** Refuses production environments: customers pay by their time. This is a rule for every key, not a permission. */
export function assertMayBeTurned({ kind, name }: EnvironmentRow): void {
	if (kind === "PRODUCTION")
		throw fail(
			"InvalidArgumentError",
			`'${name}' is a production environment, whose clock is the wall clock; use a sandbox (\`tollgate environments create\`).`,
		);
}

/** Refuses an earlier time: steps that were carried out cannot be reversed, so a frozen clock only moves forward. */
export function assertForward(target: Instant, frozenAt: Instant): void {
	if (target < frozenAt)
		throw fail(
			"InvalidArgumentError",
			`The clock stands at ${toIso(frozenAt)} and only goes forward; name a later time, or use a new environment.`,
		);
}

/** Refuses a clock that is ahead of the wall clock: its steps would be in the future. */
export function assertMayBeReleased(frozenAt: Instant, machineNow: Instant): void {
	if (frozenAt > machineNow)
		throw fail(
			"InvalidArgumentError",
			`The clock stands at ${toIso(frozenAt)}, ahead of the wall clock; release it from then on, or use a new environment.`,
		);
}
