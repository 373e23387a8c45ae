import { afterAll, beforeAll, expect, test } from "bun:test";
import type { EventIn, Movement, Provider } from "../../../../../src/areas/collection/providers/provider";
import { openStripe } from "../../../../../src/areas/collection/providers/stripe/adapter";
import type { Instant } from "../../../../../src/kernel/clock";
import { startStandIn } from "../../../../support/providers/stripe/server";
import type { StandIn } from "../../../../support/providers/stripe/stand-in";
import { kindOf, money, newReference } from "../suite";

let standIn: StandIn;
let provider: Provider;
beforeAll(() => {
	standIn = startStandIn({ seed: 13 });
	provider = openStripe({ secretKey: standIn.secretKey, baseUrl: standIn.url });
});
afterAll(() => standIn.stop());

const open = async (purpose: "PAY" | "SAVE_METHOD", savesMethod = true) => {
	const ours = newReference();
	const page = {
		...{ purpose, ours, customerRef: null, customerName: "Ada", customerEmail: "ada@example.com", savesMethod },
		...{ money: purpose === "PAY" ? money("20.00", "eur") : null, description: "Invoice 1" },
		...{ successUrl: "https://example.com/ok", cancelUrl: "https://example.com/no" },
	};
	return { ours, ...(await provider.openPage(page, `${ours}:1`)) };
};
const enter = (url: string, number: string) =>
	fetch(url, { method: "POST", body: new URLSearchParams({ number }), redirect: "manual" });

test("a person saves a card on the page, and it is charged later without the person", async () => {
	const page = await open("SAVE_METHOD");
	expect(await (await fetch(page.url)).text()).toContain("Save a payment method");
	const done = await enter(page.url, "4242 4242 4242 4242");
	expect(done.headers.get("location")).toBe("https://example.com/ok");
	const { state, method, payment } = await provider.lookPage(page.ref);
	expect({ state, payment }).toEqual({ state: "COMPLETE", payment: null });
	expect(method).toMatchObject({ kind: "CARD", brand: "visa", last4: "4242", expiresMonth: 12, country: "US" });
	const customerRef = page.customerRef ?? "";
	expect(method?.customerRef).toBe(customerRef);
	const order = { ours: newReference(), money: money("9.99", "eur"), customerRef, methodRef: method?.ref ?? "" };
	const { ref } = await provider.create({ ...order, description: "Invoice 2" }, `${order.ours}:1`);
	expect(await provider.confirm(ref, `${order.ours}:2`)).toMatchObject({ state: "SUCCEEDED", ours: order.ours });
});

test("a card that is set up with an authentication needs none later", async () => {
	const page = await open("SAVE_METHOD");
	const asked = await enter(page.url, "4000002500003155");
	const authentication = asked.headers.get("location") ?? "";
	const body = new URLSearchParams({ outcome: "complete" });
	await fetch(authentication, { method: "POST", body, redirect: "manual" });
	const { method } = await provider.lookPage(page.ref);
	const order = { ours: newReference(), money: money("9.99", "eur"), customerRef: method?.customerRef ?? "" };
	const { ref } = await provider.create({ ...order, methodRef: method?.ref ?? "", description: "" }, `${order.ours}:1`);
	expect((await provider.confirm(ref, `${order.ours}:2`)).state).toBe("SUCCEEDED");
});

test("a declined card on a page does not end its payment; another card pays once and is saved", async () => {
	const page = await open("PAY");
	expect(await (await enter(page.url, "4000000000000002")).text()).toContain("Your card was declined.");
	const { payment } = await provider.lookPage(page.ref);
	expect(payment).toMatchObject({ state: "UNCONFIRMED", ours: page.ours, failure: null });
	await enter(page.url, "4242424242424242");
	const after = await provider.lookPage(page.ref);
	expect(after.payment).toMatchObject({ ref: payment?.ref, state: "SUCCEEDED", received: money("20", "eur") });
	expect(after.method).toMatchObject({ last4: "4242", customerRef: page.customerRef });
	expect(await (await fetch(page.url)).text()).toContain("no longer valid");
});

test("a page that does not save the method shows none", async () => {
	const page = await open("PAY", false);
	await enter(page.url, "4242424242424242");
	const { method, payment } = await provider.lookPage(page.ref);
	expect({ method, state: payment?.state }).toEqual({ method: null, state: "SUCCEEDED" });
});

