import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	anchorAfterLast,
	daysOf,
	isEnd,
	movedAnchor,
	nextAt,
	positionAt,
} from "../../../src/areas/dunning/rules.schedule";
import type { Instant } from "../../../src/kernel/clock";
import { slowRuns } from "../../support/runs";

/** Zones whose clocks change at midnight, by half an hour, early in the morning, or never, on both hemispheres. */
const zones = [
	"UTC",
	"Europe/Berlin",
	"America/New_York",
	"America/Sao_Paulo",
	"Australia/Lord_Howe",
	"Asia/Kolkata",
	"Pacific/Auckland",
];

interface Case {
	readonly reminders: readonly number[];
	readonly endAfterDays: number;
	readonly dueDay: string;
	readonly issuedAt: number;
	/** A time in which the schedule stands still, in hours after the issue. */
	readonly pause: readonly [from: number, hours: number] | null;
	readonly timeZone: string;
}

const calendars = new Map<string, Intl.DateTimeFormat>();

function calendarOf(timeZone: string): Intl.DateTimeFormat {
	const digits = { month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;
	const known = calendars.get(timeZone);
	const calendar =
		known ?? new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", ...digits, hourCycle: "h23" });
	calendars.set(timeZone, calendar);
	return calendar;
}

/** The local date and hour of an instant, by the platform's own calendar. */
function wall(at: number, timeZone: string): { readonly day: string; readonly hour: number; readonly minute: number } {
	const parts = calendarOf(timeZone).formatToParts(at);
	const of = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
	return { day: `${of("year")}-${of("month")}-${of("day")}`, hour: Number(of("hour")), minute: Number(of("minute")) };
}

const plus = (day: string, days: number): string =>
	new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
const between = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;

const quarter = 15 * 60_000;

/**
 * Walks through the mornings of the customer's calendar, in steps of a quarter of an hour, and lists the steps. It keeps the dates of
 * the remaining steps, and moves each of them.
 */
function walked({ reminders, endAfterDays, dueDay, issuedAt, pause, timeZone }: Case): string[] {
	const ran: string[] = [];
	const dates = [...reminders, endAfterDays].map((days) => plus(dueDay, days));
	const isPast = (date: string, at: number) => {
		const { day, hour } = wall(at, timeZone);
		return date < day || (date === day && hour >= 8);
	};
	const [pausedAt, resumedAt] = pause
		? [issuedAt + pause[0] * 3_600_000, issuedAt + (pause[0] + pause[1]) * 3_600_000]
		: [];
	let next = 0;
	let isMoved = false;
	const run = (index: number, at: number) => {
		ran.push(`${index} ${at}`);
		next = index + 1;
		// The days after the last reminder run in full.
		const last = reminders.at(-1) ?? 0;
		if (next === reminders.length) {
			const end = plus(wall(at, timeZone).day, endAfterDays - last);
			if (end > (dates[next] ?? "")) dates[next] = end;
		}
	};
	if (isPast(dates[0] ?? "", issuedAt)) run(0, issuedAt);
	for (let at = Math.floor(issuedAt / quarter) * quarter + quarter; next < dates.length; at += quarter) {
		if (pausedAt !== undefined && resumedAt !== undefined && !isMoved && at > pausedAt) {
			if (at <= resumedAt) continue;
			isMoved = true;
			const stoodStill = between(wall(pausedAt, timeZone).day, wall(resumedAt, timeZone).day);
			for (let index = next; index < dates.length; index += 1) dates[index] = plus(dates[index] ?? "", stoodStill);
		}
		const { day, hour, minute } = wall(at, timeZone);
		if (hour !== 8 || minute !== 0) continue;
		let due = -1;
		for (let index = next; index < reminders.length; index += 1) if ((dates[index] ?? "") <= day) due = index;
		if (due >= 0) run(due, at);
		else if (next === reminders.length && (dates[next] ?? "") <= day) run(next, at);
	}
	return ran;
}

/** Runs the rules as the area does. */
function ruled({ reminders, endAfterDays, dueDay, issuedAt, pause, timeZone }: Case): string[] {
	const ran: string[] = [];
	let terms = { reminders: [...reminders], endAfterDays, anchorDay: Date.parse(dueDay) / 86_400_000, position: 0 };
	let at = nextAt(terms, timeZone, issuedAt as Instant, true);
	let left = pause;
	for (;;) {
		const pausedAt = left ? issuedAt + left[0] * 3_600_000 : Number.POSITIVE_INFINITY;
		if (left && at > pausedAt) {
			const until = (pausedAt + left[1] * 3_600_000) as Instant;
			terms = { ...terms, anchorDay: movedAnchor(terms, { since: pausedAt as Instant, until }, timeZone) };
			at = nextAt(terms, timeZone, until);
			left = null;
			continue;
		}
		const position = at === issuedAt ? 0 : positionAt(terms, timeZone, at);
		ran.push(`${position} ${at}`);
		if (isEnd(terms, position)) return ran;
		const isLast = isEnd(terms, position + 1);
		const anchorDay = isLast ? anchorAfterLast(terms, at, timeZone) : terms.anchorDay;
		terms = { ...terms, anchorDay, position: position + 1 };
		at = nextAt(terms, timeZone, at);
	}
}

const start = Date.parse("2026-01-01T00:00:00Z");

describe("the schedule", () => {
	test("equals a walk through the mornings of the customer's calendar", () => {
		fc.assert(
			fc.property(
				fc.record({
					days: fc.uniqueArray(fc.integer({ min: -10, max: 40 }), { minLength: 1, maxLength: 5 }),
					endAfter: fc.integer({ min: 1, max: 15 }),
					due: fc.integer({ min: 0, max: 364 }),
					issuedBefore: fc.integer({ min: -30 * 96, max: 40 * 96 }),
					pause: fc.option(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 700 })), { nil: null }),
					timeZone: fc.constantFrom(...zones),
				}),
				({ days, endAfter, due, issuedBefore, pause, timeZone }) => {
					const reminders = days.toSorted((one, other) => one - other);
					const endAfterDays = (reminders.at(-1) ?? 0) + endAfter;
					const dueDay = plus("2026-01-01", due);
					// Between the quarters, so that no step coincides with the issue or the pause.
					const issuedAt = start + due * 86_400_000 - issuedBefore * quarter + 60_000;
					const one: Case = { reminders, endAfterDays, dueDay, issuedAt, pause, timeZone };
					expect(ruled(one)).toEqual(walked(one));
				},
			),
			slowRuns(30),
		);
	}, 60_000);

	test("the days of a step are those of the policy", () => {
		const terms = { reminders: [-3, 0], endAfterDays: 9 };
		expect([0, 1, 2].map((position) => daysOf(terms, position))).toEqual([-3, 0, 9]);
	});
});
