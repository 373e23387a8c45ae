import { describe, expect, test } from "bun:test";
import { checkInvoices } from "../../../src/areas/invoices/check/operations.sums";
import { getInvoice } from "../../../src/areas/invoices/operations";
import { invoices } from "../../../src/areas/invoices/table";
import { allocations } from "../../../src/areas/invoices/table.receipts";
import { toDecimal } from "../../../src/kernel/decimal";
import { decimal, instant, line } from "./samples";
import { invoiceWorld } from "./support";

const now = instant("2026-02-20T12:00:00Z");

function paidWorld(amount = 100) {
	const world = invoiceWorld();
	world.clock.at = now;
	const invoice = world.issue({
		lines: [line({ amount: decimal(amount) })],
		issuedAt: instant("2026-02-01T00:00:00Z"),
	});
	const path = `/customers/cust-1/invoices/${invoice.id}`;
	return {
		...world,
		invoice,
		path,
		pay: (body: unknown, key?: string) => world.call("POST", `${path}/payments`, { body, ...(key && { key }) }),
		payments: async () => (await world.call("GET", `${path}/payments`)).body.data,
		balance: async () => (await world.call("GET", "/customers/cust-1/balance")).body.data,
		check: () => world.transactions.read(world.actor, checkInvoices),
		state: () => world.transactions.read(world.actor, (work) => getInvoice(work, invoice.id)),
	};
}

