import { type Decimal, exact, minus, plus, toDecimal } from "../../../kernel/decimal";
import { shorten } from "../../../kernel/errors";
import { type CsvRow, rowsOf } from "./csv-rows";
import { linesOf } from "./rules.source";
import {
	accountOrNull,
	amountAt,
	currencyAt,
	dayAt,
	negated,
	refuse,
	type StatementEntry,
	type StatementEvent,
	textOrNull,
} from "./rules.statement";
import type { CsvMapping } from "./schema.mapping";

/** Returns the text of a row in a column of the mapping; undefined if the mapping names none. */
type Cell = (row: CsvRow, column: string | null | undefined) => string | undefined;

/** Reads CSV by a mapping. All entries are of one account, which the mapping's owner states. */
export function* readCsv(texts: Iterable<string>, mapping: CsvMapping, account: string): Generator<StatementEvent> {
	const { delimiter = ",", linesBefore = 0 } = mapping;
	let cell: Cell | undefined;
	let last = 1;
	const chain = new BalanceChain();
	for (const row of rowsOf(linesOf(texts), delimiter, linesBefore)) {
		last = row.line;
		if (!cell) {
			cell = cellsOf(row, mapping);
			const currency = mapping.currency === undefined ? null : currencyAt(row.line, mapping.currency);
			yield { kind: "OPENED", line: row.line, head: { account, currency, number: null, sequence: null } };
		} else if (row.cells.some((one) => one.trim() !== "")) {
			const entry = entryOf(row, mapping, cell);
			const balance = cell(row, mapping.columns.balance);
			if (balance !== undefined && balance.trim() !== "")
				chain.add(row.line, entry.amount, signedAmount(balance, mapping, row.line, entry.currency));
			yield { kind: "ENTRY", line: row.line, entry };
		}
	}
	if (!cell) throw refuse(last, "the file has no row with the names of the columns.");
	yield { kind: "CLOSED", line: last, balances: { opening: null, closing: null } };
}

/** Finds the columns of the mapping in the row of names. Throws BadUserInput for a column that is not there. */
function cellsOf(names: CsvRow, { columns }: CsvMapping): Cell {
	const at = new Map(names.cells.map((name, position) => [name.trim().toLowerCase(), position]));
	const named = Object.values(columns).flatMap((name) => name ?? []);
	for (const name of named)
		if (!at.has(name.trim().toLowerCase()))
			throw refuse(
				names.line,
				`there is no column '${shorten(name)}'; the file has ${shorten(names.cells.join(", "))}. Correct the mapping.`,
			);
	return (row, column) => {
		if (column === null || column === undefined) return undefined;
		if (row.cells.length !== names.cells.length)
			throw refuse(row.line, `the row has ${row.cells.length} cells, the row of names ${names.cells.length}.`);
		return row.cells[at.get(column.trim().toLowerCase()) ?? -1];
	};
}

function entryOf(row: CsvRow, mapping: CsvMapping, cell: Cell): StatementEntry {
	const { columns } = mapping;
	const { line } = row;
	const text = (column: string | null | undefined) => textOrNull(cell(row, column));
	const currency = currencyAt(line, text(columns.currency) ?? mapping.currency ?? "");
	const valueOn = text(columns.valueOn);
	return {
		...{ currency, amount: amountOf(row, mapping, cell, currency) },
		bookedOn: dateOf(text(columns.bookedOn) ?? "", mapping, line),
		valueOn: valueOn === null ? null : dateOf(valueOn, mapping, line),
		isReversal: false,
		bankReference: text(columns.bankReference),
		endToEndId: text(columns.endToEndId),
		mandateId: text(columns.mandateId),
		creditorReference: accountOrNull(cell(row, columns.creditorReference)),
		returnCode: text(columns.returnCode),
		partyName: text(columns.partyName),
		partyIban: accountOrNull(cell(row, columns.partyIban)),
		text: textOrNull((columns.text ?? []).map((column) => cell(row, column) ?? "").join(" ")) ?? "",
	};
}

