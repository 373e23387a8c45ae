import { describe, expect, test } from "bun:test";
import type { FileForm } from "../../../../src/areas/bank/statements/rules.read";
import { readStatements } from "../../../../src/areas/bank/statements/rules.read";
import { encodingOf, formatOf } from "../../../../src/areas/bank/statements/rules.source";
import type { StatementEntry, StatementEvent } from "../../../../src/areas/bank/statements/rules.statement";
import type { CsvMapping } from "../../../../src/areas/bank/statements/schema.mapping";
import { commercialBank, directBank, notification, savingsBank } from "../../../support/bank/camt-dialects";
import { closingCents, type Movement, type StatementOf } from "../../../support/bank/movements";
import {
	austrianMt940,
	commaCsv,
	dutchMt940,
	germanMt940,
	semicolonCsv,
	tabCsv,
} from "../../../support/bank/text-dialects";

const statement: StatementOf = {
	iban: "DE89370400440532013000",
	number: 17,
	openingCents: 1_234_567,
	movements: [
		movement(125_000, "Müller & Söhne GmbH", "Rechnung INV-000042 vom 02.01.2026 und INV-000043, Danke", "E2E-1", ""),
		movement(4_999, "Smith Ltd", "", "E2E-2", "RF18539007547034"),
		movement(-3_250, "Electricity", "March invoice of the office in the Long Street number 12", "E2E-3", ""),
		movement(999_999_999, "Payer with a name of more than 27 characters", "INV-000044", "E2E-4", ""),
	],
};

function movement(cents: number, name: string, text: string, endToEndId: string, reference: string): Movement {
	const bankReference = `BK${Math.abs(cents)}`;
	return { cents, name, text, endToEndId, reference, bankReference, day: "2026-02-02", iban: "NL91ABNA0417164300" };
}

const bytesOf = (texts: Iterable<string>, isLatin = false): Uint8Array =>
	Buffer.from([...texts].join(""), isLatin ? "latin1" : "utf8");

/** Cuts a file into parts of a few bytes, so that each boundary falls within words, tags and characters. */
function* inParts(file: Uint8Array, size: number): Generator<Uint8Array> {
	for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
}

function read(file: Uint8Array, size = 7, more: Partial<FileForm> = {}): StatementEvent[] {
	const format = formatOf(file);
	const encoding = encodingOf(file, format);
	return [...readStatements(inParts(file, size), { format, encoding, ...more })].filter(
		({ kind }) => kind !== "PROGRESS",
	);
}

const entriesOf = (events: readonly StatementEvent[]): StatementEntry[] =>
	events.flatMap((event) => (event.kind === "ENTRY" ? [event.entry] : []));

/** The fields that every dialect carries. */
const shown = ({ amount, bookedOn, partyName, partyIban, text, endToEndId, currency }: StatementEntry) => ({
	...{ amount: String(amount), bookedOn, partyName, partyIban, text, endToEndId, currency },
});

const expected = (one: Movement) => ({
	amount: (one.cents / 100).toString(),
	bookedOn: one.day,
	partyName: one.name,
	partyIban: one.iban,
	text: one.text,
	endToEndId: one.endToEndId,
	currency: "eur",
});

const camt = { savingsBank, directBank, commercialBank };
const mt940 = { germanMt940, dutchMt940, austrianMt940 };

describe("CAMT.053", () => {
	for (const [bank, write] of Object.entries(camt))
		for (const size of [7, 1024, 1_000_000])
			test(`reads the dialect ${bank} in parts of ${size} bytes`, () => {
				const events = read(bytesOf(write(statement), bank === "commercialBank"), size);
				const inOrder = [...statement.movements].sort((one, other) =>
					bank === "commercialBank" ? Number(other.cents > 0) - Number(one.cents > 0) : 0,
				);
				expect(entriesOf(events).map(shown)).toEqual(inOrder.map(expected));
				expect(entriesOf(events).map(({ bankReference }) => bankReference)).toEqual(
					inOrder.map(({ bankReference }) => bankReference),
				);
				expect(entriesOf(events).map(({ creditorReference }) => creditorReference)).toContain("RF18539007547034");
				expect(events.at(0)).toMatchObject({ kind: "OPENED", head: { account: statement.iban, sequence: 17 } });
				expect(events.at(-1)).toMatchObject({
					kind: "CLOSED",
					balances: { opening: "12345.67", closing: (closingCents(statement) / 100).toString() },
				});
			});

	test("reads a notification (CAMT.054), which has no balances", () => {
		const events = read(bytesOf(notification(statement)));
		expect(entriesOf(events).map(shown)).toEqual(statement.movements.map(expected));
		expect(events.at(-1)).toMatchObject({ kind: "CLOSED", balances: { opening: null, closing: null } });
	});

	test("reads an entry whose details do not sum to it as one movement", () => {
		const file = bytesOf(commercialBank({ ...statement, movements: statement.movements.slice(0, 2) }), true);
		const changed = Buffer.from(
			Buffer.from(file).toString("latin1").replace('<Amt Ccy="EUR">49.99', '<Amt Ccy="EUR">48.99'),
			"latin1",
		);
		expect(entriesOf(read(changed))).toMatchObject([{ amount: "1299.99", partyName: null }]);
	});

	test("reads the code of a return", () => {
		const returned = Buffer.from(
			bytesOf(savingsBank({ ...statement, movements: [movement(-3_250, "Payer", "back", "E2E-9", "")] })),
		)
			.toString()
			.replace("<RmtInf>", "<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf><RmtInf>");
		expect(entriesOf(read(Buffer.from(returned)))).toMatchObject([{ returnCode: "AC04", endToEndId: "E2E-9" }]);
	});
});

