import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formatsOf } from "../../../src/areas/invoices/document/format";
import { shapeArabic } from "../../../src/areas/invoices/pdf/arabic";
import { visualOrder } from "../../../src/areas/invoices/pdf/bidi";
import { type EmbeddedFace, openFace } from "../../../src/areas/invoices/pdf/faces";
import { loadShaper, shape as shapeLetters } from "../../../src/areas/invoices/pdf/shaping";
import { buildSubset, subsetFirstCode } from "../../../src/areas/invoices/pdf/subset";
import { printable, runsOf, shorten, widthOf, wrap } from "../../../src/areas/invoices/pdf/text";
import { TrueTypeFont } from "../../../src/areas/invoices/pdf/truetype";
import { instant } from "./samples";

beforeAll(loadShaper);

const english = formatsOf("en");
const plainBlanks = (text: string): string => text.replaceAll("\u00a0", " ");

describe("money reads", () => {
	test.each([
		["1234.5", "usd", "$1,234.50"],
		["1234567.89", "eur", "€1,234,567.89"],
		["36000", "jpy", "¥36,000"],
		["0.12345", "jpy", "¥0.12345"],
		["0.00125", "usd", "$0.00125"],
		["-5", "gbp", "-£5.00"],
		["0", "chf", "CHF 0.00"],
		["12", "inr", "₹12.00"],
		["1000", "krw", "₩1,000"],
		["9999999999999.99", "cad", "CA$9,999,999,999,999.99"],
	])("%s %s as %s", (value, currency, text) => expect(plainBlanks(english.money(value, currency))).toBe(text));

	test("with its code where it stands alone", () => {
		expect(english.moneyAlone("12", "usd")).toBe("$12.00 USD");
		expect(english.moneyAlone("12", "cad")).toBe("CA$12.00");
		expect(plainBlanks(english.moneyAlone("12", "chf"))).toBe("CHF 12.00");
	});
});

test("quantities, dates and periods read as people write them", () => {
	expect(english.quantity("1234567.125")).toBe("1,234,567.125");
	expect(english.quantity("-3")).toBe("-3");
	expect(english.date(instant("2026-02-28T23:59:59Z"))).toBe("28 Feb 2026");
	const period = (start: string, end: string) => english.period({ start: instant(start), end: instant(end) });
	expect(period("2026-01-31T00:00:00Z", "2026-02-28T00:00:00Z")).toBe("31 Jan 2026 – 27 Feb 2026");
	expect(period("2026-01-31T12:00:00Z", "2026-02-28T12:00:00Z")).toBe("31 Jan 2026 – 28 Feb 2026");
	expect(period("2026-01-31T00:00:00Z", "2026-01-31T00:00:00Z")).toBe("31 Jan 2026");
});

const order = (text: string): string =>
	String.fromCodePoint(...visualOrder([...text].map((character) => character.codePointAt(0) ?? 0)));

