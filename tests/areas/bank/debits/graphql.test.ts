import { expect, test } from "bun:test";
import { ask, codes, data, nodes } from "../../../graphql/ask";
import { creditorId, debitWorld, debtorIban } from "./debit-world";

test("GraphQL records mandates, makes files and returns debits as REST does", async () => {
	const w = await debitWorld();
	const change = async (name: string, type: string, input: object, fields: string) =>
		(await data(w, `mutation ($input: ${type}!) { ${name}(input: $input) { ${fields} } }`, { input }))[name];
	const set = { legalEntityId: w.entityId, creditorId, leadDays: 3 };
	const shown = await change(
		"setDirectDebitCreditor",
		"SetDirectDebitCreditorInput",
		set,
		"creditorId leadDays format",
	);
	expect(shown).toEqual({ creditorId, leadDays: 3, format: "pain.008.001.08" });
	const signed = { customerId: "cust-1", iban: debtorIban, signedOn: "2026-01-15", scheme: "B2B" };
	const mandate = await change("createMandate", "CreateMandateInput", signed, "id customerId state scheme kind iban");
	expect(mandate).toMatchObject({ customerId: "cust-1", state: "ACTIVE", scheme: "B2B", kind: "RECURRENT" });
	const invoice = w.billNow(100);
	const list = "{ directDebits(input: {}) { edges { node { id state amount collectionOn } } } }";
	const [debit] = nodes<{ id: string }>((await data(w, list)).directDebits);
	expect(debit).toMatchObject({ state: "PLANNED", amount: 100, collectionOn: "2026-02-23" });
	await change("cancelDirectDebit", "DirectDebitIdInput", { id: debit?.id }, "state");
	const again = await change("createDirectDebit", "CreateDirectDebitInput", { invoiceId: invoice.id }, "id state");
	const made = { collectUntil: "2026-02-23" };
	const file = await change("createDirectDebitFile", "CreateDirectDebitFileInput", made, "id state");
	await w.drain();
	const one = `{ directDebitFile(id: "${file.id}") { state debitsCount total collectUntil } }`;
	expect((await data(w, one)).directDebitFile).toEqual({ state: "READY", debitsCount: 1, total: 100, ...made });
	await change("settleDirectDebitFile", "SettleDirectDebitFileInput", { id: file.id }, "id");
	await w.drain();
	const code = { id: again.id, code: "MD01" };
	const returned = await change(
		"returnDirectDebit",
		"ReturnDirectDebitInput",
		code,
		"state returnCode returnableUntil",
	);
	expect(returned).toEqual({ state: "RETURNED", returnCode: "MD01", returnableUntil: null });
	const mandates = "{ mandates(input: {}) { edges { node { id state stopCode } } } }";
	expect(nodes((await data(w, mandates)).mandates)).toEqual([{ id: mandate.id, state: "STOPPED", stopCode: "MD01" }]);

	// The same refusals and scopes.
	const create = "mutation ($input: CreateMandateInput!) { createMandate(input: $input) { id } }";
	expect(codes(await ask(w, create, { input: { ...signed, iban: "DE02120300000000202052" } }))).toEqual([
		"InvalidArgumentError",
	]);
	const key = w.scopedKey("INVOICE:READ");
	expect(codes(await ask(w, create, { input: signed }, { key }))).toEqual(["AccessDeniedError"]);
	expect(nodes((await data(w, mandates, {}, { key: w.foreignKey })).mandates)).toEqual([]);
});
