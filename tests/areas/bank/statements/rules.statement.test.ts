import { describe, expect, test } from "bun:test";
import { readStatements } from "../../../../src/areas/bank/statements/rules.read";
import { encodingOf, formatOf } from "../../../../src/areas/bank/statements/rules.source";
import { directBank, savingsBank } from "../../../support/bank/camt-dialects";
import type { Movement, StatementOf } from "../../../support/bank/movements";
import { germanMt940 } from "../../../support/bank/text-dialects";

const movements = (count: number): Movement[] =>
	Array.from({ length: count }, (_, at) => ({
		...{ cents: 100 + at, day: "2026-02-02", name: `Payer ${at}`, iban: "NL91ABNA0417164300", text: `INV-${at}` },
		...{ endToEndId: `E-${at}`, bankReference: `B-${at}`, reference: "" },
	}));

const statement = (count: number): StatementOf => ({
	...{ iban: "DE89370400440532013000", number: 1, openingCents: 0, movements: movements(count) },
});

const small = [...savingsBank(statement(3), "\n")].join("");

function read(file: string | Uint8Array, partSize = 65_536): number {
	const bytes = Buffer.from(file as string);
	const format = formatOf(bytes);
	const form = { format, encoding: encodingOf(bytes, format) };
	function* parts() {
		for (let at = 0; at < bytes.length; at += partSize) yield bytes.subarray(at, at + partSize);
	}
	let entries = 0;
	for (const { kind } of readStatements(parts(), form)) if (kind === "ENTRY") entries += 1;
	return entries;
}

const head = '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">';

describe("a damaged or hostile file is rejected with the line", () => {
	const refused: Record<string, [file: string | Uint8Array, message: RegExp]> = {
		"sums that do not add up": [
			small.replace('<Amt Ccy="EUR">1.01', '<Amt Ccy="EUR">1.02'),
			/^Line 4: the opening balance 0 and the entries, which sum to 3\.04, make 3\.04; the closing balance is 3\.03\./,
		],
		"a cut in the middle of an entry": [small.slice(0, small.length - 200), /^Line 3: the file ends in the middle/],
		"a cut between two elements": [
			small.slice(0, small.lastIndexOf("</Stmt>")),
			/ends in the middle: <\/Stmt> is missing/,
		],
		"MT940 without its closing balance": [
			[...germanMt940(statement(2))].slice(0, -1).join(""),
			/ends in the middle: the closing balance \(:62F:\) is missing/,
		],
		"MT940 whose sums do not add up": [
			[...germanMt940(statement(2))].join("").replace("CR1,00", "CR1,05"),
			/^Line 12: the opening balance 0 and the entries, which sum to 2\.06, make 2\.06; the closing balance is 2\.01\./,
		],
		"a DOCTYPE": [
			`<?xml version="1.0"?>\n<!DOCTYPE Document [<!ENTITY a "b">]>${head}</Document>`,
			/^Line 2: .*DOCTYPE/,
		],
		"an entity": [small.replace("Payer 1", "&xxe;"), /^Line 2: '&xxe;' is no entity of XML/],
		"an element that nests too deep": [
			`${head}${"<a>".repeat(10_000_000)}`,
			/^Line 1: elements nest deeper than 32 levels/,
		],
		"a second root": [`${small}<Document/>`, /second root/],
		"an end without its start": [small.replace("</NtryDtls>", "</Other>"), /^Line 1: <\/Other> ends <NtryDtls>/],
		"UTF-16": [Buffer.from(`\ufeff${small}`, "utf16le"), /UTF-16/],
		"an encoding that the bytes do not have": [
			Buffer.from(small.replace("Payer 1", "M\u00fcller"), "latin1"),
			/^Line 2: the file says that it is UTF-8/,
		],
		"an unknown encoding": [small.replace("UTF-8", "IBM-1047"), /does not read the encoding 'IBM-1047'/],
		"another message": [small.replace("camt.053.001.02", "camt.052.001.02"), /the message is 'camt\.052\.001\.02'/],
		"no statement": [`${head}<BkToCstmrStmt/></Document>`, /the file has no statement/],
		"half a cent": [small.replaceAll("1.01", "1.015"), /parts of a minor unit of EUR/],
		"an amount that is no number": [small.replaceAll(">1.01<", ">1e2<"), /'1e2' is no amount/],
		"a day that does not exist": [
			small.replaceAll("2026-02-02</Dt></BookgDt>", "2026-02-30</Dt></BookgDt>"),
			/no day of the calendar/,
		],
		"an unknown currency": [small.replaceAll('"EUR"', '"EUX"'), /'EUX' is no currency/],
		"a huge tag": [`${head}<BkToCstmrStmt a="${"x".repeat(100_000)}">`, /a tag has more than/],
		"a huge element": [`${head}<BkToCstmrStmt><Stmt><Id>${"x".repeat(3_000_000)}</Id>`, /an element has more than/],
	};
	for (const [name, [file, message]] of Object.entries(refused))
		test(name, () => {
			expect(() => read(file)).toThrow(message);
		});

	test("an empty file", () => {
		expect(() => read("")).toThrow("The file is empty.");
	});

	test("a CSV file without a mapping", () => {
		expect(() => read("Date,Amount\n2026-02-01,5\n")).toThrow(/name a saved mapping/);
	});
});

test("two million empty elements are read in linear time", () => {
	const file = `${head}<BkToCstmrStmt><GrpHdr>${"<a/>".repeat(2_000_000)}</GrpHdr>${small.slice(small.indexOf("<Stmt>"), small.indexOf("</BkToCstmrStmt>"))}</BkToCstmrStmt></Document>`;
	const started = performance.now();
	expect(read(file)).toBe(3);
	expect(performance.now() - started).toBeLessThan(10_000);
});

test("a file has at most 100,000 entries", () => {
	const entry =
		'<Ntry><Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-02-02</Dt></BookgDt></Ntry>\n';
	const account = "<Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>";
	const file = `${head}<BkToCstmrStmt>${account}${entry.repeat(100_001)}</Stmt></BkToCstmrStmt></Document>`;
	expect(() => read(file)).toThrow(/^Line 100001: the file has more than 100000 entries/);
}, 60_000);

test("an indented file of 20,000 entries is read with bounded memory", () => {
	expect(read([...directBank(statement(20_000))].join(""))).toBe(20_000);
}, 60_000);
