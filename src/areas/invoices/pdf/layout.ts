import type { InvoiceDocument, PartyBlock, Total } from "../document";
import { Canvas } from "./canvas";
import type { Color, Command, Page } from "./drawing";
import { contentBottom, contentWidth, margin, pageHeight, right } from "./geometry";
import { layTable } from "./lines";
import { shorten, widthOf, wrap } from "./text";

/** Where the facts begin, right of the customer's address. */
const factsLeft = margin + contentWidth * 0.55;

/** Our choice: so that the head of the longest document fits on its first page. Both are far beyond what a reader wants. */
const partyLinesMax = 14;
const factLinesMax = 20;
const factValueLinesMax = 4;
const factStep = 15;
const factLineStep = 12;

/** Places a document on its pages. Pure: the same document always gives the same commands. */
export function layOut(document: InvoiceDocument): Page[] {
	const canvas = new Canvas(contentBottom);
	header(canvas, document);
	parties(canvas, document);
	headline(canvas, document);
	const laid = layTotals(document);
	layTable(canvas, document, laid.height);
	totals(canvas, laid);
	notes(canvas, document);
	return canvas.pages.map((page, at) => [...page, ...foot(document, at + 1, canvas.pages.length)]);
}

function header(canvas: Canvas, { issuer, title }: InvoiceDocument): void {
	const large = { size: 22, bold: true };
	canvas.text(title, { x: right, y: 68, ...large, align: "right" });
	const widthMax = contentWidth - widthOf(title, large) - 24;
	let y = 66;
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

function parties(canvas: Canvas, { customerLabel, customer, facts }: InvoiceDocument): void {
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

function headline(canvas: Canvas, { headline: text, badge }: InvoiceDocument): void {
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

function layTotals({ totals: given }: InvoiceDocument): LaidTotals {
	const rows = given.map((row): LaidTotal => {
		const strong = row.weight !== "normal";
		const size = row.weight === "final" ? 11 : 9.5;
		const room = right - totalsLeft - widthOf(row.value, { size, bold: strong }) - 16;
		const labels = wrap(row.label, { size, bold: strong }, room).slice(0, 4);
		return { ...row, strong, size, labels, height: labels.length * 12 + (row.weight === "final" ? 12 : 4.5) };
	});
	return { rows, height: rows.reduce((total, { height }) => total + height, totalsTop) };
}

/** Kept together: a reader finds subtotal, tax and what is due on one page. */
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

function notes(canvas: Canvas, { notes: text }: InvoiceDocument): void {
	if (text === null || text.trim() === "") return;
	canvas.ensure(44);
	canvas.text("NOTES", { x: margin, y: canvas.y + 8, size: 7.5, bold: true, color: "muted" });
	canvas.y += 22;
	for (const line of wrap(text, { size: 9 }, contentWidth)) {
		canvas.ensure(12.5);
		canvas.text(line, { x: margin, y: canvas.y, size: 9 });
		canvas.y += 12.5;
	}
}

function foot({ issuer, number }: InvoiceDocument, page: number, pageCount: number): Command[] {
	const canvas = new Canvas(pageHeight);
	const y = pageHeight - 36;
	const place = `Page ${page} of ${pageCount}`;
	const room = contentWidth - widthOf(place, { size: 8 }) - 24;
	canvas.rule(margin, y - 14, contentWidth, "line");
	canvas.text(shorten(`${issuer.name}  ·  ${number}`, { size: 8 }, room), { x: margin, y, size: 8, color: "muted" });
	canvas.text(place, { x: right, y, size: 8, color: "muted", align: "right" });
	return canvas.pages.flat();
}
