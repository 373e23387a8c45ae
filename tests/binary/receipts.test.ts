import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { ok, type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
const threads = { TOLLGATE_HTTP_THREADS: "2" };
const rounds = 4;
const customers = ["acme", "beta", "gamma"] as const;

/** Customers with an OPEN invoice of 100.00 each. */
async function prepare(server: RunningServer): Promise<void> {
	await ok(server, "POST", "/products", { id: "app", displayName: "App" });
	await ok(server, "POST", "/plans", { id: "api", displayName: "API", productId: "app" });
	const pricePeriods = [{ billingPeriod: "MONTHLY", price: { amount: 100, currency: "usd" } }];
	await ok(server, "PATCH", "/plans/api", {
		charges: { pricingType: "PAID", pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods }] },
	});
	await ok(server, "POST", "/plans/api/publish", { migrationType: "NEW_CUSTOMERS" });
	for (const id of customers) {
		await ok(server, "POST", "/customers", { id });
		await ok(server, "POST", "/subscriptions", { id, customerId: id, planId: "api", billingPeriod: "MONTHLY" });
	}
}

test("kill -9 during allocations, reversals and refunds: each receipt exists once, and the sums agree", async () => {
	const folder = join(parent, "killed");
	let server = await startServer(folder, threads);
	await prepare(server);
	let references = 0;
	const acknowledged = new Set<string>();
	for (let round = 0; round < rounds; round += 1) {
		const running = server;
		const isKilled = { yes: false };
		/** Sends a request until it is answered; a request without an answer goes to the next server. */
		const sent = async (path: string, body: object) => {
			while (true) {
				const answer = await (isKilled.yes ? server : running).call("POST", path, body).catch(() => undefined);
				if (answer && answer.status < 500) return answer;
				await Bun.sleep(20);
			}
		};
		const sender = async (customerId: string): Promise<void> => {
			const [{ invoiceId }] = await ok(running, "GET", `/customers/${customerId}/invoices`);
			while (!isKilled.yes) {
				references += 1;
				const reference = `r-${references}`;
				const allocations = [{ invoiceId, amount: 100 }];
				const money = { customerId, amount: 120, currency: "usd", reference };
				const { status, body } = await sent("/receipts", { ...money, allocations });
				expect(status).toBe(201);
				acknowledged.add(reference);
				const { receiptId, allocations: made } = body.data;
				// A repeated reversal is rejected: the first one was recorded before the kill.
				const undone = await sent(`/receipts/${receiptId}/allocations/${made[0].allocationId}/reverse`, {});
				expect([201, 400]).toContain(undone.status);
				const refund = await sent(`/receipts/${receiptId}/refunds`, { amount: 120, reference: "back" });
				expect(refund.status).toBe(201);
			}
		};
		const senders = customers.map(sender);
		await Bun.sleep(500 + 200 * round);
		await server.kill();
		server = await startServer(folder, threads);
		isKilled.yes = true;
		await Promise.all(senders);
	}
	const moved = new Map<string, number>();
	let after = "";
	do {
		const { body } = await server.call("GET", `/receipts?limit=100${after && `&after=${after}`}`);
		for (const { kind, reference, unallocatedAmount } of body.data) {
			const key = kind === "PAYMENT" ? reference : kind;
			moved.set(key, (moved.get(key) ?? 0) + 1);
			expect(unallocatedAmount).toBe(0);
		}
		after = body.pagination.next ?? "";
	} while (after !== "");
	expect(moved.get("REFUND")).toBe(acknowledged.size);
	for (const reference of acknowledged) expect(moved.get(reference)).toBe(1);
	expect(moved.size).toBe(acknowledged.size + 1);
	for (const id of customers) {
		const [invoice] = await ok(server, "GET", `/invoices?customerId=${id}`);
		expect(invoice).toMatchObject({ state: "OPEN", amountDue: 100, amountPaid: 0 });
	}
	await server.stop();
	expect(await runTollgate(folder, ["check", "--billing"])).toMatchObject({ status: 0 });
}, 120_000);