describe("right-to-left text is drawn in the order of the page", () => {
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
		["a mark stays behind its letter", "בּג", "גבּ"],
		["a character beyond the basic plane stays whole", "אב🚀ג", "ג🚀בא"],
		["a letter beyond the basic plane runs left to right", "אב 𝐱𝐲 ג", "ג 𝐱𝐲 בא"],
	])("%s", (_, logical, visual) => expect(order(logical)).toBe(visual));

	test("nothing is lost or added, for any text", () => {
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

const shape = (text: string): string[] =>
	shapeArabic([...text].map((one) => one.charCodeAt(0))).map((code) => code.toString(16));

describe("Arabic letters take the form that their neighbours ask for", () => {
	test.each([
		["alone", "ب", ["fe8f"]],
		["initial, medial, final", "ببب", ["fe91", "fe92", "fe90"]],
		["after a letter that does not join", "دب", ["fea9", "fe8f"]],
		["lam and alef as one", "لا", ["fefb"]],
		["lam and alef after a letter", "بلا", ["fe91", "fefc"]],
		["a mark does not part them", "بَب", ["fe91", "64e", "fe90"]],
		["Persian", "پچ", ["fb58", "fb7b"]],
		["Latin is left alone", "ab", ["61", "62"]],
	])("%s", (_, text, forms) => expect(shape(text)).toEqual(forms));

	test("every form of the table is in the face that draws it", () => {
		const face = openFace("dejavu");
		for (let letter = 0x0621; letter <= 0x064a; letter += 1) {
			if (letter >= 0x063b && letter <= 0x0640) continue;
			for (const word of [[letter], [0x0628, letter], [letter, 0x0628], [0x0628, letter, 0x0628]])
				for (const form of shapeArabic(word)) expect(face.glyphOf(form)).toBeGreaterThan(0);
		}
	});
});

describe("lines", () => {
	const style = { size: 9 };
	const word = fc.oneof(
		fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" }),
		fc.constantFrom("日本語の文章です。", "Привет,", "👩‍👩‍👧", "شركة", "W".repeat(60), "i"),
	);
	const unbroken = (text: string): string => printable(text).replace(/\s+/gu, "");

	test("fit, and lose nothing but blanks", () => {
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

	test("break between words, keep given breaks, and cut only what is wider than a line", () => {
		expect(wrap("one two three", style, widthOf("one two", style))).toEqual(["one two", "three"]);
		expect(wrap("one\ntwo", style, 500)).toEqual(["one", "two"]);
		expect(wrap("iiii", style, widthOf("ii", style))).toEqual(["ii", "ii"]);
		expect(wrap("日本。語", style, widthOf("日本", style))).toEqual(["日", "本。", "語"]);
	});

	test("a text that is too long ends in an ellipsis", () => {
		expect(shorten("short", style, 100)).toBe("short");
		const cut = shorten("a rather long label", style, 40);
		expect(cut).toEndWith("…");
		expect(widthOf(cut, style)).toBeLessThanOrEqual(40);
	});
});

describe("faces", () => {
	const faces = (text: string): string[] => runsOf(text, false).map(({ face }) => face);
	test.each([
		["Windows-1252", "Zürich – 5 €", ["helvetica"]],
		["a word with a letter beyond it", "Łódź 5", ["arimo"]],
		["Japanese beside Latin", "ACME 株式会社", ["helvetica", "droid"]],
		["an emoji beside Latin", "Go 🚀", ["helvetica", "symbola"]],
		["a script without a face", "ក", ["missing"]],
		["a script that is shaped", "क", ["devanagari"]],
		["control characters as blanks", "a\u0007b", ["helvetica"]],
		["joiners and marks that nobody sees", "a\u200d\u200fb", ["helvetica"]],
	])("%s", (_, text, expected) => expect(faces(text)).toEqual(expected));

	test("every character is drawn: by a face that has it, or as a box", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary", maxLength: 20 }), (text) => {
				for (const { face, codes, width } of runsOf(text, true)) {
					if (face === "missing") expect(width).toBe(600 * codes.length);
					else if (!face.startsWith("helvetica"))
						for (const code of codes) expect(openFace(face as "arimo").glyphOf(code)).toBeGreaterThan(0);
				}
			}),
			{ numRuns: 300 },
		);
	});

	test("a subset holds the same outlines and widths under its own characters", () => {
		const font = openFace("arimo");
		const glyphs = [..."ÉŁgжΩ"].map((character) => font.glyphOf(character.codePointAt(0) ?? 0));
		const subset = new TrueTypeFont(buildSubset(font, "TEST+arimo", glyphs));
		expect(subset.unitsPerEm).toBe(font.unitsPerEm);
		for (const [at, glyph] of glyphs.entries()) {
			const own = subset.glyphOf(subsetFirstCode + at);
			expect(own).toBe(at + 1);
			expect(subset.advanceOf(own)).toBe(font.advanceOf(glyph));
			expect(subset.leftBearingOf(own)).toBe(font.leftBearingOf(glyph));
			expect(subset.outlineOf(own).length - font.outlineOf(glyph).length).toBeLessThan(4);
		}
		expect(subset.glyphOf(subsetFirstCode + glyphs.length)).toBe(0);
		// The font itself is left as it was.
		expect(new TrueTypeFont(buildSubset(font, "TEST+arimo", glyphs)).advanceOf(1)).toBe(subset.advanceOf(1));
	});
});

describe("the scripts of India are joined, stacked and put in order", () => {
	const codesOf = (text: string): number[] => [...text].map((one) => one.codePointAt(0) ?? 0);
	const drawn = (text: string, face: EmbeddedFace) => shapeLetters(face, codesOf(text));

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
			const consonant = openFace(face).glyphOf(codesOf(text)[0] ?? 0);
			const glyphs = drawn(text, face).map(({ glyph }) => glyph);
			expect(glyphs).toHaveLength(2);
			expect(glyphs.indexOf(consonant)).toBe(1);
		}
	});

	test.each([
		["क्ष", "devanagari", 1],
		["त्र", "devanagari", 1],
		["ক্ষ", "bengali", 1],
		["ક્ષ", "gujarati", 1],
		["க்ஷ", "tamil", 1],
	] as const)("%s is one picture", (text, face, count) => {
		expect(drawn(text, face)).toHaveLength(count);
	});

	test("a joiner keeps two letters apart, and is no picture of its own", () => {
		const apart = "क्\u200cष";
		expect(printable(apart)).toBe(apart);
		expect(drawn(apart, "devanagari").length).toBeGreaterThan(drawn("क्ष", "devanagari").length);
		expect(printable("a\u200cb")).toBe("ab");
	});

	test("a text is as wide as what is drawn of it", () => {
		const [run] = runsOf("विस्तृत", false);
		expect(run?.face).toBe("devanagari");
		const width = (run?.glyphs ?? []).reduce((sum, { advance }) => sum + advance, 0);
		expect(widthOf("विस्तृत", { size: 10 })).toBeCloseTo(width / 100, 6);
	});
});
