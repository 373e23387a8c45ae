import { describe, expect, test } from "bun:test";
import { runImport } from "../../../src/areas/subscriptions/import/import";
import { openLog } from "../../../src/http/log";
import type { Instant } from "../../../src/kernel/clock";
import { fail } from "../../../src/kernel/errors";
import { enqueueTask } from "../../../src/tasks/operations";
import { attemptsMaxOf, retryPauseMaxMs, type TaskType, taskTypes } from "../../../src/tasks/rules";
import { drainTasks, type Job } from "../../../src/workers/task-thread";
import { type World, world } from "../../support/world";

/** Runs the job until the task is abandoned, as its thread would; returns the answer of `GET /tasks/{id}`, and the log. */
async function abandoned(ours: World, id: string, type: TaskType, job: Job) {
	const log = openLog("silent");
	const logged: unknown[] = [];
	log.error = (entry: unknown) => logged.push(entry);
	for (let attempt = 0; attempt < attemptsMaxOf(type); attempt += 1) {
		await drainTasks(ours.transactions, [type], job, log);
		ours.clock.at = (ours.clock.at + retryPauseMaxMs) as Instant;
	}
	const { body } = await ours.call("GET", `/tasks/${id}`);
	return { task: body.data, logged };
}

const enqueued = ({ transactions, actor }: World, type: TaskType): string =>
	transactions.write(actor, (work) => enqueueTask(work, { type, payload: {} })).id;

describe("the failure that a task shows", () => {
	const types = Object.keys(taskTypes) as TaskType[];
	const sqlite = (ours: World) => ours.db.$client.query("SELECT secrets FROM nowhere");
	const faults: ReadonlyArray<readonly [string, (ours: World) => unknown]> = [
		["a TypeError", () => Reflect.get(undefined as unknown as object, "x")],
		["an error of SQLite", sqlite],
		["an assertion", () => expect(1).toBe(2)],
		["what is no error at all", () => Promise.reject("a secret")],
	];

	for (const type of types)
		test.each(faults)(`${type}: %s is an internal error with the task's id, and is in the log`, async (_, fault) => {
			const ours = world();
			const id = enqueued(ours, type);
			const { task, logged } = await abandoned(ours, id, type, async () => void (await fault(ours)));
			expect(task).toMatchObject({
				status: "FAILED",
				importErrors: [{ id, error: `Internal error; the log has more, under '${id}'.` }],
			});
			expect(logged).toHaveLength(attemptsMaxOf(type));
			expect(logged[0]).toMatchObject({ taskId: id, err: expect.anything() });
		});

	test("a refusal of the catalogue speaks", async () => {
		const ours = world();
		const id = enqueued(ours, "SIMULATE_PLAN");
		const { task } = await abandoned(ours, id, "SIMULATE_PLAN", () => {
			throw fail("PlanNotFound", "There is no plan 'pro' in this environment.");
		});
		expect(task.importErrors).toEqual([{ id, error: "There is no plan 'pro' in this environment." }]);
	});

	test("an import that the database fails shows nothing of it", async () => {
		const ours = world();
		await ours.call("POST", "/customers", { body: { id: "acme" } });
		const { body } = await ours.call("POST", "/subscriptions/import", {
			body: { subscriptions: [{ id: "one", customerId: "acme", planId: "pro" }] },
		});
		ours.db.$client.exec("ALTER TABLE customers RENAME TO gone");
		const id: string = body.data.taskId;
		const { task } = await abandoned(ours, id, "IMPORT_SUBSCRIPTIONS", (queued) => runImport(ours.thread, queued));
		expect(task.importErrors).toEqual([{ id, error: `Internal error; the log has more, under '${id}'.` }]);
	});
});
