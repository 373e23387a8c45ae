import { describe, expect, test } from "bun:test";
import { checkInvoices } from "../../../src/areas/invoices/check/operations.sums";
import { findCreditNote } from "../../../src/areas/invoices/credit-notes/store";
import { creditNoteDocumentOf } from "../../../src/areas/invoices/document/credit-note";
import { documentOf } from "../../../src/areas/invoices/document/document";
import { linesByInvoice } from "../../../src/areas/invoices/operations";
import { decimal, globex, instant, line } from "./samples";
import { invoiceWorld } from "./support";

const rates = [
	{ currency: "usd", rate: 0.9, source: "ECB", date: "2026-01-01" },
	{ currency: "usd", rate: 0.92315, source: "ECB", date: "2026-02-01" },
	{ currency: "usd", rate: 5, source: "ECB", date: "2026-03-01" },
	{ currency: "jpy", rate: 0.0061, source: "Bundesbank", date: "2026-01-01" },
];
const taxed = (amount: string, tax: string) => [
	line({ amount: decimal(amount), unitPrice: decimal(amount), tax: decimal(tax), taxPercentage: decimal(19) }),
];

async function german(body: object = { taxCurrency: "eur", exchangeRates: rates }) {
	const world = invoiceWorld();
	const { data } = (await world.call("GET", "/legal-entities")).body;
	const path = `/legal-entities/${data[0].id}`;
	const { status, body: answer } = await world.call("PATCH", path, { body });
	expect([status, answer.data?.taxCurrency]).toEqual([200, (body as { taxCurrency: string | null }).taxCurrency]);
	return { ...world, path };
}

