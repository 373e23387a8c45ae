import { jsPDF } from "jspdf";
import type { Instant } from "../../../kernel/clock";
import type { LanguageCode } from "../document/labels";
import { type Command, colors, type Page, type TextCommand } from "./drawing";
import { boxWidth, type EmbeddedFace, openFace } from "./faces";
import { pageHeight, pageWidth } from "./geometry";
import { buildSubset, subsetFirstCode, subsetGlyphsMax } from "./subset";
import { type Run, runsOf, widthOf } from "./text";
import type { TrueTypeFont } from "./truetype";

export interface Painting {
	readonly pages: readonly Page[];
	readonly title: string;
	readonly author: string;
	readonly subject: string;
	readonly language: LanguageCode;
	readonly createdAt: Instant;
	/** 32 hexadecimal digits; the same document always carries the same. */
	readonly fileId: string;
}

/** Draws the pages into a PDF. Same painting, same bytes. */
export function paint(painting: Painting): Buffer {
	const library = new jsPDF({ unit: "pt", format: [pageWidth, pageHeight], compress: true, putOnlyUsedFonts: true });
	library.setFileId(painting.fileId);
	library.setCreationDate(new UtcDate(painting.createdAt));
	library.setLanguage(painting.language);
	library.setDocumentProperties({
		title: painting.title,
		author: painting.author,
		subject: painting.subject,
		creator: "Tollgate",
	});
	const embedded = embedFaces(library, painting.pages);
	for (const [at, page] of painting.pages.entries()) {
		if (at > 0) library.addPage();
		for (const command of page) draw(library, embedded, command);
	}
	for (const face of embedded.values()) face.nameCharacters();
	return Buffer.from(library.output("arraybuffer"));
}

/**
 * The library takes a date as text only up to the year 2037; a `Date` of any year it reads by the calendar of the
 * machine's time zone. This one's calendar is UTC everywhere, so the same document gives the same bytes on every
 * machine.
 */
class UtcDate extends Date {
	override getTimezoneOffset = () => 0;
	override getFullYear = () => this.getUTCFullYear();
	override getMonth = () => this.getUTCMonth();
	override getDate = () => this.getUTCDate();
	override getHours = () => this.getUTCHours();
	override getMinutes = () => this.getUTCMinutes();
	override getSeconds = () => this.getUTCSeconds();
}

/** The characters of one face that the document uses, as the subset names them. */
interface Embedded {
	/** By code point, in a face that is shaped by glyph. Undefined beyond what a subset can hold. */
	readonly letters: ReadonlyMap<number, string>;
	/** Tells the library which characters the glyphs stand for, so that text can be searched and copied. */
	nameCharacters(): void;
}

function embedFaces(library: jsPDF, pages: readonly Page[]): Map<EmbeddedFace, Embedded> {
	const used = new Map<EmbeddedFace, Map<number, Letter>>();
	for (const command of pages.flat()) {
		if (command.kind !== "text") continue;
		for (const run of runsOf(command.text, command.bold)) {
			const { face } = run;
			if (face === "missing" || face === "helvetica" || face === "helvetica-bold") continue;
			const known = used.get(face) ?? new Map<number, Letter>();
			for (const letter of lettersOf(run, openFace(face)))
				if (known.size < subsetGlyphsMax) known.set(letter.key, letter);
			used.set(face, known);
		}
	}
	return new Map([...used].map(([face, letters]) => [face, embed(library, face, [...letters.values()])]));
}

/** What is drawn of a face. */
interface Letter {
	/** The code point, or the glyph in a face that is shaped. */
	readonly key: number;
	readonly glyph: number;
	/** What it stands for. */
	readonly code: number;
}

const lettersOf = ({ codes, glyphs }: Run, font: TrueTypeFont): Letter[] =>
	glyphs
		? glyphs.map(({ glyph, code }) => ({ key: glyph, glyph, code }))
		: codes.map((code) => ({ key: code, glyph: font.glyphOf(code), code }));

