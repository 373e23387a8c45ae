import { beforeEach, expect, test } from "bun:test";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { findSessionByHash, insertSession, insertUser } from "../../../src/areas/access/store";
import { keepAllEntries } from "../../../src/areas/audit/retention";
import type { Instant } from "../../../src/kernel/clock";
import { claimTask, completeTask, enqueueTask, progressTask } from "../../../src/tasks/operations";
import { endedKeptMs, type TaskType } from "../../../src/tasks/rules";
import { purge } from "../../../src/workers/jobs/purge";
import { turnsOf } from "../../support/turns";
import { type World, world } from "../../support/world";

const dayMs = 24 * 60 * 60 * 1000;
const everywhere = systemActor("");

const keep = { webhooksKeepDays: 30, removableEntries: keepAllEntries };

let ours: World;
beforeEach(() => {
	ours = world();
});

const later = (ms: number): void => {
	ours.clock.at = (ours.clock.at + ms) as Instant;
};

/** A task that has ended, with so many errors. */
function ended(type: TaskType, errorsCount: number): string {
	const errors = Array.from({ length: errorsCount }, (_, at) => ({ id: `item-${at}`, error: "None." }));
	const { id } = ours.transactions.write(ours.actor, (work) =>
		enqueueTask(work, { type, payload: {}, totalCount: 2000 }),
	);
	ours.transactions.write(everywhere, (work) => {
		const task = claimTask(work, [type]);
		if (task) completeTask(work, progressTask(work, task, 2000, errors));
	});
	return id;
}

const rowsOf = (table: string): number =>
	ours.db.$client.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${table}`).get()?.rows ?? -1;

const statusOf = async (id: string): Promise<number> => (await ours.call("GET", `/tasks/${id}`)).status;

test("tasks go a month after they have ended, with their errors; what waits stays, and what a simulation needs", async () => {
	const old = ended("IMPORT_SUBSCRIPTIONS", 1700);
	const simulation = ended("SIMULATE_PLAN", 0);
	later(endedKeptMs / 2);
	const recent = ended("MIGRATE_SUBSCRIPTIONS", 1);
	const waiting = ours.transactions.write(ours.actor, (work) =>
		enqueueTask(work, { type: "RENDER_INVOICE", payload: {} }),
	).id;
	later(endedKeptMs / 2 + 1);
	await purge(ours.thread, keep);
	expect(await statusOf(old)).toBe(404);
	for (const id of [simulation, recent, waiting]) expect(await statusOf(id)).toBe(200);
	expect(rowsOf("task_errors")).toBe(1);
});

test("kept answers go a day after, in pieces that no transaction exceeds", async () => {
	for (let at = 0; at < 3; at += 1)
		await ours.call("POST", "/customers", { body: { id: `c${at}` }, headers: { "idempotency-key": `key-${at}` } });
	const columns = "environment_id, method, path, key, body_hash, status, answer, created_at";
	ours.db.$client.run(
		`WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 1200)
		INSERT INTO idempotency_keys (${columns}) SELECT environment_id, method, path, 'many-' || at, body_hash, status, answer, created_at FROM idempotency_keys, n WHERE key = 'key-0'`,
	);
	later(dayMs + 1);
	await ours.call("POST", "/customers", { body: { id: "c3" }, headers: { "idempotency-key": "key-3" } });
	const removed: number[] = [];
	const { write } = ours.transactions;
	const counting: typeof write = (actor, body, ...sync) => {
		const before = rowsOf("idempotency_keys");
		const result = write(actor, body, ...sync);
		removed.push(before - rowsOf("idempotency_keys"));
		return result;
	};
	await purge({ ...ours.thread, transactions: { ...ours.transactions, write: counting } }, keep);
	expect(rowsOf("idempotency_keys")).toBe(1);
	expect(Math.max(...removed)).toBe(100);
});

test("sessions go when they are over", async () => {
	ours.transactions.write(everywhere, (work) => {
		const user = insertUser(work, { email: "ada@example.test", name: null, passwordHash: "none" });
		insertSession(work, {
			userId: user.id,
			tokenHash: "over",
			expiresAt: work.machineNow,
			address: null,
			userAgent: null,
		});
		insertSession(work, {
			userId: user.id,
			tokenHash: "open",
			expiresAt: (work.machineNow + dayMs) as Instant,
			address: null,
			userAgent: null,
		});
	});
	await purge(ours.thread, keep);
	expect(rowsOf("sessions")).toBe(1);
	expect(ours.transactions.read(everywhere, (work) => findSessionByHash(work, "open") !== undefined)).toBe(true);
});

test("the events for subscribers, and the changes for replay, are deleted after the configured number of days, in pieces", async () => {
	const hook = { endpoint: "https://example.com/hook" };
	const { id } = (await ours.call("POST", "/webhooks", { body: hook })).body.data;
	for (let at = 0; at < 3; at += 1) await ours.call("POST", "/customers", { body: { id: `c${at}` } });
	const since = new Date(ours.clock.at).toISOString();
	expect((await ours.call("POST", `/webhooks/${id}/replay`, { body: { since } })).status).toBeLessThan(300);
	const columns =
		"environment_id, message_id, trace_id, type, entity_id, actor_type, customer_ref, payload, at, recorded_at";
	ours.db.$client.run(
		`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
		INSERT INTO outbox_events (${columns}) SELECT ${columns} FROM (SELECT * FROM outbox_events LIMIT 1), n`,
	);
	later(9 * dayMs);
	await ours.call("POST", "/customers", { body: { id: "later" } });
	const before = rowsOf("outbox_events");
	await purge(ours.thread, { ...keep, webhooksKeepDays: 10 });
	expect([rowsOf("outbox_events"), rowsOf("webhook_replays")]).toEqual([before, 1]);
	later(dayMs + 1);
	await purge(ours.thread, { ...keep, webhooksKeepDays: 10 });
	const left = (await ours.call("GET", "/events-out")).body.data as Array<{ id: string }>;
	expect(left.map((event) => event.id)).toEqual(["later"]);
	expect([rowsOf("outbox_events"), rowsOf("webhook_replays")]).toEqual([1, 0]);
});

test("a stop ends it between two turns", async () => {
	ended("IMPORT_SUBSCRIPTIONS", 1700);
	later(endedKeptMs + 1);
	let asked = 0;
	await purge({ ...ours.thread, turns: turnsOf(3), isStopping: () => ++asked > 1 }, keep);
	expect(rowsOf("task_errors")).toBe(1400);
});
