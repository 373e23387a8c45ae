import type { DocumentLine, DocumentPart, InvoiceDocument } from "../document";
import type { Canvas } from "./canvas";
import type { Color } from "./drawing";
import { contentWidth, margin, right } from "./geometry";
import { widthOf, wrap } from "./text";

const body = { size: 9.5 };
const small = { size: 8.5 };
const bodyStep = 13;
const smallStep = 12;
const gap = 14;

/** The table's columns: the description takes what the figures leave; each figure column is as wide as its widest text. */
interface Columns {
	readonly descriptionWidth: number;
	/** Right edges; undefined when the column is left out. */
	readonly quantity: number;
	readonly unitPrice: number;
	readonly taxRate: number | undefined;
	readonly amount: number;
}

/** The widest figures that can occur leave as much. */
const descriptionWidthMin = 80;

const heads = { quantity: "Qty", unitPrice: "Unit price", taxRate: "Tax", amount: "Amount" } as const;
type Figure = keyof typeof heads;

/** `totalsHeight`: the last line goes to the next page with the totals, so that they never stand there alone. */
export function layTable(canvas: Canvas, document: InvoiceDocument, totalsHeight: number): void {
	const columns = columnsOf(document);
	const head = (): void => drawHead(canvas, columns);
	canvas.ensure(60);
	head();
	canvas.onNewPage = head;
	for (const [at, line] of document.lines.entries()) {
		const isLast = at > 0 && at === document.lines.length - 1;
		drawLine(canvas, columns, line, isLast ? totalsHeight : 0);
	}
	if (document.lines.length === 0) drawEmpty(canvas);
	canvas.onNewPage = undefined;
}

function columnsOf({ lines, showsTaxRates }: InvoiceDocument): Columns {
	const widest = (figure: Figure): number => {
		let width = widthOf(heads[figure], { size: 8, bold: true });
		for (const line of lines) {
			width = Math.max(width, widthOf(line[figure], body));
			if (figure !== "taxRate") for (const part of line.parts) width = Math.max(width, widthOf(part[figure], small));
		}
		return width;
	};
	const widths = {
		quantity: Math.max(44, widest("quantity")),
		unitPrice: Math.max(66, widest("unitPrice")),
		taxRate: showsTaxRates ? Math.max(36, widest("taxRate")) : 0,
		amount: Math.max(74, widest("amount")),
	};
	const amount = right;
	const taxRate = amount - widths.amount - gap;
	const unitPrice = showsTaxRates ? taxRate - widths.taxRate - gap : taxRate;
	const quantity = unitPrice - widths.unitPrice - gap;
	const figures = right - (quantity - widths.quantity - gap);
	return {
		descriptionWidth: Math.max(contentWidth - figures, descriptionWidthMin),
		quantity,
		unitPrice,
		taxRate: showsTaxRates ? taxRate : undefined,
		amount,
	};
}

function drawHead(canvas: Canvas, { quantity, unitPrice, taxRate, amount }: Columns): void {
	const style = { y: canvas.y + 8, size: 8, bold: true, color: "muted" } as const;
	canvas.text("Description", { ...style, x: margin });
	canvas.text(heads.quantity, { ...style, x: quantity, align: "right" });
	canvas.text(heads.unitPrice, { ...style, x: unitPrice, align: "right" });
	if (taxRate !== undefined) canvas.text(heads.taxRate, { ...style, x: taxRate, align: "right" });
	canvas.text(heads.amount, { ...style, x: amount, align: "right" });
	canvas.rule(margin, canvas.y + 15, contentWidth, "ink", 0.8);
	canvas.y += 16;
}

interface LaidRow {
	readonly text: string;
	readonly figures: Readonly<Partial<Record<Figure, string>>>;
	readonly size: number;
	readonly step: number;
	readonly indent: number;
	readonly color: Color;
}

/** The rows of one invoice line: description with the figures alongside its first row, period, tiers, discount. */
function rowsOf(line: DocumentLine, width: number): LaidRow[] {
	const { quantity, unitPrice, taxRate, amount } = line;
	const rows = wrap(line.description, body, width).map((text, at): LaidRow => {
		const figures = at === 0 ? { quantity, unitPrice, taxRate, amount } : {};
		return { text, figures, size: body.size, step: bodyStep, indent: 0, color: "ink" };
	});
	if (line.period !== null)
		rows.push({ text: line.period, figures: {}, size: small.size, step: smallStep, indent: 0, color: "muted" });
	return [...rows, ...line.parts.flatMap((part) => partRows(part, width))];
}

const partIndent = 10;

function partRows({ label, quantity, unitPrice, amount }: DocumentPart, width: number): LaidRow[] {
	return wrap(label, small, width - partIndent).map((text, at) => ({
		text,
		figures: at === 0 ? { quantity, unitPrice, amount } : {},
		size: small.size,
		step: smallStep,
		indent: partIndent,
		color: "muted",
	}));
}

const paddingTop = 6;
const paddingBottom = 5;

/** A line that would be torn by the page's end begins on the next one, unless it is long by itself. */
const togetherMax = 160;

function drawLine(canvas: Canvas, columns: Columns, line: DocumentLine, heightAfter: number): void {
	const rows = rowsOf(line, columns.descriptionWidth);
	const height = rows.reduce((total, { step }) => total + step, paddingTop + paddingBottom);
	canvas.ensure(height > togetherMax ? togetherMax : height + heightAfter);
	canvas.y += paddingTop;
	for (const row of rows) {
		if (canvas.ensure(row.step)) canvas.y += paddingTop;
		drawRow(canvas, columns, row);
		canvas.y += row.step;
	}
	canvas.y += paddingBottom;
	canvas.rule(margin, canvas.y, contentWidth, "line", 0.5);
}

function drawRow(canvas: Canvas, columns: Columns, { text, figures, size, indent, color }: LaidRow): void {
	const y = canvas.y + size - 0.5;
	canvas.text(text, { x: margin + indent, y, size, color });
	for (const figure of Object.keys(heads) as Figure[]) {
		const x = columns[figure];
		if (x !== undefined) canvas.text(figures[figure] ?? "", { x, y, size, color, align: "right" });
	}
}

function drawEmpty(canvas: Canvas): void {
	canvas.text("Nothing to charge in this period.", {
		x: margin,
		y: canvas.y + paddingTop + body.size,
		...body,
		color: "muted",
	});
	canvas.y += paddingTop + bodyStep + paddingBottom;
	canvas.rule(margin, canvas.y, contentWidth, "line", 0.5);
}
