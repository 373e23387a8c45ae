import { describe, expect, test } from "bun:test";
import {
	type Answer,
	type AttemptOrder,
	type Bucket,
	type Movement,
	type Provider,
	ProviderError,
} from "../../../../src/areas/collection/providers/provider";
import type { Instant } from "../../../../src/kernel/clock";
import { type Decimal, toDecimal } from "../../../../src/kernel/decimal";

/** The things that the suite needs of an account at a provider, or at its stand-in. */
export interface Bench {
	readonly name: string;
	readonly provider: Provider;
	readonly currency: string;
	/** Makes a customer with a method that behaves as named; returns the references. */
	method(behaviour: Behaviour): Promise<{ customerRef: string; methodRef: string }>;
	/** An adapter with credentials that the provider does not know. */
	readonly stranger: Provider;
	/** Waits until a payment that the provider processes has an end; undefined where the bench cannot. */
	settle?(): Promise<void>;
}

export type Behaviour = "pays" | "declined" | "no funds" | "stolen" | "expired" | "authentication" | "disputed";

export const money = (amount: string, currency: string) => ({ amount: amount as Decimal, currency });

let counter = 0;
/** A reference of ours that no other run has. */
export const newReference = (): string => `t${Date.now().toString(36)}${(++counter).toString(36)}`;

export const orderOf = (
	{ currency }: Bench,
	method: { customerRef: string; methodRef: string },
	amount = "12.34",
): AttemptOrder => ({ ours: newReference(), money: money(amount, currency), ...method, description: "Invoice 1" });

/** Creates and confirms a payment; a provider of one step charges in `create`. */
export async function pay({ provider }: Bench, order: AttemptOrder): Promise<Answer> {
	const created = await provider.create(order, `${order.ours}:create:1`);
	return provider.can.twoSteps ? await provider.confirm(created.ref, `${order.ours}:confirm:1`) : created;
}

/** The kind of the error that a call throws. */
export async function kindOf(call: Promise<unknown>): Promise<string> {
	try {
		await call;
		return "none";
	} catch (error) {
		if (error instanceof ProviderError) return error.kind;
		throw error;
	}
}

