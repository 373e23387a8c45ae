import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { amountInPhase, layOutPhases, type Phase, placeAt, placesAfter } from "../../../src/areas/pricing/rules.phases";
import type { Instant } from "../../../src/kernel/clock";
import { type Decimal, exact } from "../../../src/kernel/decimal";

const phases = fc.array(
	fc.record({
		duration: fc.record({ unit: fc.constantFrom("DAY", "MONTH"), count: fc.integer({ min: 1, max: 24 }) }),
		percentOff: fc.integer({ min: 0, max: 100 }).map((percent) => `${percent}` as Decimal),
	}),
	{ maxLength: 12 },
);
const numbered = (of: readonly Omit<Phase, "id">[]): Phase[] => of.map((phase, at) => ({ ...phase, id: `${at}` }));
const start = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) }).map((at) => at as Instant);
const zone = fc.constantFrom("UTC", "America/New_York", "Pacific/Apia");

describe("the places of phases", () => {
	test("follow each other without a gap, and each instant has one place", () => {
		fc.assert(
			fc.property(phases, start, zone, (of, from, timeZone) => {
				const places = layOutPhases(numbered(of), from, timeZone);
				expect(places.map(({ startAt }) => startAt)).toEqual(
					[from, ...places.map(({ endAt }) => endAt)].slice(0, places.length),
				);
				for (const place of places) {
					expect(place.endAt).toBeGreaterThan(place.startAt);
					expect(placeAt(places, place.startAt)).toEqual(place);
				}
				expect(placeAt(places, places.at(-1)?.endAt ?? from)).toBeNull();
			}),
		);
	});

	test("are the same from the start and from any place on", () => {
		fc.assert(
			fc.property(phases, start, zone, (of, from, timeZone) => {
				const all = numbered(of);
				const places = layOutPhases(all, from, timeZone);
				for (const [at, place] of places.entries())
					expect(placesAfter(all, place, timeZone)).toEqual(places.slice(at + 1));
			}),
		);
	});

	test("end as one phase of all their months, where each has one month", () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 40 }), start, (count, from) => {
				const phase = (months: number) => ({
					duration: { unit: "MONTH" as const, count: months },
					percentOff: "5" as Decimal,
				});
				const split = layOutPhases(numbered(Array.from({ length: count }, () => phase(1))), from, "UTC");
				expect(split.at(-1)?.endAt).toBe(layOutPhases(numbered([phase(count)]), from, "UTC")[0]?.endAt);
			}),
		);
	});
});

test("the amount in a phase and the part that is taken off make the amount", () => {
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 10_000 }), (amount, hundredths) => {
			const [whole, percent] = [`${amount}` as Decimal, exact(hundredths).times("0.01")];
			const taken = exact(whole).times(percent).times("0.01");
			expect(
				exact(amountInPhase(whole, percent.toFixed() as Decimal))
					.plus(taken)
					.eq(whole),
			).toBe(true);
		}),
	);
});
