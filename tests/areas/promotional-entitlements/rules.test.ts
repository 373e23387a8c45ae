import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { endOf } from "../../../src/areas/promotional-entitlements/rules";
import type { PromotionalPeriod } from "../../../src/areas/promotional-entitlements/schema";
import type { Instant } from "../../../src/kernel/clock";

const start = (text: string) => Date.parse(text) as Instant;
const end = (period: PromotionalPeriod, from: string, customEndDate: string | null = null) => {
	const at = endOf("here", { period, customEndDate }, start(from));
	return at === null ? null : new Date(at).toISOString();
};

describe("when a grant ends", () => {
	test.each<[PromotionalPeriod, string, string | null]>([
		["1 week", "2026-01-31T10:20:30.456Z", "2026-02-07T10:20:30.456Z"],
		["1 week", "2024-02-23T00:00:00.000Z", "2024-03-01T00:00:00.000Z"],
		["1 month", "2026-01-15T00:00:00.000Z", "2026-02-15T00:00:00.000Z"],
		["1 month", "2026-01-31T23:59:59.999Z", "2026-02-28T23:59:59.999Z"],
		["1 month", "2024-01-31T00:00:00.000Z", "2024-02-29T00:00:00.000Z"],
		["6 month", "2026-08-31T00:00:00.000Z", "2027-02-28T00:00:00.000Z"],
		["6 month", "2026-01-31T00:00:00.000Z", "2026-07-31T00:00:00.000Z"],
		["1 year", "2024-02-29T12:00:00.000Z", "2025-02-28T12:00:00.000Z"],
		["1 year", "2026-12-31T00:00:00.000Z", "2027-12-31T00:00:00.000Z"],
		["lifetime", "2026-01-31T00:00:00.000Z", null],
	])("%s from %s: %s", (period, from, expected) => {
		expect(end(period, from)).toBe(expected);
	});

	test("custom is the caller's own date, a millisecond ahead at least", () => {
		expect(end("custom", "2026-01-31T00:00:00.000Z", "2026-01-31T01:00:00.001+01:00")).toBe("2026-01-31T00:00:00.001Z");
		for (const [date, says] of [
			[null, "needs 'customEndDate'"],
			["2026-01-31T00:00:00.000Z", "not in the future"],
			["2026-01-30T00:00:00.000Z", "not in the future"],
		] as const)
			expect(() => end("custom", "2026-01-31T00:00:00.000Z", date)).toThrow(says);
	});

	test("no other period takes a date of its own", () => {
		for (const period of ["1 week", "1 month", "6 month", "1 year", "lifetime"] as const)
			expect(() => end(period, "2026-01-31T00:00:00.000Z", "2027-01-31T00:00:00.000Z")).toThrow(`'${period}'`);
	});

	test("months and years end on the day they began, or on the month's last", () => {
		const months = { "1 month": 1, "6 month": 6, "1 year": 12 } as const;
		fc.assert(
			fc.property(
				fc.date({ min: new Date("1990-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }),
				fc.constantFrom(...(Object.keys(months) as (keyof typeof months)[])),
				(from, period) => {
					// The oracle knows no calendar library: the first of the month, and the days that this month has.
					const month = from.getUTCMonth() + months[period];
					const days = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
					const midnight = Date.UTC(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), days));
					const ofDay = from.getTime() - Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate());
					expect(end(period, from.toISOString())).toBe(new Date(midnight + ofDay).toISOString());
				},
			),
			{ numRuns: 300 },
		);
	});
});
