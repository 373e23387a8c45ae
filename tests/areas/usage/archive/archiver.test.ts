import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { Aggregator } from "../../../../src/areas/usage/counting/aggregator";
import { EventLog } from "../../../../src/areas/usage/log/event-log";
import { disagreements } from "../../../../src/folder/agree";
import type { Instant } from "../../../../src/kernel/clock";
import { openFile } from "../../../../src/kernel/storage/db";
import { folderOfTest } from "../../../support/folders";
import { slowRuns } from "../../../support/runs";
import { testNow, world } from "../../../support/world";
import { archive, dayMs, files, reported, tenDays } from "../archived";
import type { ground } from "../ground";
import { checkFingerprints, recountUsage } from "../recounted";

type Site = ReturnType<typeof ground>;

const rows = (site: Site, sql: string) =>
	site.file.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${sql}`).get()?.rows ?? 0;

describe("old events", () => {
	test("move to files by day, in whole blocks, and are read as before", async () => {
		const { site, acme } = tenDays();
		const within = { start: (testNow - 8.83 * dayMs) as Instant, end: (testNow - 6.127 * dayMs) as Instant };
		const usage = () => [site.usage("calls", acme), site.usage("amounts", acme, { period: within })];
		const before = usage();
		await archive(site, 5);
		expect(
			files(site)
				.filter((name) => name.endsWith(".zst"))
				.map((name) => name.slice(0, 10)),
		).toEqual(["2026-01-21", "2026-01-22", "2026-01-23", "2026-01-24", "2026-01-25"]);
		// Today is the 31st: events from the 26th on stay, and so does a block with a younger event.
		expect(rows(site, "event_blocks")).toBe(5 * 30 + 1);
		expect(rows(site, "event_archived_blocks")).toBe(5 * 30);
		site.crash();
		expect(usage()).toEqual(before);
		expect(recountUsage(site.folder, folderOfTest())).toEqual([]);
		expect(checkFingerprints(site.folder)).toEqual([]);
		expect(disagreements(openFile(site.folder, "main", ["usage", "events"]).$client)).toEqual([]);
		const manifest = JSON.parse(readFileSync(join(site.folder, "archive", "manifest.json"), "utf8"));
		expect(manifest.files.map(({ name }: { name: string }) => name)).toEqual(
			files(site).filter((name) => name.endsWith(".zst")),
		);
	});

	test("stay known, also after the fingerprints are written again and after all blocks are archived", async () => {
		const { site, acme } = tenDays();
		await archive(site, 1, { at: (testNow + 9 * dayMs) as typeof testNow });
		expect(rows(site, "event_blocks")).toBe(0);
		for (const lost of [false, true]) {
			if (lost) rmSync(join(site.folder, "fingerprints"), { recursive: true });
			site.crash();
			expect(site.jobs.log.lastEvent).toBe(302);
			site.take([reported(1007, 3), reported(207, 8), reported(1, 1)]);
			expect(site.jobs.log.lastEvent).toBe(302);
		}
		site.take([reported(5000, 0)]);
		site.jobs.aggregator.run();
		expect(site.usage("calls", acme)).toBe("303");
	});

	test("are in exactly one place after a kill at any point", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(
					fc.record({
						killedAt: fc.nat(6),
						keepDays: fc.integer({ min: 1, max: 9 }),
						fileBlocks: fc.constantFrom(7, 100, 8192),
					}),
					{
						minLength: 1,
						maxLength: 4,
					},
				),
				fc.boolean(),
				async (kills, sendsMeanwhile) => {
					const { site, acme } = tenDays();
					let sent = 302;
					for (const [round, { keepDays, ...kill }] of kills.entries()) {
						await archive(site, keepDays, kill);
						site.crash();
						if (sendsMeanwhile) {
							site.take([reported(9000 + round, 9.5), reported(9000 + round, 9.5), reported(1007, 3)]);
							sent += 1;
						}
					}
					await archive(site, 3);
					site.jobs.aggregator.run();
					expect(site.usage("calls", acme)).toBe(`${sent}`);
					expect(recountUsage(site.folder, folderOfTest())).toEqual([]);
					expect(checkFingerprints(site.folder)).toEqual([]);
					const both = "event_blocks b JOIN event_archived_blocks a ON a.first_event = b.first_event";
					expect([rows(site, both), rows(site, "event_archives WHERE NOT is_whole")]).toEqual([0, 0]);
					const named = site.file.query<{ name: string }, []>("SELECT name FROM event_archives ORDER BY name").all();
					expect(files(site).filter((name) => name !== "manifest.json")).toEqual(named.map(({ name }) => name));
					site.close();
				},
			),
			slowRuns(6),
		);
	}, 60_000);

	test("are archived again if the log does not name their file: a kill came before any block had moved", async () => {
		const { site } = tenDays();
		await archive(site, 5, { killedAt: 0 });
		expect(files(site).length).toBe(1);
		writeFileSync(join(site.folder, "archive", "archive.part"), "half a file");
		writeFileSync(join(site.folder, "archive", "notes of the owner.txt"), "are left alone");
		await archive(site, 5);
		expect(files(site)).toContain("notes of the owner.txt");
		expect(files(site)).not.toContain("archive.part");
		expect(rows(site, "event_archives")).toBe(5);
	});

	test("delay the counting of the past while their file is unreadable, but not the counting of new events", async () => {
		const { site, acme } = tenDays();
		await archive(site, 5);
		const file = join(site.folder, "archive", files(site)[0] ?? "");
		renameSync(file, `${file}.away`);
		const troubles: unknown[] = [];
		const aggregator = new Aggregator({
			folder: site.folder,
			clock: { now: () => testNow },
			onUnreadable: (error) => troubles.push(error.cause),
		});
		aggregator.rebuild({ taskId: "anew", environmentId: null, featureId: null });
		aggregator.run();
		site.take([reported(9001, 0)]);
		aggregator.run();
		expect(site.usage("calls", acme)).toBe("303");
		expect(troubles.map(String)).toEqual([expect.stringContaining("is missing")]);
		expect(aggregator.progressOf("anew")).toEqual({ countedTo: 0, isDone: false });
		aggregator.close();
		renameSync(`${file}.away`, file);
		site.crash();
		site.jobs.aggregator.run();
		expect(site.jobs.aggregator.progressOf("anew")?.isDone).toBe(true);
		expect(site.usage("calls", acme)).toBe("303");
	});

	test("refuse requests that need a missing or damaged file, by its name; other requests are accepted", async () => {
		const { site, acme } = tenDays();
		await archive(site, 5);
		site.crash();
		const [first = ""] = files(site);
		truncateSync(join(site.folder, "archive", first), 40);
		const again = reported(1000, 0);
		const results = site.jobs.log.ingest(
			[[reported(7001, 0)], [reported(7002, 0), again], [reported(7003, 0)]].map((events) => ({
				environmentId: "env",
				now: testNow,
				unknownCustomers: "refuse" as const,
				text: JSON.stringify({ events }),
			})),
		);
		expect(results.map(({ kind }) => kind)).toEqual(["accepted", "unavailable", "accepted"]);
		expect(site.troubles.map((trouble) => String((trouble as Error).cause))).toEqual([
			expect.stringContaining(`archive/${first}`),
		]);
		expect(site.jobs.log.lastEvent).toBe(304);
		const within = { start: (testNow - 9.95 * dayMs) as Instant, end: (testNow - 9.9 * dayMs) as Instant };
		expect(() => site.usage("calls", acme, { period: within })).toThrow("a file of the archive that cannot be read");
	});
});

test("the list of events includes archived ones, and answers 503 while their file is missing", async () => {
	const ours = world();
	const { call } = ours;
	await call("POST", "/customers", { body: { id: "acme" } });
	for (let day = 9; day >= 0; day -= 1)
		expect(
			(await call("POST", "/events", { body: { events: [reported(day, day), reported(100 + day, day)] } })).status,
		).toBe(200);
	ours.countUsage();
	const list = () => call("GET", "/events?limit=100");
	const before = await list();
	expect(before.body.data.length).toBe(20);
	const log = new EventLog({ folder: ours.folder, onTrouble: () => {} });
	await archive({ folder: ours.folder, jobs: { log } }, 3);
	log.close();
	const file = join(ours.folder, "archive", readdirSync(join(ours.folder, "archive")).sort()[0] ?? "");
	renameSync(file, `${file}.away`);
	const refused = await list();
	expect(refused).toMatchObject({ status: 503, body: { code: null, message: expect.stringContaining("archive") } });
	expect(refused.headers.get("retry-after")).toBe("5");
	renameSync(`${file}.away`, file);
	expect((await list()).body).toEqual(before.body);
});