describe("MT940", () => {
	for (const [bank, write] of Object.entries(mt940))
		for (const size of [7, 1_000_000])
			test(`reads the dialect ${bank} in parts of ${size} bytes`, () => {
				const events = read(bytesOf(write(statement)), size);
				const entries = entriesOf(events);
				expect(entries.map(({ text: _, ...entry }) => entry)).toMatchObject(
					statement.movements.map((one) => {
						const { text: _, ...fields } = expected(one);
						return fields;
					}),
				);
				expect(entries.map(({ text }) => text).filter((text) => text !== "")).toEqual(
					statement.movements.map(({ text }) => text).filter((text) => text !== ""),
				);
				expect(events.at(0)).toMatchObject({ kind: "OPENED", head: { sequence: 17 } });
				expect(events.at(-1)).toMatchObject({ kind: "CLOSED", balances: { opening: "12345.67" } });
			});

	test("reads a structured creditor reference between slashes", () => {
		expect(entriesOf(read(bytesOf(dutchMt940(statement))))[1]).toMatchObject({ creditorReference: "RF18539007547034" });
	});

	test("reads a booking date of the year before its value date", () => {
		const file = `:20:1\n:25:DE89370400440532013000\n:28C:1\n:60F:C260101EUR0,00\n:61:2601021231C5,00NTRFX\n:86:text\n:62F:C260102EUR5,00\n`;
		expect(entriesOf(read(bytesOf([file])))).toMatchObject([{ bookedOn: "2025-12-31", valueOn: "2026-01-02" }]);
	});

	test("reads reversals with the sign of their effect", () => {
		const file = `:20:1\n:25:DE89370400440532013000\n:28C:1\n:60F:C260101EUR10,00\n:61:260102RC5,00NRTIX\n:86:text\n:61:260102RD2,00NRTIX\n:86:text\n:62F:C260102EUR7,00\n`;
		expect(entriesOf(read(bytesOf([file])))).toMatchObject([
			{ amount: "-5", isReversal: true },
			{ amount: "2", isReversal: true },
		]);
	});
});

const mappings: Readonly<Record<string, { write: (of: StatementOf) => Generator<string>; mapping: CsvMapping }>> = {
	semicolonCsv: {
		write: semicolonCsv,
		mapping: {
			...{ delimiter: ";", decimalSeparator: ",", dateFormat: "DD.MM.YYYY", linesBefore: 2 },
			columns: {
				...{ bookedOn: "Buchung", valueOn: "Valuta", amount: "Betrag", currency: "Währung", balance: "Saldo" },
				...{ partyName: "Auftraggeber", partyIban: "IBAN", text: ["Verwendungszweck"], endToEndId: "Referenz" },
			},
		},
	},
	commaCsv: {
		write: commaCsv,
		mapping: {
			currency: "EUR",
			columns: {
				...{ bookedOn: "Date", credit: "Paid in", debit: "Paid out", partyName: "Name", partyIban: "Account" },
				...{ text: ["Details"], endToEndId: "Reference" },
			},
		},
	},
	tabCsv: {
		write: tabCsv,
		mapping: {
			...{ delimiter: "\t", decimalSeparator: ",", dateFormat: "YYYYMMDD", currency: "eur", debitIndicators: ["Af"] },
			columns: {
				...{ bookedOn: "Datum", amount: "Bedrag", indicator: "Af Bij", partyName: "Naam" },
				...{ partyIban: "Tegenrekening", text: ["Mededelingen"], endToEndId: "Kenmerk" },
			},
		},
	},
};

describe("CSV", () => {
	for (const [bank, { write, mapping }] of Object.entries(mappings))
		test(`reads the dialect ${bank} by its mapping`, () => {
			const file = bytesOf(write(statement), bank === "semicolonCsv");
			const entries = entriesOf(read(file, 7, { mapping, account: statement.iban }));
			const inOrder = bank === "semicolonCsv" ? statement.movements.toReversed() : statement.movements;
			expect(entries.map(shown)).toEqual(inOrder.map(expected));
		});

	test("rejects a file whose balances do not follow from its amounts", () => {
		const { write, mapping } = mappings.semicolonCsv ?? { write: semicolonCsv, mapping: { columns: { bookedOn: "" } } };
		const text = [...write(statement)].join("");
		const lines = text.split("\r\n");
		const missing = [...lines.slice(0, 4), ...lines.slice(5)].join("\r\n");
		expect(() => read(bytesOf([missing], true), 7, { mapping, account: statement.iban })).toThrow(
			/^Line 5: the balance is 13645\.66; the balance .* makes/,
		);
	});
});
