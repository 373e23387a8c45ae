import { describe, expect, test } from "bun:test";
import { instant } from "../samples";
import { anotherIssuer } from "../support";
import { receiptWorld } from "./receipt-world";

describe("a receipt (money-and-books.md, section 3)", () => {
	test("pays several invoices, and the rest is unallocated", async () => {
		const world = receiptWorld();
		const [one, two] = [world.bill(60), world.bill(90)];
		const recorded = await world.record({
			...{ amount: 170, method: "BANK_TRANSFER", reference: "s-1", note: "two bills" },
			receivedDate: "2026-02-18T00:00:00Z",
			allocations: [
				{ invoiceId: one.id, amount: 60 },
				{ invoiceId: two.id, amount: 80 },
			],
		});
		expect(recorded.status).toBe(201);
		const allocation = {
			...{ allocationId: expect.any(String), kind: "PAYMENT", balanceAmount: 0 },
			...{ reversesAllocationId: null, reason: null, createdAt: "2026-02-20T12:00:00.000Z" },
		};
		expect(recorded.data).toEqual({
			receiptId: expect.any(String),
			number: "R-000001",
			kind: "PAYMENT",
			customerId: "cust-1",
			legalEntityId: one.legalEntityId,
			amount: 170,
			currency: "usd",
			unallocatedAmount: 30,
			refundedAmount: 0,
			disputedAmount: 0,
			method: "BANK_TRANSFER",
			source: "MANUAL",
			reason: null,
			reference: "s-1",
			note: "two bills",
			receivedDate: "2026-02-18T00:00:00.000Z",
			createdAt: "2026-02-20T12:00:00.000Z",
			allocations: [
				{ ...allocation, invoiceId: one.id, amount: 60 },
				{ ...allocation, invoiceId: two.id, amount: 80 },
			],
			refunds: [],
			refundOf: [],
		});
		expect(world.state(one.id)).toMatchObject({ state: "PAID", paidAt: instant("2026-02-18T00:00:00Z") });
		expect(world.state(two.id)).toMatchObject({ state: "OPEN", amountPaid: "80" });
		expect(await world.receipt(recorded.data.receiptId)).toEqual(recorded.data);
		expect((await world.send("GET", "/receipts?unallocated=true")).data).toMatchObject([{ unallocatedAmount: 30 }]);
		expect(world.events()).toContain("receipt.created");
		expect(world.check()).toEqual([]);
	});

	test("adds the rest to the balance on request, or later", async () => {
		const world = receiptWorld();
		const invoice = world.bill(60);
		const allocations = [{ invoiceId: invoice.id, amount: 60 }];
		expect((await world.record({ excess: "BALANCE", allocations })).data).toMatchObject({
			unallocatedAmount: 0,
			allocations: [{ amount: 60 }, { invoiceId: null, amount: 40, balanceAmount: 40 }],
		});
		expect(await world.balance()).toBe(40);
		const { receiptId } = (await world.record({ amount: 7 })).data;
		const moved = await world.post(`/receipts/${receiptId}/allocations`, { excess: "BALANCE" });
		expect(moved).toMatchObject({ status: 201, data: { unallocatedAmount: 0 } });
		expect(await world.balance()).toBe(47);
		expect((await world.send("GET", "/receipts?unallocated=true")).data).toEqual([]);
		expect(world.check()).toEqual([]);
	});

	test("pays an invoice that was issued after the money arrived", async () => {
		const world = receiptWorld();
		const { receiptId } = (await world.record({ receivedDate: "2026-01-05T00:00:00Z" })).data;
		const invoice = world.bill(80);
		const allocations = [{ invoiceId: invoice.id, amount: 80 }];
		const paid = await world.post(`/receipts/${receiptId}/allocations`, { allocations });
		expect(paid.data).toMatchObject({ unallocatedAmount: 20 });
		expect(world.state(invoice.id)).toMatchObject({ state: "PAID", paidAt: invoice.issuedAt });
		const payments = await world.send("GET", `/customers/cust-1/invoices/${invoice.id}/payments`);
		expect(payments.data).toMatchObject([{ amount: 80, paidDate: "2026-01-05T00:00:00.000Z" }]);
		expect(world.check()).toEqual([]);
	});

	test("is recorded once for each reference of a customer", async () => {
		const world = receiptWorld();
		const first = await world.record({ reference: "s-1" });
		expect((await world.record({ reference: "s-1" })).data).toEqual(first.data);
		expect(await world.record({ reference: "s-1", amount: 99 })).toMatchObject({
			status: 400,
			code: "InvalidArgumentError",
		});
		const other = await world.record({ reference: "s-1", customerId: "cust-2" });
		expect(other.data.receiptId).not.toBe(first.data.receiptId);
		expect((await world.send("GET", "/receipts")).data).toHaveLength(2);
		expect((await world.send("GET", "/receipts?customerId=cust-2")).data).toMatchObject([{ customerId: "cust-2" }]);
	});

	test("undoes an allocation: the invoice is OPEN again, and the money can pay another one or be refunded", async () => {
		const world = receiptWorld();
		const [wrong, right] = [world.bill(100), world.bill(70)];
		const allocations = [{ invoiceId: wrong.id, amount: 100 }];
		const { receiptId, allocations: made } = (await world.record({ allocations })).data;
		const undone = await world.post(`/receipts/${receiptId}/allocations/${made[0].allocationId}/reverse`, {});
		expect(undone).toMatchObject({
			status: 201,
			data: { unallocatedAmount: 100, allocations: [{}, { kind: "REVERSAL", reason: "MISALLOCATED", amount: 100 }] },
		});
		expect(world.state(wrong.id)).toMatchObject({ state: "OPEN", amountPaid: "0", paidAt: null });
		expect(world.events().at(-1)).toBe("receipt.allocation_reversed");
		await world.post(`/receipts/${receiptId}/allocations`, { allocations: [{ invoiceId: right.id, amount: 70 }] });
		expect(world.state(right.id).state).toBe("PAID");
		const refund = await world.post(`/receipts/${receiptId}/refunds`, { amount: 30, reference: "r-1" });
		expect(refund).toMatchObject({
			status: 201,
			data: { kind: "REFUND", amount: 30, refundOf: [{ receiptId, amount: 30 }], allocations: [] },
		});
		expect(await world.receipt(receiptId)).toMatchObject({ unallocatedAmount: 0, refundedAmount: 30 });
		expect(world.check()).toEqual([]);
	});

	test("undoes a part of an allocation", async () => {
		const world = receiptWorld();
		const invoice = world.bill(100);
		const { receiptId, allocations } = (await world.record({ allocations: [{ invoiceId: invoice.id, amount: 100 }] }))
			.data;
		const path = `/receipts/${receiptId}/allocations/${allocations[0].allocationId}/reverse`;
		expect((await world.post(path, { amount: 30 })).data).toMatchObject({ unallocatedAmount: 30 });
		expect(world.state(invoice.id)).toMatchObject({ state: "OPEN", amountPaid: "70" });
		expect((await world.post(path, { amount: 71 })).status).toBe(400);
		expect((await world.post(path, {})).data).toMatchObject({ unallocatedAmount: 100 });
		expect(await world.post(path, {})).toMatchObject({ status: 400, code: "InvalidArgumentError" });
		expect(world.check()).toEqual([]);
	});
});

