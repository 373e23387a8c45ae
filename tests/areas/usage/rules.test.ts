import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { MeterCondition } from "../../../src/areas/features/schema";
import { ExactSum } from "../../../src/areas/usage/aggregation/exact-sum";
import { aggregationOf } from "../../../src/areas/usage/aggregation/functions";
import { historyBase, historyInstants, type Reset, runningValues } from "../../../src/areas/usage/history";
import { coverPeriod, hourMs } from "../../../src/areas/usage/hours";
import { Memory } from "../../../src/areas/usage/reading/memory";
import { amountOf, compileFilters, type DimensionValue, type EventFacts } from "../../../src/areas/usage/rules";
import type { Instant } from "../../../src/kernel/clock";
import { toDecimal } from "../../../src/kernel/decimal";
import { at } from "./ground";

const factsOf = (dimensions: Record<string, DimensionValue>): EventFacts => ({
	eventName: "api.call",
	dimension: (name) => (Object.hasOwn(dimensions, name) ? dimensions[name] : undefined),
});

const takes = (condition: MeterCondition, dimensions: Record<string, DimensionValue>): boolean =>
	compileFilters([{ conditions: [condition] }])(factsOf(dimensions));

describe("one condition against one dimension", () => {
	test.each<[string, MeterCondition["operation"], string | string[] | undefined, DimensionValue | undefined, boolean]>([
		["the same text", "EQUALS", "eu", "eu", true],
		["another case", "EQUALS", "EU", "eu", false],
		["a number, written otherwise", "EQUALS", "5.0", 5, true],
		["a number as text is a text", "EQUALS", "5.0", "5", false],
		["a boolean by its text", "EQUALS", "true", true, true],
		["nothing there", "EQUALS", "eu", undefined, false],
		["another text", "NOT_EQUALS", "us", "eu", true],
		["the same text, unequal", "NOT_EQUALS", "eu", "eu", false],
		["nothing there, unequal", "NOT_EQUALS", "eu", undefined, true],
		["greater", "GREATER_THAN", "1", 1.5, true],
		["not greater than itself", "GREATER_THAN", "1.5", 1.5, false],
		["greater, as text", "GREATER_THAN", "9", "10", true],
		["greater, exactly", "GREATER_THAN", "9007199254740992", "9007199254740993", true],
		["no number is not greater", "GREATER_THAN", "1", "x", false],
		["a boolean is no number", "GREATER_THAN", "0", true, false],
		["nothing is not greater", "GREATER_THAN", "1", undefined, false],
		["at least", "GREATER_THAN_OR_EQUAL", "1.50", 1.5, true],
		["less", "LESS_THAN", "2", 1.5, true],
		["nothing is not less", "LESS_THAN", "2", undefined, false],
		["at most", "LESS_THAN_OR_EQUAL", "1.5", "1.50", true],
		["more than at most", "LESS_THAN_OR_EQUAL", "1", 1.5, false],
		["null when absent", "IS_NULL", undefined, undefined, true],
		["not null when empty", "IS_NULL", undefined, "", false],
		["not null when false", "IS_NOT_NULL", undefined, false, true],
		["not null when absent", "IS_NOT_NULL", undefined, undefined, false],
		["contains", "CONTAINS", "est", "eu-west", true],
		["contains not", "CONTAINS", "east", "eu-west", false],
		["nothing contains nothing", "CONTAINS", "", undefined, false],
		["starts", "STARTS_WITH", "eu-", "eu-west", true],
		["starts not", "STARTS_WITH", "west", "eu-west", false],
		["ends", "ENDS_WITH", "west", "eu-west", true],
		["ends not", "ENDS_WITH", "eu", "eu-west", false],
		["one of", "IN", ["us", "eu"], "eu", true],
		["one of, as numbers", "IN", ["1", "2.0"], 2, true],
		["none of", "IN", ["us", "ap"], "eu", false],
		["nothing is one of nothing", "IN", ["us"], undefined, false],
	])("%s: %s %p against %p", (_, operation, value, found, expected) => {
		const condition = {
			field: "d",
			operation,
			...(Array.isArray(value) ? { values: value } : value !== undefined && { value }),
		};
		expect(takes(condition, found === undefined ? {} : { d: found })).toBe(expected);
	});

	test("the event's name is filtered as 'eventName', whatever the dimensions say", () => {
		const condition = { field: "eventName", operation: "EQUALS" as const, value: "api.call" };
		expect(takes(condition, { eventName: "login" })).toBe(true);
		expect(takes({ ...condition, value: "login" }, { eventName: "login" })).toBe(false);
	});
});

test("groups are alternatives, conditions inside one all hold", () => {
	const condition = fc.record({
		field: fc.constantFrom("a", "b"),
		operation: fc.constantFrom("EQUALS" as const, "NOT_EQUALS" as const),
		value: fc.constantFrom("0", "1"),
	});
	const groups = fc.array(fc.array(condition, { minLength: 1, maxLength: 3 }), { maxLength: 3 });
	fc.assert(
		fc.property(groups, fc.constantFrom("0", "1"), fc.constantFrom("0", "1"), (filters, a, b) => {
			const values: Record<string, string> = { a, b };
			let expected = filters.length === 0;
			for (const group of filters) {
				let all = true;
				for (const { field, operation, value } of group)
					if ((values[field] === value) !== (operation === "EQUALS")) all = false;
				if (all) expected = true;
			}
			const test = compileFilters(filters.map((conditions) => ({ conditions })));
			expect(test(factsOf(values))).toBe(expected);
		}),
		{ numRuns: 300 },
	);
});

