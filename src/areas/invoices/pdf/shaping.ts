import { readFileSync } from "node:fs";
import createHarfBuzz from "harfbuzzjs/hb.js";
import wasm from "harfbuzzjs/hb.wasm" with { type: "file" };
import hbjs, { type Font, type HarfBuzz } from "harfbuzzjs/hbjs.js";
import { assert } from "../../../kernel/errors";
import { type EmbeddedFace, faceBytes } from "./faces";

let harfBuzz: HarfBuzz | undefined;

/** To be awaited before anything is laid out; a few milliseconds the first time. (docs/decisions/0018-indic-scripts.md) */
export async function loadShaper(): Promise<void> {
	harfBuzz ??= hbjs(await createHarfBuzz({ wasmBinary: readFileSync(wasm) }));
}

/** A picture of the face where it stands: of the font size, in thousandths, from where the one before has ended. */
export interface ShapedGlyph {
	readonly glyph: number;
	readonly advance: number;
	readonly x: number;
	/** Upwards. */
	readonly y: number;
	/** The character that it is found by; where several are drawn as one, the first of them. */
	readonly code: number;
}

const fonts = new Map<EmbeddedFace, Font>();

function fontOf({ createFont, createFace, createBlob }: HarfBuzz, face: EmbeddedFace): Font {
	const known = fonts.get(face);
	if (known) return known;
	const font = createFont(createFace(createBlob(faceBytes(face)), 0));
	font.setScale(1000, 1000);
	fonts.set(face, font);
	return font;
}

/** Letters of one script from left to right, as it joins, stacks and reorders them. */
export function shape(face: EmbeddedFace, codes: readonly number[]): ShapedGlyph[] {
	assert(harfBuzz, "the shaper was loaded");
	const buffer = harfBuzz.createBuffer();
	try {
		buffer.addCodePoints(codes);
		buffer.guessSegmentProperties();
		harfBuzz.shape(fontOf(harfBuzz, face), buffer);
		let cluster = -1;
		let within = 0;
		return buffer.json().map(({ g, cl, ax, dx, dy }) => {
			within = cl === cluster ? within + 1 : 0;
			cluster = cl;
			return { glyph: g, advance: ax, x: dx, y: dy, code: codes[cl + within] ?? codes[cl] ?? 0 };
		});
	} finally {
		buffer.destroy();
	}
}
