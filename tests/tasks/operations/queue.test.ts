import { beforeEach, describe, expect, test } from "bun:test";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { runImport } from "../../../src/areas/subscriptions/import/import";
import type { Instant } from "../../../src/kernel/clock";
import type { Work } from "../../../src/kernel/work";
import {
	claimTask,
	enqueueTask,
	failTask,
	getClaimedTask,
	msUntilNext,
	progressTask,
	putBackTask,
	releaseTasks,
} from "../../../src/tasks/operations";
import { attemptsMax, crashesMax, retryPauseMaxMs } from "../../../src/tasks/rules";
import type { TaskRow, TaskState } from "../../../src/tasks/table";
import { turnsOf } from "../../support/turns";
import { type World, world } from "../../support/world";

const dayMs = 24 * 60 * 60 * 1000;
const types = ["IMPORT_SUBSCRIPTIONS"] as const;

let ours: World;
beforeEach(() => {
	ours = world();
});

/** The queue is the machine's: no environment. */
const write = <T>(body: (work: Work) => Exclude<T, Promise<unknown>>) =>
	ours.transactions.write<unknown>(systemActor(""), body as (work: Work) => unknown) as T;

const enqueue = (totalCount = 10): TaskState =>
	ours.transactions.write<TaskState>(ours.actor, (work) =>
		enqueueTask(work, { type: "IMPORT_SUBSCRIPTIONS", payload: {}, totalCount }),
	);

function claim(): TaskRow {
	const task = write<TaskRow | undefined>((work) => claimTask(work, types));
	if (!task) throw new Error("Nothing is due.");
	return task;
}

const read = async (id: string) => (await ours.call("GET", `/tasks/${id}`)).body.data;

describe("attempts", () => {
	test("a task with progress is never abandoned, however often its thread dies", async () => {
		const { id } = enqueue(attemptsMax + 5);
		for (let done = 1; done <= attemptsMax + 4; done += 1) {
			const task = claim();
			write((work) => progressTask(work, task, done).id);
			// A thread that was killed: the next start puts back what it had claimed.
			expect(write<number>((work) => releaseTasks(work, types))).toBe(1);
		}
		expect(await read(id)).toMatchObject({ status: "PENDING", completedSubtasksCount: attemptsMax + 4 });
	});

	test("one without progress is abandoned, with the reason", async () => {
		const { id } = enqueue();
		for (let attempt = 0; attempt < attemptsMax - 1; attempt += 1) {
			claim();
			write((work) => failTask(work, { id }, "A fault."));
			ours.clock.at = (ours.clock.at + retryPauseMaxMs) as Instant;
		}
		claim();
		write((work) => failTask(work, { id }, "The last fault."));
		expect(write((work) => claimTask(work, types))).toBeUndefined();
		expect(await read(id)).toMatchObject({ status: "FAILED", importErrors: [{ id, error: "The last fault." }] });
	});

	test("a kill in the middle of a task is no failed attempt", async () => {
		const { id } = enqueue();
		for (let kill = 0; kill < crashesMax - 1; kill += 1) {
			expect(claim().attempts).toBe(1);
			write((work) => releaseTasks(work, types));
		}
		const task = claim();
		write((work) => progressTask(work, task, 1).id);
		expect(write((work) => getClaimedTask(work, id).crashes)).toBe(0);
	});

	test("a task during which the process ends every time is abandoned after more crashes than attempts", async () => {
		const { id } = enqueue();
		for (let kill = 0; kill < crashesMax; kill += 1) {
			claim();
			write((work) => releaseTasks(work, types));
		}
		expect(write((work) => claimTask(work, types))).toBeUndefined();
		expect(await read(id)).toMatchObject({
			status: "FAILED",
			importErrors: [
				{
					id,
					error: `Abandoned: the process or its thread ended ${crashesMax} times while this task was running; see the log.`,
				},
			],
		});
	});

	test("a stop is none", async () => {
		const { id } = enqueue();
		for (let stop = 0; stop < attemptsMax + 3; stop += 1) {
			const task = claim();
			expect(task.attempts).toBe(1);
			write((work) => putBackTask(work, task));
		}
		expect((await read(id)).status).toBe("PENDING");
	});
});

test("a job that sees a stop returns between two turns, and the next run goes on from there", async () => {
	const ids = Array.from({ length: 60 }, (_, at) => `c${at}`);
	for (const id of ids) await ours.call("POST", "/customers", { body: { id } });
	const { body } = await ours.call("POST", "/subscriptions/import", {
		body: { subscriptions: ids.map((id) => ({ id: `s-${id}`, customerId: id, planId: "none" })) },
	});
	const { taskId } = body.data;
	const first = claim();
	let asked = 0;
	await runImport({ ...ours.thread, turns: turnsOf(25), isStopping: () => ++asked > 1 }, first);
	write((work) => putBackTask(work, first));
	expect(await read(taskId)).toMatchObject({ status: "PENDING", completedSubtasksCount: 25, failedSubtasksCount: 25 });
	await runImport(ours.thread, claim());
	const ended = await read(taskId);
	expect(ended).toMatchObject({ status: "FAILED", completedSubtasksCount: 60, failedSubtasksCount: 60 });
	expect(ended.importErrors.map(({ id }: { id: string }) => id)).toEqual(ids.map((id) => `s-${id}`));
});

describe("the machine's clock set back by a day", () => {
	const setBack = (): void => {
		ours.clock.at = (ours.clock.at - dayMs) as Instant;
	};

	test("a task that waits is done at once: nothing waits for longer than the longest pause", () => {
		enqueue();
		setBack();
		expect(ours.transactions.read(systemActor(""), (work) => msUntilNext(work, types))).toBe(0);
		expect(claim().status).toBe("IN_PROGRESS");
	});

	test("one that is to be tried again is too", () => {
		enqueue();
		const task = claim();
		write((work) => failTask(work, task, "The disk was full.").id);
		expect(write((work) => claimTask(work, types))).toBeUndefined();
		const waits = ours.transactions.read(systemActor(""), (work) => msUntilNext(work, types)) ?? 0;
		expect(waits).toBeGreaterThan(0);
		expect(waits).toBeLessThanOrEqual(retryPauseMaxMs);
		setBack();
		expect(claim().id).toBe(task.id);
	});
});