describe("the tax of an invoice in another currency than its issuer declares it in", () => {
	test("is stated in that one, at the newest rate of its day, and stays as it was at issue", async () => {
		const world = await german();
		const invoice = world.issue({ lines: taxed("100", "19") });
		const stated = { currency: "eur", rate: "0.92315", source: "ECB", date: "2026-02-01", amount: "17.54" };
		expect(invoice.taxConversion).toEqual(stated as typeof invoice.taxConversion);
		await world.call("PATCH", world.path, { body: { exchangeRates: [] } });
		const [booked] = (await world.call("GET", "/invoices")).body.data;
		expect(booked.taxConversion).toEqual({ ...stated, rate: 0.92315, amount: 17.54 });
		const csv = await world.call("GET", "/invoices?format=csv");
		expect(csv.body).toContain("EUR,17.54,0.92315");
		const { data } = (
			await world.call("POST", "/graphql", {
				body: {
					query: `{ invoice(customerId: "cust-1", id: "${invoice.id}") { taxConversion { rate amount { amount } } } }`,
				},
			})
		).body;
		expect(data.invoice.taxConversion).toEqual({ rate: 0.92315, amount: { amount: 17.54 } });
		expect(world.transactions.read(world.actor, checkInvoices)).toEqual([]);
	});

	test("stands on the document, and on its credit notes at the same rate", async () => {
		const world = await german();
		const invoice = world.issue({ lines: taxed("100", "19"), customer: { ...globex, language: "de" } });
		await world.call("PATCH", world.path, { body: { exchangeRates: [] } });
		const path = `/customers/cust-1/invoices/${invoice.id}`;
		const { body } = await world.call("POST", `${path}/credit-note`, { body: { amount: 59.5 } });
		expect(body.data.taxConversion).toMatchObject({ rate: 0.92315, amount: 8.77 });
		const [document, note] = world.transactions.read(world.actor, (work) => {
			const lines = linesByInvoice(work, [invoice]).get(invoice.id) ?? [];
			const row = findCreditNote(work, body.data.creditNoteId);
			return [documentOf(invoice, lines, []), row && creditNoteDocumentOf(row, [])] as const;
		});
		expect(document.remarks).toEqual(["Steuer in EUR: 17,54\u00a0€ (1 USD = 0,92315 EUR; ECB, 01.02.2026)."]);
		expect(note?.remarks).toEqual(["Steuer in EUR: 8,77\u00a0€ (1 USD = 0,92315 EUR; ECB, 01.02.2026)."]);
		expect(world.transactions.read(world.actor, checkInvoices)).toEqual([]);
	});

	test("is reported as missing where no rate is known, on the list, its CSV and credit notes; the sale does not fail", async () => {
		const world = await german();
		const early = instant("2025-12-31T23:59:59Z");
		const past = world.issue({ lines: taxed("100", "19"), issuedAt: early, dueAt: early });
		const foreign = world.issue({ lines: taxed("100", "19"), currency: "gbp" });
		expect([past, foreign].map(({ taxConversion, missingRateTo }) => [taxConversion, missingRateTo])).toEqual([
			[null, "eur"],
			[null, "eur"],
		]);
		await world.call("PATCH", world.path, { body: { exchangeRates: [{ ...rates[0], currency: "gbp" }] } });
		const booked = (await world.call("GET", "/invoices")).body.data;
		const missing = Object.fromEntries(
			booked.map((one: { currency: string }) => [
				one.currency,
				(one as { missingExchangeRate?: object }).missingExchangeRate,
			]),
		);
		expect(missing).toEqual({ usd: { from: "usd", to: "eur" }, gbp: { from: "gbp", to: "eur" } });
		expect((await world.call("GET", "/invoices?format=csv")).body).toContain("EUR,,,,,RF69INV000001\r\n");
		const at = `/customers/cust-1/invoices/${foreign.id}`;
		// As of its invoice, whatever is known by now.
		const { body } = await world.call("POST", `${at}/credit-note`, { body: { amount: 59.5 } });
		expect([body.data.taxConversion, body.data.missingExchangeRate]).toEqual([null, { from: "gbp", to: "eur" }]);
		const query = `{ invoice(customerId: "cust-1", id: "${foreign.id}") { taxConversion { rate } missingExchangeRate { from to } }
			creditNotes(input: { customerId: "cust-1" }) { edges { node { missingExchangeRate { from to } } } } }`;
		const { data } = (await world.call("POST", "/graphql", { body: { query } })).body;
		expect(data).toEqual({
			invoice: { taxConversion: null, missingExchangeRate: { from: "GBP", to: "EUR" } },
			creditNotes: { edges: [{ node: { missingExchangeRate: { from: "GBP", to: "EUR" } } }] },
		});
		expect(world.transactions.read(world.actor, checkInvoices)).toEqual([]);
	});

	test("is left out where none is charged, or it is that currency: nothing is missing", async () => {
		const world = await german();
		const none = { taxConversion: null, missingRateTo: null };
		expect(world.issue({ lines: taxed("100", "0"), currency: "gbp" })).toMatchObject(none);
		expect(world.issue({ lines: taxed("100", "19"), currency: "eur" })).toMatchObject(none);
		expect(world.issue({ lines: taxed("1000", "190"), currency: "jpy" }).taxConversion).toMatchObject({
			amount: "1.16",
		});
		const undeclared = await german({ taxCurrency: null, exchangeRates: rates });
		expect(undeclared.issue({ lines: taxed("100", "19") })).toMatchObject(none);
	});

	test("is refused with rates that are none", async () => {
		const world = await german();
		const [rate] = rates;
		for (const exchangeRates of [
			[rate, rate],
			[{ ...rate, date: "2026-02-30" }],
			[{ ...rate, date: "1.2.2026" }],
			[{ ...rate, rate: 0 }],
			[{ ...rate, rate: "one" }],
			[{ ...rate, currency: "euro" }],
			[{ ...rate, source: "" }],
			[{ ...rate, more: 1 }],
			{},
		])
			expect((await world.call("PATCH", world.path, { body: { exchangeRates } })).status).toBe(400);
		expect((await world.call("PATCH", world.path, { body: { taxCurrency: "euro" } })).status).toBe(400);
	});
});
