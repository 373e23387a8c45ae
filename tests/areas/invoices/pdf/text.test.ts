import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openFace } from "../../../../src/areas/invoices/pdf/faces";
import { loadHarfBuzz } from "../../../../src/areas/invoices/pdf/harfbuzz";
import { printable, runsOf, shorten, widthOf, wrap } from "../../../../src/areas/invoices/pdf/text";

beforeAll(loadHarfBuzz);

describe("lines", () => {
	const style = { size: 9 };
	const word = fc.oneof(
		fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" }),
		fc.constantFrom("日本語の文章です。", "Привет,", "👩‍👩‍👧", "شركة", "W".repeat(60), "i"),
	);
	const unbroken = (text: string): string => printable(text).replace(/\s+/gu, "");

	test("fit the width and lose only blanks", () => {
		fc.assert(
			fc.property(fc.array(word, { maxLength: 20 }), fc.integer({ min: 40, max: 300 }), (words, widthMax) => {
				const text = words.join(" ");
				const lines = wrap(text, style, widthMax);
				expect(lines.map(unbroken).join("")).toBe(unbroken(text));
				for (const line of lines) {
					const isOneCharacter = [...new Intl.Segmenter().segment(line)].length <= 1;
					if (!isOneCharacter) expect(widthOf(line, style)).toBeLessThanOrEqual(widthMax + 0.001);
				}
			}),
			{ numRuns: 300 },
		);
	});

	test("break between words, keep the breaks of the text, and cut only words wider than a line", () => {
		expect(wrap("one two three", style, widthOf("one two", style))).toEqual(["one two", "three"]);
		expect(wrap("one\ntwo", style, 500)).toEqual(["one", "two"]);
		expect(wrap("iiii", style, widthOf("ii", style))).toEqual(["ii", "ii"]);
		expect(wrap("日本。語", style, widthOf("日本", style))).toEqual(["日", "本。", "語"]);
	});

	test("a text that is too long for one line ends in an ellipsis", () => {
		expect(shorten("short", style, 100)).toBe("short");
		const cut = shorten("a rather long label", style, 40);
		expect(cut).toEndWith("…");
		expect(widthOf(cut, style)).toBeLessThanOrEqual(40);
	});
});

describe("the face of a text:", () => {
	const faces = (text: string): string[] =>
		runsOf(text, false).map((run) => (run.kind === "missing" ? "missing" : run.face));
	test.each([
		["Windows-1252", "Zürich – 5 €", ["helvetica"]],
		["a word with a letter beyond it", "Łódź 5", ["arimo"]],
		["Japanese next to Latin", "ACME 株式会社", ["helvetica", "droid"]],
		["an emoji next to Latin", "Go 🚀", ["helvetica", "symbola"]],
		["a script without a face", "ក", ["missing"]],
		["a script that is shaped", "क", ["devanagari"]],
		["control characters, drawn as blanks", "a\u0007b", ["helvetica"]],
		["invisible joiners and direction marks", "a\u200d\u200fb", ["helvetica"]],
	])("%s", (_, text, expected) => expect(faces(text)).toEqual(expected));

	test("every character is drawn: by a face that has it, or as a box", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary", maxLength: 20 }), (text) => {
				for (const run of runsOf(text, true)) {
					if (run.kind === "missing") expect(run.width).toBe(600 * run.count);
					else if (run.kind === "embedded")
						for (const code of run.codes) expect(openFace(run.face).characters.has(code)).toBe(true);
				}
			}),
			{ numRuns: 300 },
		);
	});
});
