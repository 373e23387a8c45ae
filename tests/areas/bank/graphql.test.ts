import { expect, test } from "bun:test";
import { ask, codes, data, nodes } from "../../graphql/ask";
import { dutchMt940 } from "../../support/bank/text-dialects";
import { bankWorld, iban } from "./bank-world";

test("GraphQL lists imports, statements and entries, and decides about entries as REST does", async () => {
	const w = bankWorld();
	const invoice = w.bill(100);
	const cents = Math.round(Number(invoice.total) * 100);
	const movements = [w.movement(cents, "thank you"), w.movement(77, "who?", { name: "Nobody" })];
	const { importId } = await w.imported(dutchMt940({ iban, number: 3, openingCents: 0, movements }));
	await w.imported(dutchMt940({ iban, number: 5, openingCents: 0, movements: [w.movement(-100, "fee")] }));
	const change = async (name: string, type: string, input: object, fields: string) =>
		(await data(w, `mutation ($input: ${type}!) { ${name}(input: $input) { ${fields} } }`, { input }))[name];
	const settings = { iban, feeTolerance: [{ currency: "eur", amount: 2.5 }] };
	const account = await change(
		"setBankAccount",
		"SetBankAccountInput",
		settings,
		"iban feeTolerance { currency amount } csvMapping",
	);
	expect(account).toEqual({ ...settings, csvMapping: null });
	const accounts = "{ bankAccounts { edges { node { iban } } } }";
	expect(nodes((await data(w, accounts)).bankAccounts)).toEqual([{ iban }]);
	const one = `{ bankImport(id: "${importId}") { state format entriesCount proposedCount unmatchedCount } }`;
	const counts = { entriesCount: 2, proposedCount: 1, unmatchedCount: 1 };
	expect((await data(w, one)).bankImport).toEqual({ state: "IMPORTED", format: "MT940", ...counts });
	const statements = "{ bankStatements(input: {}) { edges { node { sequence missing { from to } } } } }";
	expect(nodes((await data(w, statements)).bankStatements)).toEqual([
		{ sequence: 5, missing: { from: 4, to: 4 } },
		{ sequence: 3, missing: null },
	]);
	const entries = (state: string) =>
		`{ bankEntries(input: { state: ${state} }) { edges { node { id amount bookedOn proposals { rule customerId reasons invoices { invoiceId amountDue } } } } } }`;
	const [proposed] = nodes<{ id: string }>((await data(w, entries("PROPOSED"))).bankEntries);
	expect(proposed).toMatchObject({
		...{ amount: cents / 100, bookedOn: "2026-02-02" },
		proposals: [{ rule: "PAYER_NAME", customerId: "cust-1", invoices: [{ invoiceId: invoice.id }] }],
	});
	const confirm = { entryId: proposed?.id, proposal: 0 };
	const decided = await change("confirmBankEntry", "ConfirmBankEntryInput", confirm, "state customerId isAutomatic");
	expect(decided).toEqual({ state: "RECORDED", customerId: "cust-1", isAutomatic: false });
	expect(await change("undoBankEntry", "BankEntryIdInput", { entryId: proposed?.id }, "state")).toEqual({
		state: "UNDONE",
	});
	const [unknown] = nodes<{ id: string }>((await data(w, entries("UNMATCHED"))).bankEntries);
	expect(await change("rejectBankEntry", "BankEntryIdInput", { entryId: unknown?.id }, "state")).toEqual({
		state: "REJECTED",
	});

	const reject = "mutation ($input: BankEntryIdInput!) { rejectBankEntry(input: $input) { id } }";
	expect(codes(await ask(w, reject, { input: { entryId: unknown?.id } }))).toEqual(["InvalidArgumentError"]);
	const key = w.scopedKey("INVOICE:READ");
	expect(codes(await ask(w, reject, { input: { entryId: unknown?.id } }, { key }))).toEqual(["AccessDeniedError"]);
	expect(nodes((await data(w, accounts, {}, { key: w.foreignKey })).bankAccounts)).toEqual([]);
});
