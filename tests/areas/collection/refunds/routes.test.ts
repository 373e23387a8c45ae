import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { signatureOf } from "../../../support/providers/stripe/delivery";
import { openDispute } from "../../../support/providers/stripe/disputes";
import { startStandIn } from "../../../support/providers/stripe/server";
import type { StandIn } from "../../../support/providers/stripe/stand-in";
import { chargingWorld } from "../charging";

let standIn: StandIn;
beforeAll(() => {
	standIn = startStandIn({ seed: 61 });
});
afterAll(() => standIn.stop());

const webhookSecret = "whsec_refunds";

/** A world whose card has paid 9.99, of which a credit note has put 4 into the balance. */
async function credited(number?: string) {
	const w = await chargingWorld(standIn);
	const connection = await w.connect({ webhookSecret });
	await w.saveCard(number);
	await w.provision();
	await w.collect();
	const [invoice] = await w.invoices();
	const credit = await w.send("POST", `/customers/acme/invoices/${invoice.invoiceId}/credit-note`, { amount: 4 });
	expect(credit.status).toBe(201);
	const [receipt] = await w.receipts();
	const refund = (body: object = {}) => w.send("POST", "/refunds", { receiptId: receipt.receiptId, ...body });
	const refunds = async () => (await w.send("GET", "/refunds")).data;
	const balance = async () => (await w.send("GET", "/customers/acme/balance")).data;
	/** The refunds at the provider of this world's payment, in cents. */
	const sent = () =>
		[...standIn.account.objects.refunds.values()]
			.filter(({ payment_intent }) => payment_intent === receipt.reference)
			.map(({ amount, status }) => [amount, status]);
	const notified = async (id: string) => {
		const raw = JSON.stringify({ id: `evt_${id}`, type: "refund.updated", data: { object: { object: "refund", id } } });
		const headers = { "stripe-signature": signatureOf(raw, webhookSecret, Math.floor(w.clock.at / 1000)) };
		const path = `/provider-connections/${connection.id}/events`;
		expect((await w.call("POST", path, { key: "", body: raw, headers })).status).toBe(200);
		await w.collect();
	};
	return { ...w, receipt, refund, refunds, balance, sent, notified };
}

