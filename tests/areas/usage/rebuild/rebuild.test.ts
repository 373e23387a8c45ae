import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { carryOutRebuilds } from "../../../../src/areas/usage/operations.offline";
import { rebuildAllUsage, rebuildUsage } from "../../../../src/areas/usage/rebuild/operations";
import { Rebuilds } from "../../../../src/areas/usage/rebuild/rebuild";
import { openLog } from "../../../../src/http/log";
import { openFile } from "../../../../src/kernel/storage/db";
import type { Work } from "../../../../src/kernel/work";
import { writesBy } from "../../../../src/server/writer-calls";
import { getTask } from "../../../../src/tasks/operations";
import { progressPercent } from "../../../../src/tasks/rules";
import type { TaskState } from "../../../../src/tasks/table";
import { folderOfTest } from "../../../support/folders";
import { slowRuns } from "../../../support/runs";
import { testNow } from "../../../support/world";
import { count, event, ground, named, sumOf } from "../ground";
import { recountUsage } from "../recounted";

type Site = ReturnType<typeof ground>;

const hourMs = 3_600_000;

/** Returns the totals of the live counters, by meter and by subject, and the index of events by hour. Sorted. */
function totalsOf({ file }: Site) {
	const subject = "(SELECT customer_id || '/' || resource_ref FROM usage_subjects s WHERE s.id = t.subject_id)";
	const from = (table: string) =>
		`FROM ${table} t JOIN usage_counters c ON c.id = t.counter_id AND c.state = 'LIVE'
		ORDER BY c.meter_id, subject, span, bucket`;
	const totals = file
		.query(`SELECT c.meter_id, ${subject} AS subject, span, bucket, events, t.state ${from("usage_totals")}`)
		.all();
	const values = file
		.query(`SELECT c.meter_id, ${subject} AS subject, span, bucket, value, events ${from("usage_values")}, value`)
		.all();
	const hours = new Map<string, number[]>();
	for (const row of file
		.query<{ subject: string; hour: number; first_event: number; offsets: Uint8Array }, []>(
			`SELECT ${subject} AS subject, hour, first_event, offsets FROM usage_events_by_hour t`,
		)
		.all()) {
		const key = `${row.subject} ${row.hour}`;
		const offsets = [...new Uint32Array(row.offsets.slice().buffer)].map((offset) => row.first_event + offset);
		hours.set(
			key,
			[...(hours.get(key) ?? []), ...offsets].sort((one, other) => one - other),
		);
	}
	return { totals, values, hours: [...hours].sort() };
}

/** Counts the rows that a rebuild must not leave behind. */
function leftBehind({ file }: Site) {
	const rows = (sql: string) => file.query<{ rows: number }, []>(`SELECT count(*) AS rows ${sql}`).get()?.rows;
	return {
		totals: rows("FROM usage_totals WHERE counter_id NOT IN (SELECT id FROM usage_counters WHERE state = 'LIVE')"),
		counters: rows("FROM usage_counters WHERE state <> 'LIVE'"),
		hours: rows("FROM usage_events_by_hour_next"),
	};
}

const nothing = { totals: 0, counters: 0, hours: 0 };

function begin(site: Site, order: (work: Work) => TaskState, environmentId = "") {
	const actor = systemActor(environmentId);
	const { id } = site.transactions.write(actor, order);
	const task = () => {
		const found = site.transactions.read(actor, (work) => getTask(work, id));
		if (!found) throw new Error("no task");
		return found;
	};
	return task;
}

const rebuildsOf = (site: Site) =>
	new Rebuilds({
		aggregator: site.jobs.aggregator,
		transactions: site.transactions,
		write: writesBy(site.transactions),
		erasedCustomers: () => new Set(),
		log: openLog("silent"),
	});

/** Runs the waiting tasks to their end. */
async function carryOut(site: Site): Promise<void> {
	const rebuilds = rebuildsOf(site);
	await rebuilds.look();
	for (let left = true; left || rebuilds.isBusy; ) {
		left = site.jobs.aggregator.step();
		if (!left) await rebuilds.look();
	}
}

