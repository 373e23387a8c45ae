import type { Line } from "./rules.source";
import { refuse, refuseCut } from "./rules.statement";

/** A row of CSV, and the line on which it begins. */
export interface CsvRow {
	readonly line: number;
	readonly cells: readonly string[];
}

/** Our bounds: the cells of a row, and the lines of a quoted cell. */
const cellsMax = 200;
const rowMax = 100_000;

/**
 * Splits lines into rows (RFC 4180): a quoted cell may contain the delimiter, line ends, and doubled quotes. It skips empty lines, and
 * `linesBefore` lines at the start. Throws BadUserInput with the line.
 */
export function* rowsOf(lines: Iterable<Line>, delimiter: string, linesBefore: number): Generator<CsvRow> {
	let open: { readonly line: number; text: string } | undefined;
	for (const { at, text } of lines) {
		if (at <= linesBefore) continue;
		const plain = at === 1 ? text.replace(/^\ufeff/, "") : text;
		if (!open && plain.trim() === "") continue;
		open = open ? { line: open.line, text: `${open.text}\n${plain}` } : { line: at, text: plain };
		if (open.text.length > rowMax) throw refuse(open.line, `the row has more than ${rowMax} characters.`);
		const cells = cellsOf(open.text, delimiter, open.line);
		if (!cells) continue;
		yield { line: open.line, cells };
		open = undefined;
	}
	if (open) throw refuseCut(open.line, "the quotation mark that closes a cell");
}

/** Returns the cells of a row; undefined if a quoted cell goes on in the next line. */
function cellsOf(row: string, delimiter: string, line: number): string[] | undefined {
	const cells: string[] = [];
	for (let at = 0; at <= row.length; ) {
		if (cells.length >= cellsMax) throw refuse(line, `the row has more than ${cellsMax} cells.`);
		if (row[at] !== '"') {
			const end = row.indexOf(delimiter, at);
			cells.push(row.slice(at, end < 0 ? row.length : end));
			at = end < 0 ? row.length + 1 : end + 1;
			continue;
		}
		let end = row.indexOf('"', at + 1);
		while (end >= 0 && row[end + 1] === '"') end = row.indexOf('"', end + 2);
		if (end < 0) return undefined;
		if (end + 1 < row.length && row[end + 1] !== delimiter)
			throw refuse(line, "text follows a closing quotation mark; the file has another form than the mapping.");
		cells.push(row.slice(at + 1, end).replaceAll('""', '"'));
		at = end + 2;
	}
	return cells;
}