describe("a refund through the provider", () => {
	test("takes the balance at once, and goes back to the card", async () => {
		const w = await credited();
		const planned = await w.refund({ amount: 4, reason: "goodwill" });
		expect(planned).toMatchObject({ status: 201, data: { state: "PLANNED", amount: 4, reason: "goodwill" } });
		expect(await w.balance()).toEqual([]);
		await w.collect();
		const [refund] = await w.refunds();
		expect(refund).toMatchObject({ state: "SUCCEEDED", failure: null, returnedReceiptIds: [], customerId: "acme" });
		expect(w.sent()).toEqual([[400, "succeeded"]]);
		expect((await w.receipts())[0]).toMatchObject({ kind: "REFUND", amount: 4, receiptId: refund.refundReceiptId });
		expect((await w.invoices())[0].state).toBe("PAID");
		expect(w.check()).toEqual([]);
	});

	test.each(["cutAfter", "errorAfter", "cutBefore", "errorBefore", "busy"] as const)(
		"is made once although the first answer is lost (%s)",
		async (fault) => {
			const w = await credited();
			standIn.plan({ route: "POST /v1/refunds", fault });
			await w.refund({ amount: 4 });
			await w.collect(2_000, 2_000, 10_000, 10_000);
			expect((await w.refunds())[0].state).toBe("SUCCEEDED");
			expect(w.sent()).toEqual([[400, "succeeded"]]);
			expect(w.check()).toEqual([]);
		},
	);

	test("returns the amount to the balance if it fails after its success, and can be sent again", async () => {
		const w = await credited("4000000000005126");
		await w.refund({ amount: 4 });
		await w.collect();
		expect((await w.refunds())[0].state).toBe("SUCCEEDED");
		standIn.advance(5_000);
		const [refund] = await w.refunds();
		for (let time = 0; time < 2; time += 1) await w.notified(refund.reference);
		const [failed] = await w.refunds();
		expect(failed).toMatchObject({ state: "FAILED", failure: { code: "expired_or_canceled_card" } });
		expect(await w.balance()).toEqual([{ amount: 4, currency: "usd" }]);
		expect(failed.returnedReceiptIds).toHaveLength(1);
		expect(w.check()).toEqual([]);
		const again = await w.send("POST", "/refunds", { receiptId: failed.returnedReceiptIds[0] });
		expect(again).toMatchObject({ status: 201, data: { amount: 4, state: "PLANNED" } });
		await w.collect();
		expect(w.sent()).toEqual([
			[400, "failed"],
			[400, "succeeded"],
		]);
		expect([await w.balance(), w.check()]).toEqual([[], []]);
	});

	test("fails if the provider rejects it, and the amount is back", async () => {
		const w = await credited();
		const intent = standIn.account.objects.intents.get(w.receipt.reference);
		const charge = standIn.account.objects.charges.get(String(intent?.latest_charge));
		if (charge) openDispute(standIn.account, charge, "fraudulent");
		await w.refund({ amount: 4 });
		await w.collect();
		expect((await w.refunds())[0]).toMatchObject({ state: "FAILED", failure: { code: "charge_disputed" } });
		expect(await w.balance()).toEqual([{ amount: 4, currency: "usd" }]);
		expect([w.sent(), w.check()]).toEqual([[], []]);
	});

	test("is refused beyond what is left, for half a cent, for disputed money, and for money of another source", async () => {
		const w = await credited();
		for (const amount of [10, 4.01, 0.001]) {
			const refused = await w.refund({ amount });
			expect([refused.status, refused.code]).toEqual([400, "InvalidArgumentError"]);
		}
		for (const body of [{ amount: 0 }, { amount: -1 }, { amount: "x" }, { more: 1 }])
			expect((await w.refund(body)).code).toBe("BadUserInput");
		await w.send("POST", `/receipts/${w.receipt.receiptId}/disputes`, {});
		const disputed = await w.refund({ amount: 1 });
		expect(disputed.message).toContain("is disputed");
		const { data } = await w.send("POST", "/receipts", { customerId: "acme", amount: 5, currency: "usd" });
		const byHand = await w.send("POST", "/refunds", { receiptId: data.receiptId });
		expect(byHand.message).toContain("did not come through a payment provider");
		expect([await w.refunds(), w.sent(), w.check()]).toEqual([[], [], []]);
		expect((await w.send("GET", "/refunds/nobody")).status).toBe(404);
		expect((await w.call("GET", "/refunds", { key: w.foreignKey })).body.data).toEqual([]);
	});

	test("is the same in GraphQL", async () => {
		const w = await credited();
		const run = async (query: string) => (await w.call("POST", "/graphql", { body: { query } })).body.data;
		const { receiptId } = w.receipt;
		const made = await run(
			`mutation { refundAtProvider(input: { receiptId: "${receiptId}", amount: 4 }) { id state amount { amount } receiptId } }`,
		);
		expect(made.refundAtProvider).toMatchObject({ state: "PLANNED", amount: { amount: 4 }, receiptId });
		await w.collect();
		const { id } = made.refundAtProvider;
		const read = await run(
			`{ providerRefund(id: "${id}") { state } providerRefunds(input: { receiptId: "${receiptId}", state: SUCCEEDED }) { edges { node { id } } } }`,
		);
		expect(read).toEqual({ providerRefund: { state: "SUCCEEDED" }, providerRefunds: { edges: [{ node: { id } }] } });
	});

	test("is found by the check if somebody has changed its rows", async () => {
		const w = await credited();
		await w.refund({ amount: 4 });
		await w.collect();
		for (const [sql, part] of [
			["UPDATE provider_refunds SET state = 'FAILED'", "0 of its 4 is back"],
			["UPDATE provider_refunds SET state = 'SUCCEEDED', amount = '5'", "does not move 5 out"],
			["UPDATE provider_refunds SET amount = '4', receipt_id = 'other'", "out of the receipt other"],
		] as const) {
			w.db.$client.run(sql);
			expect(w.check()).toMatchObject([expect.stringContaining(part)]);
		}
	});
});
