import { describe, expect, test } from "bun:test";
import { Matcher, type MatchingFacts, type OpenInvoice } from "../../../../src/areas/bank/matching/rules.match";
import type { StatementEntry } from "../../../../src/areas/bank/statements/rules.statement";
import { type Decimal, toDecimal } from "../../../../src/kernel/decimal";
import { invoicesOf, randomFrom, referenceOf, transfersOf } from "../../../support/bank/transfers";

const decimal = (text: string): Decimal => toDecimal(text);

const invoice = (at: number, due: string, more: Partial<OpenInvoice> = {}): OpenInvoice => ({
	...{ id: `i${at}`, number: `INV-${String(at).padStart(6, "0")}`, sequence: at, customerId: "acme" },
	...{ customerName: "Acme GmbH", currency: "eur", due: decimal(due) },
	...more,
});

const entry = (amount: string, more: Partial<StatementEntry> = {}): StatementEntry => ({
	...{ amount: decimal(amount), currency: "eur", bookedOn: "2026-02-02", valueOn: null, isReversal: false },
	...{ bankReference: null, endToEndId: null, mandateId: null, creditorReference: null, returnCode: null },
	...{ partyName: "ACME", partyIban: "NL91ABNA0417164300", text: "" },
	...more,
});

const globex = { customerId: "globex", customerName: "Globex Corp" };
const invoices = [invoice(1, "100"), invoice(2, "49.5"), invoice(3, "49.5", globex), invoice(4, "20", globex)];

function matched(movement: StatementEntry, facts: Partial<MatchingFacts> = {}) {
	const { isAutomatic, proposals } = new Matcher({ invoices, ...facts }).match(movement);
	return { isAutomatic, first: proposals[0]?.invoiceIds, rule: proposals[0]?.rule, reasons: proposals[0]?.reasons };
}

const reference = referenceOf("INV-000001");

describe("rule 1: the creditor reference", () => {
	test("in its own field, or in the text with spaces, allocates the amount due", () => {
		const expected = { isAutomatic: true, first: ["i1"], rule: "CREDITOR_REFERENCE" } as const;
		expect(matched(entry("100", { creditorReference: reference, partyName: "Somebody" }))).toMatchObject(expected);
		const text = `${reference.replace(/(.{4})/g, "$1 ")} thank you`;
		expect(matched(entry("100", { text }))).toMatchObject(expected);
	});

	test("with another amount is a proposal", () => {
		expect(matched(entry("90", { creditorReference: reference }))).toMatchObject({
			...{ isAutomatic: false, first: ["i1"] },
			reasons: ["REFERENCE_NAMES_INVOICE", "AMOUNT_DIFFERS", "PAYER_NAME_EQUAL"],
		});
	});

	test("is a proposal if the payer's IBAN is another customer's", () => {
		const payers = new Map([["NL91ABNA0417164300", "globex"]]);
		expect(matched(entry("100", { creditorReference: reference }), { payers })).toMatchObject({ isAutomatic: false });
	});
});

test("rule 2: the end-to-end id of our direct debit allocates its invoices", () => {
	const ownReferences = new Map([["DD-7", ["i1", "i2"]]]);
	const facts = { ownReferences };
	const expected = { isAutomatic: true, first: ["i1", "i2"], rule: "OWN_REFERENCE" } as const;
	expect(matched(entry("149.50", { endToEndId: "DD-7" }), facts)).toMatchObject(expected);
	expect(matched(entry("149", { endToEndId: "DD-7" }), facts)).toMatchObject({ isAutomatic: false });
});

