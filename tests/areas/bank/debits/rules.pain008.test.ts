import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sepaText } from "../../../../src/areas/bank/debits/rules.pain008";
import { readPain008 } from "../../../support/bank/pain008-rules";
import { debitWorld } from "./debit-world";

test("texts have the characters that all banks transfer", () => {
	const texts: Array<[string, string]> = [
		["Müller & Söhne <GmbH>", "Mueller + Soehne .GmbH."],
		["Zoë O'Neil", "Zoe O'Neil"],
		["東京", ".."],
		["//a//b/", "a/b"],
		["  two   words ", "two words"],
		["", "."],
		["Łódź_1", "Lodz-1"],
	];
	for (const [text, expected] of texts) expect(sepaText(text, 70)).toBe(expected);
	expect(sepaText("ä".repeat(70), 70)).toBe("ae".repeat(35));
});

/** A folder with the schemas of the message, `pain.008.001.08.xsd` and `pain.008.001.02.xsd`, which are not committed; `xmllint` checks by them. */
const schemas = process.env.TOLLGATE_TEST_PAIN_SCHEMAS;

test.each(["pain.008.001.08", "pain.008.001.02"])(
	"%s follows the rules of the scheme, and its schema where it is there",
	async (format) => {
		const w = await debitWorld({ format, batchBooking: true });
		await w.mandate({ debtorName: "Zoë O'Neil & 東京 //x/", bic: "BYLADEM1001" });
		w.billNow(999999.99);
		const london = { line1: "1 <High> Street", postalCode: "E1 6AN", city: "London", country: "gb" };
		await w.mandate({ reference: "M-2", iban: "GB29NWBK60161331926819", scheme: "B2B", debtorAddress: london });
		for (const amount of [0.01, 100.1]) w.billNow(amount);
		const { text } = await w.file();
		const { groups, broken } = readPain008(text);
		expect(broken).toEqual([]);
		expect(groups.map(({ scheme, sequence, transactions }) => [scheme, sequence, transactions.length])).toEqual([
			["B2B", "FRST", 1],
			["B2B", "RCUR", 1],
			["CORE", "FRST", 1],
		]);
		if (schemas === undefined || !existsSync(schemas)) return;
		const checked = Bun.spawnSync(["xmllint", "--noout", "--schema", join(schemas, `${format}.xsd`), "-"], {
			stdin: Buffer.from(text),
		});
		expect(checked.stderr.toString()).toContain("validates");
	},
);