/** The suite that each adapter passes against its stand-in, and with a test key against the real provider. */
export function providerSuite(bench: () => Bench): void {
	describe("every adapter", () => {
		test("confirms credentials, and rejects others without naming them", async () => {
			const { provider, stranger } = bench();
			const { account, live } = await provider.verify();
			expect(account).not.toBe("");
			expect(live).toBe(false);
			const error = await stranger.verify().then(
				() => undefined,
				(thrown: unknown) => thrown,
			);
			expect(error).toBeInstanceOf(ProviderError);
			expect((error as ProviderError).kind).toBe("CREDENTIALS");
			expect((error as ProviderError).message).not.toContain("wrong");
		});

		test("charges a saved method once, with the same key or another", async () => {
			const one = bench();
			const { provider } = one;
			const order = orderOf(one, await one.method("pays"));
			const created = await provider.create(order, `${order.ours}:create:1`);
			const again = await provider.create(order, `${order.ours}:create:1`);
			expect(again.ref).toBe(created.ref);
			expect(created.ours).toBe(order.ours);
			if (provider.can.twoSteps) {
				expect(created.state).toBe("UNCONFIRMED");
				expect(Number(created.received.amount)).toBe(0);
				for (const n of [1, 1, 2]) {
					const paid = await provider.confirm(created.ref, `${order.ours}:confirm:${n}`);
					expect(paid.state).toBe("SUCCEEDED");
					expect(paid.received).toEqual(order.money);
				}
			}
			const seen = (await provider.look(created.ref)) as Answer;
			expect(seen.received).toEqual(order.money);
			expect(seen.refunded).toBe(toDecimal(0));
			expect(seen.movedAt).not.toBeNull();
		});

		test.each([
			["declined", ["RETRY_LATER"]],
			["no funds", ["INSUFFICIENT_FUNDS"]],
			["stolen", ["NEVER"]],
			["expired", ["NEW_METHOD"]],
			["authentication", ["AUTHENTICATE"]],
		] as const)("a charge of a method that is '%s' fails in the bucket %j", async (behaviour, buckets) => {
			const one = bench();
			const answer = await pay(one, orderOf(one, await one.method(behaviour)));
			expect(answer.state).toBe("FAILED");
			expect(buckets as readonly Bucket[]).toContain(answer.failure?.bucket as Bucket);
			expect(answer.failure?.code).not.toBe("");
			expect(((await one.provider.look(answer.ref)) as Answer).state).toBe("FAILED");
		});

		test("cancels a payment that is not confirmed; one that is paid answers SUCCEEDED", async () => {
			const one = bench();
			const { provider } = one;
			const method = await one.method("pays");
			if (provider.can.twoSteps) {
				const order = orderOf(one, method);
				const { ref } = await provider.create(order, `${order.ours}:create:1`);
				expect((await provider.cancel(ref)).state).toBe("CANCELED");
				expect((await provider.cancel(ref)).state).toBe("CANCELED");
				expect((await provider.confirm(ref, `${order.ours}:confirm:1`)).state).toBe("CANCELED");
			}
			const paid = await pay(one, orderOf(one, method));
			expect((await provider.cancel(paid.ref)).state).toBe("SUCCEEDED");
		});

		test("refunds a part and the rest, finds refunds by our reference, and never refunds more than is left", async () => {
			const one = bench();
			const { provider, currency } = one;
			if (!provider.can.partialRefunds) return;
			const paid = await pay(one, orderOf(one, await one.method("pays"), "10.00"));
			const refund = (ours: string, amount: string, whole: boolean) =>
				provider.refund(
					{ ours, paymentRef: paid.ref, money: money(amount, currency), whole, reason: null },
					`${ours}:refund:1`,
				);
			const first = newReference();
			const part = await refund(first, "3.33", false);
			expect((await refund(first, "3.33", false)).ref).toBe(part.ref);
			expect(await provider.lookRefund({ ours: first }, paid.ref)).toMatchObject({ ref: part.ref, ours: first });
			expect(await provider.lookRefund(part.ref, paid.ref)).toMatchObject({ ref: part.ref });
			expect(((await provider.look(paid.ref)) as Answer).refunded).toBe("3.33" as Decimal);
			expect(await kindOf(refund(newReference(), "6.68", false))).toBe("REJECTED");
			expect(part.state).toBe("SUCCEEDED");
			await refund(newReference(), "6.67", true);
			expect(((await provider.look(paid.ref)) as Answer).refunded).toBe("10" as Decimal);
			expect(await kindOf(refund(newReference(), "0.50", false))).toBe("REJECTED");
			expect(await provider.lookRefund({ ours: newReference() }, paid.ref)).toBe("NOT_FOUND");
		});

		test("unknown references are NOT_FOUND", async () => {
			const { provider } = bench();
			expect(await provider.look("pi_unknown")).toBe("NOT_FOUND");
			expect(await provider.lookMethod("pm_unknown")).toBe("NOT_FOUND");
			expect(await provider.lookRefund("re_unknown", "pi_unknown")).toBe("NOT_FOUND");
			expect(await provider.lookDispute("du_unknown")).toBe("NOT_FOUND");
		});

		test("shows a saved method without its number, and detaches it twice without an error", async () => {
			const one = bench();
			const { provider } = one;
			const { methodRef, customerRef } = await one.method("pays");
			const method = await provider.lookMethod(methodRef);
			expect(method).toMatchObject({ ref: methodRef, customerRef, kind: "CARD", last4: "4242" });
			await provider.detachMethod(methodRef);
			await provider.detachMethod(methodRef);
			expect(await provider.lookMethod(methodRef)).toBe("NOT_FOUND");
		});

		test("opens a page for saving a method and one for paying, and closes them", async () => {
			const one = bench();
			const { provider, currency } = one;
			for (const purpose of ["SAVE_METHOD", "PAY"] as const) {
				const page = {
					...{ purpose, ours: newReference(), customerRef: null, customerName: "Ada", customerEmail: null },
					...{ money: purpose === "PAY" ? money("20.00", currency) : null, description: "Invoice 1" },
					...{ savesMethod: true, successUrl: "https://example.com/ok", cancelUrl: "https://example.com/no" },
				};
				const opened = await provider.openPage(page, `${page.ours}:page:1`);
				expect(new URL(opened.url).protocol).toMatch(/^https?:$/);
				expect((await provider.openPage(page, `${page.ours}:page:1`)).ref).toBe(opened.ref);
				expect(await provider.lookPage(opened.ref)).toMatchObject({ state: "OPEN", method: null });
				await provider.closePage(opened.ref);
				await provider.closePage(opened.ref);
				expect((await provider.lookPage(opened.ref)).state).toBe("EXPIRED");
			}
		});

		test("lists the movements of payments and refunds, oldest first", async () => {
			const one = bench();
			const { provider, currency } = one;
			const since = (Date.now() - 2_000) as Instant;
			const paid = await pay(one, orderOf(one, await one.method("pays"), "10.00"));
			const ours = newReference();
			const refund = await provider.refund(
				{ ours, paymentRef: paid.ref, money: money("10.00", currency), whole: true, reason: null },
				`${ours}:refund:1`,
			);
			const movements: Movement[] = [];
			for await (const movement of provider.movements(since)) movements.push(movement);
			expect(movements.map(({ at }) => at)).toEqual(movements.map(({ at }) => at).sort((a, b) => a - b));
			const ofPayment = movements.find(({ sourceRef }) => sourceRef === paid.ref);
			expect(ofPayment).toMatchObject({ kind: "PAYMENT", money: { amount: "10" as Decimal, currency } });
			const ofRefund = movements.find(({ sourceRef }) => sourceRef === refund.ref);
			expect(ofRefund).toMatchObject({ kind: "REFUND", money: { amount: "-10" as Decimal, currency } });
		});

		test("a dispute of a payment is seen with its payment; evidence ends it", async () => {
			const one = bench();
			const { provider } = one;
			if (!provider.can.disputes) return;
			const paid = await pay(one, orderOf(one, await one.method("disputed"), "10.00"));
			let seen = (await provider.look(paid.ref)) as Answer;
			for (let n = 0; n < 20 && !seen.dispute; n++) {
				await Bun.sleep(1_000);
				seen = (await provider.look(paid.ref)) as Answer;
			}
			expect(seen.dispute).toMatchObject({ state: "NEEDS_RESPONSE", paymentRef: paid.ref, reason: "fraudulent" });
			expect(seen.dispute?.money).toEqual(money("10", one.currency));
			expect(seen.dispute?.evidenceDueAt).toBeGreaterThan(Date.now());
			const ref = seen.dispute?.ref ?? "";
			expect(await kindOf(provider.sendEvidence(ref, { a_field: "x" }, `${ref}:e:0`))).toBe("REJECTED");
			const evidence = { uncategorized_text: "winning_evidence" };
			const sent = await provider.sendEvidence(ref, evidence, `${ref}:e:1`);
			expect(["UNDER_REVIEW", "WON"]).toContain(sent.state);
			for (let n = 0; n < 20 && sent.state !== "WON"; n++) {
				const dispute = await provider.lookDispute(ref);
				if (dispute !== "NOT_FOUND" && dispute.state === "WON") break;
				await Bun.sleep(1_000);
			}
			expect(await provider.lookDispute(ref)).toMatchObject({ state: "WON" });
		}, 60_000);
	});
}
