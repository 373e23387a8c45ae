import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Keep, keptBackups } from "../../../src/folder/backups/rules.keep";
import type { Instant } from "../../../src/kernel/clock";

const at = (iso: string) => ({ at: Date.parse(iso) as Instant });
const isos = (kept: Iterable<{ at: Instant }>) => [...kept].map((one) => new Date(one.at).toISOString()).toSorted();
const none: Keep = { hourly: 0, daily: 0, weekly: 0, monthly: 0 };

describe("backups that are kept", () => {
	test("are the last ones of the last hours, days, weeks and months", () => {
		const backups = [
			"2026-09-30T23:00:00.000Z",
			"2026-10-31T10:00:00.000Z",
			"2026-11-22T23:59:00.000Z",
			"2026-11-23T00:00:00.000Z",
			"2026-11-27T08:00:00.000Z",
			"2026-11-27T20:00:00.000Z",
			"2026-11-28T09:00:00.000Z",
			"2026-11-28T09:30:00.000Z",
		];
		const now = Date.parse("2026-11-28T09:40:00Z") as Instant;
		const kept = (keep: Partial<Keep>) => isos(keptBackups(backups.map(at), { ...none, ...keep }, now));
		expect(kept({ hourly: 1 })).toEqual(backups.slice(-1));
		expect(kept({ hourly: 2 })).toEqual([backups[5], backups[7]] as string[]);
		expect(kept({ daily: 3 })).toEqual([backups[3], backups[5], backups[7]] as string[]);
		// 2026-11-22 is a Sunday.
		expect(kept({ weekly: 2 })).toEqual([backups[2], backups[7]] as string[]);
		expect(kept({ monthly: 3 })).toEqual([backups[0], backups[1], backups[7]] as string[]);
	});

	test("are those of the future too, and they count for nothing", () => {
		const [past, future] = [at("2026-11-28T09:00:00Z"), at("2030-01-01T00:00:00Z")];
		const kept = keptBackups([past, future], { ...none, monthly: 1 }, Date.parse("2026-11-28T10:00:00Z") as Instant);
		expect([...kept]).toHaveLength(2);
	});

	test("are, for each kind, as many as its number, the last ones of their periods; pruning twice removes nothing more", () => {
		const dates = fc.array(fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) }), { maxLength: 60 });
		const number = fc.integer({ min: 0, max: 5 });
		const now = Date.UTC(2027, 0, 1) as Instant;
		/** The name of the period, from the calendar's own fields. */
		const periods: Record<keyof Keep, (date: Date) => string> = {
			hourly: (date) => date.toISOString().slice(0, 13),
			daily: (date) => date.toISOString().slice(0, 10),
			weekly: (date) => {
				const monday = new Date(date);
				monday.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
				return monday.toISOString().slice(0, 10);
			},
			monthly: (date) => date.toISOString().slice(0, 7),
		};
		fc.assert(
			fc.property(dates, number, number, number, number, (instants, hourly, daily, weekly, monthly) => {
				const keep = { hourly, daily, weekly, monthly };
				const backups = [...new Set(instants)].map((instant) => ({ at: instant as Instant }));
				const expected = new Set(backups.length > 0 ? [Math.max(...backups.map((one) => one.at))] : []);
				for (const [kind, nameOf] of Object.entries(periods)) {
					const lastOf = new Map<string, number>();
					for (const { at: instant } of backups.toSorted((one, other) => one.at - other.at))
						lastOf.set(nameOf(new Date(instant)), instant);
					for (const instant of [...lastOf.values()].slice(Math.max(0, lastOf.size - keep[kind as keyof Keep])))
						expected.add(instant as Instant);
				}
				const kept = keptBackups(backups, keep, now);
				expect(new Set([...kept].map((one) => one.at))).toEqual(expected as Set<Instant>);
				expect(keptBackups([...kept], keep, now)).toEqual(kept);
			}),
			{ numRuns: 200 },
		);
	});
});
