import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Answer, Provider } from "../../../../../../src/areas/collection/providers/provider";
import { openStripe } from "../../../../../../src/areas/collection/providers/stripe/adapter";
import { startStandIn } from "../../../../../support/providers/stripe/server";
import type { StandIn } from "../../../../../support/providers/stripe/stand-in";
import { kindOf, money, newReference } from "../../suite";

let standIn: StandIn;
let provider: Provider;
beforeAll(() => {
	standIn = startStandIn({ seed: 11, slowMs: 300 });
	provider = openStripe({ secretKey: standIn.secretKey, baseUrl: standIn.url });
});
afterAll(() => standIn.stop());

const customer = async () => (await post("/v1/customers", { name: "Ada" })).id;
const post = async (path: string, form: Record<string, string>, key?: string) => {
	const answer = await fetch(`${standIn.url}${path}`, {
		method: "POST",
		body: new URLSearchParams(form),
		headers: { authorization: `Bearer ${standIn.secretKey}`, ...(key !== undefined && { "idempotency-key": key }) },
	});
	return (await answer.json()) as { readonly id: string };
};
const order = async (methodRef = "pm_card_visa") => ({
	...{ ours: newReference(), money: money("12.00", "eur"), customerRef: await customer(), methodRef },
	description: "Invoice 1",
});
const charges = (ref: string) =>
	[...standIn.account.objects.charges.values()].filter((one) => one.payment_intent === ref && one.paid).length;

test.each([
	["cutBefore", "UNANSWERED", "UNCONFIRMED"],
	["cutAfter", "UNANSWERED", "SUCCEEDED"],
	["errorBefore", "LATER", "UNCONFIRMED"],
	["errorAfter", "LATER", "SUCCEEDED"],
	["busy", "LATER", "UNCONFIRMED"],
] as const)(
	"a confirmation that meets '%s' is %s after one request; the look-up says %s",
	async (fault, kind, state) => {
		const planned = await order();
		const { ref } = await provider.create(planned, `${planned.ours}:create:1`);
		const before = standIn.calls.total;
		standIn.plan({ route: `POST /v1/payment_intents/${ref}/confirm`, fault });
		expect(await kindOf(provider.confirm(ref, `${planned.ours}:confirm:1`))).toBe(kind);
		// The client repeats nothing.
		expect(standIn.calls.total).toBe(before + 1);
		expect(((await provider.look(ref)) as Answer).state).toBe(state);
		const n = kind === "LATER" ? 2 : 1;
		expect((await provider.confirm(ref, `${planned.ours}:confirm:${n}`)).state).toBe("SUCCEEDED");
		expect(charges(ref)).toBe(1);
	},
);

test("a stored 500 is repeated for its key, another body is a 400, and a call during the first a 409", async () => {
	const planned = await order();
	standIn.plan({ route: "POST /v1/payment_intents", fault: "errorAfter" });
	expect(await kindOf(provider.create(planned, `${planned.ours}:create:1`))).toBe("LATER");
	expect(await kindOf(provider.create(planned, `${planned.ours}:create:1`))).toBe("LATER");
	const other = { ...planned, money: money("13.00", "eur") };
	expect(await kindOf(provider.create(other, `${planned.ours}:create:1`))).toBe("REJECTED");
	expect(await provider.look({ ours: planned.ours })).toMatchObject({ state: "UNCONFIRMED", ours: planned.ours });
	standIn.plan({ route: "POST /v1/payment_intents", fault: "slow" });
	const first = provider.create(planned, `${planned.ours}:create:2`);
	await Bun.sleep(50);
	expect(await kindOf(provider.create(planned, `${planned.ours}:create:2`))).toBe("UNANSWERED");
	const { ref } = await first;
	expect((await provider.create(planned, `${planned.ours}:create:2`)).ref).toBe(ref);
});

test("a key is kept for 24 hours of the provider's clock", async () => {
	const form = { name: "Ada" };
	const { id } = await post("/v1/customers", form, "a key");
	expect((await post("/v1/customers", form, "a key")).id).toBe(id);
	standIn.advance(24 * 3_600_000);
	expect((await post("/v1/customers", form, "a key")).id).not.toBe(id);
});

