import type { Font } from "harfbuzzjs/hbjs.js";
import type { Direction } from "./bidi";
import { harfBuzz } from "./harfbuzz";

const saraAm = 0x0e33;

/** A glyph of a shaped run. Measures are in thousandths of the font size. */
export interface ShapedGlyph {
	readonly glyph: number;
	/** From this glyph's pen position to the next one's. */
	readonly advance: number;
	/** Offset from the pen position; a mark stands off it. */
	readonly x: number;
	/** Upwards. */
	readonly y: number;
	/** Whether the advance is the one that the face gives the glyph, without kerning. */
	readonly isUnkerned: boolean;
	/** The characters that this glyph and its neighbors of the same cluster draw, in reading order. */
	readonly cluster: readonly number[];
}

/**
 * Shapes the characters of one run, given in reading order: HarfBuzz joins, stacks and reorders letters, and mirrors brackets. The
 * glyphs come in the order of the page, left to right.
 */
export function shape(font: Font, codes: readonly number[], direction: Direction): ShapedGlyph[] {
	const { shaper } = harfBuzz();
	const buffer = shaper.createBuffer();
	try {
		buffer.addCodePoints(codes);
		// By the rules of Thai, HarfBuzz would split SARA AM in two letters, and a search in the PDF would not find it.
		if (codes.includes(saraAm)) buffer.setScript("Zyyy");
		buffer.guessSegmentProperties();
		buffer.setDirection(direction);
		shaper.shape(font, buffer);
		const glyphs = buffer.json();
		const starts = [...new Set(glyphs.map(({ cl }) => cl))].sort((one, other) => one - other);
		const clusters = new Map(starts.map((start, at) => [start, codes.slice(start, starts[at + 1])]));
		return glyphs.map(({ g, cl, ax, dx, dy }) => ({
			glyph: g,
			advance: ax,
			x: dx,
			y: dy,
			isUnkerned: ax === font.glyphHAdvance(g),
			cluster: clusters.get(cl) ?? [],
		}));
	} finally {
		buffer.destroy();
	}
}
