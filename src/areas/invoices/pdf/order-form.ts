import type { PrintedDocument, ScheduleRow } from "../document/document";
import { filled } from "../document/labels";
import type { Canvas } from "./canvas";
import { contentWidth, margin, right } from "./geometry";
import { shorten } from "./text";

type Column = keyof ScheduleRow;

/** The left edge of each text column, or the right edge of each figure column, as fractions of the content's width. */
const columns: ReadonlyArray<readonly [column: Column, at: number, align: "left" | "right"]> = [
	["issueDate", 0, "left"],
	["dueDate", 0.14, "left"],
	["period", 0.28, "left"],
	["number", 0.54, "left"],
	["net", 0.76, "right"],
	["tax", 0.87, "right"],
	["total", 1, "right"],
];
const numberWidthMax = contentWidth * 0.1;

const rowStep = 13.5;
const body = { size: 8.5 };
const head = { size: 7.5, bold: true, color: "muted" } as const;

function heading(canvas: Canvas, text: string): void {
	canvas.text(text.toUpperCase(), { x: margin, y: canvas.y + 8, ...head });
	canvas.y += 24;
}

/** Draws the invoices of a contract. */
export function laySchedule(canvas: Canvas, { schedule, labels }: PrintedDocument): void {
	if (!schedule || schedule.length === 0) return;
	const heads: ScheduleRow = {
		number: schedule.some(({ number }) => number !== "") ? labels.invoice : "",
		issueDate: labels.issueDate,
		dueDate: labels.dueDate,
		period: labels.servicePeriod,
		net: labels.net,
		tax: labels.tax,
		total: labels.total,
	};
	const drawHead = (): void => {
		drawRow(canvas, heads, head);
		canvas.rule(margin, canvas.y + 4.5, contentWidth, "ink", 0.8);
		canvas.y += rowStep + 3;
	};
	// The heading stays with its first rows.
	canvas.ensure(24 + Math.min(schedule.length + 1, 4) * rowStep);
	heading(canvas, labels.schedule);
	drawHead();
	canvas.onNewPage = drawHead;
	for (const row of schedule) {
		canvas.ensure(rowStep);
		drawRow(canvas, row, body);
		canvas.y += rowStep;
	}
	canvas.onNewPage = undefined;
	canvas.y += 14;
}

function drawRow(canvas: Canvas, row: ScheduleRow, style: typeof body | typeof head): void {
	for (const [column, at, align] of columns) {
		const text = column === "number" ? shorten(row.number, style, numberWidthMax) : row[column];
		canvas.text(text, { ...style, x: margin + contentWidth * at, y: canvas.y, align });
	}
}

const signatureWidth = contentWidth * 0.44;
const signatureLineStep = 40;

/** Draws the signature fields of the parties together on one page. */
export function laySignatures(canvas: Canvas, { signatories, labels }: PrintedDocument): void {
	if (!signatories || signatories.length === 0) return;
	const below = [labels.placeAndDate, labels.nameAndTitle, labels.signature];
	canvas.ensure(30 + below.length * signatureLineStep);
	const top = canvas.y + 14;
	for (const [at, name] of signatories.entries()) {
		const x = at === 0 ? margin : right - signatureWidth;
		const style = { size: 9.5, bold: true };
		canvas.text(shorten(filled(labels.signedFor, { name }), style, signatureWidth), { x, y: top, ...style });
		for (const [line, label] of below.entries()) {
			const y = top + (line + 1) * signatureLineStep;
			canvas.rule(x, y, signatureWidth, "ink", 0.6);
			canvas.text(label, { x, y: y + 10, size: 7.5, color: "muted" });
		}
	}
	canvas.y = top + below.length * signatureLineStep + 16;
}
