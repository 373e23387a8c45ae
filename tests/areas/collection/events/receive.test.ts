import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Instant } from "../../../../src/kernel/clock";
import { signatureOf } from "../../../support/providers/stripe/delivery";
import { startStandIn } from "../../../support/providers/stripe/server";
import type { StandIn } from "../../../support/providers/stripe/stand-in";
import { chargingWorld, submit } from "../charging";

let standIn: StandIn;
beforeAll(() => {
	standIn = startStandIn({ seed: 41 });
});
afterAll(() => standIn.stop());

const webhookSecret = "whsec_first";
const dayMs = 86_400_000;

/** A connected world, and a sender of events about a payment. */
async function receiving() {
	const w = await chargingWorld(standIn);
	const connection = await w.connect({ webhookSecret });
	const post = (raw: string, signature: string, id: string = connection.id) =>
		w.call("POST", `/provider-connections/${id}/events`, {
			...{ key: "", body: raw, headers: { "stripe-signature": signature } },
		});
	const event = (ref: string, object = "payment_intent", id = `evt_${ref}`) =>
		JSON.stringify({ id, type: `${object}.changed`, created: 1, data: { object: { object, id: ref } } });
	const send = (raw: string, secret = webhookSecret, ageMs = 0) =>
		post(raw, signatureOf(raw, secret, Math.floor((w.clock.at - ageMs) / 1000)));
	const stored = () => w.db.$client.query("SELECT event_ref, thing, ref, due_at FROM provider_events").all();
	return { ...w, connection, post, event, send, stored };
}

describe("an event of a provider", () => {
	test("is on disk once it is answered, needs no key, and is stored once", async () => {
		const w = await receiving();
		expect(w.connection).toMatchObject({
			...{ hasWebhookSecret: true, eventsPath: `/api/v1/provider-connections/${w.connection.id}/events` },
		});
		for (let time = 0; time < 3; time += 1) {
			const { status, body } = await w.send(w.event("pi_1"));
			expect([status, body]).toEqual([200, { data: { eventId: "evt_pi_1" } }]);
		}
		expect(w.stored()).toEqual([{ event_ref: "evt_pi_1", thing: "PAYMENT", ref: "pi_1", due_at: w.clock.at }]);
	});

	test("about a foreign payment is looked up once and changes nothing", async () => {
		const w = await receiving();
		await w.send(w.event("pi_foreign"));
		await w.collect();
		expect(w.stored()).toMatchObject([{ due_at: null }]);
		expect(await w.attempts()).toEqual([]);
	});

	test("without an object to look up is stored too, since it may be repeated", async () => {
		const w = await receiving();
		expect((await w.send(w.event("cus_1", "customer"))).status).toBe(200);
		expect(w.stored()).toMatchObject([{ thing: "OTHER", due_at: null }]);
	});

	test("is deleted after a month", async () => {
		const w = await receiving();
		await w.send(w.event("cus_1", "customer"));
		w.clock.at = (w.clock.at + 31 * dayMs) as Instant;
		const { purgeProviderEvents } = await import("../../../../src/areas/collection/events/operations");
		expect(w.transactions.write(w.actor, (work) => purgeProviderEvents(work, 100))).toBe(1);
		expect(w.stored()).toEqual([]);
	});
});

describe("an event is rejected and leaves no row", () => {
	const refused = "InvalidBillingProviderSignatureError";

	test("with a wrong, an old or a foreign signature, and without one", async () => {
		const w = await receiving();
		const raw = w.event("pi_1");
		const nowSeconds = Math.floor(w.clock.at / 1000);
		const signature = signatureOf(raw, webhookSecret, nowSeconds);
		for (const answer of [
			await w.send(raw, "whsec_other"),
			await w.send(raw, webhookSecret, 301_000),
			await w.send(raw, webhookSecret, -301_000),
			await w.post(`${raw} `, signature),
			await w.post(raw, signature.replace("t=", "t=1")),
			await w.post(raw, ""),
			await w.post(raw, "t=,v1="),
		])
			expect([answer.status, answer.body.code]).toEqual([400, refused]);
		expect(w.stored()).toEqual([]);
	});

	test("at a connection without a secret, at an unknown one, and as bytes that are no event", async () => {
		const w = await receiving();
		const plain = await w.connect();
		const raw = w.event("pi_1");
		const signature = signatureOf(raw, webhookSecret, Math.floor(w.clock.at / 1000));
		const without = await w.post(raw, signature, plain.id);
		expect([without.status, without.body.code]).toEqual([400, refused]);
		expect(without.body.message).toContain("has no 'webhookSecret'");
		expect((await w.post(raw, signature, "nobody")).body.code).toBe("IntegrationNotFound");
		for (const text of ["[]", "{}", "no JSON"]) expect((await w.send(text)).body.code).toBe("BadUserInput");
		expect(w.stored()).toEqual([]);
	});

	test("above 1 MiB", async () => {
		const w = await receiving();
		const raw = JSON.stringify({ id: "evt_1", type: "x", padding: "x".repeat(1024 * 1024) });
		expect((await w.send(raw)).status).toBe(413);
		expect(w.stored()).toEqual([]);
	});
});

test("with a new secret, the former one is accepted for a day", async () => {
	const w = await receiving();
	const path = `/provider-connections/${w.connection.id}`;
	const changed = (await w.call("PATCH", path, { body: { webhookSecret: "whsec_second" } })).body;
	expect(changed.data.formerWebhookSecretUntil).not.toBeNull();
	expect((await w.send(w.event("pi_1"), "whsec_second")).status).toBe(200);
	expect((await w.send(w.event("pi_2"))).status).toBe(200);
	w.clock.at = (w.clock.at + dayMs) as Instant;
	expect((await w.send(w.event("pi_3"), "whsec_second")).status).toBe(200);
	expect((await w.send(w.event("pi_4"))).status).toBe(400);
});

describe("an attempt settles by its event, without waiting for its next look-up", () => {
	test("after the customer has authenticated, and however often and late events come", async () => {
		const w = await receiving();
		await w.saveCard("4000000000003220");
		await w.provision();
		await w.collect();
		const [waiting] = await w.attempts();
		await submit(waiting.actionUrl, { outcome: "complete" });
		await w.collect();
		expect((await w.attempts())[0].state).toBe("REQUIRES_ACTION");
		const { reference } = waiting;
		for (const id of ["evt_b", "evt_a", "evt_b"]) await w.send(w.event(reference, "payment_intent", id));
		const before = standIn.calls.total;
		await w.collect();
		expect(standIn.calls.total - before).toBe(1);
		expect((await w.attempts())[0].state).toBe("SUCCEEDED");
		expect((await w.invoices())[0].state).toBe("PAID");
		await w.send(w.event(reference, "payment_intent", "evt_c"));
		await w.collect();
		expect([(await w.receipts()).length, w.check()]).toEqual([1, []]);
	});

	test("after its provider did not answer the first look-up", async () => {
		const w = await receiving();
		await w.saveCard("4000000000003220");
		await w.provision();
		await w.collect();
		const [waiting] = await w.attempts();
		await submit(waiting.actionUrl, { outcome: "complete" });
		await w.send(w.event(waiting.reference));
		standIn.plan({ route: "GET /v1/payment_intents", fault: "cutBefore" });
		await w.collect();
		expect((await w.attempts())[0].state).toBe("REQUIRES_ACTION");
		await w.collect(1_000);
		expect((await w.attempts())[0].state).toBe("SUCCEEDED");
	});
});
