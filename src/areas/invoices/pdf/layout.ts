import type { PrintedDocument } from "../document/document";
import { filled } from "../document/labels";
import type { PartyBlock } from "../document/parties";
import type { TaxRow, Total } from "../document/sums";
import { Canvas } from "./canvas";
import type { Color, Command, Page } from "./drawing";
import { contentBottom, contentWidth, margin, pageHeight, right } from "./geometry";
import { layTable } from "./lines";
import { laySchedule, laySignatures } from "./order-form";
import { layPaymentCode } from "./payment-code";
import { shorten, widthOf, wrap } from "./text";

/** The left edge of the facts, right of the customer's address. */
const factsLeft = margin + contentWidth * 0.55;

/** The header of the longest document fits on its first page. Both limits far exceed practical use. */
const partyLinesMax = 14;
const factLinesMax = 20;
const factValueLinesMax = 4;
const factStep = 15;
const factLineStep = 12;

/** The company details that the law requires in a footer fit. */
const footerLinesMax = 4;
const footerStep = 9.5;
const footerStyle = { size: 7.5 } as const;

const footerLinesOf = ({ footer }: PrintedDocument): string[] =>
	footer === null ? [] : wrap(footer, footerStyle, contentWidth).slice(0, footerLinesMax);

/** Places a document on its pages. Pure: the same document always gives the same commands. */
export function layOut(document: PrintedDocument): Page[] {
	const footer = footerLinesOf(document);
	const canvas = new Canvas(contentBottom - footer.length * footerStep);
	header(canvas, document);
	parties(canvas, document);
	headline(canvas, document);
	const laid = layTotals(document);
	layTable(canvas, document, laid.height);
	totals(canvas, laid);
	taxes(canvas, document);
	paragraphs(canvas, undefined, document.remarks);
	paragraphs(canvas, document.labels.payment, document.payment);
	layPaymentCode(canvas, document.paymentCode);
	paragraphs(canvas, document.labels.notes, document.notes?.trim() ? [document.notes] : []);
	laySchedule(canvas, document);
	laySignatures(canvas, document);
	return canvas.pages.map((page, at) => [...page, ...foot(document, footer, at + 1, canvas.pages.length)]);
}

/** The maximum size of a logo of any shape. */
const logoWidthMax = 150;
const logoHeightMax = 48;

function header(canvas: Canvas, { issuer, title, logo }: PrintedDocument): void {
	const large = { size: 22, bold: true };
	canvas.text(title, { x: right, y: 68, ...large, align: "right" });
	const widthMax = contentWidth - widthOf(title, large) - 24;
	let y = 66;
	if (logo) {
		const scale = Math.min(logoWidthMax / logo.width, logoHeightMax / logo.height);
		canvas.picture(logo, margin, 44, logo.width * scale, logo.height * scale);
		y = 44 + logo.height * scale + 24;
	}
	for (const line of wrap(issuer.name, { size: 14, bold: true }, widthMax).slice(0, 3)) {
		canvas.text(line, { x: margin, y, size: 14, bold: true });
		y += 18;
	}
	canvas.y = details(canvas, issuer, { x: margin, y: y - 1, width: widthMax * 0.75 }) + 8;
	canvas.rule(margin, canvas.y, contentWidth, "line");
	canvas.y += 24;
}

/** Returns the baseline after the last line. */
function details(
	canvas: Canvas,
	{ details: lines }: PartyBlock,
	{ x, y, width }: { x: number; y: number; width: number },
): number {
	let at = y;
	for (const line of lines.flatMap((text) => wrap(text, { size: 9 }, width)).slice(0, partyLinesMax)) {
		canvas.text(line, { x, y: at, size: 9, color: "muted" });
		at += 12.5;
	}
	return at;
}

function parties(canvas: Canvas, { customerLabel, customer, facts }: PrintedDocument): void {
	const top = canvas.y;
	const width = factsLeft - margin - 28;
	canvas.text(customerLabel.toUpperCase(), { x: margin, y: top, size: 7.5, bold: true, color: "muted" });
	let y = top + 16;
	for (const line of wrap(customer.name, { size: 11, bold: true }, width).slice(0, 4)) {
		canvas.text(line, { x: margin, y, size: 11, bold: true });
		y += 14.5;
	}
	const customerEnd = details(canvas, customer, { x: margin, y, width });
	let factY = top;
	const factsEnd = top + factLinesMax * factStep;
	for (const { label, value } of facts) {
		const labelText = shorten(label, { size: 9 }, (right - factsLeft) * 0.5);
		const room = right - factsLeft - widthOf(labelText, { size: 9 }) - 12;
		const lines = wrap(value, { size: 9 }, room).slice(0, factValueLinesMax);
		if (factY + factStep + (lines.length - 1) * factLineStep > factsEnd) break;
		canvas.text(labelText, { x: factsLeft, y: factY, size: 9, color: "muted" });
		for (const [at, line] of lines.entries())
			canvas.text(line, { x: right, y: factY + at * factLineStep, size: 9, align: "right" });
		factY += factStep + (lines.length - 1) * factLineStep;
	}
	canvas.y = Math.max(customerEnd, factY) + 16;
}

