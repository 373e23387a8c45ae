import { expect, test } from "bun:test";
import { spansOf } from "../../../../src/areas/credits/usage/rules";
import { type Instant, parseInstant, toIso } from "../../../../src/kernel/clock";

const at = (text: string): Instant => parseInstant(`2026-01-${text}Z`) ?? (0 as Instant);
const none = { startDate: undefined, endDate: undefined, timeRange: undefined };
const shown = (range: Parameters<typeof spansOf>[0], now: Instant) => {
	const { span, from, to } = spansOf(range, now);
	return [span, toIso(from), toIso(to)].map((text) => text.replace(/^2026-01-(.*):00\.000Z$/, "$1"));
};

test("a range ends with the hour or the day of now, also at its first instant", () => {
	expect(shown({ ...none, timeRange: "LAST_DAY" }, at("31T12:30:00"))).toEqual(["hour", "30T12:00", "31T13:00"]);
	expect(shown({ ...none, timeRange: "LAST_DAY" }, at("31T12:00:00"))).toEqual(["hour", "30T12:00", "31T13:00"]);
	expect(shown({ ...none, timeRange: "LAST_WEEK" }, at("30T12:00:00"))).toEqual(["day", "23T00:00", "31T00:00"]);
	expect(shown(none, at("30T12:00:00"))).toEqual(["day", "2025-12-31T00:00:00.000Z", "31T00:00"]);
});

test("a range with an end covers the hours or days that it touches", () => {
	const range = { ...none, startDate: at("10T00:30:00"), endDate: at("11T00:30:00") };
	expect(shown(range, at("31T00:00:00"))).toEqual(["hour", "10T00:00", "11T01:00"]);
	expect(shown({ ...range, endDate: at("11T00:30:01") }, at("31T00:00:00"))).toEqual(["day", "10T00:00", "12T00:00"]);
	expect(shown({ ...range, endDate: at("10T02:00:00") }, at("31T00:00:00"))).toEqual(["hour", "10T00:00", "10T02:00"]);
	expect(() => shown({ ...range, endDate: range.startDate }, at("31T00:00:00"))).toThrow("query/startDate");
});
