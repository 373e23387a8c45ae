import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { eventually, ok, type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
const threads = { TOLLGATE_HTTP_THREADS: "2" };

const customers = ["acme", "beta", "gamma"] as const;

/** Calls from events and pages from reports, at 0.10 each, with a threshold of 50.00. */
async function prepare(server: RunningServer): Promise<void> {
	await ok(server, "POST", "/products", { id: "app", displayName: "App" });
	for (const id of ["calls", "pages"])
		await ok(server, "POST", "/features", { id, displayName: id, featureType: "NUMBER", meterType: "INCREMENTAL" });
	const filters = [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "calls" }] }];
	await ok(server, "PATCH", "/features/calls", { meter: { aggregation: { function: "SUM", field: "n" }, filters } });
	await ok(server, "POST", "/plans", { id: "api", displayName: "API", productId: "app" });
	await ok(server, "POST", "/plans/api/entitlements", {
		entitlements: [{ type: "FEATURE", id: "pages", hasUnlimitedUsage: true }],
	});
	const pricePeriods = [{ billingPeriod: "MONTHLY", price: { amount: 0.1, currency: "usd" } }];
	await ok(server, "PATCH", "/plans/api", {
		charges: {
			pricingType: "PAID",
			pricingModels: ["calls", "pages"].map((featureId) => ({ billingModel: "USAGE_BASED", featureId, pricePeriods })),
			spendThresholds: [{ currency: "usd", amount: 50 }],
		},
	});
	await ok(server, "POST", "/plans/api/publish", { migrationType: "NEW_CUSTOMERS" });
	for (const id of customers) {
		await ok(server, "POST", "/customers", { id });
		await ok(server, "POST", "/subscriptions", { id, customerId: id, planId: "api", billingPeriod: "MONTHLY" });
	}
}

/** Returns the units on all invoices of a customer, in tenths of a dollar. */
async function invoiced(server: RunningServer, customer: string): Promise<number[]> {
	const invoices: Array<{ subtotal: number }> = await ok(server, "GET", `/customers/${customer}/invoices?limit=100`);
	return invoices.map(({ subtotal }) => Math.round(subtotal * 10)).filter((units) => units > 0);
}

test("the running server invoices usage of events and of consumption that reaches the threshold", async () => {
	const server = await startServer(join(parent, "soon"), threads);
	await prepare(server);
	const event = (n: number) => ({ eventName: "calls", customerId: "acme", idempotencyKey: `k${n}`, dimensions: { n } });
	const firstOf = async (id: string) => {
		const units = await invoiced(server, id);
		return units.length > 0 ? units : undefined;
	};
	await ok(server, "POST", "/events", { events: [event(499)] });
	await Bun.sleep(1_500);
	expect(await invoiced(server, "acme")).toEqual([]);
	await ok(server, "POST", "/events", { events: [event(13)] });
	expect(await eventually(() => firstOf("acme"))).toEqual([512]);
	await ok(server, "POST", "/customers/beta/entitlements/pages/consume", { amount: 500, idempotencyKey: "one" });
	expect(await eventually(() => firstOf("beta"))).toEqual([500]);
	await server.stop();
}, 60_000);

test("kill -9 under load: each acknowledged use is invoiced once", async () => {
	const folder = join(parent, "killed");
	let server = await startServer(folder, threads);
	await prepare(server);
	const used = new Map<string, number>(customers.map((id) => [id, 0]));
	let keys = 0;
	for (let round = 0; round < 4; round += 1) {
		const running = server;
		const isKilled = { yes: false };
		const sender = async (customerId: string): Promise<void> => {
			while (!isKilled.yes) {
				keys += 1;
				const [n, idempotencyKey] = [40 + (keys % 50), `k${keys}`];
				const isEvent = keys % 2 === 0;
				const body = isEvent
					? { events: [{ eventName: "calls", customerId, idempotencyKey, dimensions: { n } }] }
					: { amount: n, idempotencyKey };
				const path = isEvent ? "/events" : `/customers/${customerId}/entitlements/pages/consume`;
				// A request without an answer is sent again to the next server: its key counts it once.
				while (true) {
					const answer = await (isKilled.yes ? server : running).call("POST", path, body).catch(() => undefined);
					if (answer && answer.status <= 201) break;
					if (answer && answer.status < 500) throw new Error(JSON.stringify(answer.body));
					await Bun.sleep(20);
				}
				used.set(customerId, (used.get(customerId) ?? 0) + n);
				await Bun.sleep(10);
			}
		};
		const senders = customers.map(sender);
		await Bun.sleep(1_000 + 300 * round);
		await server.kill();
		isKilled.yes = true;
		server = await startServer(folder, threads);
		await Promise.all(senders);
	}
	for (const id of customers) {
		const all = used.get(id) ?? 0;
		const sum = async () => (await invoiced(server, id)).reduce((total, units) => total + units, 0);
		// Less than the threshold is left, and the charge on demand bills it.
		await eventually(async () => (all - (await sum()) < 500 ? true : undefined));
		await ok(server, "POST", `/subscriptions/${id}/usage/charge`, {});
		expect(await sum()).toBe(all);
		expect((await invoiced(server, id)).slice(0, -1).every((units) => units >= 500)).toBe(true);
	}
	await server.stop();
	expect(await runTollgate(folder, ["check", "--billing"])).toMatchObject({ status: 0 });
}, 180_000);
