import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	largestShare,
	type Part,
	type Proration,
	prorate,
	remainingShare,
	type Share,
	shareOf,
} from "../../../src/areas/pricing/proration";
import type { Instant } from "../../../src/kernel/clock";
import { exact, toDecimal } from "../../../src/kernel/decimal";
import { type Period, periodContaining } from "../../../src/kernel/period";
import { add, compare, less, type Rational, ratio, total } from "../../support/oracle/rational";

const dayMs = 86_400_000;
const at = (iso: string) => Date.parse(iso) as Instant;
const fraction = ({ partMs, wholeMs }: Share): Rational => ratio(partMs, wholeMs);
const equal = (one: Rational, other: Rational) => compare(one, other) === 0n;
const zero = ratio(0);

const timeZone = fc.constantFrom("UTC", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "America/St_Johns");
const dated = fc.constantFrom("BY_DAY", "THIRTY_DAY_MONTH");
const prorated = fc.constantFrom("BY_TIME", "BY_DAY", "THIRTY_DAY_MONTH");

interface CutPeriod {
	readonly period: Period;
	readonly proration: Proration;
	/** In order of time, the ends of the period included. */
	readonly cuts: readonly Instant[];
}

/** A whole period, cut at random instants and at the first and last milliseconds of days. */
const cutPeriods = (modes: fc.Arbitrary<Proration["mode"]>): fc.Arbitrary<CutPeriod> =>
	fc
		.record({
			anchorAt: fc.integer({ min: Date.UTC(2004, 0, 1), max: Date.UTC(2030, 0, 1) }).map((ms) => ms as Instant),
			interval: fc.record({ unit: fc.constantFrom("DAY", "MONTH"), count: fc.integer({ min: 1, max: 12 }) }),
			mode: modes,
			timeZone,
			places: fc.array(
				fc.record({ place: fc.double({ min: 0, max: 1, noNaN: true }), edge: fc.constantFrom(null, 0, -1) }),
				{
					maxLength: 6,
				},
			),
		})
		.map(({ anchorAt, interval, mode, timeZone, places }) => {
			const period = periodContaining({ anchorAt, interval, timeZone }, anchorAt);
			const inside = places.map(({ place, edge }) => {
				const ms = Math.floor(period.start + place * (period.end - period.start));
				const cut = edge === null ? ms : Math.ceil(ms / dayMs) * dayMs + edge;
				return Math.min(Math.max(cut, period.start), period.end) as Instant;
			});
			const cuts = [period.start, ...inside, period.end].toSorted((one, other) => one - other);
			return { period, proration: { mode, unit: interval.unit, timeZone }, cuts };
		});

const partsOf = ({ cuts }: CutPeriod): Part[] =>
	cuts.slice(1).map((end, index) => ({ start: cuts[index] ?? end, end }));

describe("the share of a part", () => {
	test("is never negative, and the parts of a period sum to 1", () => {
		fc.assert(
			fc.property(cutPeriods(prorated), (cut) => {
				const shares = partsOf(cut).map((part) => fraction(shareOf(cut.period, part, cut.proration)));
				expect(shares.every((share) => compare(share, zero) >= 0n)).toBe(true);
				expect(equal(total(shares), ratio(1))).toBe(true);
			}),
			{ numRuns: 400 },
		);
	});

	test("counts the date of an end that nothing follows, up to the whole", () => {
		fc.assert(
			fc.property(cutPeriods(prorated), (cut) => {
				const { period, proration } = cut;
				for (const end of cut.cuts) {
					const part = { start: period.start, end };
					const [open, ended] = [false, true].map((isEnd) => fraction(shareOf(period, { ...part, isEnd }, proration)));
					if (!open || !ended) throw new Error("there are two shares");
					expect(compare(ended, open) >= 0n && compare(ended, ratio(1)) <= 0n).toBe(true);
				}
			}),
			{ numRuns: 200 },
		);
	});

	test("leaves charged minus credited at 0 or more for changes at any instants, in every mode", () => {
		const modes = fc.oneof(prorated, fc.constant("NONE" as const));
		fc.assert(
			fc.property(cutPeriods(modes), ({ period, proration, cuts }) => {
				// Each change credits the rest of the period, and charges it on the new terms.
				const rests = cuts.map((start) => fraction(shareOf(period, { start, end: period.end }, proration)));
				const used = rests.slice(1).map((credited, index) => less(rests[index] ?? zero, credited));
				expect(used.every((share) => compare(share, zero) >= 0n)).toBe(true);
				const again = cuts.map((start) => fraction(shareOf(period, { start, end: period.end }, proration)));
				expect(again.every((share, index) => equal(share, rests[index] ?? zero))).toBe(true);
			}),
			{ numRuns: 300 },
		);
	});

	test("ignores times of day where it counts dates", () => {
		fc.assert(
			fc.property(cutPeriods(dated), fc.integer({ min: 0, max: dayMs - 1 }), ({ period, proration, cuts }, ms) => {
				const utc = { ...proration, timeZone: "UTC" };
				const sameDate = (one: number) => (Math.floor(one / dayMs) * dayMs + ms) as Instant;
				const moved = { start: sameDate(period.start), end: sameDate(period.end) };
				for (const start of cuts) {
					const share = shareOf(period, { start, end: period.end }, utc);
					expect(
						equal(fraction(share), fraction(shareOf(moved, { start: sameDate(start), end: moved.end }, utc))),
					).toBe(true);
				}
			}),
			{ numRuns: 200 },
		);
	});

	test("ignores clock changes where it counts dates", () => {
		const march = (date: number) => `2026-03-${String(date).padStart(2, "0")}T12:00:00`;
		for (let date = 2; date <= 31; date += 1) {
			const shares = (["Europe/Berlin", "UTC"] as const).map((zone) => {
				const local = (text: string) =>
					Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds as Instant;
				const end = local("2026-04-01T12:00:00");
				const period = { start: local(march(1)), end };
				return fraction(
					shareOf(period, { start: local(march(date)), end }, { mode: "BY_DAY", unit: "MONTH", timeZone: zone }),
				);
			});
			expect(shares).toEqual([ratio((32 - date) * dayMs, 31 * dayMs), ratio((32 - date) * dayMs, 31 * dayMs)]);
		}
	});
});

