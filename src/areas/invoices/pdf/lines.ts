import { exact } from "../../../kernel/decimal";
import type { PrintedDocument } from "../document/document";
import type { Labels } from "../document/labels.en";
import type { DocumentLine, DocumentPart } from "../document/lines";
import type { Canvas } from "./canvas";
import type { Color } from "./drawing";
import { contentWidth, margin, right } from "./geometry";
import { shorten, widthOf, wrap } from "./text";

const body = { size: 9.5 };
const small = { size: 8.5 };
const bodyStep = 13;
const smallStep = 12;
const gap = 12;

/** The columns of figures, from left to right. */
const figures = ["quantity", "unit", "unitPrice", "discount", "taxRate", "net"] as const;
type Figure = (typeof figures)[number];

/** Minimum widths, wider than the content, so that short documents look alike. */
const widthMin: Readonly<Record<Figure, number>> = {
	quantity: 36,
	unit: 24,
	unitPrice: 60,
	discount: 44,
	taxRate: 30,
	net: 68,
};

/** The width that the widest possible figures leave. */
const descriptionWidthMin = 80;

/** The maximum width of a unit's name. */
const unitWidthMax = 60;

/** A table: the description takes the width that the figures leave, and each figure column is as wide as its widest text. */
interface Table {
	readonly descriptionWidth: number;
	/** The right edges of the existing columns. */
	readonly edges: ReadonlyMap<Figure, number>;
	readonly headOf: (figure: Figure) => string;
	readonly labels: Labels;
}

/** The height for the sum carried to the next page. */
const carriedHeight = 20;

/**
 * Lays out the lines. The last line moves to the next page with the content after it (`heightAfter`), so that this content never
 * stands there alone.
 */
export function layTable(canvas: Canvas, document: PrintedDocument, heightAfter: number): void {
	const table = tableOf(document);
	const head = (): void => drawHead(canvas, table);
	canvas.ensure(60);
	head();
	let sum = exact(0);
	const carried = (label: string): void => {
		canvas.text(label, { x: margin, y: canvas.y + 13, ...small, color: "muted" });
		canvas.text(document.carried(sum), { x: right, y: canvas.y + 13, ...small, color: "muted", align: "right" });
		canvas.y += carriedHeight - 2;
	};
	canvas.onNewPage = () => {
		head();
		carried(document.labels.broughtForward);
	};
	canvas.onPageEnd = { height: carriedHeight, draw: () => carried(document.labels.carriedForward) };
	let group: string | undefined;
	for (const [at, line] of document.lines.entries()) {
		if (line.group !== undefined && line.group !== group) drawGroup(canvas, line.group);
		group = line.group;
		const isLast = at > 0 && at === document.lines.length - 1;
		drawLine(canvas, table, line, isLast ? heightAfter : 0, () => {
			sum = sum.plus(line.netAmount);
		});
	}
	if (document.lines.length === 0) drawEmpty(canvas, document.labels);
	canvas.onNewPage = undefined;
	canvas.onPageEnd = undefined;
}

function tableOf({ lines, columns, labels }: PrintedDocument): Table {
	const isThere = (figure: Figure): boolean =>
		figure === "unit" || figure === "discount" || figure === "taxRate" ? columns[figure] : true;
	const shown = columns.amountOnly ? (["net"] as const) : figures.filter(isThere);
	const headOf = (figure: Figure): string => {
		if (figure === "net" && columns.amountOnly) return labels.amount;
		return figure === "taxRate" ? labels.tax : labels[figure];
	};
	const widthOfColumn = (figure: Figure): number => {
		let width = Math.max(widthMin[figure], widthOf(headOf(figure), headStyle));
		for (const line of lines) {
			width = Math.max(width, widthOf(line[figure], body));
			for (const part of line.parts) width = Math.max(width, widthOf(figureOf(part, figure), small));
		}
		return figure === "unit" ? Math.min(width, unitWidthMax) : width;
	};
	const edges = new Map<Figure, number>();
	let edge = right;
	for (const figure of shown.toReversed()) {
		edges.set(figure, edge);
		edge -= widthOfColumn(figure) + gap;
	}
	return { descriptionWidth: Math.max(edge - margin, descriptionWidthMin), edges, headOf, labels };
}

