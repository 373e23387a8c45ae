import { afterAll, beforeAll, expect, test } from "bun:test";
import { startStandIn } from "../../../support/providers/stripe/server";
import type { StandIn } from "../../../support/providers/stripe/stand-in";
import { chargingWorld } from "../charging";

let standIn: StandIn;
beforeAll(() => {
	standIn = startStandIn({ seed: 23 });
});
afterAll(() => standIn.stop());

const path = "/customers/acme/payment-methods";
const byDefault = "/customers/acme/default-payment-method";

/** A customer with two saved cards; the newest one is the default. */
async function twoCards() {
	const w = await chargingWorld(standIn);
	await w.connect();
	await w.saveCard();
	await w.saveCard("5555555555554444");
	const { data } = await w.send("GET", path);
	const [second, first] = data;
	expect(data.map(({ isDefault }: { isDefault: boolean }) => isDefault)).toEqual([true, false]);
	return { ...w, first, second };
}

test("the chosen default method is the one that is charged", async () => {
	const w = await twoCards();
	const chosen = await w.send("POST", `${byDefault}/${w.first.id}`);
	expect(chosen).toMatchObject({ status: 200, data: { id: w.first.id, isDefault: true } });
	await w.provision();
	await w.collect();
	expect((await w.attempts())[0]).toMatchObject({ state: "SUCCEEDED", paymentMethodId: w.first.id });
});

test("a removed method is listed and charged no more, and is deleted at the provider", async () => {
	const w = await twoCards();
	const removed = await w.send("DELETE", `${path}/${w.first.id}`);
	expect(removed).toMatchObject({ status: 200, data: { id: w.first.id, isDefault: false } });
	expect((await w.send("GET", path)).data.map(({ id }: { id: string }) => id)).toEqual([w.second.id]);
	expect(standIn.account.objects.methods.get(w.first.paymentMethodId)?.customer).not.toBeNull();
	await w.collect();
	expect(standIn.account.objects.methods.get(w.first.paymentMethodId)?.customer ?? null).toBeNull();
	const gone = { status: 404, code: "PaymentMethodNotFoundError" };
	expect(await w.send("DELETE", `${path}/${w.first.id}`)).toMatchObject(gone);
	expect(await w.send("POST", `${byDefault}/${w.first.id}`)).toMatchObject(gone);
	const again = { paymentMethodId: w.first.paymentMethodId };
	expect(await w.send("POST", path, again)).toMatchObject({ status: 400, code: "InvalidArgumentError" });
	await w.provision();
	await w.collect();
	const [{ invoiceId }] = await w.invoices();
	const charge = await w.send("POST", "/attempts", { invoiceId, paymentMethodId: w.first.id });
	expect(charge.code).toBe("BillingInvoiceStatusError");
});

test("the default method of a charged subscription, and one that an attempt charges, cannot be removed", async () => {
	const w = await twoCards();
	await w.provision();
	const refused = { status: 400, code: "CannotRemovePaymentMethodFromCustomerError" };
	expect(await w.send("DELETE", `${path}/${w.second.id}`)).toMatchObject(refused);
	await w.send("POST", `${byDefault}/${w.first.id}`);
	const charging = await w.send("DELETE", `${path}/${w.second.id}`);
	expect(charging).toMatchObject({ ...refused, message: expect.stringContaining("is charging") });
	await w.collect();
	expect((await w.send("DELETE", `${path}/${w.second.id}`)).status).toBe(200);
	expect(await w.send("DELETE", `${path}/${w.first.id}`)).toMatchObject(refused);
	await w.send("POST", "/subscriptions/s1/cancel", { cancellationTime: "IMMEDIATE" });
	const last = await w.send("DELETE", `${path}/${w.first.id}`);
	expect(last).toMatchObject({ status: 200, data: { isDefault: false } });
	expect((await w.send("GET", "/customers/acme")).data.defaultPaymentMethod).toBeNull();
});

test("a method of another customer, and of an archived connection, cannot be chosen", async () => {
	const w = await twoCards();
	await w.send("POST", "/customers", { id: "other", name: "Other" });
	const foreign = { status: 404, code: "PaymentMethodNotFoundError" };
	expect(await w.send("POST", `/customers/other/default-payment-method/${w.first.id}`)).toMatchObject(foreign);
	expect(await w.send("DELETE", `/customers/other/payment-methods/${w.first.id}`)).toMatchObject(foreign);
	await w.send("POST", `/provider-connections/${w.first.connectionId}/archive`);
	const archived = await w.send("POST", `${byDefault}/${w.first.id}`);
	expect(archived.code).toBe("EntityIsArchivedError");
});

test("a provider that does not answer is called again until it has deleted the method", async () => {
	const w = await twoCards();
	standIn.plan({ route: "POST /v1/payment_methods", fault: "cutBefore" });
	await w.send("DELETE", `${path}/${w.first.id}`);
	await w.collect();
	const customer = () => standIn.account.objects.methods.get(w.first.paymentMethodId)?.customer ?? null;
	expect(customer()).not.toBeNull();
	await w.collect(3_600_000);
	expect(customer()).toBeNull();
});