test("a refund whose answer is lost is found by our reference, and the same key makes no second one", async () => {
	const planned = await order();
	const { ref } = await provider.create(planned, `${planned.ours}:create:1`);
	await provider.confirm(ref, `${planned.ours}:confirm:1`);
	const ours = newReference();
	const refund = { ours, paymentRef: ref, money: money("5.00", "eur"), whole: false, reason: "a reason" };
	standIn.plan({ route: "POST /v1/refunds", fault: "cutAfter" });
	expect(await kindOf(provider.refund(refund, `${ours}:1`))).toBe("UNANSWERED");
	const found = await provider.lookRefund({ ours }, ref);
	expect(found).toMatchObject({ state: "SUCCEEDED", money: money("5", "eur") });
	expect(await provider.refund(refund, `${ours}:1`)).toEqual(found as never);
	expect(((await provider.look(ref)) as Answer).refunded).toBe(money("5", "eur").amount);
});

test("a bank's demand for an authentication leads the customer to a page, and the payment succeeds once", async () => {
	const planned = await order("pm_card_authenticationRequired");
	const { ref } = await provider.create(planned, `${planned.ours}:create:1`);
	const back = "https://example.com/pay";
	const asked = await provider.confirm(ref, `${planned.ours}:confirm:1`, back);
	expect(asked).toMatchObject({ state: "REQUIRES_ACTION", failure: null });
	const page = asked.actionUrl ?? "";
	expect(await (await fetch(page)).text()).toContain("3-D Secure");
	const ended = await fetch(page, {
		method: "POST",
		body: new URLSearchParams({ outcome: "complete" }),
		redirect: "manual",
	});
	expect(ended.headers.get("location")).toStartWith(back);
	expect(await provider.look(ref)).toMatchObject({ state: "SUCCEEDED", received: money("12", "eur") });
	expect(charges(ref)).toBe(1);
});

test("a customer who fails the authentication fails the payment in the bucket AUTHENTICATE", async () => {
	const planned = await order("pm_card_threeDSecure2Required");
	const { ref } = await provider.create(planned, `${planned.ours}:create:1`);
	const { actionUrl } = await provider.confirm(ref, `${planned.ours}:confirm:1`, "https://example.com/pay");
	await fetch(actionUrl ?? "", { method: "POST", body: new URLSearchParams({ outcome: "fail" }), redirect: "manual" });
	expect(await provider.look(ref)).toMatchObject({ state: "FAILED", failure: { bucket: "AUTHENTICATE" } });
	expect(charges(ref)).toBe(0);
});

test("a key that the provider rejects appears in no message, even where the provider repeats it", async () => {
	const secretKey = "sk_test_AbCdEf0123456789";
	const echo = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: () =>
			Response.json(
				{ error: { type: "invalid_request_error", message: `Invalid API Key: ${secretKey}, pi_1_secret_abc.` } },
				{ status: 401 },
			),
	});
	const one = openStripe({ secretKey, baseUrl: echo.url.origin });
	const error = await one.verify().catch((thrown: Error) => thrown);
	expect(`${error}`).toBe("ProviderError: Invalid API Key: [key], pi_1[key]");
	await echo.stop(true);
});

test("nobody at the address, a redirect and an answer that is no JSON tell nothing about the payment", async () => {
	const gone = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("") });
	const address = gone.url.origin;
	await gone.stop(true);
	expect(await kindOf(openStripe({ secretKey: "sk_test_x", baseUrl: address }).look("pi_1"))).toBe("UNANSWERED");
	for (const answer of [
		() => new Response("<html>", { status: 502 }),
		() => new Response("<html>"),
		() => Response.redirect("http://127.0.0.1:1/"),
	]) {
		const proxy = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
		const kind = await kindOf(openStripe({ secretKey: "sk_test_x", baseUrl: proxy.url.origin }).look("pi_1"));
		expect(["UNANSWERED", "LATER"]).toContain(kind);
		await proxy.stop(true);
	}
});
