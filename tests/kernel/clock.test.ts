import { test } from "bun:test";
import fc from "fast-check";
import { parseInstant } from "../../src/kernel/clock";

/** The rules of the standard's pattern and the calendar, with none of our code. */
function truth(text: string): number | undefined {
	const parts =
		/^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|[+-]\d{2}:\d{2})$/i.exec(text) ?? [];
	const [, year = "", month = "", day = ""] = parts;
	const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
	if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(`${year}-${month}-${day}`))
		return undefined;
	const at = Date.parse(text);
	return Number.isNaN(at) ? undefined : at;
}

const digits = (count: number, max: number) =>
	fc.integer({ min: 0, max }).map((value) => String(value).padStart(count, "0"));

/** The ordinary form, of possible and of impossible times. */
const ordinary = fc
	.tuple(
		fc.oneof(
			digits(4, 9999),
			fc.constantFrom("0000", "0096", "0100", "1600", "1900", "2000", "2024", "2026", "1969", "1970"),
		),
		fc.oneof(digits(2, 13), fc.constant("02")),
		fc.oneof(digits(2, 33), fc.constantFrom("28", "29", "30", "31")),
		fc.oneof(digits(2, 25), fc.constant("24")),
		digits(2, 61),
		digits(2, 61),
		digits(3, 999),
	)
	.map(([year, month, day, hour, minute, second, ms]) => `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);

/** One character of it is another. */
const damaged = fc
	.tuple(
		ordinary,
		fc.integer({ min: 0, max: 23 }),
		fc.constantFrom("", "0", "9", ":", "-", ".", "T", "Z", "t", "z", " ", "+", "٣"),
	)
	.map(([text, at, other]) => `${text.slice(0, at)}${other}${text.slice(at + 1)}`);

test("an instant is read the same whether or not it is written in the ordinary form", () => {
	fc.assert(
		fc.property(fc.oneof(ordinary, damaged), (text) => {
			if (parseInstant(text) !== truth(text)) throw new Error(`'${text}' was read as ${parseInstant(text)}`);
		}),
		{ numRuns: 5000 },
	);
});

test("every day of eight hundred years is read as the day that it is", () => {
	const last = Date.UTC(2400, 0, 1);
	for (let at = Date.UTC(1600, 0, 1); at < last; at += 86_400_000) {
		const read = parseInstant(new Date(at).toISOString());
		if (read !== at) throw new Error(`${new Date(at).toISOString()} was read as ${read}`);
	}
});
