import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startStandIn } from "../../../support/providers/stripe/server";
import type { StandIn } from "../../../support/providers/stripe/stand-in";
import { chargingWorld, scriptedWorld, submit } from "../charging";
import { accepting } from "../scripted";

let standIn: StandIn;
beforeAll(() => {
	standIn = startStandIn({ seed: 21 });
});
afterAll(() => standIn.stop());

const ready = async (number?: string) => {
	const w = await chargingWorld(standIn);
	await w.connect();
	await w.saveCard(number);
	return w;
};

/** The sum that the provider has received for an attempt. */
const chargedAt = (id: string): number[] =>
	[...standIn.account.objects.intents.values()]
		.filter(({ metadata, status }) => metadata.tollgate === id && status === "succeeded")
		.map(({ amount_received }) => amount_received);

describe("an invoice of a subscription with CHARGE", () => {
	test("is paid by the customer's saved card, through a receipt of the provider", async () => {
		const w = await ready();
		expect((await w.provision()).status).toBe(201);
		const [open] = await w.invoices();
		expect(open).toMatchObject({ state: "OPEN", total: 9.99 });
		expect((await w.attempts())[0]).toMatchObject({ state: "PLANNED", amount: 9.99, trigger: "ISSUE" });
		await w.collect();
		expect((await w.invoices())[0]).toMatchObject({ state: "PAID", total: 9.99 });
		const [attempt] = await w.attempts();
		const [receipt] = await w.receipts();
		expect(attempt).toMatchObject({
			...{ state: "SUCCEEDED", customerId: "acme", amount: 9.99, failure: null, receiptId: receipt.receiptId },
			invoices: [{ invoiceId: open.invoiceId, amount: 9.99 }],
		});
		expect(receipt).toMatchObject({ source: "PROVIDER", method: "CARD", amount: 9.99, reference: attempt.reference });
		expect(chargedAt(attempt.id)).toEqual([999]);
		expect(w.check()).toEqual([]);
	});

	test("stays OPEN after a decline, and is charged again by hand with another card", async () => {
		const w = await ready("4000000000009995");
		await w.provision();
		await w.collect();
		const [invoice] = await w.invoices();
		expect(invoice).toMatchObject({ state: "OPEN" });
		expect((await w.attempts())[0]).toMatchObject({
			...{ state: "FAILED", receiptId: null },
			failure: { code: "insufficient_funds", bucket: "INSUFFICIENT_FUNDS" },
		});
		expect(await w.receipts()).toEqual([]);
		await w.saveCard();
		const again = await w.send("POST", "/attempts", { invoiceId: invoice.invoiceId });
		expect(again).toMatchObject({ status: 201, data: { state: "PLANNED", trigger: "MANUAL", amount: 9.99 } });
		const second = await w.send("POST", "/attempts", { invoiceId: invoice.invoiceId });
		expect([second.status, second.code]).toEqual([409, "DuplicatedEntityNotAllowed"]);
		await w.collect();
		expect((await w.invoices())[0].state).toBe("PAID");
		expect((await w.attempts(`?invoiceId=${invoice.invoiceId}&state=SUCCEEDED`)).length).toBe(1);
		const paid = await w.send("POST", "/attempts", { invoiceId: invoice.invoiceId });
		expect([paid.status, paid.code]).toEqual([404, "BillingInvoiceStatusError"]);
	});

	test("waits for the customer who must authenticate, and is canceled after seven days", async () => {
		const w = await ready("4000000000003220");
		await w.provision();
		await w.collect();
		const [waiting] = await w.attempts();
		expect(waiting.state).toBe("REQUIRES_ACTION");
		await submit(waiting.actionUrl, { outcome: "complete" });
		await w.collect(10_000);
		expect((await w.attempts())[0]).toMatchObject({ state: "SUCCEEDED", actionUrl: null });
		expect((await w.invoices())[0].state).toBe("PAID");
		await w.provision({ planId: "pro", charges: [{ id: "seats", type: "FEATURE", quantity: 1 }], id: "s2" });
		await w.collect();
		expect((await w.attempts())[0].state).toBe("REQUIRES_ACTION");
		await w.collect(7 * 86_400_000, 10_000);
		expect((await w.attempts())[0].state).toBe("CANCELED");
		expect((await w.invoices()).at(-1).state).toBe("OPEN");
	});

	test("starts a subscription that waits for its payment", async () => {
		const w = await ready();
		await w.provision({ awaitPaymentConfirmation: true });
		expect((await w.send("GET", "/subscriptions/s1")).data.status).toBe("PAYMENT_PENDING");
		await w.collect();
		expect((await w.send("GET", "/subscriptions/s1")).data.status).toBe("ACTIVE");
	});

	test("is not charged any more once it is paid by hand", async () => {
		const w = await ready();
		await w.provision();
		const [invoice] = await w.invoices();
		await w.send("POST", `/customers/acme/invoices/${invoice.invoiceId}/paid`, {});
		expect((await w.attempts())[0].state).toBe("CANCELED");
		await w.collect();
		expect(chargedAt((await w.attempts())[0].id)).toEqual([]);
	});

	test("is charged at each renewal", async () => {
		const w = await ready();
		await w.provision();
		await w.collect(32 * 86_400_000);
		await w.send("GET", "/subscriptions/s1");
		await w.send("PATCH", "/subscriptions/s1", { metadata: { a: "b" } });
		await w.collect();
		expect((await w.invoices()).map(({ state, total }) => [state, total])).toEqual([
			["PAID", 9.99],
			["PAID", 9.99],
		]);
		expect(w.check()).toEqual([]);
	});
});

