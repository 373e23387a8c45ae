import { beforeEach, expect, test } from "bun:test";
import type { Answer, World } from "../../../support/world";
import { shop } from "../../subscriptions/shop";

// Sixty-four calls about one customer at once: whatever their order, what is answered and what is kept agree.

const calls = 64;

let ours: World;
beforeEach(async () => {
	ours = await shop();
	// Each call in a minute of its own: what the limit does is tested elsewhere.
	let ms = 0;
	Object.defineProperty(ours.limitClock, "ms", {
		get: () => {
			ms += 60_000;
			return ms;
		},
	});
});

const racing = (send: (at: number) => Promise<Answer>): Promise<Answer[]> =>
	Promise.all(Array.from({ length: calls }, (_, at) => send(at)));

const statuses = (answers: readonly Answer[]) =>
	Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]));
const acme = async () => (await ours.call("GET", "/customers/acme")).body.data;

test("one of many provisions makes the customer, with one subscription", async () => {
	await ours.call("PATCH", "/products/app", {
		body: {
			productSettings: {
				subscriptionStartSetup: "FREE_PLAN",
				subscriptionStartPlanId: "free",
				subscriptionEndSetup: "CANCEL_SUBSCRIPTION",
				subscriptionCancellationTime: "IMMEDIATE",
			},
		},
	});
	const answers = await racing((at) => ours.call("POST", "/customers", { body: { id: "one", name: `N${at}` } }));
	expect(statuses(answers)).toEqual({ 201: 1, 409: calls - 1 });
	const made = answers.find(({ status }) => status === 201)?.body.data;
	expect((await ours.call("GET", "/customers/one")).body.data).toEqual(made);
	expect((await ours.call("GET", "/subscriptions?customerId=one")).body.data).toHaveLength(1);
});

test("the last of many updates stands, and none is half done", async () => {
	const answers = await racing((at) =>
		ours.call("PATCH", "/customers/acme", { body: { name: `N${at}`, metadata: { at: `${at}` } } }),
	);
	expect(statuses(answers)).toEqual({ 200: calls });
	const { name, metadata } = await acme();
	expect(name).toBe(`N${metadata.at}`);
	for (const { body } of answers) expect(body.data.name).toBe(`N${body.data.metadata.at}`);
});

test("archiving, updating and selling at once: an archived customer has nothing that runs", async () => {
	const answers = await racing((at) => {
		if (at % 3 === 0) return ours.call("POST", "/customers/acme/archive");
		if (at % 3 === 1) return ours.call("PATCH", "/customers/acme", { body: { name: `N${at}` } });
		return ours.call("POST", "/subscriptions", { body: { customerId: "acme", planId: "free", resourceId: `r${at}` } });
	});
	expect(answers.every(({ status, body }) => status < 300 || body.code === "EntityIsArchivedError")).toBe(true);
	expect(await acme()).toMatchObject({ name: null, archivedAt: expect.any(String) });
	const subscriptions = (await ours.call("GET", "/subscriptions?customerId=acme&limit=100")).body.data;
	expect(subscriptions.filter(({ status }: { status: string }) => status !== "CANCELED")).toEqual([]);
});

test("links of many integrations are all kept, one integration's only once", async () => {
	const link = { syncedEntityId: "x", vendorIdentifier: "STRIPE" };
	const answers = await racing((at) =>
		ours.call("POST", "/customers/acme/integrations", { body: { ...link, id: `i${at % 16}` } }),
	);
	expect(statuses(answers)).toEqual({ 200: 16, 400: calls - 16 });
	const ids = (await acme()).integrations.map(({ id }: { id: string }) => id);
	expect([ids.length, new Set(ids).size]).toEqual([16, 16]);
});

test("imports of the same customers make each of them once", async () => {
	const customers = Array.from({ length: 20 }, (_, at) => ({ id: `c${at}`, email: null, name: null }));
	const answers = await racing((at) =>
		ours.call("POST", "/customers/import", { body: { customers: at % 2 === 0 ? customers : customers.toReversed() } }),
	);
	expect(statuses(answers)).toEqual({ 200: calls });
	const made = answers.flatMap(({ body }) => body.data.newCustomers);
	expect(made.sort()).toEqual(customers.map(({ id }) => id).sort());
});

test("attaching and detaching: a method is detached at most as often as one was attached", async () => {
	const body = { integrationId: "i", paymentMethodId: "pm", vendorIdentifier: "STRIPE" };
	// A request without a body is often quicker than one with a body.
	expect((await ours.call("POST", "/customers/acme/payment-method", { body })).status).toBe(200);
	const answers = await racing((at) =>
		at % 2 === 0
			? ours.call("POST", "/customers/acme/payment-method", { body })
			: ours.call("DELETE", "/customers/acme/payment-method"),
	);
	const detached = answers.filter(({ status }, at) => at % 2 === 1 && status === 200).length;
	const missed = answers.filter(({ body: sent }) => sent.code === "PaymentMethodNotFoundError").length;
	expect(detached + missed).toBe(calls / 2);
	expect(detached).toBeGreaterThan(0);
});
