import type { Database as SqliteFile } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { longText, testNow } from "../../../support/world";
import { count, event, ground, textOf } from "../ground";

const request = (text: string, environmentId = "env") => ({
	environmentId,
	now: testNow,
	unknownCustomers: "refuse" as const,
	text,
});

describe("which events are the same", () => {
	/** Sends two events in one batch, in two requests, or with a restart between; returns how many count. */
	const countBoth = (more: object, hash?: (text: string) => bigint) => {
		const counts = new Set<string>();
		for (const way of ["one batch", "two requests", "restart"] as const) {
			const site = ground({ ...(hash && { hash }), recentMax: 1 });
			const rows = [site.customer("acme"), site.customer("bob")];
			site.meter("calls", count);
			if (way === "one batch") site.take([event(), event(more)]);
			else {
				site.take([event()]);
				site.jobs.log.tidy(1);
				if (way === "restart") site.crash();
				site.take([event(more)]);
			}
			site.jobs.aggregator.run();
			const resources = [null, "r1", "r2"];
			const all = rows.flatMap((row) =>
				resources.map((resourceId) => Number(site.usage("calls", row, { resourceId }))),
			);
			counts.add(String(all.reduce((sum, one) => sum + one, 0)));
		}
		return [...counts];
	};

	const cases: Array<[string, object, string]> = [
		["all parts equal", {}, "1"],
		["another time", { timestamp: "2025-01-01T00:00:00Z" }, "1"],
		["other dimensions", { dimensions: { a: 1 } }, "1"],
		["resource null and absent", { resourceId: null }, "1"],
		["another key", { idempotencyKey: "k2" }, "2"],
		["another event name", { eventName: "login" }, "2"],
		["another customer", { customerId: "bob" }, "2"],
		["a resource", { resourceId: "r1" }, "2"],
		["name and key cut elsewhere", { eventName: "api.callk", idempotencyKey: "1" }, "2"],
	];
	test.each(cases)("%s", (_, more, expected) => {
		expect(countBoth(more)).toEqual([expected]);
	});
	test.each(cases)("%s, with every fingerprint the same", (_, more, expected) => {
		expect(countBoth(more, () => 7n)).toEqual([expected]);
	});

	test("the same event of two environments counts in both", () => {
		const site = ground({ hash: () => 7n });
		const [ours, theirs] = [site.customer("acme"), site.customer("acme", "other")];
		site.meter("calls", count);
		site.meter("calls", count, "other");
		site.take([event()]);
		site.take([event()], "other");
		site.jobs.aggregator.run();
		expect([site.usage("calls", ours), site.usage("calls", theirs, { environmentId: "other" })]).toEqual(["1", "1"]);
		expect(site.usage("calls", theirs)).toBe("0");
	});

	test("when the fingerprint files are lost", () => {
		const site = ground({ recentMax: 2 });
		site.customer("acme");
		const events = Array.from({ length: 40 }, (_, at) => event({ idempotencyKey: `k${at}` }));
		for (const one of events) {
			site.take([one]);
			site.jobs.log.tidy(1);
		}
		rmSync(join(site.folder, "fingerprints"), { recursive: true });
		site.crash();
		site.take(events);
		expect(site.jobs.log.lastEvent).toBe(40);
	});
});

describe("a damaged file of fingerprints", () => {
	const events = Array.from({ length: 300 }, (_, at) => event({ idempotencyKey: `k${at}` }));

	/** A log whose older fingerprints are in one file; changes the byte at `offset` as a failing disk might. */
	const damaged = (offset: number, restart: boolean) => {
		const site = ground({ recentMax: 280 });
		site.customer("acme");
		site.take(events);
		site.jobs.log.tidy(1);
		const [name = ""] = readdirSync(join(site.folder, "fingerprints")).sort();
		const path = join(site.folder, "fingerprints", name);
		const bytes = readFileSync(path);
		bytes[offset] = (bytes[offset] ?? 0) ^ 0x10;
		// In place, because the log has the file open.
		const file = openSync(path, "r+");
		writeSync(file, bytes, offset, 1, offset);
		closeSync(file);
		if (restart) site.crash();
		return site;
	};
	/**
	 * Offsets within entries on the first page and on the second: both halves of the fingerprint, and the event's
	 * position.
	 */
	const places = [64, 68, 72, 76, 64 + 100 * 16, 64 + 256 * 16 + 4, 64 + 299 * 16 + 12];

	test.each(places)("at byte %p: an accepted event is not accepted twice, before and after a restart", (offset) => {
		for (const restart of [false, true]) {
			const site = damaged(offset, restart);
			let refused = 0;
			while (site.send(events).kind !== "accepted") refused += 1;
			expect(refused).toBeLessThanOrEqual(1);
			expect(site.jobs.log.lastEvent).toBe(300);
			for (const trouble of site.troubles) expect(String(trouble)).toContain("is made again from events.db");
		}
	});
});

describe("a group of requests", () => {
	test("one refused request does not affect the others", () => {
		const site = ground();
		site.customer("acme");
		const results = site.jobs.log.ingest([
			request(textOf([event()])),
			request("{"),
			request(textOf([event({ idempotencyKey: "k2" }), event({ customerId: "nobody" })])),
			request(textOf([event({ idempotencyKey: "k3" })])),
		]);
		expect(results.map(({ kind }) => kind)).toEqual(["accepted", "refused", "refused", "accepted"]);
		expect(site.jobs.log.lastEvent).toBe(2);
		// The refused request left nothing behind, not even a fingerprint.
		site.take([event({ idempotencyKey: "k2" })]);
		expect(site.jobs.log.lastEvent).toBe(3);
	});

	test("with a full disk, no request is accepted, nothing is stored, and a retry is no duplicate", () => {
		let file: SqliteFile | undefined;
		const site = ground({
			recentMax: 3,
			onOpen: (opened) => {
				file = opened;
			},
		});
		const acme = site.customer("acme");
		const bob = site.customer("bob");
		site.meter("calls", count);
		site.take([event()]);
		const pages = file?.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count ?? 0;
		file?.run(`PRAGMA max_page_count = ${pages}`);
		const large = [
			event({ idempotencyKey: "k2", customerId: "bob" }),
			event({ idempotencyKey: "k3", customerId: "bob" }),
			event({ idempotencyKey: "k2", dimensions: { text: longText(20_000) } }),
		];
		const results = site.jobs.log.ingest([request(textOf(large)), request(textOf([event()])), request("{")]);
		expect(results.map(({ kind }) => kind)).toEqual(["unavailable", "unavailable", "unavailable"]);
		expect(site.troubles.map(String)).toEqual([expect.stringContaining("full")]);
		expect(site.jobs.log.lastEvent).toBe(1);
		// The table of fingerprints holds one event, not three, so it is not full.
		site.jobs.log.tidy(1);
		expect(readdirSync(join(site.folder, "fingerprints"))).toEqual([]);

		file?.run("PRAGMA max_page_count = 1000000");
		site.take(large);
		expect(site.jobs.log.lastEvent).toBe(4);
		site.jobs.aggregator.run();
		expect([site.usage("calls", acme), site.usage("calls", bob)]).toEqual(["2", "2"]);
		site.take(large);
		site.crash();
		site.take(large);
		expect(site.jobs.log.lastEvent).toBe(4);
	});
});
