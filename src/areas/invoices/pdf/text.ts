import { type DirectedRun, type Direction, reversed, visualRuns } from "./bidi";
import { arimoOf, type EmbeddedFace, findFace, openFace } from "./faces";
import { shape } from "./shaping";
import { isWinAnsi, type StandardFace, standardWidth } from "./standard-faces";

export interface TextStyle {
	/** The size in points. */
	readonly size: number;
	readonly bold?: boolean;
}

/** Neighboring characters of a line in one face, in the order of the page. The width is in thousandths of the font size. */
export type Run = StandardRun | EmbeddedRun | MissingRun;

export interface StandardRun {
	readonly kind: "standard";
	readonly face: StandardFace;
	readonly codes: readonly number[];
	readonly width: number;
}

export interface EmbeddedRun {
	readonly kind: "embedded";
	readonly face: EmbeddedFace;
	/** In reading order. */
	readonly codes: readonly number[];
	readonly direction: Direction;
	readonly width: number;
}

/** Characters that no face has; each is drawn as a box. */
export interface MissingRun {
	readonly kind: "missing";
	readonly count: number;
	readonly width: number;
}

/** The width of the box that stands for a character without a face, in thousandths of the font size. */
export const boxWidth = 600;

/** No caller's text is longer. More than this is laid out, but not cached. */
const rememberedMax = 20_000;
const remembered = { regular: new Map<string, readonly Run[]>(), bold: new Map<string, readonly Run[]>() };

/** Printable ASCII, the most frequent text, needs no shaping. */
const plain = /^[\x20-\x7e]*$/;

/** Returns a line of text as runs, left to right: normalized, Arabic joined, right-to-left scripts in the order of the page. */
export function runsOf(text: string, bold: boolean): readonly Run[] {
	const known = remembered[bold ? "bold" : "regular"];
	const found = known.get(text);
	if (found) return found;
	const runs = plain.test(text) ? [standardRun(codesOf(text), bold)] : mixedRuns(text, bold);
	if (known.size >= rememberedMax) known.clear();
	known.set(text, runs);
	return runs;
}

/** Returns the width in points. */
export function widthOf(text: string, { size, bold = false }: TextStyle): number {
	let width = 0;
	for (const run of runsOf(text, bold)) width += run.width;
	return (width * size) / 1000;
}

const codesOf = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);

/** Characters without a glyph: joiners, direction marks, variation selectors, byte order marks. */
const invisible = /(?![\u200c\u200d])[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
/** Two joiners affect the letters of Indian scripts; elsewhere they are left out. */
const looseJoiner = /(?<![\u0900-\u0dff])[\u200c\u200d]|[\u200c\u200d](?![\u0900-\u0dff])/gu;
const control = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const loneSurrogate = /\p{Cs}/gu;

/** Returns the printed form of a text: composed, on one line, with spaces for control characters. */
export const printable = (text: string): string =>
	text
		.normalize("NFC")
		.replace(control, " ")
		.replace(invisible, "")
		.replace(looseJoiner, "")
		.replace(loneSurrogate, "\ufffd");

function mixedRuns(text: string, bold: boolean): Run[] {
	const codes = codesOf(printable(text));
	// A word never mixes two look-alike fonts: if one letter needs Arimo, its Latin neighbors use it too.
	const found = codes.map((code) => (isWinAnsi(code) ? "standard" : (findFace(code, bold) ?? "missing")));
	const arimo = arimoOf(bold);
	const faces = found.includes(arimo) ? found.map((face) => (face === "standard" ? arimo : face)) : found;
	return visualRuns(codes, faces).map((run) => runOf(run, bold));
}

function runOf({ codes, direction, face }: DirectedRun<EmbeddedFace | "standard" | "missing">, bold: boolean): Run {
	if (face === "missing") return { kind: "missing", count: codes.length, width: boxWidth * codes.length };
	if (face === "standard") return standardRun(direction === "rtl" ? reversed(codes) : codes, bold);
	const glyphs = shape(openFace(face).font, codes, direction);
	return { kind: "embedded", face, codes, direction, width: glyphs.reduce((sum, { advance }) => sum + advance, 0) };
}

function standardRun(codes: readonly number[], bold: boolean): StandardRun {
	const face = bold ? "helvetica-bold" : "helvetica";
	let width = 0;
	for (const code of codes) width += standardWidth(face, code);
	return { kind: "standard", face, codes, width };
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Characters between which a line may break without a space: East Asian scripts, and Thai, which has no spaces. */
const breaksAnywhere = /[\u0e00-\u0e7f\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;

/** Closing punctuation never begins a line. */
const neverFirst = /^[、。，．：；！？）」』】〉》,.:;!?)\]}%]/;

/** Breaks a text into lines that fit. Line breaks in the text are kept; a word wider than a line is cut. */
export function wrap(text: string, style: TextStyle, widthMax: number): string[] {
	return text
		.split(/\r\n|[\n\r\u2028\u2029]/)
		.flatMap((paragraph) => wrapParagraph(printable(paragraph).trim(), style, widthMax));
}

function wrapParagraph(text: string, style: TextStyle, widthMax: number): string[] {
	if (widthOf(text, style) <= widthMax) return [text];
	const lines: string[] = [];
	let line = "";
	for (const piece of piecesOf(text)) {
		if (widthOf((line + piece).trimEnd(), style) <= widthMax) {
			line += piece;
			continue;
		}
		if (line.trim() !== "") lines.push(line.trimEnd());
		line = piece.trimStart();
		while (widthOf(line.trimEnd(), style) > widthMax) {
			const cut = fitting(line, style, widthMax);
			lines.push(cut);
			line = line.slice(cut.length);
		}
	}
	if (line.trim() !== "") lines.push(line.trimEnd());
	return lines;
}

/** Returns words with the spaces after them; in scripts that break anywhere, single characters. */
function piecesOf(text: string): string[] {
	return text.split(/(?<=[ \u2009\u200a]+)(?=[^ \u2009\u200a])/).flatMap((word) => {
		if (!breaksAnywhere.test(word)) return [word];
		const pieces: string[] = [];
		for (const { segment } of segmenter.segment(word)) {
			const last = pieces.at(-1);
			const glued =
				last !== undefined &&
				(neverFirst.test(segment) || (!breaksAnywhere.test(segment) && !breaksAnywhere.test(last)));
			if (glued) pieces[pieces.length - 1] = last + segment;
			else pieces.push(segment);
		}
		return pieces;
	});
}

/** Returns the longest beginning that fits, in whole visible characters; at least one. */
function fitting(text: string, style: TextStyle, widthMax: number): string {
	let fits = "";
	for (const { segment } of segmenter.segment(text)) {
		if (fits !== "" && widthOf(fits + segment, style) > widthMax) break;
		fits += segment;
	}
	return fits;
}

/** Returns the text, or its beginning with an ellipsis if it does not fit on one line. */
export function shorten(text: string, style: TextStyle, widthMax: number): string {
	const line = printable(text.replace(/\s+/g, " ")).trim();
	if (widthOf(line, style) <= widthMax) return line;
	return `${fitting(line, style, widthMax - widthOf("…", style)).trimEnd()}…`;
}