describe("a refund of a receipt", () => {
	test("comes from a credit note's overpayment, and never reopens the invoice", async () => {
		const world = receiptWorld();
		const invoice = world.bill(100);
		const { receiptId } = (await world.record({ allocations: [{ invoiceId: invoice.id, amount: 100 }] })).data;
		const path = `/receipts/${receiptId}/refunds`;
		expect(await world.post(path, { amount: 40 })).toMatchObject({ status: 400, code: "InvalidArgumentError" });
		await world.credit(invoice.id, { amount: 40 });
		expect((await world.post(path, { amount: 40, reference: "r-1" })).data).toMatchObject({
			allocations: [{ kind: "REFUND", invoiceId: invoice.id, amount: 40, balanceAmount: 40 }],
		});
		// A repeated reference means the same refund.
		expect((await world.post(path, { amount: 40, reference: "r-1" })).status).toBe(201);
		expect((await world.post(path, { amount: 41, reference: "r-1" })).status).toBe(400);
		expect(world.state(invoice.id)).toMatchObject({ state: "PAID", amountPaid: "100" });
		expect(await world.balance()).toBe(0);
		expect(await world.receipt(receiptId)).toMatchObject({ refundedAmount: 40 });
		expect(world.check()).toEqual([]);
	});

	test("never exceeds what arrived, less what was refunded or withdrawn", async () => {
		const world = receiptWorld();
		await world.post("/customers/cust-1/balance/entries", { amount: 500, currency: "usd", reason: "goodwill" });
		const { receiptId } = (await world.record({ amount: 50, excess: "BALANCE" })).data;
		const path = `/receipts/${receiptId}/refunds`;
		expect((await world.post(path, { amount: 20 })).status).toBe(201);
		expect((await world.post(`/receipts/${receiptId}/return`, { reason: "CHARGEBACK", amount: 10 })).status).toBe(201);
		expect((await world.post(path, { amount: 20.01 })).status).toBe(400);
		expect((await world.post(path, { amount: 20 })).status).toBe(201);
		expect(await world.receipt(receiptId)).toMatchObject({ refundedAmount: 50, unallocatedAmount: 0 });
		expect(await world.balance()).toBe(500);
		expect(world.check()).toEqual([]);
	});
});

