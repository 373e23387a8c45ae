import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type EmbeddedFace, openFace, openFont } from "../../../../src/areas/invoices/pdf/faces";
import { loadHarfBuzz } from "../../../../src/areas/invoices/pdf/harfbuzz";
import { shape } from "../../../../src/areas/invoices/pdf/shaping";
import { subsetFace } from "../../../../src/areas/invoices/pdf/subset";

beforeAll(loadHarfBuzz);

const letters = {
	arimo: "ÉŁgжΩאבש",
	dejavu: "ابتلاهمن",
	devanagari: "कष्तरिेु",
	droid: "株式会社サンプル삼성",
} as const satisfies Partial<Record<EmbeddedFace, string>>;

test.each(Object.entries(letters))("a subset of %s shapes its characters as the whole face does", (name, alphabet) => {
	const face = name as keyof typeof letters;
	const characters = Array.from(alphabet, (character) => character.charCodeAt(0));
	const bytes = subsetFace(face, characters);
	expect(bytes.length).toBeLessThan(60_000);
	const { font } = openFont(bytes);
	const direction = face === "dejavu" ? "rtl" : "ltr";
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...characters), { minLength: 1, maxLength: 12 }), (codes) => {
			const placed = (from: typeof font) => shape(from, codes, direction).map(({ glyph, ...place }) => place);
			expect(placed(font)).toEqual(placed(openFace(face).font));
		}),
		{ numRuns: 50 },
	);
});

test("the same characters give the same bytes, in whatever order they are named", () => {
	expect(subsetFace("arimo", [0x141, 0x436])).toEqual(subsetFace("arimo", [0x436, 0x141]));
});
