import { jsPDF } from "jspdf";
import type { Instant } from "../../../kernel/clock";
import { assert } from "../../../kernel/errors";
import type { LanguageCode } from "../document/labels";
import { type Command, colors, type Page, type TextCommand } from "./drawing";
import { addressOf, type EmbeddedSubset, embedFaces, glyphsMax } from "./embedded-faces";
import type { EmbeddedFace } from "./faces";
import { pageHeight, pageWidth } from "./geometry";
import { type ShapedGlyph, shape } from "./shaping";
import { boxWidth, type EmbeddedRun, type Run, runsOf, widthOf } from "./text";

export interface Painting {
	readonly pages: readonly Page[];
	readonly title: string;
	readonly author: string;
	readonly subject: string;
	readonly language: LanguageCode;
	readonly createdAt: Instant;
	/** 32 hexadecimal digits, derived from the document. */
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
	for (const subset of embedded.values()) subset.close();
	return Buffer.from(library.output("arraybuffer"));
}

/**
 * A date for the library, which takes a text only up to the year 2037 and reads a `Date` in the machine's time zone. This class always
 * uses UTC, so the same document gives the same bytes on every machine.
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

function draw(library: jsPDF, embedded: ReadonlyMap<EmbeddedFace, EmbeddedSubset>, command: Command): void {
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

function drawText(library: jsPDF, embedded: ReadonlyMap<EmbeddedFace, EmbeddedSubset>, command: TextCommand): void {
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

function drawRun(library: jsPDF, embedded: ReadonlyMap<EmbeddedFace, EmbeddedSubset>, run: Run, place: Place): void {
	switch (run.kind) {
		case "standard":
			library.setFont("helvetica", place.bold ? "bold" : "normal");
			library.text(String.fromCharCode(...run.codes), place.x, place.y);
			return;
		case "missing":
			drawBoxes(library, run.count, place);
			return;
		case "embedded": {
			const subset = embedded.get(run.face);
			assert(subset, `the face ${run.face} is embedded`);
			drawGlyphs(library, subset, run, place);
		}
	}
}

function drawGlyphs(
	library: jsPDF,
	subset: EmbeddedSubset,
	{ face, codes, direction }: EmbeddedRun,
	place: Place,
): void {
	const { y, size, bold } = place;
	const glyphs = shape(subset.font, codes, direction);
	// A text of thousands of different characters uses more glyphs than the library can address; it is drawn as boxes.
	if (glyphs.some(({ glyph }) => glyph >= glyphsMax)) {
		drawBoxes(library, glyphs.length, place);
		return;
	}
	subset.nameGlyphs(glyphs);
	library.setFont(face, "normal");
	// Faces without a bold cut are made bolder by a thin outline.
	const isOutlined = bold && face !== "arimo-bold";
	library.setLineWidth(size * 0.025);
	const style = { renderingMode: isOutlined ? "fillThenStroke" : "fill" } as const;
	for (const { from, to, pen } of piecesOf(glyphs)) {
		const [first] = glyphs.slice(from, to);
		const { x = 0, y: up = 0 } = first ?? {};
		library.text(addressOf(glyphs.slice(from, to)), place.x + ((pen + x) * size) / 1000, y - (up * size) / 1000, style);
	}
}

interface Piece {
	readonly from: number;
	readonly to: number;
	/** The position in thousandths of the font size, from the beginning of the run. */
	readonly pen: number;
}

/** Splits a run into pieces that the library places by the widths of their glyphs alone. */
function piecesOf(glyphs: readonly ShapedGlyph[]): Piece[] {
	const pieces: Piece[] = [];
	let from = 0;
	let start = 0;
	let pen = 0;
	glyphs.forEach((glyph, at) => {
		const next = glyphs[at + 1];
		pen += glyph.advance;
		if (next && isOnPen(glyph) && glyph.isUnkerned && isOnPen(next)) return;
		pieces.push({ from, to: at + 1, pen: start });
		from = at + 1;
		start = pen;
	});
	return pieces;
}

const isOnPen = ({ x, y }: ShapedGlyph): boolean => x === 0 && y === 0;

/** Draws a visible box, never a gap, for each character without a face. */
function drawBoxes(library: jsPDF, count: number, { x, y, size }: Place): void {
	const advance = (boxWidth * size) / 1000;
	library.setLineWidth(size * 0.05);
	for (let at = 0; at < count; at += 1)
		library.rect(x + at * advance + advance * 0.12, y - size * 0.68, advance * 0.76, size * 0.68, "S");
}
