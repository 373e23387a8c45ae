import { expect, test } from "bun:test";
import { Stripe } from "stripe";
import { openStripe } from "../../../../../src/areas/collection/providers/stripe/adapter";
import type { Instant } from "../../../../../src/kernel/clock";
import { kindOf } from "../suite";

const provider = openStripe({ secretKey: "sk_test_unused", baseUrl: null });
const secret = "whsec_one";
const now = 1_795_000_000_000 as Instant;
const client = new Stripe("sk_test_unused");

/** Signs with the official client, which is the oracle here. */
const signed = async (payload: string, by = secret, at: number = now) =>
	new Headers({
		"stripe-signature": await client.webhooks.generateTestHeaderStringAsync({
			...{ payload, secret: by, timestamp: Math.floor(at / 1000) },
		}),
	});
const bytes = (text: string) => new TextEncoder().encode(text);
const event = (object: object, type = "payment_intent.succeeded") =>
	JSON.stringify({ id: "evt_1", object: "event", type, created: 1_794_999_000, data: { object } });
const read = async (payload: string, headers: Headers, secrets = [secret], at = now) =>
	await provider.readEvent(bytes(payload), headers, secrets, at);

test.each([
	[{ object: "payment_intent", id: "pi_1" }, "PAYMENT", "pi_1"],
	[{ object: "charge", id: "ch_1", payment_intent: "pi_2" }, "PAYMENT", "pi_2"],
	[{ object: "charge", id: "ch_1", payment_intent: null }, "OTHER", "ch_1"],
	[{ object: "refund", id: "re_1" }, "REFUND", "re_1"],
	[{ object: "dispute", id: "du_1" }, "DISPUTE", "du_1"],
	[{ object: "checkout.session", id: "cs_1" }, "PAGE", "cs_1"],
	[{ object: "payment_method", id: "pm_1" }, "METHOD", "pm_1"],
	[{ object: "payout", id: "po_1" }, "PAYOUT", "po_1"],
	[{ object: "customer", id: "cus_1" }, "OTHER", "cus_1"],
] as const)("an event about %j is a hint about the %s %s", async (object, thing, ref) => {
	const payload = event(object);
	expect(await read(payload, await signed(payload))).toEqual({
		...{ id: "evt_1", kind: "payment_intent.succeeded", createdAt: 1_794_999_000_000 as Instant },
		about: { thing, ref },
	});
});

test("one of two secrets suffices during a rotation", async () => {
	const payload = event({ object: "refund", id: "re_1" });
	const headers = await signed(payload, "whsec_two");
	expect((await read(payload, headers, [secret, "whsec_two"])).id).toBe("evt_1");
});

test.each([299, 300, 301, -300, -301])(
	"a signature that is %p s old passes up to 300 s in both directions",
	async (age) => {
		const payload = event({ object: "refund", id: "re_1" });
		const headers = await signed(payload, secret, now - age * 1000);
		expect(await kindOf(read(payload, headers))).toBe(Math.abs(age) <= 300 ? "none" : "SIGNATURE");
	},
);

test("other secrets, changed bytes, missing and malformed headers are no signature", async () => {
	const payload = event({ object: "refund", id: "re_1" });
	const headers = await signed(payload);
	const refused: readonly (readonly [string, Headers, string[]])[] = [
		[payload, await signed(payload, "whsec_other"), [secret]],
		[`${payload} `, headers, [secret]],
		[`\uFEFF${payload}`, headers, [secret]],
		[payload, headers, []],
		[payload, headers, [" "]],
		[payload, new Headers(), [secret]],
		...["", "t=1", "v1=00", "t=x,v1=00", `t=${now / 1000},v1=`, `t=${now / 1000},v0=00`, "=,=,"].map(
			(header) => [payload, new Headers({ "stripe-signature": header }), [secret]] as [string, Headers, string[]],
		),
	];
	for (const [body, sent, secrets] of refused) expect(await kindOf(read(body, sent, secrets))).toBe("SIGNATURE");
});

test.each(["", "[]", "null", "{", '{"id":1,"type":"a"}', `{"id":"${"x".repeat(300)}","type":"a"}`])(
	"a signed body %p that is no event is rejected",
	async (payload) => {
		const time = Math.floor(now / 1000);
		const mac = new Bun.CryptoHasher("sha256", secret).update(`${time}.${payload}`).digest("hex");
		const headers = new Headers({ "stripe-signature": `t=${time},v1=${mac}` });
		expect(await kindOf(read(payload, headers))).toBe("REJECTED");
	},
);