/** Counts from the log alone, as if the file had been deleted while the server was stopped. */
function countedFromNothing(site: Site) {
	const usage = openFile(site.folder, "usage").$client;
	for (const table of [
		"usage_totals",
		"usage_values",
		"usage_events_by_hour",
		"usage_counters",
		"usage_subjects",
		"usage_cuts",
		"usage_cursor",
		"usage_recent",
	])
		usage.run(`DELETE FROM ${table}`);
	usage.close();
	site.crash();
	site.jobs.aggregator.run();
	return totalsOf(site);
}

const sent = fc.record({
	eventName: fc.constantFrom("api.call", "login"),
	customerId: fc.constantFrom("acme", "late", "bob"),
	resourceId: fc.constantFrom(null, "r1"),
	offsetMs: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -50 * hourMs, max: 20 * hourMs })),
	amount: fc.constantFrom<Array<number | string | undefined>>(1, 0.1, "0.2", "-3", 2 ** 53, "x", undefined),
});

const step = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constant("send" as const),
			events: fc.array(sent, { minLength: 1, maxLength: 8 }),
		}),
	},
	{ weight: 3, arbitrary: fc.constant({ kind: "count" as const }) },
	{
		weight: 2,
		arbitrary: fc.record({ kind: fc.constant("crash" as const), chunkEvents: fc.integer({ min: 1, max: 5 }) }),
	},
	{ weight: 1, arbitrary: fc.constant({ kind: "late" as const }) },
	{ weight: 1, arbitrary: fc.constant({ kind: "meter" as const }) },
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant("rebuild" as const),
			what: fc.constantFrom("all", "environment", "feature"),
		}),
	},
);

