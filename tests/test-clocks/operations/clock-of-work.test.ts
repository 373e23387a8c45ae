import { describe, expect, test } from "bun:test";
import { testClocksIn } from "../../../src/areas/access/environments/operations.clocks";
import { createKey } from "../../../src/areas/access/keys/operations";
import { changeEnvironment } from "../../../src/areas/access/operations";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { type Instant, toIso } from "../../../src/kernel/clock";
import { newUuidV7 } from "../../../src/kernel/ids";
import { openFile } from "../../../src/kernel/storage/db";
import { openTransactions } from "../../../src/kernel/storage/transactions";
import { workAt } from "../../../src/kernel/work";
import { enqueueTask } from "../../../src/tasks/operations";
import { testNow, type World, world } from "../../support/world";

const frozenAt = Date.UTC(2031, 5, 1) as Instant;
const nobody = systemActor("");

const setClock = (w: World, clockAt: Instant | null): void => {
	w.transactions.write(nobody, (work) => changeEnvironment(work, w.environmentId, { clockAt }));
};

describe("the time of a Work", () => {
	test("is the frozen clock for every actor of the environment, and the machine's for everybody else", () => {
		const w = world();
		setClock(w, frozenAt);
		const times = (environmentId: string) => {
			const actor = systemActor(environmentId);
			const read = w.transactions.read(actor, ({ now, machineNow }) => ({ now, machineNow }));
			const written = w.transactions.write(actor, ({ now, machineNow }) => ({ now, machineNow }));
			expect(written).toEqual(read);
			expect(w.transactions.now(environmentId)).toBe(read.now);
			return read;
		};
		expect(times(w.environmentId)).toEqual({ now: frozenAt, machineNow: testNow });
		expect(times(w.foreignEnvironmentId)).toEqual({ now: testNow, machineNow: testNow });
		expect(times("")).toEqual({ now: testNow, machineNow: testNow });
		w.clock.at = (testNow + 1000) as Instant;
		expect(times(w.environmentId)).toEqual({ now: frozenAt, machineNow: w.clock.at });
		setClock(w, null);
		expect(times(w.environmentId)).toEqual({ now: w.clock.at, machineNow: w.clock.at });
	});

	test("follows a clock that another connection has turned: a write at once, a read in the next turn of the loop", async () => {
		const w = world();
		expect(w.transactions.now(w.environmentId)).toBe(testNow);
		const other = openFile(w.folder, "main");
		other.$client.run("UPDATE environments SET clock_at = ? WHERE id = ?", [frozenAt, w.environmentId]);
		expect(w.transactions.write(w.actor, ({ now }) => now)).toBe(frozenAt);
		await Bun.sleep(0);
		expect(w.transactions.read(w.actor, ({ now }) => now)).toBe(frozenAt);
		other.$client.close();
	});

	test("is not the one of a write that was rolled back", () => {
		const w = world();
		expect(() =>
			w.transactions.write(nobody, (work) => {
				changeEnvironment(work, w.environmentId, { clockAt: frozenAt });
				expect(w.transactions.now(w.environmentId)).toBe(frozenAt);
				throw new Error("rolled back");
			}),
		).toThrow("rolled back");
		expect(w.transactions.now(w.environmentId)).toBe(testNow);
	});

	test("the clocks are read once for each change of the database, not for each Work", () => {
		const w = world();
		let reads = 0;
		const transactions = openTransactions({
			db: w.db,
			clock: w.clock,
			testClocks: (db) => {
				const read = testClocksIn(db);
				return () => {
					reads += 1;
					return read();
				};
			},
			newId: newUuidV7,
			wake: () => {},
		});
		for (let at = 0; at < 100; at += 1) transactions.read(w.actor, ({ now }) => now);
		expect(reads).toBe(1);
	});
});

describe("a Work at another instant", () => {
	test("is the same transaction and actor, and its getters work", () => {
		const w = world();
		const woken = w.woken.length;
		w.transactions.write(w.actor, (work) => {
			const later = workAt(work, frozenAt);
			expect(later).toMatchObject({ now: frozenAt, machineNow: testNow, actor: work.actor });
			expect(later.tx).toBe(work.tx);
			expect(later.newId()).toMatch(/^[0-9a-f-]{36}$/);
			later.wake("importer");
		});
		expect(w.woken.slice(woken)).toEqual(["importer"]);
	});

	test("begins a reading transaction only with the first look at the database", () => {
		const w = world();
		w.transactions.read(w.actor, (work) => {
			const later = workAt(work, frozenAt);
			expect(w.db.$client.inTransaction).toBe(false);
			expect(later.tx).toBeDefined();
			expect(w.db.$client.inTransaction).toBe(true);
		});
	});
});

describe("routes on the machine's time, though the environment's clock is another", () => {
	test.each([
		["years ahead", frozenAt],
		["years behind", Date.UTC(2020, 0, 1) as Instant],
	])("%s", async (_, clockAt) => {
		const w = world();
		setClock(w, clockAt);
		// A key ends by the wall clock.
		const expiresAt = (testNow + 60_000) as Instant;
		const key = w.transactions.write(nobody, (work) =>
			createKey(work, w.environmentId, { kind: "FULL_ACCESS", displayName: "Ending", expiresAt }),
		).secret;
		expect((await w.call("GET", "/products", { key })).status).toBe(200);
		w.clock.at = expiresAt;
		expect((await w.call("GET", "/products", { key })).status).toBe(401);

		// An answer is kept for a day of the wall clock.
		const create = () =>
			w.call("POST", "/products", { body: { id: "app", displayName: "App" }, headers: { "idempotency-key": "once" } });
		expect(await create()).toMatchObject({ status: 201, body: { data: { createdAt: toIso(clockAt) } } });
		setClock(w, (clockAt + 30 * 24 * 60 * 60 * 1000) as Instant);
		expect((await create()).headers.get("idempotent-replayed")).toBe("true");
		w.clock.at = (w.clock.at + 24 * 60 * 60 * 1000) as Instant;
		expect((await create()).status).toBe(409);

		// A task is due by the queue's time.
		const task = w.transactions.write(w.actor, (work) => enqueueTask(work, { type: "RENDER_INVOICE", payload: {} }));
		expect(task).toMatchObject({ dueAt: w.clock.at, createdAt: w.clock.at });
	});
});

describe("events", () => {
	const report = (w: World, timestamp?: string) =>
		w.call("POST", "/events", {
			body: {
				events: [
					{ customerId: "ada", eventName: "call", idempotencyKey: `at ${timestamp}`, ...(timestamp && { timestamp }) },
				],
			},
		});

	test("without a time are stamped by the environment's clock, and 24 hours ahead is ahead of it", async () => {
		const w = world();
		setClock(w, frozenAt);
		await w.call("POST", "/customers", { body: { id: "ada" } });
		expect((await report(w)).status).toBe(200);
		expect((await report(w, "2031-06-02T00:00:00.000Z")).status).toBe(200);
		expect((await report(w, "2031-06-02T00:00:00.001Z")).status).toBe(400);
		const times = w.db.$client
			.query<{ at: number }, []>("SELECT first_at AS at FROM event_blocks ORDER BY first_event")
			.all();
		expect(times.map(({ at }) => at)).toEqual([frozenAt, Date.UTC(2031, 5, 2)]);
	});

	test("on a clock that is behind may not have the wall clock's present", async () => {
		const w = world();
		setClock(w, Date.UTC(2020, 0, 1) as Instant);
		await w.call("POST", "/customers", { body: { id: "ada" } });
		expect((await report(w, toIso(testNow))).status).toBe(400);
	});
});
