import { afterAll, beforeAll, expect, test } from "bun:test";
import { startStandIn } from "../../../support/providers/stripe/server";
import type { StandIn } from "../../../support/providers/stripe/stand-in";
import { chargingWorld, submit } from "../../collection/charging";
import { collecting } from "../../collection/scripted";
import { callBy, portalOf } from "../links";

let standIn: StandIn;
beforeAll(() => {
	standIn = startStandIn({ seed: 41 });
});
afterAll(() => standIn.stop());

async function portal() {
	const w = await chargingWorld(standIn);
	await w.connect();
	return { ...w, own: await portalOf(w) };
}

test("a customer saves a card on the provider's page, pays an open invoice once, and sees the payment until it ends", async () => {
	const w = await portal();
	expect((await w.own("GET", "/portal/payment")).body.data).toEqual({ canPay: true, methods: [], attempts: [] });
	await w.provision({ paymentCollectionMethod: "INVOICE" });
	const [{ id, due }] = (await w.own("GET", "/portal/invoices")).body.data;
	const none = await w.own("POST", `/portal/invoices/${id}/pay`);
	expect([none.status, none.body.code]).toEqual([404, "PaymentMethodNotFoundError"]);
	const opened = await collecting(w.collector, w.own("POST", "/portal/payment/page"));
	expect(opened.status).toBe(201);
	await submit(opened.body.data.url, { number: "4242424242424242" });
	await w.collect(3_000);
	const [method] = (await w.own("GET", "/portal/payment")).body.data.methods;
	expect(method).toMatchObject({ kind: "CARD", brand: "visa", last4: "4242", isDefault: true });
	expect(Object.keys(method)).not.toContain("paymentMethodId");
	const paid = await w.own("POST", `/portal/invoices/${id}/pay`);
	expect(paid).toMatchObject({ status: 201, body: { data: { invoiceId: id, state: "PLANNED", amount: due } } });
	const again = await w.own("POST", `/portal/invoices/${id}/pay`);
	expect([again.status, again.body.code]).toEqual([409, "DuplicatedEntityNotAllowed"]);
	expect((await w.own("GET", "/portal/payment")).body.data.attempts.length).toBe(1);
	const busy = await w.own("DELETE", `/portal/payment/methods/${method.id}`);
	expect(busy.body.code).toBe("CannotRemovePaymentMethodFromCustomerError");
	await w.collect();
	expect((await w.own("GET", "/portal/invoices")).body.data[0]).toMatchObject({ state: "PAID", due: 0 });
	const removed = await w.own("DELETE", `/portal/payment/methods/${method.id}`);
	expect(removed.body.data).toEqual({ canPay: true, methods: [], attempts: [] });
	expect((await w.receipts()).length).toBe(1);
	expect(w.check()).toEqual([]);
});

test("a payment that the bank asks about has its link, and another method becomes the default", async () => {
	const w = await portal();
	await w.saveCard();
	await w.saveCard("4000000000003220");
	await w.provision();
	await w.collect();
	const { methods, attempts } = (await w.own("GET", "/portal/payment")).body.data;
	expect(attempts).toMatchObject([{ state: "REQUIRES_ACTION" }]);
	const first = methods.find(({ isDefault }: { isDefault: boolean }) => !isDefault);
	const chosen = await w.own("POST", `/portal/payment/methods/${first.id}/default`);
	expect(chosen.body.data.methods).toContainEqual({ ...first, isDefault: true });
	await submit(attempts[0].actionUrl, { outcome: "complete" });
	await w.collect(10_000);
	expect((await w.own("GET", "/portal/payment")).body.data.attempts).toEqual([]);
});

test("nothing of another customer, and nothing without a portal link, a provider or the whole customer", async () => {
	const w = await portal();
	await w.saveCard();
	await w.provision({ paymentCollectionMethod: "INVOICE" });
	const [{ invoiceId }] = await w.invoices();
	const [{ id: methodId }] = (await w.send("GET", "/customers/acme/payment-methods")).data;
	await w.send("POST", "/customers", { id: "other", name: "Other" });
	const other = await portalOf(w, "other");
	for (const [method, path, code] of [
		["POST", `/portal/invoices/${invoiceId}/pay`, "InvoiceNotFound"],
		["POST", `/portal/payment/methods/${methodId}/default`, "PaymentMethodNotFoundError"],
		["DELETE", `/portal/payment/methods/${methodId}`, "PaymentMethodNotFoundError"],
	] as const) {
		const refused = await other(method, path);
		expect([refused.status, refused.body.code]).toEqual([404, code]);
		expect((await w.own(method, path)).status).not.toBe(404);
	}
	expect((await w.send("GET", "/portal/payment")).status).toBe(403);
	expect((await callBy(w, "portal-none")("GET", "/portal/payment")).status).toBe(401);
	const [connection] = (await w.send("GET", "/provider-connections")).data;
	await w.send("POST", `/provider-connections/${connection.id}/archive`);
	expect((await w.own("GET", "/portal/payment")).body.data.canPay).toBe(false);
	expect((await w.own("POST", "/portal/payment/page")).body.code).toBe("BillingIntegrationMissing");
});
