import { afterEach, expect, test } from "bun:test";
import { eventually, startServer, temporaryFolder } from "../../../support/process";

const cleanups: Array<() => void> = [];
afterEach(() => {
	for (const clean of cleanups.splice(0)) clean();
});

test("kill -9 during a simulation: the rest is calculated after the restart, each once, with its usage", async () => {
	const { folder, remove } = temporaryFolder();
	cleanups.push(remove);
	let server = await startServer(folder);
	cleanups.push(() => void server.kill());
	const made = async (method: string, path: string, body?: unknown) => {
		const answer = await server.call(method, path, body);
		if (answer.status > 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
		return answer.body.data;
	};
	const ended = (id: string) =>
		eventually(async () => {
			const task = await made("GET", `/tasks/${id}`);
			return task.endDate === null ? undefined : task;
		}, 30_000);
	const clock = (body: object) => made("POST", "/environments/current/clock", body);
	const priced = (flat: number, used: number) => ({
		charges: {
			pricingType: "PAID",
			pricingModels: [
				{ billingModel: "FLAT_FEE", pricePeriods: [{ billingPeriod: "MONTHLY", price: usd(flat) }] },
				{
					billingModel: "USAGE_BASED",
					featureId: "calls",
					pricePeriods: [{ billingPeriod: "MONTHLY", price: usd(used) }],
				},
			],
		},
	});
	const usd = (amount: number) => ({ amount, currency: "usd" });

	await clock({ now: "2026-01-01T00:00:00Z" });
	await made("POST", "/products", { id: "app", displayName: "App" });
	await made("POST", "/features", {
		id: "calls",
		displayName: "Calls",
		featureType: "NUMBER",
		meterType: "INCREMENTAL",
	});
	const filters = [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "call" }] }];
	await made("PATCH", "/features/calls", { meter: { aggregation: { function: "COUNT" }, filters } });
	await made("POST", "/plans", { id: "plan", displayName: "Plan", productId: "app" });
	await made("PATCH", "/plans/plan", priced(10, 1));
	await made("POST", "/plans/plan/publish", { migrationType: "NEW_CUSTOMERS" });
	const ids = Array.from({ length: 300 }, (_, at) => `c-${at}`);
	for (let from = 0; from < ids.length; from += 100)
		await Promise.all(ids.slice(from, from + 100).map((id) => made("POST", "/customers", { id })));
	const imported = await made("POST", "/subscriptions/import", {
		subscriptions: ids.map((id) => ({ id: `s-${id}`, customerId: id, planId: "plan" })),
	});
	expect((await ended(imported.taskId)).status).toBe("COMPLETED");
	await clock({ now: "2026-02-10T00:00:00Z" });
	const calls = ids.slice(0, 100).map((customerId) => ({ customerId, eventName: "call", idempotencyKey: customerId }));
	await made("POST", "/events", { events: calls });
	await eventually(async () => {
		const answer = await made(
			"GET",
			"/usage/c-99/history/calls?startDate=2026-02-01T00:00:00Z&endDate=2026-02-11T00:00:00Z",
		);
		return JSON.stringify(answer).includes('"value":1') ? true : undefined;
	}, 10_000);
	await clock({ now: "2026-03-10T00:00:00Z" });

	await made("POST", "/plans/plan/draft");
	await made("PATCH", "/plans/plan", priced(12, 3));
	const { taskId } = await made("POST", "/plans/plan/simulate", {});
	const progress = async () => (await made("GET", `/tasks/${taskId}`)).completedSubtasksCount;
	await eventually(async () => ((await progress()) > 0 ? true : undefined));
	await server.kill();
	server = await startServer(folder);
	expect(await ended(taskId)).toMatchObject({
		taskType: "SIMULATE_PLAN",
		status: "COMPLETED",
		totalSubtasksCount: 300,
		completedSubtasksCount: 300,
		importErrors: [],
	});
	const answer = await made("GET", `/plans/plan/simulations/${taskId}`);
	const before = 300 * 10 + 100;
	const after = 300 * 12 + 300;
	expect(answer).toMatchObject({
		status: "COMPLETED",
		currencyTotals: [{ currency: "usd", before, after, difference: after - before, subscriptionsCount: 300 }],
		customersCount: 300,
		failuresCount: 0,
	});
	expect(answer.customers.slice(0, 100).every((one: { difference: number }) => one.difference === 4)).toBe(true);
	await server.stop();
}, 120_000);