describe("payments", () => {
	test("in part, then the rest: PAID on the date of the last; what is beyond goes to the balance", async () => {
		const world = paidWorld();
		const first = await world.pay({ amount: 30.5, method: "CARD", paidDate: "2026-02-03T00:00:00Z", note: "by phone" });
		expect(first.status).toBe(201);
		expect(first.body.data).toEqual({
			paymentId: expect.any(String),
			invoiceId: world.invoice.id,
			kind: "PAYMENT",
			amount: 30.5,
			currency: "usd",
			balanceAmount: 0,
			method: "CARD",
			reference: null,
			note: "by phone",
			paidDate: "2026-02-03T00:00:00.000Z",
			createdAt: "2026-02-20T12:00:00.000Z",
			invoiceState: "OPEN",
			amountDue: 69.5,
		});
		expect(world.state().revision).toBe(2);
		const second = await world.pay({ amount: 70, paidDate: "2026-02-09T00:00:00Z" });
		expect(second.body.data).toMatchObject({ balanceAmount: 0.5, method: "OTHER", invoiceState: "PAID", amountDue: 0 });
		expect(world.state()).toMatchObject({ paidAt: instant("2026-02-09T00:00:00Z"), amountPaid: "100" });
		expect(await world.balance()).toEqual([{ amount: 0.5, currency: "usd" }]);
		expect((await world.payments()).map(({ amount }: { amount: number }) => amount)).toEqual([70, 30.5]);
		expect(world.check()).toEqual([]);
	});

	test("marking as paid is a payment of what is due", async () => {
		const world = paidWorld();
		await world.pay({ amount: 40 });
		expect((await world.call("POST", `${world.path}/paid`, { body: {} })).body.data).toMatchObject({ state: "PAID" });
		expect(await world.payments()).toMatchObject([{ amount: 60, method: "OTHER", reference: null }, { amount: 40 }]);
		expect(world.check()).toEqual([]);
	});

	test("an invoice that is issued as paid has a payment", async () => {
		const world = paidWorld();
		const paid = world.issue({ paidAt: now });
		const { body } = await world.call("GET", `/customers/cust-1/invoices/${paid.id}/payments`);
		expect(body.data).toMatchObject([{ amount: Number(paid.total), kind: "PAYMENT" }]);
		expect(world.check()).toEqual([]);
	});

	test("a reference counts once for each invoice and kind; another amount under it is refused", async () => {
		const world = paidWorld();
		const reported = { amount: 25, reference: "statement 7, line 3" };
		const first = await world.pay(reported);
		await world.pay({ amount: 75 });
		// Reported again when the invoice is paid.
		const again = await world.pay(reported);
		expect(again).toMatchObject({ status: 201, body: { data: { paymentId: first.body.data.paymentId } } });
		expect(await world.payments()).toHaveLength(2);
		expect(await world.pay({ ...reported, amount: 26 })).toMatchObject({
			status: 400,
			body: { code: "InvalidArgumentError", message: expect.stringContaining("statement 7, line 3") },
		});
		const other = world.issue();
		const elsewhere = await world.call("POST", `/customers/cust-1/invoices/${other.id}/payments`, { body: reported });
		expect(elsewhere.body.data.paymentId).not.toBe(first.body.data.paymentId);
		expect(world.check()).toEqual([]);
	});

	test("a refund of an OPEN invoice is due again; of a PAID one it comes from what was credited", async () => {
		const world = paidWorld();
		await world.pay({ amount: 60 });
		expect((await world.pay({ amount: 10, kind: "REFUND" })).body.data).toMatchObject({
			kind: "REFUND",
			amountDue: 50,
		});
		await world.pay({ amount: 50 });
		const early = await world.pay({ amount: 20, kind: "REFUND" });
		expect(early).toMatchObject({ status: 400, body: { message: expect.stringContaining("credit note") } });
		await world.call("POST", `${world.path}/credit-note`, { body: {} });
		expect(await world.balance()).toEqual([{ amount: 100, currency: "usd" }]);
		const back = await world.pay({ amount: 20, kind: "REFUND", reference: "out 1" });
		expect(back.body.data).toMatchObject({ balanceAmount: 20, invoiceState: "PAID" });
		expect(await world.balance()).toEqual([{ amount: 80, currency: "usd" }]);
		expect(world.state().amountPaid).toBe(toDecimal(100));
		const tooMuch = await world.pay({ amount: 80.01, kind: "REFUND" });
		expect(tooMuch).toMatchObject({ status: 400, body: { message: expect.stringContaining("80") } });
		expect(world.check()).toEqual([]);
		const { body } = await world.call("GET", "/customers/cust-1/balance/entries?currency=usd");
		expect(body.data).toMatchObject([
			{ kind: "REFUNDED", amount: -20, balance: 80, paymentId: back.body.data.paymentId, invoiceId: null },
			{ kind: "CREDITED", amount: 100, balance: 100, paymentId: null },
		]);
	});

	test.each([
		["nothing", { amount: 0 }, 400, "BadUserInput"],
		["less than nothing", { amount: -1 }, 400, "BadUserInput"],
		["too much", { amount: 1e14 }, 400, "BadUserInput"],
		["a part of a cent", { amount: 1.005 }, 400, "InvalidArgumentError"],
		["a date to come", { amount: 1, paidDate: "2027-01-01T00:00:00Z" }, 400, "InvalidArgumentError"],
		["a date before the issue", { amount: 1, paidDate: "2026-01-01T00:00:00Z" }, 400, "InvalidArgumentError"],
		["a refund of more than was paid", { amount: 1, kind: "REFUND" }, 400, "InvalidArgumentError"],
		["another kind", { amount: 1, kind: "GIFT" }, 400, "BadUserInput"],
		["another method", { amount: 1, method: "BARTER" }, 400, "BadUserInput"],
		["an empty reference", { amount: 1, reference: "" }, 400, "BadUserInput"],
		["a reference that is too long", { amount: 1, reference: "r".repeat(256) }, 400, "BadUserInput"],
		["a note that is too long", { amount: 1, note: "n".repeat(501) }, 400, "BadUserInput"],
	])("%s is refused, and nothing is kept", async (_, body, status, code) => {
		const world = paidWorld();
		expect(await world.pay(body)).toMatchObject({ status, body: { code } });
		expect(await world.payments()).toEqual([]);
		expect(world.state().revision).toBe(1);
	});

	test("a PAID or CANCELED invoice accepts no payment, and another environment sees none", async () => {
		const world = paidWorld();
		await world.pay({ amount: 100 });
		expect(await world.pay({ amount: 1 })).toMatchObject({
			status: 404,
			body: { code: "BillingInvoiceStatusError", message: expect.stringContaining("PAID") },
		});
		expect((await world.pay({ amount: 1 }, world.foreignKey)).status).toBe(404);
		expect((await world.call("GET", `${world.path}/payments`, { key: world.foreignKey })).status).toBe(404);
	});

	test("are listed in pages, by a cursor of the same invoice", async () => {
		const world = paidWorld();
		for (let at = 1; at <= 5; at += 1) await world.pay({ amount: at });
		const page = (query: string) => world.call("GET", `${world.path}/payments?${query}`);
		const first = (await page("limit=2")).body;
		expect(first.data.map(({ amount }: { amount: number }) => amount)).toEqual([5, 4]);
		const second = (await page(`limit=2&after=${first.pagination.next}`)).body;
		expect(second.data.map(({ amount }: { amount: number }) => amount)).toEqual([3, 2]);
		const other = world.issue();
		const path = `/customers/cust-1/invoices/${other.id}/payments?after=${first.pagination.next}`;
		expect((await world.call("GET", path)).status).toBe(400);
	});

	test("are refunded in full: of an OPEN invoice all is due again, of a PAID one the whole balance is paid back", async () => {
		const world = paidWorld();
		await world.pay({ amount: 40 });
		expect((await world.pay({ kind: "REFUND", amount: 40.01 })).status).toBe(400);
		expect((await world.pay({ kind: "REFUND", amount: 40 })).body.data).toMatchObject({
			balanceAmount: 0,
			invoiceState: "OPEN",
			amountDue: 100,
		});
		await world.pay({ amount: 125 });
		expect(await world.balance()).toEqual([{ amount: 25, currency: "usd" }]);
		expect(await world.pay({ kind: "REFUND", amount: 25.01 })).toMatchObject({
			status: 400,
			body: { code: "InvalidArgumentError", message: expect.stringContaining("balance, which is 25.") },
		});
		expect((await world.pay({ kind: "REFUND", amount: 25 })).body.data).toMatchObject({
			balanceAmount: 25,
			invoiceState: "PAID",
			amountDue: 0,
		});
		expect(await world.balance()).toEqual([]);
		expect(world.check()).toEqual([]);
	});

	test("on a PAID invoice are refunded to the last cent that they brought", async () => {
		const world = paidWorld();
		await world.pay({ amount: 100 });
		const more = { amount: 500, currency: "usd", reason: "Goodwill" };
		await world.call("POST", "/customers/cust-1/balance/entries", { body: more });
		expect((await world.pay({ kind: "REFUND", amount: 100.01 })).body.message).toContain("At most 100 of");
		expect((await world.pay({ kind: "REFUND", amount: 100 })).status).toBe(201);
		expect((await world.pay({ kind: "REFUND", amount: 0.01 })).body.message).toContain("At most 0 of");
		expect(await world.balance()).toEqual([{ amount: 400, currency: "usd" }]);
		expect(world.check()).toEqual([]);
	});

	test("no cent is lost in currencies without decimals, and with three", async () => {
		const world = paidWorld();
		const yen = world.issue({ currency: "jpy", lines: [line({ amount: decimal(500) })] });
		const dinar = world.issue({ currency: "kwd", lines: [line({ amount: toDecimal("1.234") })] });
		const pay = (id: string, amount: number) =>
			world.call("POST", `/customers/cust-1/invoices/${id}/payments`, { body: { amount } });
		expect((await pay(yen.id, 0.5)).body.message).toContain("no decimals");
		expect((await pay(yen.id, 501)).body.data).toMatchObject({ balanceAmount: 1, invoiceState: "PAID" });
		expect((await pay(dinar.id, 1.233)).body.data).toMatchObject({ amountDue: 0.001, invoiceState: "OPEN" });
		expect(await world.balance()).toEqual([{ amount: 1, currency: "jpy" }]);
	});
});

