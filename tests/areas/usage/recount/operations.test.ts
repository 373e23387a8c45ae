import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { openFile } from "../../../../src/kernel/storage/db";
import { folderOfTest } from "../../../support/folders";
import { count, event, ground, sumOf } from "../ground";
import { checkFingerprints, recountUsage } from "../recounted";

/**
 * Totals of every kind: of a sum, of a set, of counted values; of a resource; of a customer with early events; of
 * several hours.
 */
function counted() {
	const site = ground();
	site.customer("acme");
	site.meter("calls", count);
	site.meter("amounts", sumOf("amount"));
	site.meter("users", { aggregation: { function: "UNIQUE", field: "user" }, filters: [] });
	site.meter("latency", { aggregation: { function: "PERCENTILE", field: "amount", percentile: 95 }, filters: [] });
	for (let at = 0; at < 40; at += 1) {
		const timestamp = new Date(Date.UTC(2026, 0, 29, at)).toISOString();
		const dimensions = { amount: at / 4, user: `user ${at % 7}` };
		site.take([event({ idempotencyKey: `k${at}`, timestamp, dimensions })]);
		if (at % 3 === 0) site.take([event({ idempotencyKey: `r${at}`, timestamp, dimensions, resourceId: "r1" })]);
		site.send([event({ idempotencyKey: `l${at}`, customerId: "late", timestamp, dimensions })], "env", "accept");
		if (at === 20) site.customer("late");
		if (at % 5 === 0) site.jobs.aggregator.run();
	}
	site.send([event({ customerId: "never" })], "env", "accept");
	site.jobs.aggregator.run();
	return site;
}

const recount = (folder: string): string[] => recountUsage(folder, folderOfTest());

const usageFile = (folder: string) => openFile(folder, "usage").$client;

describe("the totals, counted again", () => {
	test("are the same, however they came about, and when some of the log is not counted yet", () => {
		const site = counted();
		expect(recount(site.folder)).toEqual([]);
		site.take([event({ idempotencyKey: "not counted yet" })]);
		site.customer("never");
		expect(recount(site.folder)).toEqual([]);
	});

	test("are proven by checksums: a sound folder needs no copy of them", () => {
		const site = ground();
		site.customer("acme");
		site.meter("calls", count);
		site.meter("amounts", sumOf("amount"));
		const times = ["2026-01-29T10:00:00Z", "2026-01-29T10:30:00Z", "2026-01-30T10:00:00Z"];
		site.take(
			times.map((timestamp, at) => event({ idempotencyKey: `k${at}`, timestamp, dimensions: { amount: at / 8 } })),
		);
		site.jobs.aggregator.run();
		const scratch = folderOfTest();
		expect(recountUsage(site.folder, scratch)).toEqual([]);
		expect(readdirSync(scratch)).toEqual([]);
	});

	test.each([
		["UPDATE usage_totals SET subject_id = 99 WHERE counter_id = 1 AND span = 0 AND subject_id = 1", "over all time"],
		["UPDATE usage_totals SET state = state || '.0' WHERE counter_id = 1 AND span = 1", "on 2026-01-29"],
		["INSERT INTO usage_totals VALUES (1, 1, 2, 500000, 0, '0')", "the total of feature 'calls'"],
		["UPDATE usage_totals SET events = events + 1 WHERE counter_id = 1 AND span = 2", "the total of feature 'calls'"],
		["UPDATE usage_totals SET state = '41' WHERE counter_id = 1 AND span = 0 AND subject_id = 1", "over all time"],
		["UPDATE usage_totals SET state = state || '5' WHERE counter_id = 2 AND span = 1", "on 2026-01-29"],
		["DELETE FROM usage_totals WHERE counter_id = 1 AND span = 2 AND bucket % 2 = 0", "in the hour of 2026-01-2"],
		["UPDATE usage_values SET value = 'user 9' WHERE value = 'user 3'", "the total of feature 'users'"],
		["UPDATE usage_values SET events = 7 WHERE counter_id = 4", "the total of feature 'latency'"],
		[
			"DELETE FROM usage_events_by_hour WHERE subject_id = 1 AND hour % 2 = 0",
			"the list of events for customer 'acme'",
		],
		["UPDATE usage_events_by_hour SET first_event = first_event + 1 WHERE subject_id = 1", "the list of events"],
	])("after %p differ, and it is said where", (damage, where) => {
		const site = counted();
		const usage = usageFile(site.folder);
		const { changes } = usage.run(damage);
		expect(changes).toBeGreaterThan(0);
		const found = recount(site.folder);
		expect(found.join("\n")).toContain(where);
		expect(found.at(-1)).toContain("tollgate usage rebuild");
	});
});

describe("the fingerprints of the log", () => {
	const eventsFile = (folder: string) => openFile(folder, "events").$client;

	test("are those of its events", () => {
		expect(checkFingerprints(counted().folder)).toEqual([]);
	});

	test.each([
		[`UPDATE event_blocks SET keys = '["k5000"]' WHERE first_event = 5`, "event 5 of customer 'late' is not the one"],
		["UPDATE event_blocks SET facts = replace(facts, 'r1', 'r9') WHERE first_event = 2", "event 2 of customer 'acme'"],
		["UPDATE event_blocks SET fingerprints = zeroblob(8) WHERE first_event = 3", "event 3 of customer 'late' is not"],
		["UPDATE event_blocks SET customers = x'' WHERE first_event = 7", "event 7 is missing"],
		["DELETE FROM event_blocks WHERE first_event = 4", "the events 4 to 4 have no fingerprints"],
	])("after %p are not, and it is said which", (damage, message) => {
		const site = counted();
		expect(eventsFile(site.folder).run(damage).changes).toBe(1);
		expect(checkFingerprints(site.folder).join("\n")).toContain(message);
	});
});
