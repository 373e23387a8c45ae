import { jsPDF } from "jspdf";
import type { Instant } from "../../../kernel/clock";
import type { LanguageCode } from "../document/labels";
import { type Command, colors, type Page, type TextCommand } from "./drawing";
import { boxWidth, type EmbeddedFace, openFace } from "./faces";
import { pageHeight, pageWidth } from "./geometry";
import { buildSubset, subsetFirstCode, subsetGlyphsMax } from "./subset";
import { type Run, runsOf, widthOf } from "./text";

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
	/** Undefined beyond what a subset can hold. */
	readonly letters: ReadonlyMap<number, string>;
	/** Tells the library which characters the glyphs stand for, so that text can be searched and copied. */
	nameCharacters(): void;
}

function embedFaces(library: jsPDF, pages: readonly Page[]): Map<EmbeddedFace, Embedded> {
	const used = new Map<EmbeddedFace, Set<number>>();
	for (const command of pages.flat()) {
		if (command.kind !== "text") continue;
		for (const { face, codes } of runsOf(command.text, command.bold)) {
			if (face === "missing" || face === "helvetica" || face === "helvetica-bold") continue;
			const known = used.get(face) ?? new Set();
			for (const code of codes) if (known.size < subsetGlyphsMax) known.add(code);
			used.set(face, known);
		}
	}
	return new Map([...used].map(([face, codes]) => [face, embed(library, face, [...codes])]));
}

function embed(library: jsPDF, face: EmbeddedFace, codes: readonly number[]): Embedded {
	const font = openFace(face);
	const glyphs = [...new Set(codes.map((code) => font.glyphOf(code)))];
	const file = buildSubset(font, `TOLLGT+${face}`, glyphs);
	library.addFileToVFS(`${face}.ttf`, Buffer.from(file).toString("latin1"));
	library.addFont(`${face}.ttf`, face, "normal");
	const placeOf = new Map(glyphs.map((glyph, at) => [glyph, at]));
	const letterOf = (code: number): string =>
		String.fromCharCode(subsetFirstCode + (placeOf.get(font.glyphOf(code)) ?? 0));
	return {
		letters: new Map(codes.map((code) => [code, letterOf(code)])),
		nameCharacters: () => {
			library.setFont(face, "normal");
			const { metadata } = library.getFont();
			for (const code of codes) {
				const glyph = (placeOf.get(font.glyphOf(code)) ?? 0) + 1;
				// The library writes four digits, so a character beyond them is named as unknown rather than wrongly.
				metadata.toUnicode[glyph] = code > 0xffff ? 0xfffd : code;
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
	{ face, codes }: Run,
	place: Place,
): void {
	const { x, y, size, bold } = place;
	if (face === "helvetica" || face === "helvetica-bold") {
		library.setFont("helvetica", bold ? "bold" : "normal");
		library.text(String.fromCharCode(...codes), x, y);
		return;
	}
	const letters = face === "missing" ? undefined : embedded.get(face)?.letters;
	const drawn = codes.map((code) => letters?.get(code)).join("");
	// A text of thousands of different characters fills a subset; what is beyond it is drawn as boxes too.
	if (face === "missing" || drawn.length < codes.length) {
		drawBoxes(library, codes.length, place);
		return;
	}
	library.setFont(face, "normal");
	// Faces without a bold cut are made bolder by a thin outline.
	const outlined = bold && face !== "arimo-bold";
	library.setLineWidth(size * 0.025);
	library.text(drawn, x, y, { renderingMode: outlined ? "fillThenStroke" : "fill" });
}

/** A character that no font has: a box that is seen, never a gap. */
function drawBoxes(library: jsPDF, count: number, { x, y, size }: Place): void {
	const advance = (boxWidth * size) / 1000;
	library.setLineWidth(size * 0.05);
	for (let at = 0; at < count; at += 1)
		library.rect(x + at * advance + advance * 0.12, y - size * 0.68, advance * 0.76, size * 0.68, "S");
}