describe("a withdrawn receipt", () => {
	test("gives unallocated money first, then the newest allocation", async () => {
		const world = receiptWorld();
		const [one, two] = [world.bill(60), world.bill(30)];
		const allocations = [
			{ invoiceId: one.id, amount: 60 },
			{ invoiceId: two.id, amount: 30 },
		];
		const { receiptId } = (await world.record({ allocations })).data;
		const path = `/receipts/${receiptId}/return`;
		const part = await world.post(path, { reason: "CHARGEBACK", amount: 25, reference: "c-1" });
		expect(part).toMatchObject({ status: 201, data: { kind: "RETURN", reason: "CHARGEBACK", amount: 25 } });
		expect(world.state(one.id).state).toBe("PAID");
		expect(world.state(two.id)).toMatchObject({ state: "OPEN", amountPaid: "15" });
		expect((await world.post(path, { reason: "CHARGEBACK", amount: 25, reference: "c-1" })).data).toEqual(part.data);
		expect((await world.post(path, { reason: "RETURNED" })).data).toMatchObject({ amount: 75 });
		expect(world.state(one.id)).toMatchObject({ state: "OPEN", amountPaid: "0" });
		expect(await world.receipt(receiptId)).toMatchObject({ unallocatedAmount: 0, refundedAmount: 100 });
		expect((await world.post(path, { reason: "RETURNED" })).status).toBe(400);
		expect(world.check()).toEqual([]);
	});

	test("reverses a part of a payment of an invoice, twice", async () => {
		const world = receiptWorld();
		const invoice = world.bill(100);
		const path = `/customers/cust-1/invoices/${invoice.id}/payments`;
		const { paymentId } = (await world.post(path, { amount: 100 })).data;
		const reverse = (body: object) =>
			world.post(`${path}/${paymentId}/reverse`, { reason: "CHARGEBACK", reference: "c-1", ...body });
		const first = await reverse({ amount: 30 });
		expect(first.data).toMatchObject({ amount: 30, invoiceState: "OPEN", amountDue: 30 });
		expect((await reverse({ amount: 30 })).data.paymentId).toBe(first.data.paymentId);
		expect((await reverse({ amount: 31 })).status).toBe(400);
		expect((await reverse({ amount: 71, reference: "c-2" })).status).toBe(400);
		expect((await reverse({ reference: "c-2" })).data).toMatchObject({ amount: 70, amountDue: 100 });
		expect(world.check()).toEqual([]);
	});

	test("keeps the money of a MISALLOCATED payment", async () => {
		const world = receiptWorld();
		const invoice = world.bill(100);
		const path = `/customers/cust-1/invoices/${invoice.id}/payments`;
		const { paymentId } = (await world.post(path, { amount: 120 })).data;
		const reverse = (body: object) => world.post(`${path}/${paymentId}/reverse`, { reason: "MISALLOCATED", ...body });
		for (const key of ["reference", "note"]) expect((await reverse({ [key]: "x" })).status).toBe(400);
		expect((await reverse({})).data).toMatchObject({ amount: 120, balanceAmount: 20, amountDue: 100 });
		expect((await world.send("GET", "/receipts?unallocated=true")).data).toMatchObject([{ unallocatedAmount: 120 }]);
		expect(await world.balance()).toBe(0);
		expect(world.check()).toEqual([]);
	});
});

