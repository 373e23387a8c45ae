import { expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { Retries } from "../../../../src/areas/usage/archive/retries";
import { Aggregator } from "../../../../src/areas/usage/counting/aggregator";
import { EventLog } from "../../../../src/areas/usage/log/event-log";
import type { Instant } from "../../../../src/kernel/clock";
import { openFile } from "../../../../src/kernel/storage/db";
import { FileNotHere, FileUnreadable } from "../../../../src/kernel/storage/failures";
import { folderOfTest } from "../../../support/folders";
import { testNow } from "../../../support/world";
import { provision, shop } from "../../subscriptions/shop";
import { archive, dayMs, files, reported, tenDays } from "../archived";
import { event } from "../ground";
import { recountUsage } from "../recounted";

/** Longer than any pause. */
const longMs = 3_600_000;

/** A site whose aggregator continues when a file is unreadable, with a clock for its pauses. */
function site() {
	const reports: string[] = [];
	const time = { ms: 0 };
	const { site: ours, acme } = tenDays({
		onUnreadable: ({ cause }) => reports.push(String(cause)),
		nowMs: () => time.ms,
	});
	let lost: string[] = [];
	const path = (name: string) => join(ours.folder, "archive", name);
	return {
		ours,
		acme,
		reports,
		wait: (ms: number) => {
			time.ms += ms;
		},
		/** Removes all files of the archive. */
		lose: () => {
			lost = files(ours).filter((name) => name.endsWith(".zst"));
			for (const name of lost) renameSync(path(name), path(`${name}.away`));
		},
		bringBack: () => {
			for (const name of lost) renameSync(path(`${name}.away`), path(name));
			lost = [];
		},
		/** Counts as the thread does, until nothing can be done now. */
		count: () => {
			const { aggregator } = ours.jobs;
			while ([aggregator.count(), aggregator.show()].includes(true));
		},
		calls: (customer = acme) => ours.usage("calls", customer),
	};
}

test("cancellations of events in a missing file are followed once it is back; new events are counted", async () => {
	const { ours, reports, wait, lose, bringBack, count, calls } = site();
	await archive(ours, 5);
	expect(ours.cancel([reported(1000, 10), reported(1001, 10)]).kind).toBe("canceled");
	lose();
	count();
	expect(calls()).toBe("302");
	ours.take([reported(9001, 0)]);
	count();
	expect(calls()).toBe("303");
	expect(reports).toEqual([expect.stringContaining("archive/2026-01-21-1.zst is missing")]);
	bringBack();
	wait(9_999);
	count();
	expect(calls()).toBe("303");
	wait(1);
	count();
	expect(calls()).toBe("301");
	expect(recountUsage(ours.folder, folderOfTest())).toEqual([]);
	expect(reports.length).toBe(1);
});

test("retries at pauses that grow to ten minutes, and reports once", async () => {
	const { ours, reports, wait, lose, bringBack, count, calls } = site();
	await archive(ours, 5);
	ours.cancel([reported(1000, 10)]);
	lose();
	count();
	for (const pause of [10, 20, 40, 80, 160, 320, 600, 600]) {
		bringBack();
		wait(pause * 1_000 - 1);
		count();
		expect([pause, calls()]).toEqual([pause, "302"]);
		lose();
		wait(1);
		count();
		expect([pause, calls()]).toEqual([pause, "302"]);
	}
	expect(reports.length).toBe(1);
	bringBack();
	wait(longMs);
	count();
	expect(calls()).toBe("301");
	// A later failure is reported again.
	ours.cancel([reported(1020, 10 - 0.2)]);
	lose();
	count();
	expect(reports.length).toBe(2);
});

test("a customer takes its early events over without their file", async () => {
	const { ours, reports, lose, bringBack, count, calls } = site();
	const old = (customerId: string, key: number, daysAgo: number) =>
		expect(ours.send([reported(key, daysAgo, { customerId })], "env", "accept")).toEqual({ kind: "accepted" });
	old("late", 1, 9);
	old("late", 2, 8);
	ours.jobs.aggregator.run();
	await archive(ours, 5);
	lose();
	const late = ours.customer("late");
	count();
	expect([calls(late), reports]).toEqual(["2", []]);
	bringBack();
	expect(recountUsage(ours.folder, folderOfTest())).toEqual([]);
});

test("a rebuild waits for the file, and is complete then", async () => {
	const { ours, acme, reports, wait, lose, bringBack, count, calls } = site();
	await archive(ours, 5);
	const usage = openFile(ours.folder, "usage").$client;
	for (const table of ["totals", "events_by_hour", "counters", "subjects", "cursor", "event_names", "recent"])
		usage.run(`DELETE FROM usage_${table}`);
	usage.close();
	lose();
	ours.jobs.aggregator = ours.openAggregator();
	count();
	ours.take([reported(9001, 0)]);
	count();
	expect(reports.length).toBe(1);
	bringBack();
	wait(10_000);
	count();
	expect(calls(acme)).toBe("303");
	expect(recountUsage(ours.folder, folderOfTest())).toEqual([]);
});

test("an hour with a missing file is cut once it is back", async () => {
	const ours = await shop();
	const now = (testNow + 20.4 * dayMs) as Instant;
	const start = (testNow + 17 * 60_000 + 1) as Instant;
	const reports: unknown[] = [];
	let ms = 0;
	await ours.call("POST", "/customers", { body: { id: "acme" } });
	const send = async (key: string, at: number) => {
		const text = JSON.stringify({
			events: [event({ idempotencyKey: key, timestamp: new Date(at).toISOString() })],
		});
		const { environmentId } = ours;
		expect(await ours.services.events.send({ environmentId, now, unknownCustomers: "refuse", text })).toEqual({
			kind: "accepted",
		});
	};
	for (const offset of [-2, -1, 0, 1]) await send(`old ${offset}`, start + offset);
	const aggregator = new Aggregator({
		folder: ours.folder,
		clock: ours.clock,
		onUnreadable: (error) => reports.push(error.cause),
		nowMs: () => ms,
	});
	aggregator.run();
	const log = new EventLog({ folder: ours.folder, onTrouble: () => {} });
	await archive({ folder: ours.folder, jobs: { log } }, 5, { at: now });
	log.close();
	const [name = ""] = files(ours);
	const file = join(ours.folder, "archive", name);
	renameSync(file, `${file}.away`);
	ours.clock.at = start;
	await provision(ours, { customerId: "acme", planId: "free", id: "sold" });
	ours.clock.at = now;
	await send("new", now);
	aggregator.run();
	const counted = () =>
		ours.db.$client.query<{ to: number }, []>('SELECT counted_to AS "to" FROM usage_cursor').get()?.to;
	const cuts = () => ours.db.$client.query<{ at: number }, []>("SELECT at FROM usage_cuts").all();
	expect([counted(), cuts(), reports.map(String)]).toEqual([5, [], [expect.stringContaining(name)]]);
	renameSync(`${file}.away`, file);
	ms += 10_000;
	aggregator.run();
	expect(cuts()).toEqual([{ at: start }]);
	expect(recountUsage(ours.folder, folderOfTest())).toEqual([]);
	aggregator.close();
});

const step = fc.oneof(
	{ weight: 3, arbitrary: fc.record({ is: fc.constant("send" as const), daysAgo: fc.nat(9), isLate: fc.boolean() }) },
	{ weight: 3, arbitrary: fc.record({ is: fc.constant("cancel" as const), which: fc.nat() }) },
	{ weight: 3, arbitrary: fc.constant({ is: "count" as const }) },
	{
		weight: 2,
		arbitrary: fc.record({ is: fc.constantFrom("lose" as const, "bring back" as const, "archive" as const) }),
	},
	{ weight: 2, arbitrary: fc.record({ is: fc.constant("wait" as const), ms: fc.constantFrom(1, 10_000, longMs) }) },
	{ weight: 1, arbitrary: fc.record({ is: fc.constantFrom("late" as const, "anew" as const, "crash" as const) }) },
);

test("all events are counted correctly once missing files are back, whatever happens meanwhile", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
			const { ours, acme, wait, lose, bringBack, count, calls } = site();
			const sent: Array<{ key: number; daysAgo: number; customerId: string; isCanceled: boolean }> = [];
			let [late, isLost, tasks] = ["", false, 0];
			await archive(ours, 5);
			for (const one of steps) {
				if (one.is === "send") {
					const { daysAgo } = one;
					const [key, customerId] = [20_000 + sent.length, one.isLate ? "late" : "acme"];
					expect(ours.send([reported(key, daysAgo, { customerId })], "env", "accept").kind).toBe("accepted");
					sent.push({ key, daysAgo, customerId, isCanceled: false });
				} else if (one.is === "cancel" && sent.length > 0) {
					const chosen = sent[one.which % sent.length];
					if (!chosen) continue;
					const { kind } = ours.cancel([reported(chosen.key, chosen.daysAgo, { customerId: chosen.customerId })]);
					// The event may be in a missing file.
					expect(kind).toBe(kind === "unavailable" && isLost ? "unavailable" : "canceled");
					chosen.isCanceled ||= kind === "canceled";
				} else if (one.is === "count") count();
				else if (one.is === "wait") wait(one.ms);
				else if (one.is === "lose" && !isLost) {
					lose();
					isLost = true;
				} else if (one.is === "bring back" && isLost) {
					bringBack();
					isLost = false;
				} else if (one.is === "archive" && !isLost) await archive(ours, 3);
				else if (one.is === "late" && late === "") late = ours.customer("late");
				else if (one.is === "anew") {
					tasks += 1;
					ours.jobs.aggregator.rebuild({ taskId: `${tasks}`, environmentId: null, featureId: null });
				} else if (one.is === "crash") {
					ours.jobs.aggregator.close();
					ours.jobs.aggregator = ours.openAggregator(3);
				}
			}
			if (isLost) bringBack();
			if (late === "") late = ours.customer("late");
			wait(longMs);
			ours.jobs.aggregator.run();
			const left = (customer: string) =>
				sent.filter(({ customerId, isCanceled }) => customerId === customer && !isCanceled).length;
			expect([calls(acme), calls(late)]).toEqual([`${302 + left("acme")}`, `${left("late")}`]);
			expect(recountUsage(ours.folder, folderOfTest())).toEqual([]);
			ours.close();
		}),
		{ numRuns: 25 },
	);
}, 120_000);

test("work awaits its file until the file arrives, and not while it only pauses", async () => {
	const retries = new Retries({ onUnreadable: () => {} });
	const arrival = Promise.withResolvers<void>();
	const attempt = (error: FileUnreadable) =>
		retries.attempt("work", () => {
			throw error;
		});
	expect(retries.isAwaitingFile).toBe(false);
	attempt(new FileNotHere("fetched", arrival.promise));
	expect(retries.isAwaitingFile).toBe(true);
	arrival.resolve();
	await arrival.promise;
	expect([retries.isAwaitingFile, retries.isDue]).toEqual([false, true]);
	attempt(new FileUnreadable("missing"));
	expect([retries.isAwaitingFile, retries.isDue]).toEqual([false, false]);
});