describe("rule 3: invoice numbers in the text", () => {
	test("are allocated if their amounts due sum to the amount", () => {
		for (const text of [
			"INV-000001 INV-000002",
			"Inv 000001, 000002",
			"inv1 und inv2",
			"Rechnungen INV000001/INV000002",
		])
			expect(matched(entry("149.50", { text }))).toMatchObject({
				...{ isAutomatic: true, first: ["i1", "i2"], rule: "INVOICE_NUMBERS" },
				reasons: ["TEXT_NAMES_INVOICE", "AMOUNT_EQUAL", "PAYER_NAME_EQUAL"],
			});
	});

	test("are a proposal if the payer is another customer: the number may be mistyped", () => {
		expect(matched(entry("49.50", { text: "INV-000003" }))).toMatchObject({ isAutomatic: false });
	});

	test("with a typing error proposes the invoice of that amount", () => {
		expect(matched(entry("49.50", { text: "INV-000012", partyName: "Acme" }))).toMatchObject({ first: ["i2"] });
	});

	test("short by bank fees are allocated within the tolerance", () => {
		const movement = entry("95", { text: "INV-000001" });
		expect(matched(movement, { feeTolerance: { eur: decimal("5") } })).toMatchObject({ isAutomatic: true });
		expect(matched(movement, { feeTolerance: { eur: decimal("4.99") } })).toMatchObject({ isAutomatic: false });
		expect(matched(movement)).toMatchObject({ isAutomatic: false, first: ["i1"] });
	});

	test("in another currency is a proposal", () => {
		expect(matched(entry("100", { text: "INV-000001", currency: "usd" }))).toMatchObject({
			...{ isAutomatic: false, first: ["i1"] },
			reasons: ["TEXT_NAMES_INVOICE", "CURRENCY_DIFFERS", "PAYER_NAME_EQUAL"],
		});
	});
});

describe("rules 4 and 5: the payer and the amount", () => {
	test("propose the invoice of a payer that a person has confirmed", () => {
		const payers = new Map([["NL91ABNA0417164300", "globex"]]);
		expect(matched(entry("20", { partyName: "Any Name" }), { payers })).toMatchObject({
			...{ isAutomatic: false, first: ["i4"], rule: "KNOWN_PAYER", reasons: ["PAYER_IBAN_KNOWN", "AMOUNT_EQUAL"] },
		});
	});

	test("propose the invoices of a name whose sum is the amount", () => {
		expect(matched(entry("149.50"))).toMatchObject({ first: ["i1", "i2"], rule: "PAYER_NAME", isAutomatic: false });
	});

	test("propose nothing for money that left the account, and for an unknown payer", () => {
		expect(matched(entry("-100", { creditorReference: reference }))).toMatchObject({ first: undefined });
		expect(matched(entry("100", { partyName: "Nobody Knows" }))).toMatchObject({ first: undefined });
	});
});

test("100,000 transfers: no automatic allocation is wrong, and at least 95 % of the rest have the right proposal first", () => {
	const random = randomFrom(2026);
	const open = invoicesOf(random, 10_000);
	const payers = new Map(
		open.flatMap(({ customerId }) => (random.below(3) === 0 ? [[`IBAN-${customerId}`, customerId] as const] : [])),
	);
	const matcher = new Matcher({
		...{ payers, feeTolerance: { eur: decimal("15") } },
		invoices: open.map(({ cents, ...one }) => ({ ...one, due: decimal((cents / 100).toFixed(2)) })),
	});
	let automatic = 0;
	let rest = 0;
	let right = 0;
	const wrong: unknown[] = [];
	const missed = new Map<string, number>();
	for (const transfer of transfersOf(random, open, 100_000)) {
		const { isAutomatic, proposals } = matcher.match(
			entry((transfer.cents / 100).toFixed(2), {
				...{ partyName: transfer.name, partyIban: transfer.iban, text: transfer.text },
				creditorReference: transfer.reference,
			}),
		);
		const isRight = proposals[0]?.invoiceIds.join() === transfer.pays.join();
		if (isAutomatic) automatic += 1;
		if (isAutomatic && !isRight) wrong.push({ transfer, proposals });
		if (isAutomatic || transfer.pays.length === 0) continue;
		rest += 1;
		if (isRight) right += 1;
		else missed.set(transfer.kind, (missed.get(transfer.kind) ?? 0) + 1);
	}
	expect(wrong).toEqual([]);
	expect(automatic).toBeGreaterThan(50_000);
	expect({ share: right / rest >= 0.95, missed: right / rest >= 0.95 ? [] : [...missed] }).toEqual({
		share: true,
		missed: [],
	});
}, 120_000);
