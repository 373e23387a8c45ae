import { beforeAll, describe, expect, test } from "bun:test";
import type { Direction } from "../../../../src/areas/invoices/pdf/bidi";
import { type EmbeddedFace, openFace } from "../../../../src/areas/invoices/pdf/faces";
import { loadHarfBuzz } from "../../../../src/areas/invoices/pdf/harfbuzz";
import { shape } from "../../../../src/areas/invoices/pdf/shaping";
import { printable } from "../../../../src/areas/invoices/pdf/text";

beforeAll(loadHarfBuzz);

const shaped = (text: string, face: EmbeddedFace, direction: Direction = "ltr") =>
	shape(
		openFace(face).font,
		Array.from(text, (character) => character.codePointAt(0) ?? 0),
		direction,
	);
const glyphsOf = (text: string, face: EmbeddedFace, direction: Direction = "ltr"): number[] =>
	shaped(text, face, direction).map(({ glyph }) => glyph);

describe("Arabic letters take the form that their neighbors require:", () => {
	const arabic = (text: string): number[] => glyphsOf(text, "dejavu", "rtl");
	const isolated = (letter: string): number => arabic(letter)[0] ?? 0;

	test("initial, medial and final forms differ from the isolated one", () => {
		const [final, medial, initial] = arabic("ببب");
		expect(new Set([isolated("ب"), final, medial, initial]).size).toBe(4);
	});

	test("a letter after one that does not join keeps its isolated form", () => {
		expect(arabic("دب")).toEqual([isolated("ب"), isolated("د")]);
	});

	test("lam and alef are drawn as one glyph, also after a letter", () => {
		expect(arabic("لا")).toHaveLength(1);
		expect(arabic("بلا")).toHaveLength(2);
		expect(arabic("بلا")).not.toContain(isolated("لا"));
	});

	test("a vowel mark does not separate its neighbors, and has no width", () => {
		const [final, , initial] = arabic("بَب");
		expect([final, initial]).toEqual(arabic("بب"));
		expect(shaped("بَ", "dejavu", "rtl").map(({ advance }) => advance > 0)).toEqual([false, true]);
	});

	test("every letter of Arabic and Persian has its forms in the face", () => {
		for (const letter of "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگکی")
			for (const word of [letter, `ب${letter}`, `${letter}ب`, `ب${letter}ب`])
				expect([word, arabic(word).includes(0)]).toEqual([word, false]);
	});
});

test("brackets are mirrored in right-to-left text", () => {
	expect(glyphsOf("(א", "arimo", "rtl")).toEqual([...glyphsOf("א", "arimo", "rtl"), ...glyphsOf(")", "arimo")]);
});

test("Thai's SARA AM stays one glyph, so that a search finds it", () => {
	expect(glyphsOf("น้ำ", "thai")).toHaveLength(3);
});

describe("letters of the scripts of India are joined, stacked and reordered:", () => {
	test("a vowel that is written before its consonant comes first", () => {
		for (const [text, face] of [
			["कि", "devanagari"],
			["কি", "bengali"],
			["કિ", "gujarati"],
			["ਕਿ", "gurmukhi"],
			["கெ", "tamil"],
			["കെ", "malayalam"],
			["කෙ", "sinhala"],
		] as const) {
			const consonant = glyphsOf([...text][0] ?? "", face)[0] ?? 0;
			const glyphs = glyphsOf(text, face);
			expect(glyphs).toHaveLength(2);
			expect(glyphs.indexOf(consonant)).toBe(1);
		}
	});

	test.each([
		["क्ष", "devanagari"],
		["त्र", "devanagari"],
		["ক্ষ", "bengali"],
		["ક્ષ", "gujarati"],
		["க்ஷ", "tamil"],
	] as const)("the letters %s are drawn as one glyph", (text, face) => {
		expect(glyphsOf(text, face)).toHaveLength(1);
	});

	test("a joiner keeps two letters apart, and has no glyph of its own", () => {
		const apart = "क्\u200cष";
		expect(printable(apart)).toBe(apart);
		expect(glyphsOf(apart, "devanagari").length).toBeGreaterThan(glyphsOf("क्ष", "devanagari").length);
		expect(printable("a\u200cb")).toBe("ab");
	});
});
