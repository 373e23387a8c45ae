declare const instant: unique symbol;

/** Milliseconds since the epoch, UTC. */
export type Instant = number & { readonly [instant]: true };

export const toIso = (at: Instant): string => new Date(at).toISOString();
export const toIsoOrNull = (at: Instant | null): string | null => (at === null ? null : toIso(at));

/** The machine's time. An environment's is this one, unless it has a test clock (kernel/doors.ts, `DoorsOptions.testClocks`). */
export interface Clock {
	now(): Instant;
}

/**
 * The only reader of the machine's time. Everything else takes `work.now`, or `work.machineNow` for what protects the
 * machine.
 */
export const wallClock: Clock = { now: () => Date.now() as Instant };

const isoPattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|[+-]\d{2}:\d{2})$/i;

/**
 * An ISO 8601 date-time with a zone, as an instant; undefined when the text is no such time. Exact where `Date.parse`
 * and the "date-time" format are lax: a date alone, a missing zone and the 30th of February are refused.
 */
export function parseInstant(text: string): Instant | undefined {
	const parts = isoPattern.exec(text);
	if (!parts) return undefined;
	const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
	const date = new Date(Date.UTC(year, month - 1, day));
	if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
	const at = Date.parse(text);
	return Number.isNaN(at) ? undefined : (at as Instant);
}

/** As `parseInstant`, of a text that a schema has checked. */
export function instantOf(text: string): Instant {
	const at = parseInstant(text);
	if (at === undefined) throw new Error(`Assertion failed: the schema has checked the instant '${text}'`);
	return at;
}