function headline(canvas: Canvas, { headline: text, badge }: PrintedDocument): void {
	const height = 40;
	canvas.ensure(height + 40);
	canvas.box(margin, canvas.y - 12, contentWidth, height, 4, "band", true);
	const baseline = canvas.y + 13.5;
	canvas.text(text, { x: margin + 14, y: baseline, size: 15, bold: true });
	if (badge) {
		const color: Color = badge.good ? "good" : "bad";
		const width = widthOf(badge.text, { size: 10, bold: true }) + 18;
		canvas.box(right - 14 - width, canvas.y - 2, width, 20, 3, color, false);
		canvas.text(badge.text, { x: right - 14 - width + 9, y: baseline - 1.5, size: 10, bold: true, color });
	}
	canvas.y += height + 10;
}

const totalsLeft = margin + contentWidth * 0.45;

interface LaidTotal extends Total {
	readonly strong: boolean;
	readonly size: number;
	readonly labels: readonly string[];
	readonly height: number;
}

interface LaidTotals {
	readonly rows: readonly LaidTotal[];
	readonly height: number;
}

const totalsTop = 10;

function layTotals({ totals: given }: PrintedDocument): LaidTotals {
	const rows = given.map((row): LaidTotal => {
		const strong = row.weight !== "normal";
		const size = row.weight === "final" ? 11 : 9.5;
		const room = right - totalsLeft - widthOf(row.value, { size, bold: strong }) - 16;
		const labels = wrap(row.label, { size, bold: strong }, room).slice(0, 4);
		return { ...row, strong, size, labels, height: labels.length * 12 + (row.weight === "final" ? 12 : 4.5) };
	});
	return { rows, height: rows.reduce((total, { height }) => total + height, totalsTop) };
}

/** Draws the totals together on one page: subtotal, tax and amount due. */
function totals(canvas: Canvas, { rows, height }: LaidTotals): void {
	canvas.y += totalsTop;
	canvas.ensure(height - totalsTop);
	for (const row of rows) {
		if (row.weight !== "normal")
			canvas.rule(totalsLeft, canvas.y - 1, right - totalsLeft, "line", row.weight === "final" ? 1.2 : 0.6);
		const baseline = canvas.y + (row.weight === "final" ? 15 : 11);
		row.labels.forEach((label, at) => {
			canvas.text(label, {
				x: totalsLeft,
				y: baseline + at * 12,
				size: row.size,
				bold: row.strong,
				color: row.strong ? "ink" : "muted",
			});
		});
		canvas.text(row.value, { x: right, y: baseline, size: row.size, bold: row.strong, align: "right" });
		canvas.y += row.height;
	}
	canvas.y += 18;
}

const taxStep = 12;
/** Right edges, as fractions of the content's width. */
const taxEdges = { rate: 0.16, net: 0.44, tax: 0.72, gross: 1 } as const satisfies Record<keyof TaxRow, number>;

/** Draws the taxes by rate. */
function taxes(canvas: Canvas, { taxes: rows, labels }: PrintedDocument): void {
	if (rows.length === 0) return;
	canvas.ensure((rows.length + 1) * taxStep + 24);
	const heads: TaxRow = { rate: labels.taxRate, net: labels.net, tax: labels.tax, gross: labels.gross };
	for (const [at, row] of [heads, ...rows].entries()) {
		const isHead = at === 0;
		for (const figure of ["rate", "net", "tax", "gross"] as const)
			canvas.text(row[figure], {
				x: margin + contentWidth * taxEdges[figure],
				y: canvas.y,
				size: isHead ? 7.5 : 8.5,
				bold: isHead,
				color: isHead ? "muted" : "ink",
				align: "right",
			});
		if (isHead) canvas.rule(margin, canvas.y + 4, contentWidth * taxEdges.gross, "line");
		canvas.y += isHead ? taxStep + 3 : taxStep;
	}
	canvas.y += 12;
}

const paragraphStep = 12.5;
const togetherMax = 80;

/** Draws texts on separate lines below a heading. */
function paragraphs(canvas: Canvas, heading: string | undefined, texts: readonly string[]): void {
	if (texts.length === 0) return;
	const lines = texts.flatMap((text) => wrap(text, { size: 9 }, contentWidth));
	// A short text stays on one page.
	canvas.ensure(Math.min(lines.length * paragraphStep, togetherMax) + (heading === undefined ? 0 : 22));
	if (heading !== undefined) {
		canvas.text(heading.toUpperCase(), { x: margin, y: canvas.y + 8, size: 7.5, bold: true, color: "muted" });
		canvas.y += 22;
	}
	for (const line of lines) {
		canvas.ensure(paragraphStep);
		canvas.text(line, { x: margin, y: canvas.y, size: 9 });
		canvas.y += paragraphStep;
	}
	canvas.y += 8;
}

function foot(
	{ issuer, number, labels }: PrintedDocument,
	footer: readonly string[],
	page: number,
	pages: number,
): Command[] {
	const canvas = new Canvas(pageHeight);
	const y = pageHeight - 36;
	const place = filled(labels.page, { page, pages });
	const room = contentWidth - widthOf(place, { size: 8 }) - 24;
	const top = y - footer.length * footerStep;
	canvas.rule(margin, top - 14, contentWidth, "line");
	footer.forEach((line, at) => {
		canvas.text(line, { x: margin, y: top + at * footerStep, ...footerStyle, color: "muted" });
	});
	canvas.text(shorten(`${issuer.name}  ·  ${number}`, { size: 8 }, room), { x: margin, y, size: 8, color: "muted" });
	canvas.text(place, { x: right, y, size: 8, color: "muted", align: "right" });
	return canvas.pages.flat();
}