describe("the amount of an event", () => {
	test.each<[DimensionValue | undefined, string]>([
		[5, "5"],
		[0.1, "0.1"],
		[-2.5, "-2.5"],
		["12345678901234567890.123", "12345678901234567890.123"],
		["1e3", "1000"],
		["", "0"],
		["5 apples", "0"],
		["0x10", "0"],
		["1e9999", "0"],
		["9".repeat(65), "0"],
		[true, "0"],
		[undefined, "0"],
	])("%p counts as %s", (found, expected) => {
		expect(String(toDecimal(amountOf(found)))).toBe(expected);
	});
});

test("sums are exact: whole numbers of any size and decimals, in any order, whole or in parts", () => {
	const thousandths = fc.oneof(
		fc.bigInt({ min: -3000n, max: 3000n }),
		fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
	);
	const text = (value: bigint) => {
		const digits = (value < 0n ? -value : value).toString().padStart(4, "0");
		return toDecimal(`${value < 0n ? "-" : ""}${digits.slice(0, -3)}.${digits.slice(-3)}`);
	};
	fc.assert(
		fc.property(fc.array(thousandths, { maxLength: 20 }), fc.nat(20), (values, cut) => {
			const whole = new ExactSum();
			const parts = [new ExactSum(), new ExactSum()] as const;
			for (const [index, value] of values.entries()) {
				whole.add(text(value));
				parts[index < cut ? 0 : 1].add(text(value));
			}
			const joined = new ExactSum();
			for (const part of parts) joined.add(part.value);
			const expected = text(values.reduce((sum, value) => sum + value, 0n));
			expect(whole.value).toBe(expected);
			expect(joined.value).toBe(expected);
		}),
		{ numRuns: 300 },
	);
});

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

describe("a history", () => {
	const resets: Reset[] = [
		{ at: at("2026-01-01T00:00:00Z"), type: "PERIODIC_RESET" },
		{ at: at("2026-01-10T01:30:00Z"), type: "PERIODIC_RESET" },
	];

	test("has both ends, the full hours between, and each reset", () => {
		const instants = historyInstants({ start: at("2026-01-10T00:20:00Z"), end: at("2026-01-10T02:00:00Z") }, resets);
		expect(instants).toEqual(["00:20:00", "01:00:00", "01:30:00", "02:00:00"].map((time) => at(`2026-01-10T${time}Z`)));
	});

	test.each([
		["a week by hours", "2026-01-08T00:00:00Z", 169],
		["a year by days", "2027-01-01T00:00:00Z", 366],
		["ten years by weeks", "2036-01-01T00:00:00Z", 523],
	])("%s", (_, end, points) => {
		expect(historyInstants({ start: at("2026-01-01T00:00:00Z"), end: at(end) }, []).length).toBe(points);
	});

	test.each([
		["ends before it starts", "2025-12-31T23:59:59Z", "endDate"],
		["is longer than 7000 days", "2046-01-01T00:00:00Z", "7000 days"],
	])("is refused when it %s", (_, end, message) => {
		expect(() => historyInstants({ start: at("2026-01-01T00:00:00Z"), end: at(end) }, [])).toThrow(message);
	});

	test("counts from the last reset before it, or from its own start", () => {
		expect(historyBase(at("2026-01-05T00:00:00Z"), resets)).toBe(at("2026-01-01T00:00:00Z"));
		expect(historyBase(at("2025-12-05T00:00:00Z"), resets)).toBe(at("2025-12-05T00:00:00Z"));
	});

	test("falls to zero at a reset", () => {
		const instants = [at("2026-01-10T01:00:00Z"), at("2026-01-10T01:30:00Z"), at("2026-01-10T02:00:00Z")];
		const { start } = aggregationOf({ aggregation: { function: "SUM", field: "n" }, filters: [] });
		const increments = ["5", "2.5", "1"].map((state) => ({ state, members: new Map<string, number>() }));
		const points = runningValues(instants, resets, start, increments);
		expect(points.map(({ value, isResetPoint }) => `${value} ${isResetPoint}`)).toEqual([
			"5 false",
			"0 true",
			"1 false",
		]);
	});
});

test("a memory forgets everything beyond its weight, and never keeps what alone is too heavy", () => {
	const memory = new Memory<string>(10);
	memory.set("a", "a", 4);
	memory.set("b", "b", 4);
	memory.set("a", "a, grown", 6);
	expect([memory.get("a"), memory.get("b")]).toEqual(["a, grown", "b"]);
	memory.set("c", "c", 1);
	expect([memory.get("a"), memory.get("b"), memory.get("c")]).toEqual([undefined, undefined, "c"]);
	memory.set("d", "d", 11);
	expect([memory.get("c"), memory.get("d")]).toEqual([undefined, undefined]);
	memory.set("e", "e", 10);
	expect(memory.get("e")).toBe("e");
});