test("a direct debit is processing until the bank pays or returns it", async () => {
	for (const [iban, end] of [
		["DE89370400440532013000", "SUCCEEDED"],
		["DE62370400440532013001", "FAILED"],
		["AT591904300235473203", "SUCCEEDED"],
	] as const) {
		const page = await open("SAVE_METHOD");
		await enter(page.url, iban);
		const { method } = await provider.lookPage(page.ref);
		expect(method).toMatchObject({ kind: "DIRECT_DEBIT", last4: iban.slice(-4) });
		const order = { ours: newReference(), money: money("9.99", "eur"), customerRef: method?.customerRef ?? "" };
		const { ref } = await provider.create(
			{ ...order, methodRef: method?.ref ?? "", description: "" },
			`${order.ours}:1`,
		);
		expect((await provider.confirm(ref, `${order.ours}:2`)).state).toBe("PROCESSING");
		expect(await provider.cancel(ref)).toMatchObject({ state: "PROCESSING" });
		standIn.advance(200_000);
		const seen = await provider.look(ref);
		expect(seen).toMatchObject({ state: end });
		if (iban.startsWith("AT")) expect(seen).toMatchObject({ dispute: { state: "LOST", money: money("9.99", "eur") } });
		if (end === "FAILED") expect(seen).toMatchObject({ failure: { bucket: "INSUFFICIENT_FUNDS" } });
	}
});

test("movements over months are complete and ordered, more than a page in one second too, and equal the balance", async () => {
	const bench = startStandIn({ seed: 3 });
	const { account } = bench;
	const one = openStripe({ secretKey: bench.secretKey, baseUrl: bench.url });
	const start = Date.UTC(2026, 0, 1);
	bench.setClock(start);
	const post = (path: string, form: Record<string, string>) =>
		fetch(`${bench.url}${path}`, {
			method: "POST",
			body: new URLSearchParams(form),
			headers: { authorization: `Bearer ${bench.secretKey}` },
		});
	for (let n = 0; n < 300; n++) {
		if (n >= 230) bench.advance(86_400_000 * 1.7);
		await post("/v1/payment_intents", {
			amount: "1000",
			currency: "eur",
			payment_method: "pm_card_visa",
			confirm: "true",
		});
	}
	await fetch(`${bench.url}/_stand-in/payout`, { method: "POST", body: "{}" });
	const movements: Movement[] = [];
	for await (const movement of one.movements(start as Instant)) movements.push(movement);
	expect(movements.map(({ ref }) => ref).toSorted()).toEqual([...account.objects.movements.keys()].toSorted());
	expect(movements.map(({ at }) => at)).toEqual(movements.map(({ at }) => at).toSorted((a, b) => a - b));
	const net = movements.reduce((sum, { money: { amount }, fee }) => sum + Number(amount) * 100 - Number(fee) * 100, 0);
	expect(Math.round(net)).toBe(0);
	expect(movements.at(-1)?.kind).toBe("PAYOUT");
	await bench.stop();
});

test("events arrive signed, twice, late, forged and lost by the seed; only signed ones are read", async () => {
	const read: EventIn[] = [];
	const refused: string[] = [];
	const rates = { eventLost: 0.2, eventTwice: 0.3, eventLate: 0.3, eventForged: 0.3 };
	const bench = startStandIn({ seed: 5, faults: rates });
	const one = openStripe({ secretKey: bench.secretKey, baseUrl: bench.url });
	const receiver = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: async (request) => {
			const raw = new Uint8Array(await request.arrayBuffer());
			const reading = one.readEvent(raw, request.headers, [bench.webhookSecret], Date.now() as Instant);
			const kind = await kindOf(reading);
			if (kind === "none") read.push(await reading);
			else refused.push(kind);
			return new Response(null, { status: kind === "none" ? 200 : 400 });
		},
	});
	bench.sendEventsTo(receiver.url.href);
	for (let n = 0; n < 20; n++) {
		const order = { ours: newReference(), money: money("5.00", "eur"), customerRef: "", methodRef: "pm_card_visa" };
		const { id } = (await (
			await fetch(`${bench.url}/v1/customers`, {
				method: "POST",
				headers: { authorization: `Bearer ${bench.secretKey}` },
			})
		).json()) as { id: string };
		const { ref } = await one.create({ ...order, customerRef: id, description: "" }, `${order.ours}:1`);
		await one.confirm(ref, `${order.ours}:2`);
	}
	await bench.eventsSettled();
	const made = bench.account.objects.events.size;
	const distinct = new Set(read.map(({ id }) => id)).size;
	expect(distinct).toBeGreaterThan(0);
	expect(distinct).toBeLessThan(made);
	expect(read.length).toBeGreaterThan(distinct);
	expect(new Set(refused)).toEqual(new Set(["SIGNATURE"]));
	const times = read.map(({ id }) => id);
	expect(times).not.toEqual(times.toSorted());
	await receiver.stop(true);
	await bench.stop();
}, 30_000);
