import { readFileSync } from "node:fs";
import type { Face, Font } from "harfbuzzjs/hbjs.js";
import arimoBold from "../fonts/Arimo-Bold.ttf" with { type: "file" };
import arimoRegular from "../fonts/Arimo-Regular.ttf" with { type: "file" };
import dejaVu from "../fonts/DejaVuSans.ttf" with { type: "file" };
import droid from "../fonts/DroidSansFallback.ttf" with { type: "file" };
import bengali from "../fonts/NotoSansBengali.ttf" with { type: "file" };
import devanagari from "../fonts/NotoSansDevanagari.ttf" with { type: "file" };
import gujarati from "../fonts/NotoSansGujarati.ttf" with { type: "file" };
import gurmukhi from "../fonts/NotoSansGurmukhi.ttf" with { type: "file" };
import kannada from "../fonts/NotoSansKannada.ttf" with { type: "file" };
import malayalam from "../fonts/NotoSansMalayalam.ttf" with { type: "file" };
import oriya from "../fonts/NotoSansOriya.ttf" with { type: "file" };
import sinhala from "../fonts/NotoSansSinhala.ttf" with { type: "file" };
import tamil from "../fonts/NotoSansTamil.ttf" with { type: "file" };
import telugu from "../fonts/NotoSansTelugu.ttf" with { type: "file" };
import thai from "../fonts/NotoSansThai.ttf" with { type: "file" };
import symbola from "../fonts/Symbola.ttf" with { type: "file" };
import { harfBuzz } from "./harfbuzz";

/** Arimo has the widths and the look of Helvetica. */
const files = {
	arimo: arimoRegular,
	"arimo-bold": arimoBold,
	dejavu: dejaVu,
	thai,
	bengali,
	devanagari,
	gujarati,
	gurmukhi,
	kannada,
	malayalam,
	oriya,
	sinhala,
	tamil,
	telugu,
	symbola,
	droid,
} as const;
export type EmbeddedFace = keyof typeof files;

/** The faces after Arimo, in the order in which they are searched for a character. */
const others = [
	"dejavu",
	"thai",
	"bengali",
	"devanagari",
	"gujarati",
	"gurmukhi",
	"kannada",
	"malayalam",
	"oriya",
	"sinhala",
	"tamil",
	"telugu",
	"symbola",
	"droid",
] as const satisfies readonly EmbeddedFace[];

interface OpenFace {
	/** Scaled to thousandths of the font size. */
	readonly font: Font;
	readonly characters: ReadonlySet<number>;
}

const opened = new Map<EmbeddedFace, OpenFace>();

export const faceBytes = (face: EmbeddedFace): Uint8Array => readFileSync(files[face]);

/** Reads a face once per thread, when a text first needs it. */
export function openFace(face: EmbeddedFace): OpenFace {
	const known = opened.get(face);
	if (known) return known;
	const { file, font } = openFont(faceBytes(face));
	// Ascending, as HarfBuzz lists them.
	const open = { font, characters: new Set(file.collectUnicodes()) };
	opened.set(face, open);
	return open;
}

/** Opens the bytes of a TrueType file. */
export function openFont(bytes: Uint8Array): { readonly file: Face; readonly font: Font } {
	const { createBlob, createFace, createFont } = harfBuzz().shaper;
	const blob = createBlob(bytes);
	const file = createFace(blob, 0);
	blob.destroy();
	const font = createFont(file);
	font.setScale(1000, 1000);
	return { file, font };
}

export const arimoOf = (bold: boolean): "arimo" | "arimo-bold" => (bold ? "arimo-bold" : "arimo");

const fallbacks = { regular: [arimoOf(false), ...others], bold: [arimoOf(true), ...others] } as const;

/** Returns the first embedded face that has the character. */
export const findFace = (code: number, bold: boolean): EmbeddedFace | undefined =>
	fallbacks[bold ? "bold" : "regular"].find((face) => openFace(face).characters.has(code));