describe("a rebuild of usage", () => {
	test("gives the same bytes as counting from scratch, whatever happens meanwhile", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
				const site = ground();
				site.customer("acme");
				site.customer("bob");
				site.meter("calls", { aggregation: { function: "COUNT" }, filters: [named("api.call")] });
				site.meter("amounts", sumOf("amount"));
				site.meter("users", { aggregation: { function: "UNIQUE", field: "amount" }, filters: [] });
				site.meter("worst", { aggregation: { function: "PERCENTILE", field: "amount", percentile: 90 }, filters: [] });
				site.meter("last", { aggregation: { function: "LATEST", field: "amount" }, filters: [] });
				let rebuilds = rebuildsOf(site);
				let key = 0;
				let hasLate = false;
				let hasMeter = false;
				for (const one of steps) {
					if (one.kind === "send") {
						const events = one.events.map(({ offsetMs, amount, ...rest }) => {
							key += 1;
							const timestamp = new Date(testNow + offsetMs).toISOString();
							return {
								...rest,
								idempotencyKey: `${key}`,
								timestamp,
								...(amount !== undefined && { dimensions: { amount } }),
							};
						});
						expect(site.send(events, "env", "accept")).toEqual({ kind: "accepted" });
					} else if (one.kind === "count") site.jobs.aggregator.step();
					else if (one.kind === "crash") {
						site.jobs.log.close();
						site.jobs.aggregator.close();
						site.crash(one.chunkEvents);
						rebuilds = rebuildsOf(site);
					} else if (one.kind === "late" && !hasLate) {
						site.customer("late");
						hasLate = true;
					} else if (one.kind === "meter" && !hasMeter) {
						site.changeMeter("calls", count);
						hasMeter = true;
					} else if (one.kind === "rebuild") {
						if (one.what === "all") begin(site, rebuildAllUsage);
						else if (one.what === "environment") begin(site, (work) => rebuildUsage(work, {}), "env");
						else begin(site, (work) => rebuildUsage(work, { featureId: "amounts" }), "env");
					}
					await rebuilds.look();
				}
				await carryOut(site);
				expect(leftBehind(site)).toEqual(nothing);
				const found = totalsOf(site);
				expect(found).toEqual(countedFromNothing(site));
				site.close();
			}),
			slowRuns(30),
		);
	}, 60_000);

	/** Two meters, a week of events, and damage to all derived tables. */
	function damaged() {
		const site = ground();
		site.customer("acme");
		site.meter("calls", count);
		site.meter("users", { aggregation: { function: "UNIQUE", field: "user" }, filters: [] });
		for (let at = 0; at < 300; at += 1)
			site.take([
				event({
					idempotencyKey: `k${at}`,
					timestamp: new Date(testNow - at * 0.6 * hourMs).toISOString(),
					dimensions: { user: `u${at % 17}` },
				}),
			]);
		site.jobs.aggregator.run();
		const right = totalsOf(site);
		const usage = openFile(site.folder, "usage").$client;
		usage.run("UPDATE usage_totals SET events = events + 1, state = state + 1 WHERE bucket % 2 = 0");
		usage.run("DELETE FROM usage_values WHERE value = 'u3'");
		usage.run("DELETE FROM usage_events_by_hour WHERE hour % 3 = 0");
		site.crash(20);
		expect(totalsOf(site)).not.toEqual(right);
		return { site, right };
	}

	test("repairs damaged totals; until then the former totals answer, with new events", async () => {
		const { site, right } = damaged();
		const acme = site.file.query<{ id: string }, []>("SELECT id FROM customers").get()?.id ?? "";
		const before = Number(site.usage("calls", acme));
		expect(before).toBe(301);
		const task = begin(site, rebuildAllUsage);
		const rebuilds = rebuildsOf(site);
		await rebuilds.look();
		expect(task().status).toBe("IN_PROGRESS");
		const seen = new Set<number>();
		const answered: number[] = [];
		while (rebuilds.isBusy) {
			const isLeft = site.jobs.aggregator.step();
			answered.push(Number(site.usage("calls", acme)));
			seen.add(progressPercent(task()));
			if (!isLeft) await rebuilds.look();
		}
		expect(task()).toMatchObject({ status: "COMPLETED", doneCount: task().totalCount });
		expect([...new Set(answered)]).toEqual([301, 300]);
		while (site.jobs.aggregator.step());
		expect(totalsOf(site)).toEqual(right);
		expect(leftBehind(site)).toEqual(nothing);
		expect(recountUsage(site.folder, folderOfTest())).toEqual([]);
	});

	test("a command runs all waiting tasks, also one that a killed server has counted and not ended", async () => {
		const { site, right } = damaged();
		const left = begin(site, (work) => rebuildUsage(work, {}), "env");
		await rebuildsOf(site).look();
		site.jobs.aggregator.run();
		expect(left().status).toBe("IN_PROGRESS");
		const ordered = begin(site, rebuildAllUsage);
		const { folder, transactions } = site;
		await carryOutRebuilds({ folder, transactions, log: openLog("silent"), erasedCustomers: () => new Set() });
		expect([left().status, ordered().status]).toEqual(["COMPLETED", "COMPLETED"]);
		expect(totalsOf(site)).toEqual(right);
	});

	test("changes only its feature", async () => {
		const { site, right } = damaged();
		begin(site, (work) => rebuildUsage(work, { featureId: "calls" }), "env");
		const before = totalsOf(site);
		await carryOut(site);
		const meters = [...new Set(right.totals.map((row) => JSON.stringify(row).slice(0, 60)))];
		expect(meters.length).toBeGreaterThan(0);
		const found = totalsOf(site);
		expect(found.values).toEqual(before.values);
		expect(found.hours).toEqual(before.hours);
		const calls = site.file.query<{ meter_id: string }, []>(
			"SELECT meter_id FROM usage_counters c JOIN features f ON f.id = c.feature_id WHERE f.ref_id = 'calls'",
		);
		const isCalls = (row: unknown) => (row as { meter_id: string }).meter_id === calls.get()?.meter_id;
		expect(found.totals.filter(isCalls)).toEqual(right.totals.filter(isCalls));
		expect(found.totals.filter((row) => !isCalls(row))).toEqual(before.totals.filter((row) => !isCalls(row)));
	});

	test("continues after a crash of its thread, and one task serves all callers", async () => {
		const { site, right } = damaged();
		const task = begin(site, rebuildAllUsage);
		expect(begin(site, rebuildAllUsage)().id).toBe(task().id);
		await rebuildsOf(site).look();
		site.jobs.aggregator.step();
		const filling = () => site.file.query("SELECT id, counted_to FROM usage_counters WHERE state = 'FILLING'").all();
		const [begun] = [filling()];
		expect(begun.length).toBe(2);
		site.crash(20);
		const rebuilds = rebuildsOf(site);
		await rebuilds.look();
		expect(filling().map((row) => (row as { id: number }).id)).toEqual(begun.map((row) => (row as { id: number }).id));
		await carryOut(site);
		expect(task().status).toBe("COMPLETED");
		expect(totalsOf(site)).toEqual(right);
	});
});
