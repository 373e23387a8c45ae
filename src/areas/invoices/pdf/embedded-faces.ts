import type { Font } from "harfbuzzjs/hbjs.js";
import type { jsPDF } from "jspdf";
import type { Page } from "./drawing";
import { type EmbeddedFace, openFace, openFont } from "./faces";
import type { ShapedGlyph } from "./shaping";
import { subsetFace } from "./subset";
import { runsOf } from "./text";

/** The library draws glyphs by characters: glyph 1 by the first private one plus 1, and so on. */
const firstCharacter = 0xe000;

/** The number of glyphs that the library can address in a face. */
export const glyphsMax = 6400;

/** Returns the text by which the library draws these glyphs. */
export const addressOf = (glyphs: readonly ShapedGlyph[]): string =>
	String.fromCharCode(...glyphs.map(({ glyph }) => firstCharacter + glyph));

/** The part of a face that a document uses. */
export interface EmbeddedSubset {
	readonly font: Font;
	/** Notes the characters that glyphs stand for, so that readers can search and copy the text. */
	nameGlyphs(glyphs: readonly ShapedGlyph[]): void;
	/** Passes the names to the library and frees the font. Call it before the library writes the document. */
	close(): void;
}

/** Embeds the characters of all faces that the pages use. */
export function embedFaces(library: jsPDF, pages: readonly Page[]): Map<EmbeddedFace, EmbeddedSubset> {
	const used = new Map<EmbeddedFace, Set<number>>();
	for (const command of pages.flat()) {
		if (command.kind !== "text") continue;
		for (const run of runsOf(command.text, command.bold)) {
			if (run.kind !== "embedded") continue;
			const codes = used.get(run.face) ?? new Set<number>();
			for (const code of run.codes) codes.add(code);
			used.set(run.face, codes);
		}
	}
	return new Map([...used].map(([face, codes]) => [face, embed(library, face, codes)]));
}

function embed(library: jsPDF, face: EmbeddedFace, used: ReadonlySet<number>): EmbeddedSubset {
	// The library rejects a font without characters of the basic plane. The first character of each face lies there.
	const [basic = 0] = openFace(face).characters;
	const bytes = subsetFace(face, [basic, ...used]);
	library.addFileToVFS(`${face}.ttf`, Buffer.from(bytes).toString("latin1"));
	library.addFont(`${face}.ttf`, face, "normal");
	library.setFont(face, "normal");
	const { metadata } = library.getFont();
	const { codeMap } = metadata.cmap.unicode;
	const names = new Map<number, number>();
	for (const code of used) if (codeMap[code]) names.set(codeMap[code], code);
	const glyphCount = Math.min(metadata.maxp.numGlyphs, glyphsMax);
	for (let glyph = 1; glyph < glyphCount; glyph += 1) codeMap[firstCharacter + glyph] = glyph;
	const { file, font } = openFont(bytes);
	return {
		font,
		nameGlyphs: (glyphs) => {
			for (const [cluster, drawn] of Map.groupBy(glyphs, ({ cluster }) => cluster))
				nameCluster(names, cluster, [...new Set(drawn.map(({ glyph }) => glyph))]);
		},
		close: () => {
			// The library writes four digits, so a character beyond them is named as unknown rather than wrongly.
			for (const [glyph, code] of names) metadata.toUnicode[glyph] = code > 0xffff ? unknown : code;
			font.destroy();
			file.destroy();
		},
	};
}

const unknown = 0xfffd;

/** Names the glyphs of a cluster that have no character of their own by the letters that remain. */
function nameCluster(names: Map<number, number>, cluster: readonly number[], glyphs: readonly number[]): void {
	const unnamed = glyphs.filter((glyph) => !names.has(glyph));
	const named = new Set(glyphs.map((glyph) => names.get(glyph)));
	const letters = cluster.filter((code) => !named.has(code));
	const ligature = unnamed.length === 1 ? ligatures.get(decomposed(letters)) : undefined;
	unnamed.forEach((glyph, at) => {
		names.set(glyph, ligature ?? letters[at] ?? unknown);
	});
}

const decomposed = (codes: readonly number[]): string => String.fromCodePoint(...codes).normalize("NFKD");

const range = (first: number, last: number): number[] =>
	Array.from({ length: last - first + 1 }, (_, at) => first + at);

/**
 * Unicode's characters for ligatures of Armenian, Hebrew and Arabic, by the letters that they join. The library accepts one
 * character for each glyph.
 */
const ligatures: ReadonlyMap<string, number> = new Map(
	[...range(0xfb13, 0xfb4f), 0xfdf2, ...range(0xfef5, 0xfefb)].map((code) => [decomposed([code]), code]),
);
