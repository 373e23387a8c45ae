import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { ok, type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

const rounds = 6;

/** A plan of 3.00 a seat and day, with a subscription to it for each round, and 24 billed days of one seat. */
async function prepare(server: RunningServer): Promise<void> {
	await ok(server, "POST", "/environments/current/clock", { now: "2026-04-01T00:00:00Z" });
	await ok(server, "POST", "/products", { id: "app", displayName: "App" });
	await ok(server, "POST", "/features", {
		...{ id: "seats", displayName: "Seats", featureType: "NUMBER", meterType: "FLUCTUATING" },
	});
	await ok(server, "POST", "/plans", { id: "pro", displayName: "Pro", productId: "app" });
	const pricePeriods = [{ billingPeriod: "DAILY", price: { amount: 3, currency: "usd" } }];
	await ok(server, "PATCH", "/plans/pro", {
		charges: { pricingType: "PAID", pricingModels: [{ billingModel: "PER_UNIT", featureId: "seats", pricePeriods }] },
	});
	await ok(server, "POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	for (let round = 0; round < rounds; round += 1) {
		const customerId = `c${round}`;
		await ok(server, "POST", "/customers", { id: customerId });
		const charges = [{ id: "seats", quantity: 1, type: "FEATURE" }];
		await ok(server, "POST", "/subscriptions", {
			...{ id: customerId, customerId, planId: "pro", billingPeriod: "DAILY", charges },
		});
	}
	await ok(server, "POST", "/environments/current/clock", { now: "2026-04-24T12:00:00Z" });
}

/** Returns the total of a customer's invoices, in cents. */
async function billed(server: RunningServer, customer: string): Promise<number> {
	const invoices: Array<{ total: number }> = await ok(server, "GET", `/customers/${customer}/invoices?limit=100`);
	return invoices.reduce((sum, { total }) => sum + Math.round(total * 100), 0);
}

test("kill -9 during a change that is dated 24 periods back: it bills each period once, or nothing", async () => {
	const folder = join(parent, "killed");
	let server = await startServer(folder);
	await prepare(server);
	let lost = 0;
	for (let round = 0; round < rounds; round += 1) {
		const path = `/subscriptions/c${round}`;
		const change = {
			charges: [{ id: "seats", quantity: 2, type: "FEATURE" }],
			effectiveDate: "2026-04-01T00:00:00Z",
		};
		const sent = server.call("PATCH", path, change).catch(() => undefined);
		await Bun.sleep(8 * round);
		await server.kill();
		const answer = await sent;
		server = await startServer(folder);
		const [before, after] = [24 * 300, 24 * 600];
		const total = await billed(server, `c${round}`);
		expect([before, after]).toContain(total);
		// An acknowledged change is there.
		if (answer?.status === 200) expect(total).toBe(after);
		if (total === after) continue;
		lost += 1;
		await ok(server, "PATCH", path, change);
		expect(await billed(server, `c${round}`)).toBe(after);
	}
	expect(lost).toBeGreaterThan(0);
	await server.stop();
	expect(await runTollgate(folder, ["check", "--billing"])).toMatchObject({ status: 0 });
}, 120_000);
