import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Reset, usagePeriodAt } from "../../../src/areas/entitlement-sources/rules.reset-period";
import { type Instant, parseInstant, toIso } from "../../../src/kernel/clock";

const instant = (text: string): Instant => {
	const at = parseInstant(text.length === 10 ? `${text}T00:00:00Z` : text);
	if (at === undefined) throw new Error(text);
	return at;
};
const reset = (resetPeriod: Reset["resetPeriod"], resetAnchor: Reset["resetAnchor"], anchor: string): Reset => ({
	resetPeriod,
	resetAnchor,
	usageAnchorAt: instant(anchor),
});
const short = (at: Instant) => toIso(at).replace("T00:00:00.000Z", "");

describe("the usage period", () => {
	const cases: Array<[Reset, string, string, string, string]> = [
		[reset("MONTH", "SubscriptionStart", "2026-01-31"), "2026-02-27", "2026-01-31", "2026-01-31", "2026-02-28"],
		[reset("MONTH", "SubscriptionStart", "2026-01-31"), "2026-02-28", "2026-01-31", "2026-02-28", "2026-03-31"],
		[reset("MONTH", "SubscriptionStart", "2026-01-31"), "2026-03-31", "2026-01-31", "2026-03-31", "2026-04-30"],
		[reset("MONTH", null, "2026-01-15"), "2026-03-20", "2026-01-15", "2026-03-15", "2026-04-15"],
		[reset("MONTH", "StartOfTheMonth", "2026-01-31"), "2026-03-20", "2026-01-01", "2026-03-01", "2026-04-01"],
		[reset("YEAR", "SubscriptionStart", "2024-02-29"), "2026-03-01", "2024-02-29", "2026-02-28", "2027-02-28"],
		[reset("WEEK", "SubscriptionStart", "2026-01-01"), "2026-01-10", "2026-01-01", "2026-01-08", "2026-01-15"],
		// The 1st of January 2026 is a Thursday.
		[reset("WEEK", "EveryMonday", "2026-01-01"), "2026-01-10", "2025-12-29", "2026-01-05", "2026-01-12"],
		[reset("WEEK", "EverySunday", "2026-01-01"), "2026-01-10", "2025-12-28", "2026-01-04", "2026-01-11"],
		[reset("DAY", null, "2026-01-01T13:30:00Z"), "2026-01-10T22:00:00Z", "2026-01-01", "2026-01-10", "2026-01-11"],
		[
			reset("HOUR", null, "2026-01-01T13:30:00Z"),
			"2026-01-10T22:45:00Z",
			"2026-01-01T13:00:00.000Z",
			"2026-01-10T22:00:00.000Z",
			"2026-01-10T23:00:00.000Z",
		],
	];
	test.each(cases)("%j at %s", (given, now, anchor, start, end) => {
		const period = usagePeriodAt(given, instant(now));
		expect(period && [period.anchor, period.start, period.end].map(short)).toEqual([anchor, start, end]);
	});

	test("there is none where usage never resets", () => {
		expect(usagePeriodAt(reset(null, null, "2026-01-01"), instant("2026-02-01"))).toBeNull();
	});

	test("contains now, and its end starts the next one", () => {
		const resets = fc.constantFrom<[Reset["resetPeriod"], Reset["resetAnchor"]]>(
			["YEAR", "SubscriptionStart"],
			["MONTH", "SubscriptionStart"],
			["MONTH", "StartOfTheMonth"],
			["WEEK", "EveryFriday"],
			["DAY", null],
			["HOUR", null],
		);
		const times = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) });
		fc.assert(
			fc.property(resets, times, times, ([resetPeriod, resetAnchor], anchor, ms) => {
				const given = { resetPeriod, resetAnchor, usageAnchorAt: anchor as Instant };
				const period = usagePeriodAt(given, ms as Instant);
				if (!period) throw new Error("it resets");
				expect(period.start <= ms && ms < period.end).toBe(true);
				expect(usagePeriodAt(given, period.end)?.start).toBe(period.end);
				// Without the cached period.
				for (const at of [period.end - 1, period.start, ms, period.start - 1])
					expect(usagePeriodAt(given, at as Instant)).toEqual(usagePeriodAt({ ...given }, at as Instant));
			}),
			{ numRuns: 200 },
		);
	});
});
