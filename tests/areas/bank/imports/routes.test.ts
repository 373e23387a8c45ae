import { expect, test } from "bun:test";
import { bankImportParts, bankImports } from "../../../../src/areas/bank/table";
import { bytesMaxOf } from "../../../../src/http/body-sizes";
import { savingsBank } from "../../../support/bank/camt-dialects";
import { dutchMt940, semicolonCsv } from "../../../support/bank/text-dialects";
import { handleRequest } from "../../../support/shared-routes";
import { bankWorld, iban } from "../bank-world";

test("a file that is not whole, not sound or of another account is refused with the place, and leaves nothing", async () => {
	const w = bankWorld();
	const statement = { iban, number: 1, openingCents: 0, movements: [w.movement(100, "x"), w.movement(200, "y")] };
	const whole = [...dutchMt940(statement)].join("");
	const camt = [...savingsBank(statement)].join("");
	const refused: Array<[string, string, string?]> = [
		["", "The file is empty"],
		["{", "name a saved mapping and the account"],
		[whole.replace(/:62F:C\d{6}EUR3,00/, ":62F:C260202EUR3,01"), "the closing balance is 3.01"],
		[whole.slice(0, whole.indexOf(":62F:")), "ends in the middle"],
		[camt.slice(0, camt.length / 2), "Line "],
		[`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]>${camt.slice(camt.indexOf("<Document"))}`, "Line "],
		[whole.replaceAll(iban, "DE02120300000000202051"), "which no legal entity of this environment has"],
		[`${whole}\n${whole}`, "twice"],
		[[...semicolonCsv(statement)].join(""), "name a saved mapping", `?account=${iban}`],
	];
	for (const [file, message, query = ""] of refused) {
		const answer = await w.upload([file], query);
		expect([answer.status, answer.code]).toEqual([400, "BadUserInput"]);
		expect(answer.message).toContain(message);
	}
	// The sum shows at the end, when parts of the file are stored already.
	const movements = Array.from({ length: 2000 }, (_, at) => w.movement(100, `text ${at}`));
	const long = [...dutchMt940({ ...statement, movements })].join("");
	const late = await w.upload([long.replace(/:62F:C\d{6}EUR2000,00/, ":62F:C260202EUR2000,01")]);
	expect(late.message).toContain("2000.01");
	const rows = w.transactions.read(w.actor, ({ tx }) => [
		...tx.select().from(bankImportParts).all(),
		...tx.select().from(bankImports).all(),
	]);
	expect(rows).toEqual([]);
	expect(await w.imported([long])).toMatchObject({ entriesCount: 2000, unmatchedCount: 2000 });
});

test("only a key with the scope of invoices imports; a file over 64 MiB is refused", async () => {
	const w = bankWorld();
	const file = dutchMt940({ iban, number: 1, openingCents: 0, movements: [w.movement(100, "x")] });
	const text = [...file].join("");
	const statusOf = async (key: string) => (await w.upload([text], "", { key, body: text })).status;
	expect(await statusOf("")).toBe(401);
	expect(await statusOf(w.publishableKey)).toBe(403);
	expect(await statusOf(w.scopedKey("INVOICE:READ"))).toBe(403);
	expect(await w.upload([text], "?surprise=1")).toMatchObject({ status: 400, code: "BadUserInput" });
	const foreign = await w.upload([text], "", { key: w.foreignKey, body: text });
	expect([foreign.status, foreign.message]).toEqual([
		400,
		expect.stringContaining("no legal entity of this environment"),
	]);
	const headers = { "content-type": "text/plain", "content-length": String(bytesMaxOf.file + 1) };
	expect((await w.upload([text], "", { headers, body: text })).status).toBe(413);
	expect(await statusOf(w.scopedKey("INVOICE:WRITE"))).toBe(201);
});

test("a file in Windows-1252 keeps its letters, and a repeated Idempotency-Key has the first answer", async () => {
	const w = bankWorld();
	const movement = w.movement(100, "Rechnung für Müller", { name: "Müller & Söhne" });
	const text = [...dutchMt940({ iban, number: 1, openingCents: 0, movements: [movement] })].join("");
	const request = () =>
		new Request("http://localhost/api/v1/bank-imports", {
			method: "POST",
			headers: { "x-api-key": w.key, "idempotency-key": "file-1" },
			body: Buffer.from(text, "latin1"),
		});
	const answer = async () => (await handleRequest(w.services, request())).json();
	const first = await answer();
	expect(first).toMatchObject({ data: { entriesCount: 1 } });
	expect(await answer()).toEqual(first);
	await w.run();
	expect(await w.entries()).toMatchObject([{ partyName: "Müller & Söhne", text: "Rechnung für Müller" }]);
});