const amount = (price: string, share: Share) => toDecimal(prorate(exact(price), share, "usd"));

test("3.4: 100.00 for February, begun on 11 February at 12:00, costs 62.50, 64.29, 66.67 or 100.00", () => {
	const february = { start: at("2026-02-01T00:00:00Z"), end: at("2026-03-01T00:00:00Z") };
	const rest = { start: at("2026-02-11T12:00:00Z"), end: february.end };
	const modes = ["BY_TIME", "BY_DAY", "THIRTY_DAY_MONTH", "NONE"] as const;
	expect(modes.map((mode) => amount("100", shareOf(february, rest, { mode, unit: "MONTH" })))).toEqual([
		"62.5",
		"64.29",
		"66.67",
		"100",
	] as ReturnType<typeof amount>[]);
	const byDay = shareOf(february, rest, { mode: "THIRTY_DAY_MONTH", unit: "DAY" });
	expect(equal(fraction(byDay), ratio(18, 28))).toBe(true);
});

test("2.4: 31.00 a month in New York, begun on 16 March, costs 16.02 by time and 16.00 by the day", () => {
	const timeZone = "America/New_York";
	const march = { start: at("2026-03-01T05:00:00Z"), end: at("2026-04-01T04:00:00Z") };
	const rest = { start: at("2026-03-16T04:00:00Z"), end: march.end };
	const share = (mode: Proration["mode"]) => shareOf(march, rest, { mode, unit: "MONTH", timeZone });
	expect(equal(fraction(share("BY_TIME")), ratio(384, 743))).toBe(true);
	expect(equal(fraction(share("BY_DAY")), ratio(16, 31))).toBe(true);
	expect([amount("31", share("BY_TIME")), amount("31", share("BY_DAY"))].map(String)).toEqual(["16.02", "16"]);
});

test("3.4: an end on 25 February at 06:00 that nothing follows counts 25 days of 28", () => {
	const february = { start: at("2026-02-01T00:00:00Z"), end: at("2026-03-01T00:00:00Z") };
	const used = (isEnd: boolean) =>
		fraction(
			shareOf(
				february,
				{ start: february.start, end: at("2026-02-25T06:00:00Z"), isEnd },
				{ mode: "BY_DAY", unit: "MONTH" },
			),
		);
	expect([used(true), used(false)].map((share, index) => equal(share, ratio(25 - index, 28)))).toEqual([true, true]);
	expect(equal(add(used(true), ratio(3, 28)), ratio(1))).toBe(true);
});

test("the largest share counts what a credit note has left of it", () => {
	const half: Share = { partMs: 1, wholeMs: 2 };
	const left: Share = { ...half, left: { part: toDecimal(3), whole: toDecimal(10) } };
	const third: Share = { partMs: 1, wholeMs: 3 };
	expect(largestShare([left, third])).toBe(third);
	expect(largestShare([third, half, left])).toBe(half);
	expect(largestShare([])).toEqual({ partMs: 0, wholeMs: 1 });
});

test("the rest of a period excludes the date of an end that nothing follows", () => {
	const february = { start: Date.UTC(2026, 1, 1) as Instant, end: Date.UTC(2026, 2, 1) as Instant };
	const at = Date.UTC(2026, 1, 25, 6) as Instant;
	const rest = (isEnd: boolean) => {
		const { partMs, wholeMs } = remainingShare(february, at, { mode: "BY_DAY", unit: "MONTH", timeZone: "UTC" }, isEnd);
		return (partMs / wholeMs) * 28;
	};
	expect([rest(true), rest(false)].map(Math.round)).toEqual([3, 4]);
});