describe("a receipt is rejected, and leaves no trace,", () => {
	const due = (invoiceId: string, amount = 10) => ({ allocations: [{ invoiceId, amount }] });

	test.each<[string, object]>([
		["with half a cent", { amount: 0.005 }],
		["in the future", { receivedDate: "2027-01-01T00:00:00Z" }],
		["for an unknown legal entity", { legalEntityId: "none" }],
	])("%s", async (_, body) => {
		const world = receiptWorld();
		expect(await world.record(body)).toMatchObject({ status: 400, code: "InvalidArgumentError" });
		expect((await world.send("GET", "/receipts")).data).toEqual([]);
	});

	test.each<[object]>([
		[{ amount: 0 }],
		[{ amount: -1 }],
		[{ amount: "x" }],
		[{ currency: "xxx" }],
		[{ excess: "LOST" }],
		[{ reference: "" }],
		[{ note: "x".repeat(501) }],
		[{ unknown: 1 }],
		[{ allocations: [{ invoiceId: "x", amount: 0 }] }],
		[{ allocations: Array(101).fill({ invoiceId: "x", amount: 1 }) }],
	])("with the body %j", async (body) => {
		const world = receiptWorld();
		expect(await world.record(body)).toMatchObject({ status: 400, code: "BadUserInput" });
	});

	test("for invoices that it cannot pay", async () => {
		const world = receiptWorld();
		const open = world.bill(50);
		const euro = world.bill(50, { currency: "eur" });
		const others = world.bill(50, { customerId: world.other.id });
		const french = world.bill(50, { legalEntityId: anotherIssuer(world) });
		const foreign = world.issueForeign();
		const paid = world.bill(50);
		await world.post(`/customers/cust-1/invoices/${paid.id}/paid`, {});
		const refused = async (body: object) => {
			const { status, code } = await world.record(body);
			return [status, code];
		};
		expect(await refused(due(open.id, 50.01))).toEqual([400, "InvalidArgumentError"]);
		expect(await refused({ ...due(open.id, 50), amount: 49 })).toEqual([400, "InvalidArgumentError"]);
		expect(await refused({ allocations: [...due(open.id).allocations, ...due(open.id).allocations] })).toEqual([
			...[400, "InvalidArgumentError"],
		]);
		expect(await refused({ allocations: [...due(open.id).allocations, ...due(euro.id).allocations] })).toEqual([
			...[400, "InvalidArgumentError"],
		]);
		expect(await refused({ allocations: [...due(open.id).allocations, ...due(french.id).allocations] })).toEqual([
			...[400, "InvalidArgumentError"],
		]);
		expect(await refused(due(open.id, 0.001))).toEqual([400, "InvalidArgumentError"]);
		expect(await refused(due(others.id))).toEqual([404, "InvoiceNotFound"]);
		expect(await refused(due(foreign.id))).toEqual([404, "InvoiceNotFound"]);
		expect((await refused(due(paid.id)))[1]).toBe("BillingInvoiceStatusError");
		expect(await refused({ customerId: "nobody" })).toEqual([404, "CustomerNotFound"]);
		expect((await world.send("GET", "/receipts?unallocated=true")).data).toEqual([]);
		expect(world.state(open.id)).toMatchObject({ amountPaid: "0" });
		expect(world.check()).toEqual([]);
	});

	test("by keys of another environment or without the scope", async () => {
		const world = receiptWorld();
		const { receiptId } = (await world.record({})).data;
		const key = world.scopedKey("INVOICE:READ");
		expect((await world.record({}, { key })).status).toBe(403);
		const tails = ["/allocations", "/allocations/x/reverse", "/refunds", "/return"];
		const bodies = [{ excess: "BALANCE" }, {}, { amount: 1 }, { reason: "RETURNED" }];
		for (const [at, tail] of tails.entries()) {
			expect((await world.post(`/receipts/${receiptId}${tail}`, bodies[at], { key })).status).toBe(403);
			expect((await world.post(`/receipts/${receiptId}${tail}`, bodies[at], { key: world.foreignKey })).status).toBe(
				404,
			);
		}
		expect((await world.send("GET", `/receipts/${receiptId}`, { key: world.foreignKey })).status).toBe(404);
		expect((await world.send("GET", "/receipts", { key: world.foreignKey })).data).toEqual([]);
	});

	test("in the wrong state: nothing unallocated, a refund as the source, money that the balance has spent", async () => {
		const world = receiptWorld();
		const { receiptId, allocations } = (await world.record({ excess: "BALANCE" })).data;
		const refused = async (id: string, tail: string, body: object) =>
			(await world.post(`/receipts/${id}${tail}`, body)).code;
		expect(await refused(receiptId, "/allocations", {})).toBe("InvalidArgumentError");
		expect(await refused(receiptId, "/allocations", { excess: "BALANCE" })).toBe("InvalidArgumentError");
		const refund = (await world.post(`/receipts/${receiptId}/refunds`, { amount: 10 })).data;
		for (const tail of ["/refunds", "/return"])
			expect(
				await refused(refund.receiptId, tail, { amount: 1, ...(tail === "/return" && { reason: "RETURNED" }) }),
			).toBe("InvalidArgumentError");
		await world.post("/customers/cust-1/balance/entries", { amount: -85, currency: "usd", reason: "spent" });
		expect(await refused(receiptId, `/allocations/${allocations[0].allocationId}/reverse`, {})).toBe(
			"InvalidArgumentError",
		);
		expect(await refused(receiptId, "/return", { reason: "RETURNED" })).toBe("InvalidArgumentError");
		expect(await refused(receiptId, "/refunds", { amount: 6 })).toBe("InvalidArgumentError");
		expect(await world.balance()).toBe(5);
		expect(world.check()).toEqual([]);
	});
});
