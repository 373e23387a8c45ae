import { afterEach, expect, test } from "bun:test";
import { eventually, startServer, temporaryFolder } from "../../../../support/process";

const cleanups: Array<() => void> = [];
afterEach(() => {
	for (const clean of cleanups.splice(0)) clean();
});

test("kill -9 during a migration: the rest moves after the restart, each once", async () => {
	const { folder, remove } = temporaryFolder();
	cleanups.push(remove);
	let server = await startServer(folder);
	cleanups.push(() => void server.kill());
	const made = async (method: string, path: string, body?: unknown) => {
		const answer = await server.call(method, path, body);
		if (answer.status > 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
		return answer.body.data;
	};
	await made("POST", "/products", { id: "app", displayName: "App" });
	await made("POST", "/features", { id: "depth", displayName: "Depth", featureType: "NUMBER" });
	await made("POST", "/plans", { id: "plan", displayName: "Plan", productId: "app", pricingType: "FREE" });
	const entitlements = [{ type: "FEATURE", id: "depth", usageLimit: 1 }];
	await made("POST", "/plans/plan/entitlements", { entitlements });
	await made("POST", "/plans/plan/publish", { migrationType: "NEW_CUSTOMERS" });
	const ids = Array.from({ length: 400 }, (_, at) => `c-${at}`);
	for (let from = 0; from < ids.length; from += 100)
		await Promise.all(ids.slice(from, from + 100).map((id) => made("POST", "/customers", { id })));
	const imported = await made("POST", "/subscriptions/import", {
		subscriptions: ids.map((id) => ({ id: `s-${id}`, customerId: id, planId: "plan" })),
	});
	const ended = (id: string) =>
		eventually(async () => {
			const task = await made("GET", `/tasks/${id}`);
			return task.endDate === null ? undefined : task;
		}, 30_000);
	expect((await ended(imported.taskId)).status).toBe("COMPLETED");

	await made("POST", "/plans/plan/draft");
	await made("PATCH", "/plans/plan/entitlements/depth", { type: "FEATURE", usageLimit: 2 });
	const { taskId } = await made("POST", "/plans/plan/publish", { migrationType: "ALL_CUSTOMERS" });
	await eventually(async () => ((await made("GET", `/tasks/${taskId}`)).completedSubtasksCount > 0 ? true : undefined));
	await server.kill();
	server = await startServer(folder);
	expect(await ended(taskId)).toMatchObject({
		taskType: "MIGRATE_SUBSCRIPTIONS",
		status: "COMPLETED",
		totalSubtasksCount: 400,
		completedSubtasksCount: 400,
		importErrors: [],
	});
	for (const id of ids)
		expect((await made("GET", `/customers/${id}/entitlements/check?featureId=depth`)).usageLimit).toBe(2);
	await server.stop();
}, 60_000);
