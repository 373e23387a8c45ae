import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Answer, type Provider, ProviderError } from "../../../../../../src/areas/collection/providers/provider";
import { openStripe } from "../../../../../../src/areas/collection/providers/stripe/adapter";
import { startStandIn } from "../../../../../support/providers/stripe/server";
import type { StandIn } from "../../../../../support/providers/stripe/stand-in";
import { money } from "../../suite";

const rate = 0.06;
const faults = { errorBefore: rate, errorAfter: rate, cutBefore: rate, cutAfter: rate, busy: rate, slow: rate };
const invoices = 120;
const stepsMax = 200;

let standIn: StandIn;
let provider: Provider;
beforeAll(() => {
	standIn = startStandIn({ seed: 17, slowMs: 10 });
	provider = openStripe({ secretKey: standIn.secretKey, baseUrl: standIn.url });
});
afterAll(() => standIn.stop());

const post = (path: string, form: Record<string, string>) =>
	fetch(`${standIn.url}${path}`, {
		method: "POST",
		body: new URLSearchParams(form),
		headers: { authorization: `Bearer ${standIn.secretKey}` },
	});

/** Repeats a call as the rule of keys says: a new key only after a definite answer. Looks up before each repetition. */
async function insist<T>(call: (n: number) => Promise<T>, look: () => Promise<T | undefined>): Promise<T> {
	let n = 1;
	for (let step = 0; step < stepsMax; step++) {
		try {
			return await call(n);
		} catch (error) {
			if (!(error instanceof ProviderError) || !["LATER", "UNANSWERED"].includes(error.kind)) throw error;
			if (error.kind === "LATER") n += 1;
		}
		const seen = await look().catch(() => undefined);
		if (seen !== undefined) return seen;
	}
	throw new Error("No end.");
}

async function collect(ours: string, customerRef: string, methodRef: string): Promise<Answer> {
	const order = { ours, money: money("10.00", "eur"), customerRef, methodRef, description: "Invoice" };
	const created = await insist(
		(n) => provider.create(order, `${ours}:create:${n}`),
		async () => undefined,
	);
	return await insist(
		(n) => provider.confirm(created.ref, `${ours}:confirm:${n}`),
		async () => {
			const seen = await provider.look(created.ref);
			return seen !== "NOT_FOUND" && seen.state !== "UNCONFIRMED" ? seen : undefined;
		},
	);
}

async function refundPart(paid: Answer): Promise<void> {
	const ours = `${paid.ours}-refund`;
	const order = { ours, paymentRef: paid.ref, money: money("4.00", "eur"), whole: false, reason: null };
	let mayCall = true;
	for (let n = 1; n < stepsMax; ) {
		try {
			if (mayCall) {
				await provider.refund(order, `${ours}:refund:${n}`);
				return;
			}
		} catch (error) {
			if (!(error instanceof ProviderError)) throw error;
			if (error.kind === "LATER") n += 1;
		}
		// A refund has one step: a new key only after a look-up that does not find it.
		const seen = await provider.lookRefund({ ours }, paid.ref).catch(() => undefined);
		if (seen !== undefined && seen !== "NOT_FOUND") return;
		mayCall = seen === "NOT_FOUND";
	}
	throw new Error("No end.");
}

const sums = () => {
	const charged = new Map<string, number>();
	const refunded = new Map<string, number>();
	for (const charge of standIn.account.objects.charges.values()) {
		if (charge.status !== "succeeded") continue;
		const name = charge.metadata.tollgate ?? "";
		charged.set(name, (charged.get(name) ?? 0) + 1);
		refunded.set(name, (refunded.get(name) ?? 0) + charge.amount_refunded);
	}
	return { charged, refunded };
};

test("under all faults each invoice is charged once and each refund made once, and the movements agree", async () => {
	const { id } = (await (await post("/v1/customers", {})).json()) as { id: string };
	standIn.setFaults(faults);
	const names = Array.from({ length: invoices }, (_, n) => `once-${n}`);
	await Promise.all(
		names.map(async (name, n) => {
			const card = n % 5 === 4 ? "pm_card_visa_chargeDeclined" : "pm_card_visa";
			const answer = await collect(name, id, card);
			expect(answer.state).toBe(n % 5 === 4 ? "FAILED" : "SUCCEEDED");
			if (n % 5 < 2) await refundPart(answer);
		}),
	);
	standIn.setFaults({});
	const { charged, refunded } = sums();
	for (const [n, name] of names.entries()) {
		expect([name, charged.get(name) ?? 0]).toEqual([name, n % 5 === 4 ? 0 : 1]);
		expect([name, refunded.get(name) ?? 0]).toEqual([name, n % 5 < 2 ? 400 : 0]);
	}
	let net = 0;
	for await (const movement of provider.movements(0 as never)) net += Math.round(Number(movement.money.amount) * 100);
	expect(net).toBe((invoices * 4 * 1000) / 5 - (invoices * 2 * 400) / 5);
}, 60_000);

test("the control, one call without a key, charges some invoices twice under the same faults", async () => {
	standIn.setFaults(faults);
	const names = Array.from({ length: invoices }, (_, n) => `control-${n}`);
	await Promise.all(
		names.map(async (name) => {
			for (let n = 0; n < stepsMax; n++) {
				const form = { amount: "1000", currency: "eur", payment_method: "pm_card_visa", confirm: "true" };
				const answer = await post("/v1/payment_intents", { ...form, "metadata[tollgate]": name }).catch(
					() => undefined,
				);
				const body = await answer?.json().catch(() => undefined);
				if (answer?.ok && body) return;
			}
		}),
	);
	standIn.setFaults({});
	const { charged } = sums();
	expect(names.filter((name) => (charged.get(name) ?? 0) > 1).length).toBeGreaterThan(0);
}, 60_000);
