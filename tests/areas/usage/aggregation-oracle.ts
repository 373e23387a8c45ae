import type { MeterInput } from "../../../src/areas/features/schema";

/** The expected result of each function over a list of events, in whole hundredths and fractions of BigInt. */
export interface Held {
	readonly value: string | number | boolean | undefined;
	readonly at: number;
}

/** Values of events in the tests, in hundredths; all other values are no numbers. */
export const hundredths = new Map<unknown, bigint>([
	[1, 100n],
	["1", 100n],
	[1.5, 150n],
	["1.50", 150n],
	[0.1, 10n],
	["0.2", 20n],
	["-3", -300n],
	["-0", 0n],
	["1e3", 100_000n],
	[1e15, 10n ** 17n],
	[2 ** 53, 2n ** 53n * 100n],
	["9007199254740993", (2n ** 53n + 1n) * 100n],
]);
export const values = [...hundredths.keys(), "x", true, "", "#x", "y".repeat(65), "y".repeat(66), undefined] as Array<
	Held["value"]
>;

/** `events` in the order of the log. */
export function truth({ function: name, percentile = 0 }: MeterInput["aggregation"], events: readonly Held[]): string {
	const numbers = events.flatMap(({ value, at }) => {
		const worth = hundredths.get(value);
		return worth === undefined ? [] : [{ worth, at }];
	});
	const sorted = numbers.map(({ worth }) => worth).sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
	const sum = sorted.reduce((total, worth) => total + worth, 0n);
	switch (name) {
		case "COUNT":
			return String(events.length);
		case "UNIQUE":
			return String(new Set(events.flatMap(({ value }) => (value === undefined ? [] : [String(value)]))).size);
		case "SUM":
			return fraction(sum, 100n);
		case "MIN":
			return fraction(sorted[0] ?? 0n, 100n);
		case "MAX":
			return fraction(sorted.at(-1) ?? 0n, 100n);
		case "AVG":
			return sorted.length === 0 ? "0" : fraction(sum, 100n * BigInt(sorted.length));
		case "LATEST": {
			let latest: (typeof numbers)[number] | undefined;
			for (const one of numbers) if (latest === undefined || one.at >= latest.at) latest = one;
			return fraction(latest?.worth ?? 0n, 100n);
		}
		case "PERCENTILE": {
			// The least value that at least this many percent do not exceed, by counting; percentiles are whole tenths
			// here.
			const needed = BigInt(Math.round(percentile * 10)) * BigInt(sorted.length);
			const found = sorted.find((value) => BigInt(sorted.filter((one) => one <= value).length) * 1000n >= needed);
			return fraction(found ?? 0n, 100n);
		}
	}
}

/** Rounded to twelve places, half away from zero. */
function fraction(numerator: bigint, denominator: bigint): string {
	const size = (numerator < 0n ? -numerator : numerator) * 10n ** 12n;
	const rounded = (2n * size + denominator) / (2n * denominator);
	const digits = rounded.toString().padStart(13, "0");
	const text = `${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, "");
	return numerator < 0n && rounded > 0n ? `-${text}` : text;
}