describe("CHARGE is rejected", () => {
	test("without a connection, and without a saved method", async () => {
		const w = await chargingWorld(standIn);
		const none = await w.provision();
		expect([none.status, none.code]).toEqual([400, "BillingIntegrationMissing"]);
		await w.connect();
		const methodless = await w.provision();
		expect([methodless.status, methodless.code]).toEqual([404, "PaymentMethodNotFoundError"]);
		expect(await w.invoices()).toEqual([]);
	});

	test("for a method whose connection collects for another legal entity, or is archived", async () => {
		const w = await chargingWorld(standIn);
		const { data: other } = await w.send("POST", "/legal-entities", {
			name: "Other",
			numberFormat: { invoicePrefix: "O-", creditNotePrefix: "OC-" },
		});
		const { id } = await w.connect({ legalEntityId: other.id });
		await w.saveCard();
		expect((await w.provision()).code).toBe("PaymentMethodNotFoundError");
		await w.send("PATCH", `/provider-connections/${id}`, { legalEntityId: null });
		await w.send("POST", `/provider-connections/${id}/archive`);
		expect((await w.provision()).code).toBe("BillingIntegrationMissing");
	});
});

test("a saved method that is charged cannot be detached", async () => {
	const w = await ready();
	await w.provision();
	const { code } = await w.send("DELETE", "/customers/acme/payment-method");
	expect(code).toBe("CannotRemovePaymentMethodFromCustomerError");
});

describe("a provider that charges in one step", () => {
	test("leaves an attempt UNKNOWN when all answers are lost, which only a person ends", async () => {
		const w = await scriptedWorld(accepting([], 1), "pm_lost");
		await w.provision();
		await w.collect(3_000, 12 * 3_600_000, 12 * 3_600_000);
		const [attempt] = await w.attempts();
		expect(attempt.state).toBe("UNKNOWN");
		const [invoice] = await w.invoices();
		expect((await w.send("POST", "/attempts", { invoiceId: invoice.invoiceId })).status).toBe(409);
		const path = `/attempts/${attempt.id}/resolve`;
		expect((await w.send("POST", path, { outcome: "SUCCEEDED" })).code).toBe("InvalidArgumentError");
		const resolved = await w.send("POST", path, { outcome: "SUCCEEDED", reference: "pi_found" });
		expect(resolved.data).toMatchObject({ state: "SUCCEEDED", reference: "pi_found" });
		expect((await w.invoices())[0].state).toBe("PAID");
		expect((await w.send("POST", path, { outcome: "FAILED" })).code).toBe("BillingInvoiceStatusError");
	});

	test("frees the invoice when a person found no payment", async () => {
		const w = await scriptedWorld(accepting([], 1), "pm_lost");
		await w.provision();
		await w.collect(3_000, 12 * 3_600_000, 12 * 3_600_000);
		const [attempt] = await w.attempts();
		await w.send("POST", `/attempts/${attempt.id}/resolve`, { outcome: "FAILED" });
		await w.waiting("POST", "/customers/acme/payment-methods", { paymentMethodId: "pm_1" });
		const [{ invoiceId }] = await w.invoices();
		expect((await w.send("POST", "/attempts", { invoiceId })).status).toBe(201);
		await w.collect();
		expect((await w.invoices())[0].state).toBe("PAID");
	});
});
