import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { checkInvoices } from "../../../../src/areas/invoices/check/operations.sums";
import type { NewInvoiceLine } from "../../../../src/areas/invoices/new-documents";
import { totalsOf } from "../../../../src/areas/invoices/rules";
import { toDecimal } from "../../../../src/kernel/decimal";
import { slowRuns } from "../../../support/runs";
import { decimal, instant, line } from "../samples";
import { invoiceWorld } from "../support";

const now = instant("2026-02-20T12:00:00Z");
const taxed = { taxPercentage: decimal(20) };

/** 100 + 20 tax; 60 - 10 discount + 10 tax; usage of 40 + 8 tax. */
const three: readonly NewInvoiceLine[] = [
	line({ ...taxed, amount: decimal(100), tax: decimal(20), chargeId: "c-1" }),
	line({ ...taxed, kind: "AddonCharge", amount: decimal(60), discount: decimal(10), tax: decimal(10) }),
	line({ ...taxed, kind: "PayAsYouGoCharge", amount: decimal(40), tax: decimal(8) }),
];

function shop(lines = three, currency = "usd") {
	const world = invoiceWorld();
	world.clock.at = now;
	const invoice = world.issue({ lines, currency, issuedAt: instant("2026-02-01T00:00:00Z") });
	const path = `/customers/cust-1/invoices/${invoice.id}`;
	return {
		...world,
		invoice,
		credit: (body: unknown) => world.call("POST", `${path}/credit-note`, { body }),
		pay: (amount: number, kind = "PAYMENT") => world.call("POST", `${path}/payments`, { body: { amount, kind } }),
		voidNote: (id: string) => world.call("POST", `/customers/cust-1/credit-notes/${id}/void`),
		shown: async () => (await world.call("GET", "/invoices?number=INV-000001")).body.data[0],
		balance: async () => (await world.call("GET", "/customers/cust-1/balance")).body.data,
		check: () => world.transactions.read(world.actor, checkInvoices),
	};
}

const linesOf = ({ body }: { body: { data: { lineItems: Array<{ amount: number }> } } }) =>
	body.data.lineItems.map(({ amount }) => amount);

describe("a part of an invoice", () => {
	test("by an amount: with tax, from its lines in their order, but for usage", async () => {
		const ours = shop();
		const first = await ours.credit({ amount: 60, reasonCode: "SERVICE_UNSATISFACTORY" });
		expect(first).toMatchObject({
			status: 201,
			body: { data: { total: 60, tax: 10, subtotal: 50, reasonCode: "SERVICE_UNSATISFACTORY", state: "ISSUED" } },
		});
		const second = await ours.credit({ amount: 90 });
		expect(second.body.data).toMatchObject({ total: 90, tax: 15, subtotal: 80, discount: 5 });
		expect(linesOf(second)).toEqual([50, 30]);
		expect(await ours.credit({ amount: 30.01 })).toMatchObject({
			status: 400,
			body: { code: "InvalidArgumentError", message: expect.stringContaining("At most 30 ") },
		});
		expect((await ours.credit({})).body.data).toMatchObject({ total: 30 });
		expect(await ours.shown()).toMatchObject({ amountCredited: 180, amountDue: 48, state: "OPEN" });
		expect(ours.check()).toEqual([]);
	});

	test("by lines: all of them, or an amount of each, usage too", async () => {
		const ours = shop();
		const note = await ours.credit({ lines: [{ line: 3 }, { line: 1, amount: 12 }] });
		expect(note.body.data).toMatchObject({ total: 60, tax: 10 });
		expect(linesOf(note)).toEqual([40, 10]);
		for (const [lines, message] of [
			[[{ line: 3 }], "Nothing of line 3 of INV-000001 is left"],
			[[{ line: 1, amount: 108.01 }], "At most 108 of line 1"],
			[[{ line: 4 }], "its lines are 1 to 3"],
			[[{ line: 1 }, { line: 1 }], "twice"],
			[[{ line: 1, amount: 0.001 }], "2 decimals"],
		] as const)
			expect(await ours.credit({ lines })).toMatchObject({
				status: 400,
				body: { code: "InvalidArgumentError", message: expect.stringContaining(message) },
			});
		expect((await ours.credit({ lines: [{ line: 1 }] })).body.data).toMatchObject({
			total: 108,
			subtotal: 90,
			tax: 18,
		});
		// The rest of a whole credit is the addon.
		expect((await ours.credit({})).body.data.total).toBe(60);
		expect(await ours.shown()).toMatchObject({ amountDue: 0, state: "PAID" });
		expect(ours.check()).toEqual([]);
	});

	test.each([
		["both", { amount: 1, lines: [{ line: 1 }] }, "InvalidArgumentError"],
		["nothing", { amount: 0 }, "BadUserInput"],
		["no line", { lines: [] }, "BadUserInput"],
		["line 0", { lines: [{ line: 0 }] }, "BadUserInput"],
		["half a line", { lines: [{ line: 1.5 }] }, "BadUserInput"],
		["another key", { lines: [{ line: 1, quantity: 2 }] }, "BadUserInput"],
		["too many lines", { lines: Array.from({ length: 5001 }, (_, at) => ({ line: (at % 5000) + 1 })) }, "BadUserInput"],
		["another reason", { amount: 1, reasonCode: "MOOD" }, "BadUserInput"],
	])("%s is refused", async (_, body, code) => {
		const ours = shop();
		expect(await ours.credit(body)).toMatchObject({ status: 400, body: { code } });
		expect(await ours.shown()).toMatchObject({ amountCredited: 0 });
	});

	test("whatever is credited in whatever order, it is never more than there was, and every figure sums up", async () => {
		const amounts = fc.integer({ min: 1, max: 12_000 }).map((cents) => cents / 100);
		const parts = fc.array(
			fc.oneof(
				amounts.map((amount) => ({ amount })),
				fc.record({ line: fc.integer({ min: 1, max: 3 }), amount: amounts }).map((one) => ({ lines: [one] })),
				fc.constant({}),
				amounts.map((pay) => ({ pay })),
			),
			{ maxLength: 9 },
		);
		await fc.assert(
			fc.asyncProperty(parts, async (all) => {
				const ours = shop();
				let credited = 0;
				for (const part of all) {
					if ("pay" in part) await ours.pay(part.pay);
					else {
						const { status, body } = await ours.credit(part);
						if (status === 201) credited += Math.round(body.data.total * 100);
						if ("amount" in part && status === 201) expect(body.data.total).toBe(part.amount);
					}
					expect(ours.check()).toEqual([]);
				}
				expect(credited).toBeLessThanOrEqual(Number(totalsOf({ lines: three, currency: "usd" }).total) * 100);
			}),
			slowRuns(20),
		);
	});

	test("no fraction is lost where there are no decimals", async () => {
		const ours = shop([line({ ...taxed, amount: decimal(999), tax: decimal(200) })], "jpy");
		expect((await ours.credit({ amount: 7 })).body.data).toMatchObject({ total: 7, tax: 1, subtotal: 6 });
		expect((await ours.credit({})).body.data).toMatchObject({ total: 1192, tax: 199 });
		expect((await ours.credit({ amount: 0.5 })).status).toBe(400);
		expect(ours.check()).toEqual([]);
	});
});

