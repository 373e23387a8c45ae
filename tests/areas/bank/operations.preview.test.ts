import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runOn } from "../../cli/every-command";
import { dutchMt940, germanMt940, semicolonCsv } from "../../support/bank/text-dialects";
import { temporaryFolder } from "../../support/process";
import { acme } from "../invoices/samples";
import { invoiceWorld } from "../invoices/support";

const iban = "DE89370400440532013000";
const payer = "NL91ABNA0417164300";

/** Three open invoices in euro of 49.00 each, to Globex Corporation; the issuer has an account. */
async function site() {
	const ours = invoiceWorld(undefined, { ...acme, bankAccount: { iban, bic: null, bankName: null } });
	const invoices = ["s-1", "s-2", "s-3"].map((subscriptionId) => ours.issue({ subscriptionId, currency: "eur" }));
	const dues = invoices.map(({ total }) => Math.round(Number(total) * 100));
	const { folder } = temporaryFolder();
	const movement = (cents: number, text: string, more: object = {}) => ({
		...{ cents, day: "2026-02-02", name: "GLOBEX CORP", iban: payer, text, endToEndId: "NOTPROVIDED" },
		...{ bankReference: `B${text.length}`, reference: "", ...more },
	});
	/** Writes the file of a bank, and matches it. */
	const match = async (texts: Iterable<string>, ...options: readonly string[]) => {
		const file = join(folder, "statement");
		writeFileSync(file, [...texts].join(""));
		return runOn(ours.folder, "bank match", [file, ...options]);
	};
	return { ...ours, invoices, dues, movement, match, folder };
}

test("the command prints which invoices a statement pays, and why, and changes nothing", async () => {
	const { invoices, dues, movement, match, call } = await site();
	const [first, second, third] = invoices.map(({ number }) => number);
	const [due = 0] = dues;
	const movements = [
		movement(due * 2, `Rechnungen ${first} und ${second}`),
		movement(due, "danke"),
		movement(due - 1, `Invoice ${third}`, { name: "Somebody Else" }),
		movement(-1000, "fee"),
		movement(77, "unknown", { name: "Nobody" }),
	];
	const before = await call("GET", "/invoices");
	const { status, output, errors } = await match(germanMt940({ iban, number: 4, openingCents: 0, movements }));
	expect({ status, errors }).toEqual({ status: 0, errors: "" });
	const lines = output.trimEnd().split("\n");
	expect(lines[0]).toBe("statement 4/1 of 37040044/0532013000");
	expect(lines[1]).toContain(
		`98.00 EUR GLOBEX CORP: pays ${first} + ${second} (invoice numbers, text names invoice, amount equal`,
	);
	expect(lines[2]).toContain(": perhaps ");
	expect(lines.find((line) => line.includes("Somebody Else"))).toContain(`: perhaps ${third} (invoice numbers`);
	expect(lines.at(-2)).toContain("Nobody: no open invoice");
	expect(lines.at(-1)).toBe("5 entries: 1 certain, 2 with proposals, 2 without an invoice");
	expect((await call("GET", "/invoices")).body).toEqual(before.body);
});

test("a transfer with a creditor reference pays its invoice for any payer; JSON has a line for each entry", async () => {
	const { invoices, dues, movement, match, call } = await site();
	const [invoice] = invoices;
	const { body } = await call("GET", "/invoices");
	const reference = body.data.find(
		(one: { invoiceNumber: string }) => one.invoiceNumber === invoice?.number,
	).creditorReference;
	const movements = [movement(dues[0] ?? 0, "", { name: "A friend", reference: reference.replaceAll(" ", "") })];
	const { output } = await match(dutchMt940({ iban, number: 1, openingCents: 0, movements }), "--json");
	const [statement, entry] = output
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
	expect(statement).toEqual({ kind: "STATEMENT", account: `${iban}EUR`, number: "00001" });
	expect(entry).toMatchObject({
		...{ kind: "ENTRY", isCertain: true },
		proposals: [{ rule: "CREDITOR_REFERENCE", numbers: [invoice?.number] }],
	});
});

test("a file of another account, a damaged file, and CSV without a mapping are refused with the remedy", async () => {
	const { movement, match, folder } = await site();
	const statement = { iban: "DE02120300000000202051", number: 1, openingCents: 0, movements: [movement(1, "x")] };
	expect((await match(dutchMt940(statement))).errors).toContain(
		"which no legal entity of this environment has; state the IBAN at the legal entity that owns it",
	);
	const whole = [...dutchMt940({ ...statement, iban })].join("");
	expect((await match([whole.replace(/:62F:C\d{6}EUR0,01/, ":62F:C260202EUR0,02")])).errors).toMatch(
		/Line \d+: .*0\.02/,
	);
	expect((await match([whole.slice(0, whole.indexOf(":62F:"))])).errors).toContain("the file ends in the middle");
	expect((await match(semicolonCsv({ ...statement, iban }))).errors).toContain("name a saved mapping and the account");
	expect((await runOn(folder, "bank match", [join(folder, "none")])).errors).toContain("There is no file");
});
