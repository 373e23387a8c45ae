import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { eventually, type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
let count = 0;
const fresh = () => join(parent, String(++count));

/** A product with a paid plan and a metered feature, and one customer. */
async function seed(server: RunningServer): Promise<void> {
	const steps: Array<[string, string, unknown]> = [
		["POST", "/products", { id: "product", displayName: "Product" }],
		["POST", "/features", { id: "calls", displayName: "Calls", featureType: "NUMBER", meterType: "INCREMENTAL" }],
		[
			"PATCH",
			"/features/calls",
			{
				meter: {
					aggregation: { function: "COUNT" },
					filters: [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "call" }] }],
				},
			},
		],
		["POST", "/plans", { id: "plan", displayName: "Plan", productId: "product" }],
		["POST", "/plans/plan/entitlements", { entitlements: [{ type: "FEATURE", id: "calls", hasUnlimitedUsage: true }] }],
		[
			"PATCH",
			"/plans/plan",
			{
				charges: {
					pricingType: "PAID",
					pricingModels: [
						{
							billingModel: "FLAT_FEE",
							pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount: 10, currency: "usd" } }],
						},
					],
				},
			},
		],
		["POST", "/plans/plan/publish", { migrationType: "NEW_CUSTOMERS" }],
		["POST", "/customers", { id: "customer", name: "Customer" }],
	];
	for (const [method, path, body] of steps) {
		const reply = await server.call(method, path, body);
		if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`);
	}
}

const usageOf = async (server: RunningServer): Promise<number> => {
	const { body } = await server.call("GET", "/customers/customer/entitlements/check?featureId=calls");
	return body.data.currentUsage;
};

describe("kill -9", () => {
	test("events: nothing acknowledged is lost, and nothing is counted twice", async () => {
		const folder = fresh();
		let server = await startServer(folder);
		await seed(server);
		await server.call("POST", "/subscriptions", { customerId: "customer", planId: "plan" });

		const acknowledged = new Set<number>();
		const sent = new Set<number>();
		let next = 0;
		const report = async (batch: number): Promise<void> => {
			sent.add(batch);
			const events = Array.from({ length: 50 }, (_, at) => ({
				eventName: "call",
				customerId: "customer",
				idempotencyKey: `${batch}-${at}`,
			}));
			const reply = await server.call("POST", "/events", { events });
			if (reply.status === 200) acknowledged.add(batch);
		};
		for (let round = 0; round < 3; round += 1) {
			const senders = Array.from({ length: 8 }, async () => {
				try {
					for (;;) await report(next++);
				} catch {
					// The server died while it was answering: whether this batch was written is not known.
				}
			});
			await Bun.sleep(150);
			await server.kill();
			await Promise.all(senders);
			server = await startServer(folder);
		}
		expect(acknowledged.size).toBeGreaterThan(10);
		const usage = await usageOf(server);
		expect(usage).toBeGreaterThanOrEqual(acknowledged.size * 50);
		expect(usage).toBeLessThanOrEqual(sent.size * 50);
		// A client that is not sure sends again: in the end every batch counts exactly once.
		for (const batch of sent) await report(batch);
		expect(await eventually(async () => ((await usageOf(server)) === sent.size * 50 ? true : undefined))).toBe(true);
		await server.stop();
		expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
	}, 60_000);

	test("import: what was accepted finishes after the restart, each item once", async () => {
		const folder = fresh();
		let server = await startServer(folder);
		await seed(server);
		const ids = Array.from({ length: 600 }, (_, at) => `c-${at}`);
		for (let from = 0; from < ids.length; from += 100)
			await Promise.all(ids.slice(from, from + 100).map((id) => server.call("POST", "/customers", { id })));
		const { body } = await server.call("POST", "/subscriptions/import", {
			subscriptions: ids.map((id) => ({ id: `s-${id}`, customerId: id, planId: "plan", billingPeriod: "Monthly" })),
		});
		const task = () => server.call("GET", `/tasks/${body.data.taskId}`);
		await eventually(async () => ((await task()).body.data.completedSubtasksCount > 0 ? true : undefined));
		await server.kill();
		server = await startServer(folder);
		const ended = await eventually(async () => {
			const { data } = (await task()).body;
			return data.status === "COMPLETED" ? data : undefined;
		}, 30_000);
		expect(ended).toMatchObject({
			progress: 100,
			totalSubtasksCount: 600,
			completedSubtasksCount: 600,
			importErrors: [],
		});
		const seen = new Set<string>();
		for (let after = ""; ; ) {
			const page = await server.call("GET", `/subscriptions?limit=100${after && `&after=${after}`}`);
			for (const { id } of page.body.data) {
				expect(seen.has(id)).toBe(false);
				seen.add(id);
			}
			if (page.body.pagination.next === null) break;
			after = page.body.pagination.next;
		}
		expect(seen.size).toBe(600);
		await server.stop();
	}, 60_000);

	test("render: a PDF that was asked for is there after the restart, from one task", async () => {
		const folder = fresh();
		let server = await startServer(folder);
		await seed(server);
		await server.call("POST", "/subscriptions", { customerId: "customer", planId: "plan" });
		const { body } = await server.call("GET", "/customers/customer/invoices");
		const path = `/customers/customer/invoices/${body.data[0].invoiceId}/pdf`;
		expect((await server.call("GET", `${path}/status`)).body.data).toMatchObject({
			status: "PENDING",
			contentBase64: null,
		});
		const asked = await Promise.all(Array.from({ length: 10 }, () => server.call("POST", `${path}/generate`)));
		expect(new Set(asked.map((reply) => reply.body.data.taskId)).size).toBe(1);
		await server.kill();
		server = await startServer(folder);
		const ready = await eventually(async () => {
			const { data } = (await server.call("GET", `${path}/status`)).body;
			return data.status === "READY" ? data : undefined;
		});
		expect(Buffer.from(ready.contentBase64, "base64").subarray(0, 5).toString()).toBe("%PDF-");
		expect((await server.call("POST", `${path}/generate`)).body.data).toMatchObject({
			status: "READY",
			taskId: asked[0]?.body.data.taskId,
		});
		await server.stop();
	}, 60_000);
});
