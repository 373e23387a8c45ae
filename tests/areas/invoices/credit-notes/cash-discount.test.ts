import { describe, expect, test } from "bun:test";
import { checkInvoices } from "../../../../src/areas/invoices/check/operations.sums";
import { creditNotesOf } from "../../../../src/areas/invoices/credit-notes/store";
import { documentOf } from "../../../../src/areas/invoices/document/document";
import type { NewInvoiceLine } from "../../../../src/areas/invoices/new-documents";
import { getInvoice, linesByInvoice } from "../../../../src/areas/invoices/operations";
import { sealOfInvoice } from "../../../../src/areas/invoices/rules.seal";
import { toDecimal } from "../../../../src/kernel/decimal";
import { decimal, instant, line } from "../samples";
import { invoiceWorld } from "../support";

/** 100.00 at 19 % and 50.00 at 7 %: 172.50 with tax. */
const twoRates = [
	line({ amount: decimal(100), tax: decimal(19), taxPercentage: decimal(19) }),
	line({ amount: decimal(50), tax: decimal("3.5"), taxPercentage: decimal(7) }),
];

async function discountWorld(
	lines: NewInvoiceLine[] = twoRates,
	cashDiscount: object | null = { percentage: 2, days: 10 },
) {
	const world = invoiceWorld();
	const insist = async (method: string, path: string, body?: unknown) => {
		const answer = await world.call(method, path, { ...(body !== undefined && { body }) });
		if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
		return answer.body.data;
	};
	await insist("PATCH", "/customers/cust-1/invoicing", { cashDiscount });
	world.clock.at = instant("2026-02-01T08:00:00Z");
	const invoice = world.issue({ issuedAt: world.clock.at, currency: "eur", lines });
	world.clock.at = instant("2026-03-20T00:00:00Z");
	const path = `/customers/cust-1/invoices/${invoice.id}`;
	return {
		...world,
		invoice,
		path,
		insist,
		pay: (amount: number, paidDate = "2026-02-05T00:00:00Z") =>
			insist("POST", `${path}/payments`, { amount, paidDate }),
		notes: () => insist("GET", "/customers/cust-1/credit-notes"),
		checked: () => world.transactions.read(world.actor, checkInvoices),
		printed: () =>
			world.transactions.read(world.actor, (work) => {
				const row = getInvoice(work, invoice.id);
				return documentOf(row, linesByInvoice(work, [row]).get(row.id) ?? [], creditNotesOf(work, row));
			}),
	};
}

