import { beforeEach, expect, test } from "bun:test";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { claimTask, completeTask, enqueueTask, progressTask } from "../../../src/tasks/operations";
import type { TaskType } from "../../../src/tasks/rules";
import type { TaskState } from "../../../src/tasks/table";
import { type World, world } from "../../support/world";

let ours: World;
beforeEach(() => {
	ours = world();
});

const enqueue = (type: TaskType): string =>
	ours.transactions.write<TaskState>(ours.actor, (work) => enqueueTask(work, { type, payload: {}, totalCount: 2 })).id;

const finish = (type: TaskType): void =>
	ours.transactions.write(systemActor(""), (work) => {
		const task = claimTask(work, [type]);
		if (task) completeTask(work, progressTask(work, task, 1));
	});

const ids = async (query = "", key?: string): Promise<string[]> => {
	const { status, body } = await ours.call("GET", `/tasks${query}`, key === undefined ? {} : { key });
	expect(status).toBe(200);
	return body.data.map(({ id }: { id: string }) => id);
};

test("newest first, of every type, without what failed in it", async () => {
	const first = enqueue("RENDER_INVOICE");
	const second = enqueue("IMPORT_SUBSCRIPTIONS");
	const third = enqueue("RENDER_INVOICE");
	expect(await ids()).toEqual([third, second, first]);
	const { body } = await ours.call("GET", "/tasks");
	expect(body.data[1]).toMatchObject({ id: second, status: "PENDING", progress: 0, totalSubtasksCount: 2 });
	expect(Object.keys(body.data[1])).not.toContain("importErrors");
});

test("by state", async () => {
	const done = enqueue("RENDER_INVOICE");
	finish("RENDER_INVOICE");
	const waiting = enqueue("SIMULATE_PLAN");
	expect(await ids("?status=COMPLETED")).toEqual([done]);
	expect(await ids("?status=PENDING,IN_PROGRESS")).toEqual([waiting]);
	expect(await ids("?status=FAILED")).toEqual([]);
	expect((await ours.call("GET", "/tasks?status=LOST")).status).toBe(400);
});

test("page by page there and back, over types and states", async () => {
	const types = ["RENDER_INVOICE", "IMPORT_SUBSCRIPTIONS", "SIMULATE_PLAN", "RENDER_INVOICE"] as const;
	const made = Array.from({ length: 11 }, (_, at) => enqueue(types[at % types.length] ?? "RENDER_INVOICE")).reverse();
	finish("RENDER_INVOICE");
	const found: string[] = [];
	let next: string | null = null;
	let back: string | null = null;
	do {
		const { body } = await ours.call("GET", `/tasks?limit=3${next ? `&after=${next}` : ""}`);
		found.push(...body.data.map(({ id }: { id: string }) => id));
		({ next, prev: back } = body.pagination);
	} while (next);
	expect(found).toEqual(made);
	expect(await ids(`?limit=3&before=${back}`)).toEqual(made.slice(6, 9));
});

test("a key sees the types that it may read, another environment's key none", async () => {
	const render = enqueue("RENDER_INVOICE");
	enqueue("IMPORT_SUBSCRIPTIONS");
	expect(await ids("", ours.scopedKey("INVOICE:READ"))).toEqual([render]);
	expect(await ids("", ours.scopedKey("COUPON:READ"))).toEqual([]);
	expect(await ids("", ours.foreignKey)).toEqual([]);
});
