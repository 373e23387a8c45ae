import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { eventually, ok, type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

const customers = ["acme", "beta"] as const;

/** Calls at 0.015 each, which each event charges. */
async function prepare(server: RunningServer): Promise<void> {
	await ok(server, "POST", "/products", { id: "app", displayName: "App" });
	await ok(server, "POST", "/features", {
		...{ id: "calls", displayName: "Calls", featureType: "NUMBER", meterType: "INCREMENTAL" },
	});
	const filters = [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "calls" }] }];
	await ok(server, "PATCH", "/features/calls", { meter: { aggregation: { function: "SUM", field: "n" }, filters } });
	await ok(server, "POST", "/plans", { id: "api", displayName: "API", productId: "app" });
	const pricePeriods = [{ billingPeriod: "MONTHLY", price: { amount: 0.015, currency: "usd" } }];
	await ok(server, "PATCH", "/plans/api", {
		charges: {
			pricingType: "PAID",
			pricingModels: [{ billingModel: "USAGE_BASED", featureId: "calls", paymentTime: "AT_EVENT", pricePeriods }],
		},
	});
	await ok(server, "POST", "/plans/api/publish", { migrationType: "NEW_CUSTOMERS" });
	for (const id of customers) {
		await ok(server, "POST", "/customers", { id });
		await ok(server, "POST", "/subscriptions", { id, customerId: id, planId: "api", billingPeriod: "MONTHLY" });
	}
}

async function centsOf(server: RunningServer, customer: string): Promise<number> {
	const invoices: Array<{ subtotal: number }> = await ok(server, "GET", `/customers/${customer}/invoices?limit=100`);
	return invoices.reduce((sum, { subtotal }) => sum + Math.round(subtotal * 100), 0);
}

/** The rounded cost of the highest total. */
const costOf = (units: number): number => Math.floor((units * 15 + 5) / 10);

test("kill -9 between the log and the charge: each acknowledged event is charged once, above the highest total", async () => {
	const folder = join(parent, "killed");
	let server = await startServer(folder, { TOLLGATE_HTTP_THREADS: "2" });
	await prepare(server);
	const totals = new Map(customers.map((id) => [id, { total: 0, highest: 0 }]));
	let keys = 0;
	for (let round = 0; round < 4; round += 1) {
		const running = server;
		const isKilled = { yes: false };
		const sender = async (customerId: (typeof customers)[number]): Promise<void> => {
			while (!isKilled.yes) {
				keys += 1;
				// Every fifth event lowers the total.
				const n = keys % 5 === 0 ? -(keys % 7) : 1 + (keys % 3);
				const event = { eventName: "calls", customerId, idempotencyKey: `k${keys}`, dimensions: { n } };
				// An event without an answer is sent again to the next server: its key counts it once.
				while (true) {
					const answer = await (isKilled.yes ? server : running)
						.call("POST", "/events", { events: [event] })
						.catch(() => undefined);
					if (answer && answer.status <= 201) break;
					if (answer && answer.status < 500) throw new Error(JSON.stringify(answer.body));
					await Bun.sleep(20);
				}
				const of = totals.get(customerId);
				if (!of) throw new Error("the customer has a total");
				of.total += n;
				of.highest = Math.max(of.highest, of.total);
				await Bun.sleep(5);
			}
		};
		const senders = customers.map(sender);
		await Bun.sleep(1_200 + 300 * round);
		await server.kill();
		isKilled.yes = true;
		server = await startServer(folder, { TOLLGATE_HTTP_THREADS: "2" });
		await Promise.all(senders);
	}
	for (const id of customers) {
		const { highest = 0 } = totals.get(id) ?? {};
		await eventually(async () => ((await centsOf(server, id)) === costOf(highest) ? true : undefined));
	}
	await Bun.sleep(1_500);
	for (const id of customers) expect(await centsOf(server, id)).toBe(costOf(totals.get(id)?.highest ?? 0));
	await server.stop();
	expect(await runTollgate(folder, ["check", "--billing"])).toMatchObject({ status: 0 });
}, 180_000);
