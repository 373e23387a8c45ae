import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { MeterCondition } from "../../../src/areas/features/schema";
import { amountOf, compileFilters, type DimensionValue, type EventFacts } from "../../../src/areas/usage/rules";
import { toDecimal } from "../../../src/kernel/decimal";

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

	test("'eventName' filters by the event's name, whatever its dimensions", () => {
		const condition = { field: "eventName", operation: "EQUALS" as const, value: "api.call" };
		expect(takes(condition, { eventName: "login" })).toBe(true);
		expect(takes({ ...condition, value: "login" }, { eventName: "login" })).toBe(false);
	});
});

test("groups are alternatives, and all conditions of a group must hold", () => {
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