describe("a balance", () => {
	const adjust = (world: ReturnType<typeof paidWorld>, body: unknown) =>
		world.call("POST", "/customers/cust-1/balance/entries", { body });

	test("is adjusted with a reason, and pays the next invoice", async () => {
		const world = paidWorld();
		const given = await adjust(world, { amount: 12.5, currency: "usd", reason: "Goodwill" });
		expect(given).toMatchObject({
			status: 201,
			body: { data: { kind: "ADJUSTED", balance: 12.5, reason: "Goodwill" } },
		});
		expect(await adjust(world, { amount: -12.51, currency: "usd", reason: "back" })).toMatchObject({
			status: 400,
			body: { code: "InvalidArgumentError", message: expect.stringContaining("12.5") },
		});
		expect((await adjust(world, { amount: -2.5, currency: "usd", reason: "back" })).body.data.balance).toBe(10);
		expect(world.issue({ lines: [line({ amount: decimal(40) })] })).toMatchObject({ balanceApplied: "10" });
		const entries = async (query = "") =>
			(await world.call("GET", `/customers/cust-1/balance/entries${query}`)).body.data.map(
				({ kind, amount }: { kind: string; amount: number }) => [kind, amount],
			);
		expect(await entries()).toEqual([
			["APPLIED", -10],
			["ADJUSTED", -2.5],
			["ADJUSTED", 12.5],
		]);
		expect(await entries("?currency=eur")).toEqual([]);
		expect(await entries("?limit=1")).toHaveLength(1);
		expect(world.check()).toEqual([]);
	});

	test("is taken whole, and then there is none", async () => {
		const world = paidWorld();
		await adjust(world, { amount: 12.5, currency: "usd", reason: "Goodwill" });
		expect(await adjust(world, { amount: -12.5, currency: "usd", reason: "back" })).toMatchObject({
			status: 201,
			body: { data: { amount: -12.5, balance: 0 } },
		});
		expect(await world.balance()).toEqual([]);
		expect((await adjust(world, { amount: -0.01, currency: "usd", reason: "back" })).status).toBe(400);
		expect(world.issue({ lines: [line({ amount: decimal(40) })] })).toMatchObject({
			state: "OPEN",
			balanceApplied: "0",
		});
		expect(world.check()).toEqual([]);
	});

	test.each([
		["nothing", { amount: 0, currency: "usd", reason: "so" }, "InvalidArgumentError"],
		["a part of a cent", { amount: 0.001, currency: "usd", reason: "so" }, "InvalidArgumentError"],
		["no reason", { amount: 1, currency: "usd" }, "BadUserInput"],
		["an empty reason", { amount: 1, currency: "usd", reason: "" }, "BadUserInput"],
		["an unknown currency", { amount: 1, currency: "zzz", reason: "so" }, "BadUserInput"],
		["another key", { amount: 1, currency: "usd", reason: "so", kind: "CREDITED" }, "BadUserInput"],
	])("%s is refused", async (_, body, code) => {
		const world = paidWorld();
		expect(await adjust(world, body)).toMatchObject({ status: 400, body: { code } });
		expect(await world.balance()).toEqual([]);
	});
});

test("the check tells what does not agree", async () => {
	const world = paidWorld();
	await world.pay({ amount: 130 });
	const spoil = (change: (tx: Parameters<Parameters<typeof world.transactions.write>[1]>[0]["tx"]) => void) =>
		world.transactions.write(world.actor, ({ tx }) => change(tx));
	spoil((tx) =>
		tx
			.update(invoices)
			.set({ amountPaid: decimal(90) })
			.run(),
	);
	expect(world.check()).toEqual([expect.stringContaining("amountPaid is 90, its payments make 100")]);
	spoil((tx) =>
		tx
			.update(allocations)
			.set({ amount: decimal(120) })
			.run(),
	);
	expect(world.check()).toEqual([expect.stringContaining("is PAID, and 10 of it is not")]);
	spoil((tx) =>
		tx
			.update(allocations)
			.set({ amount: decimal(130), balancePart: decimal(40) })
			.run(),
	);
	expect(world.check().join()).toContain("and the balance do not agree");
});
