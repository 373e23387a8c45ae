import { expect, test } from "bun:test";
import fc from "fast-check";
import { type CsvCell, csvResponse } from "../../../src/http/responses/csv";

const fileOf = (cells: readonly CsvCell[]): Promise<string> => csvResponse("a.csv", [cells]).text();

/** The cells of one record, as RFC 4180 reads them. */
function cellsOf(record: string): string[] {
	const cells = [...`,${record.slice(0, -2)}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/g)];
	return cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "");
}

test.each([
	...["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", '=1,"x"'],
	...[
		"\t=1",
		"\r=1",
		"\n=1",
		"\r\n=1",
		"\ttext",
		"\rtext",
		"\ntext",
		" =1",
		"\u00a0=1",
		"\u3000=1",
		"\ufeff=1",
		"\u200b@x",
		"\v=1",
	],
	...["＝1+1", "＋1", "－1", "＠x", " ＝1", "﹦1", "﹢1", "﹣1", "﹫x", "\u22121"],
])("a text that a spreadsheet reads as a formula begins with an apostrophe: %j", async (text) => {
	expect(cellsOf(await fileOf(["before", text, "after"]))).toEqual(["before", `'${text}`, "after"]);
});

test.each<[CsvCell, string]>([
	["Acme = Best", "Acme = Best"],
	["a@example.com", "a@example.com"],
	["-12.50", "-12.50"],
	["2026-01-31", "2026-01-31"],
	["'=1", "'=1"],
	["Jos\u00e9 ½ ①", "Jos\u00e9 ½ ①"],
	[" ", " "],
	["", ""],
	[-1.5, "-1.5"],
	[null, ""],
	[true, "true"],
])("any other value stays as it is: %j", async (value, cell) => {
	expect(cellsOf(await fileOf([value, "after"]))).toEqual([cell, "after"]);
});

/** Those that matter to a spreadsheet or to the format, and a few that do not. */
const character = fc.constantFrom(...["=", "＝", "+", "-", "@", "\t", "\r", "\n", " ", '"', ",", "'", "1", "a", "é"]);

test("whatever the texts are, the record has them all, and none begins a formula", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.string({ unit: character }), { minLength: 1, maxLength: 5 }), async (texts) => {
			const cells = cellsOf(await fileOf(texts));
			expect(cells.map((cell, at) => (cell === texts[at] ? cell : cell.slice(1)))).toEqual(texts);
			for (const cell of cells) expect(cell).not.toMatch(/^[=+@\t\r\n＝＋－＠]|^-\D/);
		}),
	);
});
