import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { checkDisputes } from "../../../../src/areas/invoices/disputes/operations.check";
import { signatureOf } from "../../../support/providers/stripe/delivery";
import { closeDispute, escalate, openDispute } from "../../../support/providers/stripe/disputes";
import { startStandIn } from "../../../support/providers/stripe/server";
import type { StandIn } from "../../../support/providers/stripe/stand-in";
import { chargingWorld } from "../../collection/charging";
import { collecting } from "../../collection/scripted";

let standIn: StandIn;
beforeAll(() => {
	standIn = startStandIn({ seed: 51 });
});
afterAll(() => standIn.stop());

const webhookSecret = "whsec_disputes";

/** A world with an invoice of 9.99 that a card has paid, and the charge at the provider. */
async function paid() {
	const w = await chargingWorld(standIn);
	const connection = await w.connect({ webhookSecret });
	await w.saveCard();
	await w.provision();
	await w.collect();
	const [receipt] = await w.receipts();
	const intent = standIn.account.objects.intents.get(receipt.reference);
	const charge = standIn.account.objects.charges.get(String(intent?.latest_charge));
	if (!charge) throw new Error("the stand-in has the charge");
	let events = 0;
	/** Sends an event about a dispute, and lets the collector work. */
	const notified = async (id: string) => {
		events += 1;
		const raw = JSON.stringify({
			id: `evt_${id}_${events}`,
			type: "charge.dispute.updated",
			data: { object: { object: "dispute", id } },
		});
		const headers = { "stripe-signature": signatureOf(raw, webhookSecret, Math.floor(w.clock.at / 1000)) };
		const { status } = await w.call("POST", `/provider-connections/${connection.id}/events`, {
			key: "",
			body: raw,
			headers,
		});
		expect(status).toBe(200);
		await w.collect();
	};
	const disputes = async () => (await w.send("GET", "/disputes")).data;
	const check = () => [...w.check(), ...w.transactions.read(w.actor, (work) => [...checkDisputes(work)])];
	return { ...w, receipt, charge, notified, disputes, check };
}

describe("a dispute at the provider", () => {
	test("is recorded by its first event, holds the money, and opens the invoice again once it is lost", async () => {
		const w = await paid();
		const dispute = openDispute(standIn.account, w.charge, "fraudulent");
		await w.notified(dispute.id);
		const [open] = await w.disputes();
		expect(open).toMatchObject({
			...{ state: "NEEDS_RESPONSE", amount: 9.99, reason: "fraudulent", reference: dispute.id, returnId: null },
			...{ receiptId: w.receipt.receiptId, customerId: "acme" },
		});
		expect((await w.receipts())[0]).toMatchObject({ disputedAmount: 9.99 });
		expect((await w.invoices())[0].state).toBe("PAID");
		const refund = await w.send("POST", `/receipts/${w.receipt.receiptId}/refunds`, { amount: 1 });
		expect(refund.message).toContain("is disputed");
		closeDispute(standIn.account, dispute, "lost");
		for (let time = 0; time < 3; time += 1) await w.notified(dispute.id);
		const [lost] = await w.disputes();
		expect(lost).toMatchObject({ state: "LOST", returnId: expect.any(String) });
		expect((await w.invoices())[0]).toMatchObject({ state: "OPEN", total: 9.99, paidDate: null });
		expect((await w.receipts()).map(({ kind }) => kind)).toEqual(["RETURN", "PAYMENT"]);
		expect(w.check()).toEqual([]);
	});

	test("is recorded in its last state if only a late event arrives, and a foreign one is not", async () => {
		const w = await paid();
		const dispute = openDispute(standIn.account, w.charge, "product_not_received");
		closeDispute(standIn.account, dispute, "won");
		await w.notified(dispute.id);
		await w.notified("dp_foreign");
		expect(await w.disputes()).toMatchObject([{ state: "WON", returnId: null }]);
		expect((await w.receipts())[0].disputedAmount).toBe(0);
		expect((await w.invoices())[0].state).toBe("PAID");
		expect(w.check()).toEqual([]);
	});

	test("is looked up each day until it ends, as its events can get lost", async () => {
		const w = await paid();
		const dispute = openDispute(standIn.account, w.charge, "fraudulent");
		await w.notified(dispute.id);
		closeDispute(standIn.account, dispute, "lost");
		await w.collect(23 * 3_600_000);
		expect((await w.disputes())[0].state).toBe("NEEDS_RESPONSE");
		await w.collect(2 * 3_600_000);
		expect((await w.disputes())[0].state).toBe("LOST");
	});

	test("begins as an inquiry, which holds nothing, and becomes a dispute", async () => {
		const w = await paid();
		const dispute = openDispute(standIn.account, w.charge, "inquiry");
		await w.notified(dispute.id);
		expect(await w.disputes()).toMatchObject([{ state: "INQUIRY", amount: 9.99 }]);
		expect((await w.receipts())[0].disputedAmount).toBe(0);
		escalate(standIn.account, dispute);
		await w.notified(dispute.id);
		expect(await w.disputes()).toMatchObject([{ state: "NEEDS_RESPONSE" }]);
		expect((await w.receipts())[0].disputedAmount).toBe(9.99);
	});

	test("is a finding of the check while the books cannot follow it", async () => {
		const w = await paid();
		await w.send("POST", `/receipts/${w.receipt.receiptId}/return`, { reason: "CHARGEBACK" });
		const dispute = openDispute(standIn.account, w.charge, "fraudulent");
		await w.notified(dispute.id);
		expect(await w.disputes()).toEqual([]);
		expect(w.check()).toMatchObject([expect.stringContaining(`the dispute ${dispute.id} of the payment`)]);
	});
});

