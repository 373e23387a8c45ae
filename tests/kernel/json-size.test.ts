import { describe, expect, test } from "bun:test";
import { firstWithin, jsonBytes } from "../../src/kernel/json-size";

describe("jsonBytes", () => {
	test.each([
		["text", "x".repeat(5000)],
		["an object", { id: "one", metadata: { key: "x".repeat(4000) }, list: ["a".repeat(900), "b".repeat(900)] }],
	])("is near the length of the JSON of %s", (_, value) => {
		expect(Math.abs(jsonBytes(value) / JSON.stringify(value).length - 1)).toBeLessThan(0.02);
	});
});

describe("firstWithin", () => {
	const length = (text: string) => text.length;

	test("takes items up to the bound, and always the first", () => {
		expect(firstWithin(["aaa", "bbb", "ccc"], 6, length)).toEqual(["aaa", "bbb"]);
		expect(firstWithin(["aaa", "bbb"], 100, length)).toEqual(["aaa", "bbb"]);
		expect(firstWithin(["aaaaaaaa", "b"], 6, length)).toEqual(["aaaaaaaa"]);
		expect(firstWithin([], 6, length)).toEqual([]);
	});
});
