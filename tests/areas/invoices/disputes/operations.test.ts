import { expect, test } from "bun:test";
import { receiptWorld } from "../receipts/receipt-world";

/** An invoice of 100 that a receipt has paid. */
async function paidWorld() {
	const world = receiptWorld();
	const invoice = world.bill(100);
	const { receiptId } = (await world.record({ method: "CARD", allocations: [{ invoiceId: invoice.id, amount: 100 }] }))
		.data;
	return {
		...{ ...world, invoice, receiptId },
		dispute: (body: object = {}) => world.post(`/receipts/${receiptId}/disputes`, body),
		move: (disputeId: string, state: string, body: object = {}) =>
			world.post(`/disputes/${disputeId}/state`, { state, ...body }),
		refund: (amount: number) => world.post(`/receipts/${receiptId}/refunds`, { amount }),
	};
}

test("a dispute: refunds of its money are refused with the reason, and a LOST one opens the invoice again", async () => {
	const world = await paidWorld();
	await world.credit(world.invoice.id, { amount: 40 });
	const dispute = await world.dispute({
		...{ amount: 80, reason: "fraudulent", reference: "case 7", note: "card lost" },
		...{ openedDate: "2026-02-20T12:00:00Z", evidenceDueDate: "2026-03-05T00:00:00Z" },
	});
	expect(dispute).toMatchObject({
		status: 201,
		data: {
			...{ receiptId: world.receiptId, customerId: "cust-1", state: "NEEDS_RESPONSE", amount: 80, currency: "usd" },
			...{ reason: "fraudulent", reference: "case 7", endedDate: null, returnId: null },
		},
	});
	const { disputeId } = dispute.data;
	expect(await world.receipt(world.receiptId)).toMatchObject({ disputedAmount: 80 });
	const refused = await world.refund(40);
	expect(refused).toMatchObject({ status: 400, code: "InvalidArgumentError" });
	expect(refused.message).toContain("is disputed (80 is)");
	const withdrawn = await world.post(`/receipts/${world.receiptId}/return`, { reason: "CHARGEBACK", amount: 21 });
	expect(withdrawn.message).toContain("end the dispute as LOST");
	expect((await world.refund(20)).status).toBe(201);
	expect(world.state(world.invoice.id).state).toBe("PAID");
	expect(world.check()).toEqual([]);

	expect((await world.move(disputeId, "UNDER_REVIEW")).data).toMatchObject({ state: "UNDER_REVIEW" });
	const lost = await world.move(disputeId, "LOST");
	expect(lost.data).toMatchObject({ state: "LOST", endedDate: "2026-02-20T12:00:00.000Z" });
	expect(await world.receipt(lost.data.returnId)).toMatchObject({
		...{ kind: "RETURN", reason: "CHARGEBACK", amount: 80, reference: "case 7" },
	});
	expect(world.state(world.invoice.id)).toMatchObject({ state: "OPEN", amountPaid: "40" });
	expect(await world.receipt(world.receiptId)).toMatchObject({ disputedAmount: 0, refundedAmount: 100 });
	expect(await world.move(disputeId, "WON")).toMatchObject({ status: 400, code: "InvalidArgumentError" });
	expect(
		world
			.events()
			.filter((type) => type.startsWith("dispute."))
			.join(),
	).toBe("dispute.created,dispute.updated,dispute.updated");
	expect(world.check()).toEqual([]);
});

test("a WON dispute releases its money, and the invoice stays PAID", async () => {
	const world = await paidWorld();
	const { disputeId } = (await world.dispute()).data;
	expect(await world.receipt(world.receiptId)).toMatchObject({ disputedAmount: 100 });
	expect((await world.dispute({ amount: 1 })).status).toBe(400);
	expect((await world.move(disputeId, "WON", { note: "signed receipt" })).data).toMatchObject({
		...{ state: "WON", returnId: null, note: "signed receipt" },
	});
	expect(await world.receipt(world.receiptId)).toMatchObject({ disputedAmount: 0, refundedAmount: 0 });
	expect(world.state(world.invoice.id).state).toBe("PAID");
	expect(world.check()).toEqual([]);
});