describe("an answer to a dispute", () => {
	test("is evidence, which the provider judges", async () => {
		for (const [text, state] of [
			["winning_evidence", "WON"],
			["losing_evidence", "LOST"],
			["a letter", "UNDER_REVIEW"],
		] as const) {
			const w = await paid();
			const dispute = openDispute(standIn.account, w.charge, "fraudulent");
			await w.notified(dispute.id);
			const [{ disputeId }] = await w.disputes();
			const path = `/disputes/${disputeId}/evidence`;
			const sent = await w.waiting("POST", path, { evidence: { uncategorized_text: text } });
			expect([sent.status, sent.data.state]).toEqual([200, state]);
			expect(standIn.account.objects.disputes.get(dispute.id)?.evidence.uncategorized_text).toBe(text);
			const again = await w.send("POST", path, { evidence: { uncategorized_text: text } });
			expect([again.status, again.code]).toEqual([400, "InvalidArgumentError"]);
			expect(w.check()).toEqual([]);
		}
	});

	test("is its acceptance: the dispute is ACCEPTED, and the invoice OPEN", async () => {
		const w = await paid();
		await w.notified(openDispute(standIn.account, w.charge, "fraudulent").id);
		const [{ disputeId }] = await w.disputes();
		const accepted = await w.waiting("POST", `/disputes/${disputeId}/accept`);
		expect([accepted.status, accepted.data.state]).toEqual([200, "ACCEPTED"]);
		expect((await w.invoices())[0].state).toBe("OPEN");
		await w.notified(accepted.data.reference);
		expect((await w.disputes())[0].state).toBe("ACCEPTED");
	});

	test("is the same in GraphQL", async () => {
		const w = await paid();
		await w.notified(openDispute(standIn.account, w.charge, "fraudulent").id);
		const [{ disputeId }] = await w.disputes();
		const run = async (query: string) =>
			(await collecting(w.collector, w.call("POST", "/graphql", { body: { query } }))).body;
		const sent = await run(
			`mutation { sendDisputeEvidence(input: { disputeId: "${disputeId}", evidence: [{ field: "uncategorized_text", text: "a letter" }] }) { state } }`,
		);
		expect(sent).toEqual({ data: { sendDisputeEvidence: { state: "UNDER_REVIEW" } } });
		const late = await run(`mutation { acceptDispute(input: { disputeId: "${disputeId}" }) { state } }`);
		expect(late.errors[0].extensions.code).toBe("InvalidArgumentError");
	});

	test("is refused with a field that the provider does not have, and stores nothing", async () => {
		const w = await paid();
		await w.notified(openDispute(standIn.account, w.charge, "fraudulent").id);
		const [{ disputeId }] = await w.disputes();
		const path = `/disputes/${disputeId}/evidence`;
		const refused = await w.waiting("POST", path, { evidence: { letter: "x" } });
		expect([refused.status, refused.code]).toEqual([400, "PaymentProviderError"]);
		for (const body of [
			{},
			{ evidence: {} },
			{ evidence: { uncategorized_text: 1 } },
			{ evidence: { a: "x".repeat(20_001) } },
		])
			expect((await w.send("POST", path, body)).code).toBe("BadUserInput");
		expect((await w.send("POST", "/disputes/nobody/evidence", { evidence: { a: "x" } })).status).toBe(404);
		expect((await w.disputes())[0].state).toBe("NEEDS_RESPONSE");
	});

	test("is refused for a dispute that was recorded by hand", async () => {
		const w = await paid();
		const { data } = await w.send("POST", "/receipts", { customerId: "acme", amount: 5, currency: "usd" });
		const byHand = await w.send("POST", `/receipts/${data.receiptId}/disputes`, { reference: "case 7" });
		const answer = await w.send("POST", `/disputes/${byHand.data.disputeId}/accept`);
		expect([answer.status, answer.code]).toEqual([400, "InvalidArgumentError"]);
		expect(answer.message).toContain("was recorded by hand");
	});
});
