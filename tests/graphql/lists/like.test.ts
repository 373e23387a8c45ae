import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { globOf, likeOf } from "../../../src/graphql/lists/like";
import { matches } from "../oracle";

const db = new Database(":memory:");
const glob = db.query<{ hit: number }, [string, string]>("SELECT ? GLOB ? AS hit");
const like = db.query<{ hit: number }, [string, string]>("SELECT ? LIKE ? ESCAPE '\\' AS hit");

const sent = fc.string({ unit: fc.constantFrom(..."aAb%_\\*?[]^-".split("")), maxLength: 8 });

test("like is exact about case, and knows no other signs than % _ and the backslash", () => {
	fc.assert(
		fc.property(sent, sent, (text, pattern) => {
			expect(glob.get(text, globOf(pattern))?.hit === 1).toBe(matches(text, pattern));
		}),
		{ numRuns: 2000 },
	);
});

test("iLike is like, with the case of letters left aside", () => {
	fc.assert(
		fc.property(sent, sent, (text, pattern) => {
			const expected = matches(text.toLowerCase(), pattern.toLowerCase());
			expect(like.get(text, likeOf(pattern))?.hit === 1).toBe(expected);
		}),
		{ numRuns: 2000 },
	);
});

test("examples", () => {
	for (const [text, pattern, expected] of [
		["Acme", "Ac%", true],
		["Acme", "ac%", false],
		["100%", "100\\%", true],
		["1000", "100\\%", false],
		["a_b", "a\\_b", true],
		["a*b", "a*b", true],
		["axb", "a*b", false],
		["[x]", "[x]", true],
		["", "%", true],
		["ab", "_", false],
	] as const)
		expect([text, pattern, glob.get(text, globOf(pattern))?.hit === 1]).toEqual([text, pattern, expected]);
});