function embed(library: jsPDF, face: EmbeddedFace, letters: readonly Letter[]): Embedded {
	const glyphs = [...new Set(letters.map(({ glyph }) => glyph))];
	const file = buildSubset(openFace(face), `TOLLGT+${face}`, glyphs);
	library.addFileToVFS(`${face}.ttf`, Buffer.from(file).toString("latin1"));
	library.addFont(`${face}.ttf`, face, "normal");
	const placeOf = new Map(glyphs.map((glyph, at) => [glyph, at]));
	return {
		letters: new Map(
			letters.map(({ key, glyph }) => [key, String.fromCharCode(subsetFirstCode + (placeOf.get(glyph) ?? 0))]),
		),
		nameCharacters: () => {
			library.setFont(face, "normal");
			const { metadata } = library.getFont();
			for (const { glyph, code } of letters) {
				// The library writes four digits, so a character beyond them is named as unknown rather than wrongly.
				metadata.toUnicode[(placeOf.get(glyph) ?? 0) + 1] = code > 0xffff ? 0xfffd : code;
			}
		},
	};
}

function draw(library: jsPDF, embedded: ReadonlyMap<EmbeddedFace, Embedded>, command: Command): void {
	if (command.kind === "picture") {
		const { picture, x, y, width, height } = command;
		library.addImage(picture.bytes, picture.contentType === "image/png" ? "PNG" : "JPEG", x, y, width, height);
		return;
	}
	const [red, green, blue] = colors[command.color];
	switch (command.kind) {
		case "rule":
			library.setFillColor(red, green, blue);
			library.rect(command.x, command.y - command.thickness / 2, command.width, command.thickness, "F");
			return;
		case "box":
			library.setFillColor(red, green, blue);
			library.setDrawColor(red, green, blue);
			library.setLineWidth(1);
			library.roundedRect(
				command.x,
				command.y,
				command.width,
				command.height,
				command.radius,
				command.radius,
				command.filled ? "F" : "S",
			);
			return;
		case "text":
			drawText(library, embedded, command);
	}
}

function drawText(library: jsPDF, embedded: ReadonlyMap<EmbeddedFace, Embedded>, command: TextCommand): void {
	const { text, size, bold, align, y } = command;
	const [red, green, blue] = colors[command.color];
	library.setTextColor(red, green, blue);
	library.setDrawColor(red, green, blue);
	library.setFontSize(size);
	let x = align === "right" ? command.x - widthOf(text, { size, bold }) : command.x;
	for (const run of runsOf(text, bold)) {
		drawRun(library, embedded, run, { x, y, size, bold });
		x += (run.width * size) / 1000;
	}
}

interface Place {
	readonly x: number;
	readonly y: number;
	readonly size: number;
	readonly bold: boolean;
}

function drawRun(
	library: jsPDF,
	embedded: ReadonlyMap<EmbeddedFace, Embedded>,
	{ face, codes, glyphs }: Run,
	place: Place,
): void {
	const { x, y, size, bold } = place;
	if (face === "helvetica" || face === "helvetica-bold") {
		library.setFont("helvetica", bold ? "bold" : "normal");
		library.text(String.fromCharCode(...codes), x, y);
		return;
	}
	const letters = face === "missing" ? undefined : embedded.get(face)?.letters;
	const keys = glyphs ? glyphs.map(({ glyph }) => glyph) : codes;
	const drawn = keys.map((key) => letters?.get(key) ?? "");
	// A text of thousands of different characters fills a subset; what is beyond it is drawn as boxes too.
	if (face === "missing" || drawn.includes("")) {
		drawBoxes(library, codes.length, place);
		return;
	}
	library.setFont(face, "normal");
	// Faces without a bold cut are made bolder by a thin outline.
	const outlined = bold && face !== "arimo-bold";
	library.setLineWidth(size * 0.025);
	const style = { renderingMode: outlined ? "fillThenStroke" : "fill" } as const;
	if (glyphs) {
		let at = x;
		for (const [index, glyph] of glyphs.entries()) {
			library.text(drawn[index] ?? "", at + (glyph.x * size) / 1000, y - (glyph.y * size) / 1000, style);
			at += (glyph.advance * size) / 1000;
		}
	} else library.text(drawn.join(""), x, y, style);
}

/** A character that no font has: a box that is seen, never a gap. */
function drawBoxes(library: jsPDF, count: number, { x, y, size }: Place): void {
	const advance = (boxWidth * size) / 1000;
	library.setLineWidth(size * 0.05);
	for (let at = 0; at < count; at += 1)
		library.rect(x + at * advance + advance * 0.12, y - size * 0.68, advance * 0.76, size * 0.68, "S");
}
