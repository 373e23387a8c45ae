import { FormatRegistry, Type } from "@sinclair/typebox";

/** An area and a place, such as "Europe/Berlin", or UTC. Abbreviations such as "EST" and offsets are no zones. */
const shape = /^(UTC|[A-Za-z_]+(\/[A-Za-z0-9_+-]+){1,2})$/;

const known = new Map<string, boolean>();

/** The number of cached texts. Each takes about a hundred bytes. */
const knownMax = 2_000;

/** Whether a text names an IANA time zone. */
export function isTimeZone(text: string): boolean {
	const found = known.get(text) ?? (shape.test(text) && isKnown(text));
	if (known.size >= knownMax) known.clear();
	known.set(text, found);
	return found;
}

function isKnown(timeZone: string): boolean {
	try {
		return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone !== "";
	} catch (error) {
		// The only way to ask for one zone.
		if (error instanceof RangeError) return false;
		throw error;
	}
}

FormatRegistry.Set("time-zone", isTimeZone);

export const TimeZone = Type.String({
	format: "time-zone",
	expects: "must be an IANA time zone, such as Europe/Berlin, or UTC; abbreviations and offsets are none",
	maxLength: 64,
	description: "IANA time zone, such as Europe/Berlin",
});
