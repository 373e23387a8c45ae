import { expect, test } from "bun:test";
import { pauseAfterMs, untilBackupMs, untilCheckMs } from "../../../src/folder/backups/rules.schedule";
import type { Instant } from "../../../src/kernel/clock";

const at = (iso: string) => Date.parse(iso) as Instant;
const hourMs = 3_600_000;

test("a backup is due at each multiple of the interval, at once when one was missed, and when the clock was set back", () => {
	const now = at("2026-11-28T10:15:00Z");
	expect(untilBackupMs(undefined, hourMs, now)).toBe(0);
	expect(untilBackupMs(at("2026-11-28T10:00:01Z"), hourMs, now)).toBe(45 * 60_000);
	expect(untilBackupMs(at("2026-11-28T09:59:59Z"), hourMs, now)).toBe(0);
	expect(untilBackupMs(at("2030-01-01T00:00:00Z"), hourMs, now)).toBe(0);
	expect(untilBackupMs(at("2026-11-28T00:00:00Z"), 24 * hourMs, now)).toBe(13.75 * hourMs);
});

test("a backup is checked each week, a day after findings, and after the clock was set back", () => {
	const now = at("2026-11-28T10:00:00Z");
	expect(untilCheckMs(undefined, now)).toBe(0);
	expect(untilCheckMs({ at: at("2026-11-28T09:00:00Z"), findings: [] }, now)).toBe((7 * 24 - 1) * hourMs);
	expect(untilCheckMs({ at: at("2026-11-28T09:00:00Z"), findings: ["one"] }, now)).toBe(23 * hourMs);
	expect(untilCheckMs({ at: at("2026-11-01T09:00:00Z"), findings: [] }, now)).toBe(0);
	expect(untilCheckMs({ at: at("2030-01-01T00:00:00Z"), findings: [] }, now)).toBe(0);
});

test("the pause after failures doubles up to an hour", () => {
	expect([1, 2, 3, 7, 100].map(pauseAfterMs)).toEqual([60_000, 120_000, 240_000, hourMs, hourMs]);
});
