import { describe, expect, test } from "bun:test";
import { cancelInvoice } from "../../../../src/areas/invoices/operations";
import { receiptWorld } from "../receipts/receipt-world";
import { instant } from "../samples";

function paidWorld(amount = 100) {
	const world = receiptWorld();
	const invoice = world.bill(amount);
	const path = `/customers/cust-1/invoices/${invoice.id}`;
	const post = async (tail: string, body: unknown) => {
		const { status, body: answer } = await world.call("POST", `${path}${tail}`, { body });
		return { status, ...answer, data: answer.data };
	};
	return {
		...world,
		invoice,
		path,
		post,
		pay: async (body: object) => (await post("/payments", body)).data,
		reverse: (id: string, body: object = { reason: "RETURNED" }) => post(`/payments/${id}/reverse`, body),
		payments: async () => (await world.call("GET", `${path}/payments`)).body.data,
		state: () => world.state(invoice.id),
	};
}

describe("a reversed payment (money-and-books.md, section 3)", () => {
	test("opens the PAID invoice again, with the same due date, and emits invoice.payment_reversed", async () => {
		const world = paidWorld();
		const { paymentId } = await world.pay({ amount: 100, method: "CARD" });
		const before = world.state();
		world.clock.at = instant("2026-02-21T00:00:00Z");
		const reversed = await world.reverse(paymentId, { reason: "CHARGEBACK", reference: "case 7" });
		expect(reversed.status).toBe(201);
		expect(reversed.data).toEqual({
			paymentId: expect.any(String),
			invoiceId: world.invoice.id,
			kind: "REVERSAL",
			amount: 100,
			currency: "usd",
			balanceAmount: 0,
			method: "CARD",
			reference: null,
			note: null,
			paidDate: "2026-02-20T12:00:00.000Z",
			createdAt: "2026-02-21T00:00:00.000Z",
			reversesPaymentId: paymentId,
			reason: "CHARGEBACK",
			invoiceState: "OPEN",
			amountDue: 100,
		});
		expect(world.state()).toMatchObject({ state: "OPEN", paidAt: null, amountPaid: "0", dueAt: before.dueAt });
		expect(world.events().at(-1)).toBe("invoice.payment_reversed");
		expect(world.check()).toEqual([]);
		// It can be paid again.
		expect(await world.pay({ amount: 100 })).toMatchObject({ invoiceState: "PAID", amountDue: 0 });
		expect(world.check()).toEqual([]);
	});

	test("takes the excess of an overpayment from the balance", async () => {
		const world = paidWorld();
		const { paymentId } = await world.pay({ amount: 120 });
		expect(await world.balance()).toBe(20);
		expect((await world.reverse(paymentId)).data).toMatchObject({ amount: 120, balanceAmount: 20, amountDue: 100 });
		expect(await world.balance()).toBe(0);
		expect(world.check()).toEqual([]);
	});

	test("is rejected while the balance has less than it must give, and leaves no trace", async () => {
		const world = paidWorld();
		const { paymentId } = await world.pay({ amount: 120 });
		await world.call("POST", "/customers/cust-1/balance/entries", {
			body: { amount: -15, currency: "usd", reason: "spent" },
		});
		const rejected = await world.reverse(paymentId);
		expect(rejected).toMatchObject({ status: 400, code: "InvalidArgumentError" });
		expect(rejected.message).toContain("20 of the payment");
		expect(world.state()).toMatchObject({ state: "PAID", amountPaid: "100" });
		expect(await world.balance()).toBe(5);
		expect(world.check()).toEqual([]);
	});

	test("takes the credit of a credited invoice from the balance first; the rest is due", async () => {
		const world = paidWorld();
		const { paymentId } = await world.pay({ amount: 100 });
		await world.post("/credit-note", { amount: 40 });
		expect(await world.balance()).toBe(40);
		expect((await world.reverse(paymentId)).data).toMatchObject({
			balanceAmount: 40,
			invoiceState: "OPEN",
			amountDue: 60,
		});
		expect(await world.balance()).toBe(0);
		expect(world.check()).toEqual([]);
	});

	test("leaves a fully credited invoice PAID: the balance gives all of it", async () => {
		const world = paidWorld();
		const { paymentId } = await world.pay({ amount: 100 });
		await world.post("/credit-note", {});
		expect((await world.reverse(paymentId)).data).toMatchObject({ balanceAmount: 100, invoiceState: "PAID" });
		expect(await world.balance()).toBe(0);
		expect(world.check()).toEqual([]);
	});

	test("reverses the rest of a payment that was refunded in part", async () => {
		const world = paidWorld();
		const { paymentId } = await world.pay({ amount: 60 });
		await world.pay({ amount: 25, kind: "REFUND" });
		expect((await world.reverse(paymentId, { reason: "RETURNED" })).data).toMatchObject({
			amount: 35,
			invoiceState: "OPEN",
			amountDue: 100,
		});
		expect(world.check()).toEqual([]);
		expect((await world.post("/payments", { amount: 1, kind: "REFUND" })).status).toBe(400);
	});

	test("takes the payment of a CANCELED invoice from the balance", async () => {
		const world = paidWorld();
		const { paymentId } = await world.pay({ amount: 60 });
		world.transactions.write(world.actor, (work) => cancelInvoice(work, world.invoice.id));
		expect(await world.balance()).toBe(60);
		expect((await world.reverse(paymentId)).data).toMatchObject({ balanceAmount: 60, invoiceState: "CANCELED" });
		expect(await world.balance()).toBe(0);
		expect(world.check()).toEqual([]);
	});

	test.each([
		["an unknown payment", (id: string) => `${id}x`, { reason: "RETURNED" }],
		["a date before the payment", (id: string) => id, { reason: "RETURNED", reversedDate: "2026-02-01T00:00:00Z" }],
		["a date in the future", (id: string) => id, { reason: "RETURNED", reversedDate: "2027-02-01T00:00:00Z" }],
	])("is rejected for %s", async (_, idOf, body) => {
		const world = paidWorld();
		const { paymentId } = await world.pay({ amount: 100 });
		expect(await world.reverse(idOf(paymentId), body)).toMatchObject({ status: 400, code: "InvalidArgumentError" });
		expect(world.state().state).toBe("PAID");
		expect(await world.payments()).toHaveLength(1);
	});

	test.each([
		{},
		{ reason: "OTHER" },
		{ reason: 7 },
		{ reason: "RETURNED", note: "" },
		{ reason: "RETURNED", reference: "x".repeat(256) },
		{ reason: "RETURNED", amount: 0 },
		{ reason: "RETURNED", amount: -5 },
	])("is rejected with the body %p", async (body) => {
		const world = paidWorld();
		const { paymentId } = await world.pay({ amount: 100 });
		expect(await world.reverse(paymentId, body)).toMatchObject({ status: 400, code: "BadUserInput" });
		expect(world.state().state).toBe("PAID");
	});

	test("is rejected twice, and for a refund", async () => {
		const world = paidWorld();
		const { paymentId } = await world.pay({ amount: 60 });
		const refund = await world.pay({ amount: 10, kind: "REFUND" });
		expect((await world.reverse(refund.paymentId)).status).toBe(400);
		expect((await world.reverse(paymentId)).status).toBe(201);
		expect(await world.reverse(paymentId)).toMatchObject({ status: 400, code: "InvalidArgumentError" });
		expect(world.check()).toEqual([]);
	});
});
