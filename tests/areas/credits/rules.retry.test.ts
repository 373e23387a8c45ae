import { expect, test } from "bun:test";
import { retryAfter } from "../../../src/areas/credits/rules.retry";
import type { Instant } from "../../../src/kernel/clock";

const minute = 60_000;
const due = 0 as Instant;

test.each([
	["at its due time after a minute", 0, 1],
	["less than a minute late after a minute", 1, 1],
	["a minute late after a minute", minute, 1],
	["more than a minute late after two, rounded up", minute + 1, 2],
	["ten minutes late after ten more", 10 * minute, 10],
	["an hour late after an hour", 60 * minute, 60],
	["later than an hour after an hour at most", 61 * minute, 60],
])("a step that fails %s is retried", (_, lateMs, minutes) => {
	expect(retryAfter(due, lateMs as Instant)).toBe((lateMs + minutes * minute) as Instant);
});

test("the pauses double", () => {
	let at = due;
	const pauses = Array.from({ length: 5 }, () => {
		const next = retryAfter(due, at);
		const pause = (next - at) / minute;
		at = next;
		return pause;
	});
	expect(pauses).toEqual([1, 1, 2, 4, 8]);
});