test("an INQUIRY moves no money: it can be refunded; then it closes, and cannot become a dispute of that money", async () => {
	const world = await paidWorld();
	const { disputeId } = (await world.dispute({ state: "INQUIRY" })).data;
	expect(await world.receipt(world.receiptId)).toMatchObject({ disputedAmount: 0 });
	await world.credit(world.invoice.id, { amount: 100 });
	expect((await world.refund(100)).status).toBe(201);
	expect((await world.move(disputeId, "NEEDS_RESPONSE")).status).toBe(400);
	expect((await world.move(disputeId, "LOST")).status).toBe(400);
	expect((await world.move(disputeId, "CLOSED")).data).toMatchObject({ state: "CLOSED" });
	expect(world.check()).toEqual([]);
});

test("an accepted partial dispute withdraws its part only; two disputes share a receipt", async () => {
	const world = await paidWorld();
	const one = (await world.dispute({ amount: 30, reference: "a" })).data;
	const two = (await world.dispute({ amount: 70, reference: "b" })).data;
	expect((await world.move(one.disputeId, "ACCEPTED")).data.state).toBe("ACCEPTED");
	expect(world.state(world.invoice.id)).toMatchObject({ state: "OPEN", amountPaid: "70" });
	expect(await world.receipt(world.receiptId)).toMatchObject({ disputedAmount: 70, refundedAmount: 30 });
	expect((await world.move(two.disputeId, "LOST")).data.state).toBe("LOST");
	expect(world.state(world.invoice.id)).toMatchObject({ state: "OPEN", amountPaid: "0" });
	expect(world.check()).toEqual([]);
});

test("is recorded once for each reference of a receipt, and the present state changes nothing", async () => {
	const world = await paidWorld();
	const first = await world.dispute({ amount: 30, reference: "a" });
	expect((await world.dispute({ amount: 30, reference: "a" })).data).toEqual(first.data);
	expect((await world.dispute({ amount: 31, reference: "a" })).status).toBe(400);
	const again = await world.move(first.data.disputeId, "NEEDS_RESPONSE", { evidenceDueDate: "2026-03-05T00:00:00Z" });
	expect(again.data).toMatchObject({ evidenceDueDate: "2026-03-05T00:00:00.000Z" });
	expect(world.events().filter((type) => type.startsWith("dispute."))).toEqual(["dispute.created"]);
});

test("lists disputes of a customer, a receipt and a state", async () => {
	const world = await paidWorld();
	const { disputeId } = (await world.dispute({ amount: 5 })).data;
	const ids = async (query: string) =>
		(await world.send("GET", `/disputes${query}`)).data.map((one: { disputeId: string }) => one.disputeId);
	for (const query of ["", "?customerId=cust-1", `?receiptId=${world.receiptId}`, "?state=NEEDS_RESPONSE"])
		expect(await ids(query)).toEqual([disputeId]);
	for (const query of ["?customerId=cust-2", "?receiptId=none", "?state=WON"]) expect(await ids(query)).toEqual([]);
	expect((await world.send("GET", "/disputes?customerId=nobody")).code).toBe("CustomerNotFound");
});

test("refuses bad input", async () => {
	const world = await paidWorld();
	const { disputeId } = (await world.dispute({ amount: 5 })).data;
	for (const body of [
		...[{ amount: 0 }, { amount: 0.001 }, { amount: 96 }, { amount: "five" }, { state: "WON" }, { unknown: 1 }],
		...[{ openedDate: "2026-02-01T00:00:00Z" }, { openedDate: "2027-01-01T00:00:00Z" }, { reason: "x".repeat(256) }],
	])
		expect([body, (await world.dispute(body)).status]).toEqual([body, 400]);
	for (const body of [
		{},
		{ state: "INQUIRY" },
		{ state: "PAID" },
		{ state: "WON", changedDate: "2027-01-01T00:00:00Z" },
	])
		expect([body, (await world.post(`/disputes/${disputeId}/state`, body)).status]).toEqual([body, 400]);
	expect((await world.post("/receipts/none/disputes", {})).status).toBe(404);
	expect((await world.post("/disputes/none/state", { state: "WON" })).status).toBe(404);
	expect((await world.post(`/disputes/${disputeId}/state`, { state: "WON" }, { key: world.foreignKey })).status).toBe(
		404,
	);
	const key = world.scopedKey("INVOICE:READ");
	expect((await world.post(`/disputes/${disputeId}/state`, { state: "WON" }, { key })).status).toBe(403);
	const refund = (await world.post(`/receipts/${world.receiptId}/return`, { reason: "CHARGEBACK", amount: 1 })).data;
	expect((await world.post(`/receipts/${refund.receiptId}/disputes`, {})).status).toBe(400);
});
