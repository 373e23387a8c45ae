import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { ok, type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";
import { startStandIn } from "../support/providers/stripe/server";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
const settings = { TOLLGATE_HTTP_THREADS: "2", TOLLGATE_WEBHOOKS_ALLOW_PRIVATE: "1" };
const rounds = 4;
const perRound = 6;

/** A plan of 100.00 a month, a connection, and customers who have saved a card. */
async function prepare(server: RunningServer, { url, secretKey }: { url: string; secretKey: string }): Promise<void> {
	await ok(server, "POST", "/products", { id: "app", displayName: "App" });
	await ok(server, "POST", "/plans", { id: "api", displayName: "API", productId: "app" });
	const pricePeriods = [{ billingPeriod: "MONTHLY", price: { amount: 100, currency: "usd" } }];
	await ok(server, "PATCH", "/plans/api", {
		charges: { pricingType: "PAID", pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods }] },
	});
	await ok(server, "POST", "/plans/api/publish", { migrationType: "NEW_CUSTOMERS" });
	const connection = { kind: "STRIPE", name: "Cards", mode: "TEST", secretKey, baseUrl: url };
	await ok(server, "POST", "/provider-connections", connection);
	const headers = { authorization: `Bearer ${secretKey}` };
	const post = async (path: string, fields: Record<string, string>): Promise<{ id: string }> =>
		(await (await fetch(`${url}${path}`, { method: "POST", headers, body: new URLSearchParams(fields) })).json()) as {
			id: string;
		};
	for (let n = 0; n < rounds * perRound; n += 1) {
		await ok(server, "POST", "/customers", { id: `c${n}` });
		const { id: customer } = await post("/v1/customers", {});
		const { id } = await post("/v1/payment_methods", { type: "card", "card[number]": "4242424242424242" });
		await post(`/v1/payment_methods/${id}/attach`, { customer });
		await ok(server, "POST", `/customers/c${n}/payment-methods`, { paymentMethodId: id });
	}
}

interface Listed {
	readonly id: string;
	readonly state: string;
	readonly reference: string;
}

const list = async (server: RunningServer, path: string) => (await ok(server, "GET", `${path}limit=100`)) as Listed[];

test("kill -9 of the collector at any time, under faults of the provider: each invoice is charged once", async () => {
	const folder = join(parent, "killed");
	const standIn = startStandIn({ seed: 5, latencyMs: 5, slowMs: 300 });
	let server = await startServer(folder, settings);
	await prepare(server, standIn);
	const rate = 0.08;
	standIn.setFaults({ errorBefore: rate, errorAfter: rate, cutBefore: rate, cutAfter: rate, busy: rate, slow: rate });
	for (let round = 0; round < rounds; round += 1) {
		for (let n = 0; n < perRound; n += 1) {
			const customerId = `c${round * perRound + n}`;
			const sale = { id: customerId, customerId, planId: "api", billingPeriod: "MONTHLY" };
			await ok(server, "POST", "/subscriptions", { ...sale, paymentCollectionMethod: "CHARGE" });
		}
		await Bun.sleep(Math.random() * 120);
		await server.kill();
		server = await startServer(folder, settings);
	}
	standIn.setFaults({ errorBefore: 0, errorAfter: 0, cutBefore: 0, cutAfter: 0, busy: 0, slow: 0 });
	const final = ["SUCCEEDED", "FAILED", "CANCELED"];
	for (let waited = 0; ; waited += 1) {
		const attempts = await list(server, "/attempts?");
		if (attempts.every(({ state }) => final.includes(state))) break;
		if (waited > 400) throw new Error(JSON.stringify(attempts.filter(({ state }) => !final.includes(state))));
		await Bun.sleep(100);
	}
	const attempts = await list(server, "/attempts?");
	expect(attempts).toHaveLength(rounds * perRound);
	const charged = [...standIn.account.objects.intents.values()].filter(({ status }) => status === "succeeded");
	// Both sides agree: each attempt is charged once, and each charge is a receipt.
	expect(charged.map(({ metadata }) => metadata.tollgate).sort()).toEqual(
		attempts
			.filter(({ state }) => state === "SUCCEEDED")
			.map(({ id }) => id)
			.sort(),
	);
	const receipts = await list(server, "/receipts?");
	expect(receipts.map(({ reference }) => reference).sort()).toEqual(charged.map(({ id }) => id).sort());
	const open = [...standIn.account.objects.intents.values()].filter(({ status }) => status === "processing");
	expect(open).toEqual([]);
	await server.stop();
	expect(await runTollgate(folder, ["check", "--billing"])).toMatchObject({ status: 0 });
	await standIn.stop();
}, 120_000);