describe("a credit note that was not used", () => {
	test("is reversed: the amount it deducted is due again, its number stays used, and it counts for nothing", async () => {
		const ours = shop();
		const { creditNoteId } = (await ours.credit({ amount: 60 })).body.data;
		expect(await ours.shown()).toMatchObject({ amountDue: 168 });
		const voided = await ours.voidNote(creditNoteId);
		expect(voided).toMatchObject({
			status: 200,
			body: { data: { state: "VOIDED", voidedDate: "2026-02-20T12:00:00.000Z", total: 60 } },
		});
		expect(await ours.shown()).toMatchObject({ amountDue: 228, amountCredited: 0 });
		expect(await ours.voidNote(creditNoteId)).toMatchObject({
			status: 400,
			body: { code: "InvalidArgumentError", message: expect.stringContaining("VOIDED already") },
		});
		expect((await ours.credit({})).body.data).toMatchObject({ total: 180, creditNoteNumber: "CN-000002" });
		expect(ours.check()).toEqual([]);
	});

	test("releases the amount that the balance received, as long as the balance still has it", async () => {
		const ours = shop();
		await ours.pay(228);
		const { creditNoteId } = (await ours.credit({ lines: [{ line: 2 }] })).body.data;
		expect(await ours.balance()).toEqual([{ amount: 60, currency: "usd" }]);
		await ours.pay(15, "REFUND");
		expect((await ours.voidNote(creditNoteId)).body.message).toContain("only 45 left");
		await ours.call("POST", "/customers/cust-1/balance/entries", {
			body: { amount: 15, currency: "usd", reason: "the refund came back" },
		});
		expect((await ours.voidNote(creditNoteId)).status).toBe(200);
		expect(await ours.balance()).toEqual([]);
		expect(ours.check()).toEqual([]);
	});

	test("but not once its invoice is settled, nor one that a change brought about", async () => {
		const ours = shop();
		const { creditNoteId } = (await ours.credit({ lines: [{ line: 1 }, { line: 2 }, { line: 3 }] })).body.data;
		expect((await ours.voidNote(creditNoteId)).body.message).toContain("is PAID, and stays so");
		expect((await ours.call("POST", "/customers/cust-2/credit-notes/none/void")).status).toBe(404);
		expect((await ours.call("POST", `/customers/cust-2/credit-notes/${creditNoteId}/void`)).status).toBe(404);
	});
});

test("a line of a charge whose rest was credited elsewhere is credited by what is left", async () => {
	const ours = shop([line({ amount: decimal(30), chargeId: "c" })]);
	ours.issue({ lines: [line({ amount: toDecimal(-20), chargeId: "c" }), line({ amount: decimal(50) })] });
	expect((await ours.credit({ amount: 10.01 })).body.message).toContain("At most 10 ");
	expect((await ours.credit({ lines: [{ line: 1 }] })).body.data.total).toBe(10);
});

test("credits any line of an invoice of 2,500 lines, and all of them in one note", async () => {
	const ours = shop(Array.from({ length: 2500 }, () => line({ amount: decimal(1) })));
	expect((await ours.credit({ lines: [{ line: 2500, amount: 0.25 }] })).body.data.total).toBe(0.25);
	const all = { lines: Array.from({ length: 2500 }, (_, at) => ({ line: at + 1 })) };
	expect((await ours.credit(all)).body.data.total).toBe(2499.75);
	expect((await ours.credit({ lines: [{ line: 5001 }] })).body.message).toContain("5000");
	expect(ours.check()).toEqual([]);
});
