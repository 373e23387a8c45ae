import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readBlock } from "../../../../src/areas/usage/blocks/event-block";
import { LogReader } from "../../../../src/areas/usage/log/log-reader";
import { OpenBlock } from "../../../../src/areas/usage/log/open-block";
import type { UsageEvent } from "../../../../src/areas/usage/schema";
import type { Instant } from "../../../../src/kernel/clock";
import { openFile } from "../../../../src/kernel/storage/db";
import { folderOfTest } from "../../../support/folders";
import { testNow } from "../../../support/world";
import { at, count, event, ground, named, type SentEvent, sumOf } from "../ground";
import { checkFingerprints, recountUsage } from "../recounted";

const name = fc.constantFrom("a", "b", "", "__proto__", "constructor", "1", "a\nb", "\ud800", "ключ");
const value = fc.oneof(
	fc.constantFrom("", "eu", "\n", '"', "\ud800", "🔑"),
	fc.double({ noNaN: true, noDefaultInfinity: true }),
	fc.boolean(),
);
const logged = fc.record({
	customer: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
	at: fc.oneof(
		fc.integer({ min: testNow - 1000, max: testNow }),
		fc.constantFrom(Date.parse("0000-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")),
	),
	high: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
	low: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
	sent: fc.record<UsageEvent>(
		{
			eventName: fc.constantFrom("api.call", "login", "a\u0000b"),
			customerId: fc.constant("acme"),
			idempotencyKey: fc.constantFrom("1", "ключ 🔑", '"'),
			resourceId: fc.constantFrom(null, "r1", "r2"),
			dimensions: fc.array(fc.tuple(name, value), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
		},
		{ requiredKeys: ["eventName", "customerId", "idempotencyKey"] },
	),
});

describe("a block of the log", () => {
	test("returns the same events as were added, whatever the names, dimensions, resources and times", () => {
		fc.assert(
			fc.property(
				fc.array(logged, { minLength: 1, maxLength: 128 }),
				fc.integer({ min: 1, max: 2 ** 50 }),
				(all, first) => {
					const block = new OpenBlock();
					for (const [index, { customer, at: time, high, low, sent }] of all.entries())
						block.add(first + index, customer, time as Instant, { high, low }, sent);
					const row = block.row();
					expect(JSON.parse(row.keys)).toEqual(all.map(({ sent }) => sent.idempotencyKey));
					const words = new Uint32Array(Uint8Array.from(row.fingerprints).buffer);
					expect([...words]).toEqual(all.flatMap(({ high, low }) => [high, low]));
					const read = readBlock(row);
					expect([read.firstEvent, read.events]).toEqual([first, all.length]);
					for (const [index, { customer, at: time, sent }] of all.entries()) {
						const facts = read.event(index);
						expect(read.customer(index)).toBe(customer);
						expect(read.at(index)).toBe(time as Instant);
						expect(read.resource(index)).toBe(sent.resourceId ?? null);
						expect(facts.eventName).toBe(sent.eventName);
						const dimensions = sent.dimensions ?? {};
						for (const key of ["a", "b", "", "__proto__", "constructor", "toString", "1", "a\nb", "\ud800", "ключ"]) {
							// As JSON writes it: -0 is 0.
							const expected = Object.hasOwn(dimensions, key) ? JSON.parse(JSON.stringify(dimensions[key])) : undefined;
							expect([key, facts.dimension(key)]).toEqual([key, expected]);
						}
					}
				},
			),
			{ numRuns: 300 },
		);
	});

	test("holds at most 128 events: of a request of a thousand there are eight", () => {
		const site = ground();
		site.customer("acme");
		site.take(Array.from({ length: 1000 }, (_, index) => event({ idempotencyKey: `${index}` })));
		const rows = openFile(site.folder, "events").$client.query("SELECT events FROM event_blocks").values();
		expect(rows.flat()).toEqual([128, 128, 128, 128, 128, 128, 128, 104]);
		expect(site.jobs.log.lastEvent).toBe(1000);
	});
});

/** Writes events as the first release did: a row each, and a row of fingerprints for each commit. */
function writeRows(
	folder: string,
	requests: ReadonlyArray<readonly SentEvent[]>,
	rowIdOf: (customerId: string) => string,
): void {
	const db = openFile(folder, "events").$client;
	const numbers = new Map<string, number>();
	let id = 0;
	for (const sent of requests) {
		const fingerprints = new BigUint64Array(sent.length);
		const first = id + 1;
		for (const [
			index,
			{ customerId, eventName, idempotencyKey, resourceId = null, timestamp, dimensions },
		] of sent.entries()) {
			id += 1;
			if (!numbers.has(customerId)) {
				numbers.set(customerId, numbers.size + 1);
				const values = [numbers.size, "env", customerId, rowIdOf(customerId)];
				db.run("INSERT INTO event_customers VALUES (?, ?, ?, ?)", values);
			}
			const time = timestamp === undefined ? testNow : Date.parse(timestamp);
			const json = dimensions === undefined ? null : JSON.stringify(dimensions);
			const number = numbers.get(customerId) ?? 0;
			db.run("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", [
				id,
				number,
				resourceId,
				eventName,
				idempotencyKey,
				time,
				json,
			]);
			const text = `env\n${customerId}\n${resourceId ?? ""}\n${eventName.length}\n${eventName}${idempotencyKey}`;
			const hash = Bun.hash.wyhash(text);
			// The high half first.
			fingerprints[index] = (hash >> 32n) | ((hash & 0xffff_ffffn) << 32n);
		}
		db.run("INSERT INTO event_commits VALUES (?, ?)", [first, new Uint8Array(fingerprints.buffer)]);
	}
	db.close();
}

describe("a log that the first release wrote, a row for each event", () => {
	const sentEvent = (index: number): SentEvent =>
		event({
			eventName: index % 3 === 0 ? "login" : "api.call",
			customerId: index % 4 === 0 ? "bob" : "acme",
			idempotencyKey: `k${index}`,
			timestamp: new Date(testNow - index * 60_000).toISOString(),
			...(index % 5 === 0 && { resourceId: "r1" }),
			...(index % 7 !== 0 && { dimensions: { amount: index / 4, region: index % 2 === 0 ? "eu" : "us" } }),
		});
	const all = Array.from({ length: 400 }, (_, index) => sentEvent(index));
	const requests = [all.slice(0, 3), all.slice(3, 200), all.slice(200, 300)];

	const site = (isOld: boolean) => {
		const made = ground({ recentMax: 50 });
		const rowIds = new Map(["acme", "bob"].map((id) => [id, made.customer(id)]));
		made.meter("calls", { ...count, filters: [named("api.call")] });
		made.meter("amounts", sumOf("amount"));
		made.meter("european", {
			...count,
			filters: [{ conditions: [{ field: "region", operation: "EQUALS", value: "eu" }] }],
		});
		if (isOld) {
			writeRows(made.folder, requests, (id) => rowIds.get(id) ?? "");
			made.crash(37);
		} else for (const one of requests) made.take(one);
		made.jobs.aggregator.run();
		// Half of it was sent before.
		made.take(all.slice(250, 400));
		made.jobs.log.tidy(150);
		made.jobs.aggregator.run();
		const within = { start: at("2026-01-30T20:13:05.001Z"), end: at("2026-01-30T23:10:00Z") };
		const usage = [...rowIds.values()].flatMap((rowId) =>
			["calls", "amounts", "european"].flatMap((feature) =>
				[null, "r1"].flatMap((resourceId) =>
					[null, within].map((period) => made.usage(feature, rowId, { resourceId, period })),
				),
			),
		);
		return { ...made, usage };
	};

	test("goes on in blocks: what was sent before counts once, and every total is what it is without an upgrade", () => {
		const [old, fresh] = [site(true), site(false)];
		expect([old.jobs.log.lastEvent, fresh.jobs.log.lastEvent]).toEqual([400, 400]);
		expect(old.usage).toEqual(fresh.usage);
		expect(new Set(fresh.usage).size).toBeGreaterThan(15);
		for (const restart of [false, true]) {
			if (restart) old.crash();
			old.take(all);
			expect(old.jobs.log.lastEvent).toBe(400);
		}
		expect(checkFingerprints(old.folder)).toEqual([]);
		expect(recountUsage(old.folder, folderOfTest())).toEqual([]);
		const db = openFile(old.folder, "events").$client;
		expect(db.query("SELECT count(*) FROM events").values()).toEqual([[300]]);
		expect(db.query("SELECT min(first_event) FROM event_blocks").values()).toEqual([[301]]);
	});

	test.each([
		["UPDATE events SET idempotency_key = 'k5000' WHERE id = 5", "event 5 of customer 'bob' is not the one"],
		["UPDATE event_commits SET fingerprints = zeroblob(24) WHERE first_event = 1", "event 3 of customer 'acme' is not"],
		["DELETE FROM events WHERE id = 7", "event 7 is missing"],
		["DELETE FROM event_commits WHERE first_event = 4", "the events 4 to 200 have no fingerprints"],
	])("after %p its check says which event it is", (damage, message) => {
		const { folder } = site(true);
		expect(openFile(folder, "events").$client.run(damage).changes).toBe(1);
		expect(checkFingerprints(folder).join("\n")).toContain(message);
	});

	test("is read past what is missing of it", () => {
		const { folder } = site(true);
		const db = openFile(folder, "events");
		db.$client.run("DELETE FROM events WHERE id BETWEEN 10 AND 20 OR id = 300");
		db.$client.run("DELETE FROM event_blocks WHERE first_event = 301");
		const log = new LogReader(db);
		const read = [...log.after(5, 320, 1000)].flatMap(({ block, from, to }) =>
			Array.from({ length: to - from }, (_, index) => block.firstEvent + from + index),
		);
		expect(read).toEqual(
			Array.from({ length: 299 }, (_, index) => index + 1).filter((id) => id > 5 && (id < 10 || id > 20)),
		);
	});
});