function amountOf(row: CsvRow, mapping: CsvMapping, cell: Cell, currency: string): Decimal {
	const { amount, credit, debit, indicator } = mapping.columns;
	const { line } = row;
	if (amount !== null && amount !== undefined) {
		const signed = signedAmount(cell(row, amount) ?? "", mapping, line, currency);
		const mark = cell(row, indicator)?.trim().toLowerCase();
		const isDebit = mark !== undefined && (mapping.debitIndicators ?? []).some((one) => one.toLowerCase() === mark);
		return isDebit && !signed.startsWith("-") ? negated(signed) : signed;
	}
	const [toUs = "", fromUs = ""] = [cell(row, credit)?.trim(), cell(row, debit)?.trim()];
	if ((toUs === "") === (fromUs === "")) throw refuse(line, "the row needs either a credit or a debit.");
	if (toUs !== "") return signedAmount(toUs, mapping, line, currency);
	const size = signedAmount(fromUs, mapping, line, currency);
	return size.startsWith("-") ? size : negated(size);
}

/** "-1.234,56", "+12,00", "1'234.56", "12,00-", "12,00 EUR" */
function signedAmount(stated: string, mapping: CsvMapping, line: number, currency: string): Decimal {
	const separator = mapping.decimalSeparator ?? ".";
	const plain = stated.replace(/[\s\u00a0\u202f']/g, "").replace(new RegExp(`(?:${currency}|€|\\$)`, "gi"), "");
	const [, before = "", digits = "", after = ""] = /^([+-]?)([0-9.,]+)([+-]?)$/.exec(plain) ?? [];
	const grouped = separator === "." ? /^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?$/ : /^[0-9]{1,3}(\.[0-9]{3})+(,[0-9]*)?$/;
	const ungrouped = grouped.test(digits) ? digits.replaceAll(separator === "." ? "," : ".", "") : digits;
	const size = separator === "." ? ungrouped : swapComma(ungrouped);
	const amount = amountAt(line, size === "" ? stated.trim() : size, currency);
	return before === "-" || after === "-" ? toDecimal(exact(amount).times(-1)) : amount;
}

/** A point stays wrong where a comma separates the decimals: "12.50" is rejected, not read as 1250. */
const swapComma = (digits: string): string => (digits.includes(".") ? `${digits}!` : digits.replace(",", "."));

const datePatterns: Readonly<Record<NonNullable<CsvMapping["dateFormat"]>, RegExp>> = {
	"YYYY-MM-DD": /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?:[T ].*)?$/,
	"DD.MM.YYYY": /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
	"DD.MM.YY": /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{2})$/,
	"DD/MM/YYYY": /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})$/,
	"MM/DD/YYYY": /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/,
	YYYYMMDD: /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/,
};

function dateOf(stated: string, { dateFormat = "YYYY-MM-DD" }: CsvMapping, line: number): string {
	const { year, month, day } = datePatterns[dateFormat].exec(stated.trim())?.groups ?? {};
	if (year === undefined) throw refuse(line, `'${shorten(stated)}' is no date of the form ${dateFormat}.`);
	return dayAt(line, Number(year) + (year.length === 2 ? 2000 : 0), Number(month), Number(day));
}

/**
 * Checks that each balance follows from the balance before it. Files list the newest entry first or last; the first rows that
 * exclude one order decide.
 */
class BalanceChain {
	#previous: { readonly amount: Decimal; readonly balance: Decimal } | undefined;
	#isOldestFirst = true;
	#isNewestFirst = true;

	add(line: number, amount: Decimal, balance: Decimal): void {
		const previous = this.#previous;
		this.#previous = { amount, balance };
		if (!previous) return;
		const afterPrevious = plus(previous.balance, amount);
		const beforePrevious = minus(previous.balance, previous.amount);
		const wasOldestFirst = this.#isOldestFirst;
		this.#isOldestFirst &&= exact(afterPrevious).eq(balance);
		this.#isNewestFirst &&= exact(beforePrevious).eq(balance);
		if (this.#isOldestFirst || this.#isNewestFirst) return;
		const expected = wasOldestFirst ? afterPrevious : beforePrevious;
		throw refuse(
			line,
			`the balance is ${balance}; the balance ${previous.balance} of the row before makes ${expected}. Download the whole file again.`,
		);
	}
}
