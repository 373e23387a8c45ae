import { describe, expect, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { testNow } from "../../../support/world";
import { event, ground } from "../ground";

describe("events that need not be known for ever", () => {
	const dayMs = 86_400_000;
	const reported = (at: number, daysAgo: number) =>
		event({ idempotencyKey: `k${at}`, timestamp: new Date(testNow - daysAgo * dayMs).toISOString() });
	/** One event on each of 160 days; the oldest 128 of them are in one file. */
	const aged = (knownDays: number) => {
		const site = ground({ recentMax: 8, knownDays, clock: { now: () => testNow } });
		site.customer("acme");
		for (let at = 0; at < 160; at += 1) {
			site.take([reported(at, 160 - at)]);
			site.jobs.log.tidy(1);
		}
		while (site.jobs.log.tidy(1));
		// A restart searches at once, instead of after an hour.
		site.crash();
		while (site.jobs.log.tidy(1));
		return site;
	};
	const runsOf = (folder: string) =>
		readdirSync(join(folder, "fingerprints"))
			.filter((name) => name.endsWith(".run"))
			.sort();

	test("are dropped by whole files when all events of a file are too old, also after a start; events within the window never are", () => {
		const site = aged(10);
		expect(runsOf(site.folder).every((name) => Number(name.split("-")[0]) > 1)).toBe(true);
		site.crash();
		site.take([reported(0, 160)]);
		expect(site.jobs.log.lastEvent).toBe(161);
		// Events within ten days are known.
		for (let at = 150; at < 160; at += 1) site.take([reported(at, 160 - at)]);
		expect(site.jobs.log.lastEvent).toBe(161);
	});

	test("are all known with a longer window, and known again after the files are deleted", () => {
		const longer = aged(161);
		longer.take(Array.from({ length: 160 }, (_, at) => reported(at, 160 - at)));
		expect(longer.jobs.log.lastEvent).toBe(160);
		const site = aged(10);
		rmSync(join(site.folder, "fingerprints"), { recursive: true });
		site.crash();
		site.take([reported(0, 160)]);
		expect(site.jobs.log.lastEvent).toBe(160);
	});
});