const headStyle = { size: 8, bold: true } as const;

const figureOf = (part: DocumentPart, figure: Figure): string =>
	figure === "quantity" || figure === "unitPrice" || figure === "net" ? part[figure] : "";

function drawHead(canvas: Canvas, { edges, headOf, labels }: Table): void {
	const style = { y: canvas.y + 8, ...headStyle, color: "muted" } as const;
	canvas.text(labels.description, { ...style, x: margin });
	for (const [figure, x] of edges) canvas.text(headOf(figure), { ...style, x, align: "right" });
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

/** The rows of one invoice line: description with the figures alongside its first row, period, tiers. */
function rowsOf(line: DocumentLine, width: number): LaidRow[] {
	const { quantity, unitPrice, discount, taxRate, net } = line;
	const unit = shorten(line.unit, body, unitWidthMax);
	const rows = wrap(line.description, body, width).map((text, at): LaidRow => {
		const shown = at === 0 ? { quantity, unit, unitPrice, discount, taxRate, net } : {};
		return { text, figures: shown, size: body.size, step: bodyStep, indent: 0, color: "ink" };
	});
	// No figures stand next to it.
	for (const text of line.period === null ? [] : wrap(line.period, small, contentWidth))
		rows.push({ text, figures: {}, size: small.size, step: smallStep, indent: 0, color: "muted" });
	return [...rows, ...line.parts.flatMap((part) => partRows(part, width))];
}

const partIndent = 10;

function partRows({ label, quantity, unitPrice, net }: DocumentPart, width: number): LaidRow[] {
	return wrap(label, small, width - partIndent).map((text, at) => ({
		text,
		figures: at === 0 ? { quantity, unitPrice, net } : {},
		size: small.size,
		step: smallStep,
		indent: partIndent,
		color: "muted",
	}));
}

/** The heading of the lines of one customer or subscription. It stays with the first row after it. */
function drawGroup(canvas: Canvas, group: string): void {
	const style = { ...body, bold: true } as const;
	const texts = wrap(group, style, contentWidth);
	canvas.ensure(texts.length * bodyStep + paddingTop + groupHeightAfter);
	canvas.y += paddingTop;
	for (const text of texts) {
		canvas.text(text, { x: margin, y: canvas.y + body.size - 0.5, ...style, color: "ink" });
		canvas.y += bodyStep;
	}
}

/** Two rows and their padding. */
const groupHeightAfter = 40;

const paddingTop = 6;
const paddingBottom = 5;

/** A line that a page break would split begins on the next page, unless the line itself is taller than this. */
const togetherMax = 160;

function drawLine(
	canvas: Canvas,
	table: Table,
	line: DocumentLine,
	heightAfter: number,
	onFiguresDrawn: () => void,
): void {
	const rows = rowsOf(line, table.descriptionWidth);
	const height = rows.reduce((total, { step }) => total + step, paddingTop + paddingBottom);
	canvas.ensure(height > togetherMax ? togetherMax : height + heightAfter);
	canvas.y += paddingTop;
	for (const [at, row] of rows.entries()) {
		if (canvas.ensure(row.step)) canvas.y += paddingTop;
		drawRow(canvas, table, row);
		canvas.y += row.step;
		if (at === 0) onFiguresDrawn();
	}
	canvas.y += paddingBottom;
	canvas.rule(margin, canvas.y, contentWidth, "line", 0.5);
}

function drawRow(canvas: Canvas, { edges }: Table, { text, figures: shown, size, indent, color }: LaidRow): void {
	const y = canvas.y + size - 0.5;
	canvas.text(text, { x: margin + indent, y, size, color });
	for (const [figure, x] of edges) canvas.text(shown[figure] ?? "", { x, y, size, color, align: "right" });
}

function drawEmpty(canvas: Canvas, { nothing }: Labels): void {
	canvas.text(nothing, { x: margin, y: canvas.y + paddingTop + body.size, ...body, color: "muted" });
	canvas.y += paddingTop + bodyStep + paddingBottom;
	canvas.rule(margin, canvas.y, contentWidth, "line", 0.5);
}
