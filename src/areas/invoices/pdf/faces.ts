import { readFileSync } from "node:fs";
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
import { TrueTypeFont } from "./truetype";

/** The faces that the library draws by name, without embedding anything; they reach as far as Windows-1252. */
export type StandardFace = "helvetica" | "helvetica-bold";

/** The embedded faces, in the order in which they are asked for a character. Arimo has Helvetica's widths and looks. */
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

/** A character that no face has is drawn as a box of this width, in thousandths of the font size. */
export const boxWidth = 600;

const opened = new Map<EmbeddedFace, TrueTypeFont>();

export const faceBytes = (face: EmbeddedFace): Uint8Array => readFileSync(files[face]);

/** Read and parsed once for each thread, when a text first needs it. */
export function openFace(face: EmbeddedFace): TrueTypeFont {
	const known = opened.get(face);
	if (known) return known;
	const font = new TrueTypeFont(faceBytes(face));
	opened.set(face, font);
	return font;
}

/** Faces of scripts whose letters join, stack and change their order: which pictures are drawn is for a shaper to say. */
const shapedFaces = [
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
] as const satisfies readonly EmbeddedFace[];

const shaped: ReadonlySet<string> = new Set(shapedFaces);
export const isShaped = (face: string): face is (typeof shapedFaces)[number] => shaped.has(face);

const fallbacks = {
	regular: ["arimo", "dejavu", "thai", ...shapedFaces, "symbola", "droid"],
	bold: ["arimo-bold", "dejavu", "thai", ...shapedFaces, "symbola", "droid"],
} as const satisfies Record<string, readonly EmbeddedFace[]>;

/** The first embedded face that has the character; undefined when none does. */
export const faceWith = (code: number, bold: boolean): EmbeddedFace | undefined =>
	fallbacks[bold ? "bold" : "regular"].find((face) => openFace(face).glyphOf(code) !== 0);

/** In thousandths of the font size. */
export function embeddedWidth(face: EmbeddedFace, code: number): number {
	const font = openFace(face);
	return (font.advanceOf(font.glyphOf(code)) * 1000) / font.unitsPerEm;
}

/** What Windows-1252 has beyond Latin-1. */
const winAnsiExtras = new Set([..."€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"].map((character) => character.charCodeAt(0)));

export const isWinAnsi = (code: number): boolean =>
	(code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff && code !== 0xad) || winAnsiExtras.has(code);

/** Arimo has Helvetica's widths, but for these few. Source: Adobe's metrics of Helvetica and Helvetica-Bold. */
const widthsOfItsOwn: ReadonlyMap<string, number> = new Map([
	["·", 278],
	["¯", 333],
	["±", 584],
	["÷", 584],
]);

const standardWidths: Readonly<Record<StandardFace, Map<number, number>>> = {
	helvetica: new Map(),
	"helvetica-bold": new Map(),
};

/** In thousandths of the font size. */
export function standardWidth(face: StandardFace, code: number): number {
	const known = standardWidths[face].get(code);
	if (known !== undefined) return known;
	const width =
		widthsOfItsOwn.get(String.fromCharCode(code)) ??
		Math.round(embeddedWidth(face === "helvetica" ? "arimo" : "arimo-bold", code));
	standardWidths[face].set(code, width);
	return width;
}
