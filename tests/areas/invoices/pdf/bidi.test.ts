import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { reversed, visualRuns } from "../../../../src/areas/invoices/pdf/bidi";

function order(text: string): string {
	const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
	const runs = visualRuns(
		codes,
		codes.map(() => "any face"),
	);
	return String.fromCodePoint(
		...runs.flatMap(({ codes, direction }) => (direction === "rtl" ? reversed(codes) : codes)),
	);
}

describe("right-to-left text is put in the order of the page", () => {
	test.each([
		["Latin alone", "abc (1)", "abc (1)"],
		["Hebrew", "אבג", "גבא"],
		["a number keeps its digits", "אבג 123", "123 גבא"],
		["a number with a point", "אבג 3.14", "3.14 גבא"],
		["Latin in Hebrew", "אבג abc דהו", "והד abc גבא"],
		["Hebrew in Latin", "abc אבג דהו xyz", "abc והד גבא xyz"],
		["brackets are mirrored", "אבג (דהו)", "(והד) גבא"],
		["brackets around a number go with the letters before", "x אבג (12) y", "x (12) גבא y"],
		["brackets around Latin go with the line", "x (abc) אבג", "x (abc) גבא"],
		["Arabic digits after letters", "א ٣٠ ב", "ב ٣٠ א"],
		["a currency sign stays with its number", "אבג $5", "$5 גבא"],
		["a character beyond the basic plane stays whole", "אב🚀ג", "ג🚀בא"],
		["a letter beyond the basic plane runs left to right", "אב 𝐱𝐲 ג", "ג 𝐱𝐲 בא"],
	])("%s", (_, logical, visual) => expect(order(logical)).toBe(visual));

	test("no character is lost or added, for any text", () => {
		const letter = fc.constantFrom(..."abz אבג شسل 12٣ ()[]<>.,-+$%\u05bc\u064b");
		const sorted = (text: string): string =>
			[...text]
				.map((one) => ({ "(": ")", "[": "]", "<": ">" })[one] ?? one)
				.sort()
				.join("");
		fc.assert(
			fc.property(fc.array(letter, { maxLength: 40 }), (letters) => {
				const text = letters.join("");
				expect(sorted(order(text))).toBe(sorted(text));
			}),
			{ numRuns: 300 },
		);
	});
});

test("a change of the face splits a run, and the parts keep the order of the page", () => {
	const codes = Array.from("אבג", (character) => character.charCodeAt(0));
	expect(visualRuns(codes, ["one", "one", "other"])).toEqual([
		{ face: "other", codes: codes.slice(2), direction: "rtl" },
		{ face: "one", codes: codes.slice(0, 2), direction: "rtl" },
	]);
});