describe("a cash discount", () => {
	test("is stated on the invoice, by its amount and date", async () => {
		const world = await discountWorld();
		expect((await world.insist("GET", world.path)).cashDiscount).toEqual({
			percentage: 2,
			amount: 3.45,
			untilDate: "2026-02-11T08:00:00.000Z",
		});
		expect(world.printed().payment).toContain("If you pay by 11 Feb 2026: €169.05 (2% cash discount, €3.45 off).");
	});

	test("settles the invoice when the rest is paid in time: the discount is credited by tax rate", async () => {
		const world = await discountWorld();
		expect(await world.pay(169.05, "2026-02-11T23:59:59Z")).toMatchObject({ invoiceState: "PAID", balanceAmount: 0 });
		// 3.45 over 119.00 and 53.50: 2.38 and 1.07; with 0.38 and 0.07 of tax.
		expect(await world.notes()).toMatchObject([
			{
				reasonCode: "CASH_DISCOUNT",
				invoiceNumber: "INV-000001",
				subtotal: 3,
				tax: 0.45,
				total: 3.45,
				balanceAmount: 0,
				lineItems: [
					{ description: "Cash discount", amount: 2 },
					{ description: "Cash discount", amount: 1 },
				],
			},
		]);
		expect(await world.insist("GET", "/customers/cust-1/balance")).toEqual([]);
		expect(world.checked()).toEqual([]);
		// A later credit is limited to the amount that was paid.
		const credit = await world.insist("POST", `${world.path}/credit-note`, {});
		expect(credit).toMatchObject({ total: 169.05, balanceAmount: 169.05 });
		expect(world.checked()).toEqual([]);
	});

	test.each([
		["the day after", 169.05, "2026-02-12T00:00:00Z", "OPEN", 3.45],
		["a cent too little", 169.04, "2026-02-11T00:00:00Z", "OPEN", 3.46],
		["all of it", 172.5, "2026-02-11T00:00:00Z", "PAID", 0],
	])("is not used by a payment of %s", async (_, amount, at, invoiceState, amountDue) => {
		const world = await discountWorld();
		expect(await world.pay(amount, at)).toMatchObject({ invoiceState, amountDue });
		expect(await world.notes()).toEqual([]);
		expect(world.checked()).toEqual([]);
	});

	test("counts for payments in part, if all are in time; more than the rest leaves less discount", async () => {
		const world = await discountWorld();
		expect(await world.pay(100)).toMatchObject({ invoiceState: "OPEN", amountDue: 72.5 });
		expect(await world.pay(70)).toMatchObject({ invoiceState: "PAID", amountDue: 0 });
		expect(await world.notes()).toMatchObject([{ total: 2.5 }]);
		expect(world.checked()).toEqual([]);
	});

	test("does not count once a part was paid late", async () => {
		const world = await discountWorld();
		await world.pay(100, "2026-02-20T00:00:00Z");
		expect(await world.pay(69.05)).toMatchObject({ invoiceState: "OPEN", amountDue: 3.45 });
	});

	test("is a percentage of what a credit note leaves due", async () => {
		const world = await discountWorld();
		await world.insist("POST", `${world.path}/credit-note`, { amount: 72.5 });
		// 2 % of 100.00.
		expect(await world.pay(97.99)).toMatchObject({ invoiceState: "OPEN", amountDue: 2.01 });
		expect(await world.pay(0.01)).toMatchObject({ invoiceState: "PAID", amountDue: 0 });
		expect(world.checked()).toEqual([]);
	});

	test.each([
		["the customer's, in the place of the legal entity's", { percentage: 3, days: 5 }, 5.18],
		["the legal entity's, where the customer has none", null, 1.73],
		["none, where the customer's is 0 %", { percentage: 0, days: 1 }, null],
	])("comes from the terms: %s", async (_, ofCustomer, amount) => {
		const world = await discountWorld(twoRates, null);
		const [{ id }] = await world.insist("GET", "/legal-entities");
		await world.insist("PATCH", `/legal-entities/${id}`, { cashDiscount: { percentage: 1, days: 7 } });
		await world.insist("PATCH", "/customers/cust-1/invoicing", { cashDiscount: ofCustomer });
		const invoice = world.issue({ currency: "eur", lines: twoRates, issuedAt: world.clock.at });
		const { cashDiscount } = await world.insist("GET", `/customers/cust-1/invoices/${invoice.id}`);
		expect(cashDiscount?.amount ?? null).toBe(amount);
	});

	test.each([
		["percentage", { percentage: 100, days: 10 }],
		["percentage", { percentage: -1, days: 10 }],
		["days", { percentage: 2, days: 0 }],
		["days", { percentage: 2, days: 366 }],
		["days", { percentage: 2 }],
	])("refuses terms out of bounds: %s in %j", async (name, cashDiscount) => {
		const world = invoiceWorld();
		const { status, body } = await world.call("PATCH", "/customers/cust-1/invoicing", { body: { cashDiscount } });
		expect([status, body.code]).toEqual([400, "BadUserInput"]);
		expect(JSON.stringify(body)).toContain(name);
	});

	test("is covered by the invoice's seal; without one the seal is that of earlier releases", async () => {
		const { invoice } = await discountWorld();
		const { cashDiscount } = invoice;
		if (cashDiscount === null) throw new Error("The invoice has a cash discount.");
		expect(invoice.seal).toBe(sealOfInvoice(invoice));
		expect(invoice.seal).not.toBe(sealOfInvoice({ ...invoice, cashDiscount: null }));
		expect(invoice.seal).not.toBe(
			sealOfInvoice({ ...invoice, cashDiscount: { ...cashDiscount, amount: toDecimal("3.46") } }),
		);
	});
});
