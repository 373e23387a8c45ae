import { expect, test } from "bun:test";
import fc from "fast-check";
import { coverPeriod, hourMs } from "../../../src/areas/usage/hours";
import type { Instant } from "../../../src/kernel/clock";

test("a period is covered once and whole by days, hours and parts of an hour", () => {
	const instant = fc.oneof(
		fc.integer({ min: -60, max: 60 }).map((hours) => hours * hourMs),
		fc.integer({ min: -60 * hourMs, max: 60 * hourMs }),
	);
	fc.assert(
		fc.property(instant, instant, (start, end) => {
			const { parts, hours, days } = coverPeriod({ start: start as Instant, end: end as Instant });
			const pieces = [
				...parts.map((part) => [part.start, part.end]),
				...hours.map(({ from, to }) => [from * hourMs, to * hourMs]),
				...(days.from < days.to ? [[days.from * 24 * hourMs, days.to * 24 * hourMs]] : []),
			].sort(([one = 0], [other = 0]) => one - other);
			if (end <= start) return expect(pieces).toEqual([]);
			expect([pieces[0]?.[0], pieces.at(-1)?.[1]]).toEqual([start, end]);
			for (const [index, [from = 0, to = 0]] of pieces.entries()) {
				expect(from).toBeLessThan(to);
				if (index > 0) expect(from).toBe(pieces[index - 1]?.[1] ?? Number.NaN);
			}
			for (const part of parts) expect(part.end - part.start).toBeLessThan(hourMs);
		}),
		{ numRuns: 300 },
	);
});
