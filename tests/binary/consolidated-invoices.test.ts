import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { ok, type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

const subscriptions = 40;
const months = ["2026-05", "2026-06", "2026-07", "2026-08", "2026-09", "2026-10"];

/** A payer with children that buy for 3.00 each. Their subscriptions fall due together. */
async function prepare(server: RunningServer): Promise<void> {
	await ok(server, "POST", "/environments/current/clock", { now: "2026-04-01T00:00:00Z" });
	await ok(server, "POST", "/products", { id: "app", displayName: "App" });
	await ok(server, "POST", "/plans", { id: "pro", displayName: "Pro", productId: "app" });
	const pricePeriods = [{ billingPeriod: "MONTHLY", price: { amount: 3, currency: "usd" } }];
	await ok(server, "PATCH", "/plans/pro", {
		charges: { pricingType: "PAID", pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods }] },
	});
	await ok(server, "POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	await ok(server, "POST", "/customers", { id: "group", invoiceGrouping: "CONSOLIDATED" });
	for (let at = 0; at < subscriptions; at += 1) {
		const customerId = `c${at}`;
		await ok(server, "POST", "/customers", { id: customerId, parentCustomerId: "group", billsTo: "PARENT" });
		await ok(server, "POST", "/subscriptions", { id: `s${at}`, customerId, planId: "pro" });
	}
}

test("kill -9 between the renewals that share an invoice and its issue: each month has one invoice with all of them", async () => {
	const folder = join(parent, "killed");
	let server = await startServer(folder);
	await prepare(server);
	for (const [round, month] of months.entries()) {
		const now = `${month}-01T00:00:00Z`;
		const sent = server.call("POST", "/environments/current/clock", { now }).catch(() => undefined);
		await Bun.sleep(4 + 6 * round);
		await server.kill();
		await sent;
		server = await startServer(folder);
		await ok(server, "POST", "/environments/current/clock", { now });
		const invoices: Array<{ issueDate: string; total: number; state: string; lineItems: object[] }> = await ok(
			server,
			"GET",
			`/customers/group/invoices?limit=100&issuedAfter=${now}`,
		);
		expect(
			invoices.map(({ issueDate, total, lineItems }) => [issueDate.slice(0, 10), total, lineItems.length]),
		).toEqual([[`${month}-01`, 3 * subscriptions, subscriptions]]);
	}
	await server.stop();
	expect(await runTollgate(folder, ["check", "--billing"])).toMatchObject({ status: 0 });
}, 120_000);
