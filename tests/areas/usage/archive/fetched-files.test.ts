import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { migrations } from "../../../../drizzle/usage";
import { leftOutOf } from "../../../../src/areas/usage/archive/operations.check";
import { useStorage } from "../../../../src/areas/usage/archive/operations.storage";
import { EventLog } from "../../../../src/areas/usage/log/event-log";
import { checkingFingerprints } from "../../../../src/areas/usage/log/operations.check";
import { recounting } from "../../../../src/areas/usage/recount/operations";
import { spans } from "../../../../src/areas/usage/table.usage";
import type { Instant } from "../../../../src/kernel/clock";
import { openFile, prepareFiles } from "../../../../src/kernel/storage/db";
import { carriedOutInTime, FileNotHere, onceHere, step } from "../../../../src/kernel/storage/failures";
import { folderOfTest } from "../../../support/folders";
import { testNow, world } from "../../../support/world";
import { archive, dayMs, reported, tenDays } from "../archived";
import { ground } from "../ground";
import { filesHere, moved, serve, settingsOf, stored, upload } from "../stored";

type Site = ReturnType<typeof ground>;

/** Each end has events before and after it in its hour, so that raw events are read. */
const within = { start: (testNow - 8.815 * dayMs) as Instant, end: (testNow - 6.855 * dayMs) as Instant };
const usageOf = async (site: Site, customer: string, period: typeof within | null = within): Promise<string> =>
	await onceHere(() => site.usage("amounts", customer, { period }));

/** Deletes the fetched pieces. */
const deleteFetched = (site: Site): void => rmSync(join(site.folder, "fetched"), { recursive: true, force: true });

describe("events whose file is in the storage", () => {
	test("are read from the storage in pieces", async () => {
		const server = serve();
		const { site, acme } = tenDays();
		await archive(site, 5);
		const before = [await usageOf(site, acme), await usageOf(site, acme, null)];
		const names = filesHere(site);
		await upload(site, { settings: settingsOf(server) });
		expect([stored(site), filesHere(site)]).toEqual([5, []]);
		const keys = [...server.objects.keys()].sort();
		expect(keys.map((key) => key.replace(/-[0-9a-f]{64}/, ""))).toEqual(names.map((name) => `tollgate/${name}`));
		for (const [key, bytes] of server.objects)
			expect(key).toContain(new Bun.CryptoHasher("sha256").update(bytes).digest("hex"));
		// A new reader, without caches.
		const opened = () => ground({ folder: site.folder });
		const read = () => opened().usage("amounts", acme, { period: within });
		expect(read).toThrow("a file of the archive that cannot be read");
		useStorage(site.folder, settingsOf(server));
		expect(read).toThrow(FileNotHere);
		expect([await usageOf(opened(), acme), await usageOf(opened(), acme, null)]).toEqual(before);
		const asked = server.requests.length;
		expect(read()).toBe(before[0] ?? "");
		expect(server.requests.length).toBe(asked);
	});

	test("stay known, and can be canceled, while the storage is unreachable and the fingerprints are written again", async () => {
		const ofResource = { resourceId: "r1" };
		const before = (site: Site) => site.take([reported(7, 8, ofResource), reported(8, 8)]);
		const { site, acme, server } = await moved({ before });
		await server.stop();
		for (const lost of [false, true]) {
			if (lost) rmSync(join(site.folder, "fingerprints"), { recursive: true });
			site.crash();
			const { lastEvent } = site.jobs.log;
			site.take([reported(1007, 3), reported(7, 8, ofResource), reported(8, 1), reported(700, 1)]);
			expect(site.jobs.log.lastEvent).toBe(lastEvent);
			// The same key with another resource or another name is another event.
			site.take([reported(1007, 3, { resourceId: `of-${lost}` }), reported(8, 8, { eventName: `n${lost}` })]);
			expect(site.jobs.log.lastEvent).toBe(lastEvent + 2);
		}
		expect(site.cancel([reported(1007, 3), reported(101, 1)])).toMatchObject({ kind: "canceled", canceled: 2 });
		expect(site.cancel([reported(1007, 3)])).toMatchObject({ kind: "canceled", canceled: 0, alreadyCanceled: 1 });
		expect(site.cancel([reported(100_007, 3)])).toMatchObject({ kind: "missing" });
		expect(site.troubles).toEqual([]);
		expect(site.jobs.aggregator.lag()).toBe(6);
		expect(() => site.jobs.aggregator.run()).toThrow(FileNotHere);
		server.start();
		await carriedOutInTime(step(() => site.jobs.aggregator.run()));
		expect(site.usage("calls", acme)).toBe(`${302 + 3 - 2}`);
	});

	test("are recounted as soon as they are fetched; while the storage is unreachable, this is reported once and all other events are counted", async () => {
		const reports: string[] = [];
		const time = { ms: 0 };
		const retry = { onUnreadable: ({ cause }: Error) => void reports.push(String(cause)), nowMs: () => time.ms };
		const { site, acme, server } = await moved({ retry });
		const calls = () => site.usage("calls", acme);
		/** Counts as the thread does, until it can only wait. */
		const count = () => {
			const { aggregator } = site.jobs;
			while ([aggregator.count(), aggregator.show()].includes(true));
			return calls();
		};
		const untilCounted = async (expected: string) => {
			while (count() !== expected) await Bun.sleep(1);
		};
		site.cancel([reported(1000, 10), reported(1001, 10)]);
		site.take([reported(9001, 0)]);
		expect(count()).toBe("303");
		await untilCounted("301");
		await server.stop();
		deleteFetched(site);
		site.crash();
		site.cancel([reported(905, 9)]);
		site.take([reported(9002, 0)]);
		count();
		for (let looks = 0; looks < 3; looks += 1) {
			await Bun.sleep(20);
			expect(count()).toBe("302");
			time.ms += 10_000;
		}
		expect(reports).toEqual([expect.stringContaining("ConnectionRefused")]);
		server.start();
		useStorage(site.folder, settingsOf(server));
		await untilCounted("301");
		expect(await carriedOutInTime(recounting(site.folder, folderOfTest()))).toEqual([]);
		expect(reports.length).toBe(1);
	});

	test("are counted from the beginning after a loss of the totals", async () => {
		const { site, acme } = await moved();
		site.jobs.aggregator.close();
		for (const end of ["", "-wal", "-shm"]) rmSync(join(site.folder, `usage.db${end}`), { force: true });
		prepareFiles(site.folder, { usage: migrations });
		const again = ground({ folder: site.folder });
		await carriedOutInTime(step(() => again.jobs.aggregator.run()));
		expect(again.usage("calls", acme)).toBe("302");
	});

	test("are distinguished from others with the same fingerprint without being read", async () => {
		const { site, server } = await moved({ options: { hash: () => 7n } });
		await server.stop();
		const { lastEvent } = site.jobs.log;
		site.take([reported(1007, 3), reported(1008, 3), reported(77_777, 3)]);
		expect(site.jobs.log.lastEvent).toBe(lastEvent + 1);
	});

	test("take no more disk space for fetched pieces than configured, and are read all the same", async () => {
		const { site, acme } = await moved({ settings: { cacheBytesMax: 1 } });
		const sizes = async () => {
			await usageOf(ground({ folder: site.folder }), acme);
			return readdirSync(join(site.folder, "fetched")).length;
		};
		expect([await sizes(), await sizes()]).toEqual([1, 1]);
	});

	test("are fetched again if a fetched piece is damaged", async () => {
		const { site, acme } = await moved();
		const before = await usageOf(ground({ folder: site.folder }), acme);
		const pieces = readdirSync(join(site.folder, "fetched")).map((name) => join(site.folder, "fetched", name));
		for (const [at, path] of pieces.entries()) truncateSync(path, at === 0 ? 0 : statSync(path).size - 1);
		await expect(usageOf(ground({ folder: site.folder }), acme)).rejects.toThrow("cannot be read");
		// The other end of the period is in the other file.
		await usageOf(ground({ folder: site.folder }), acme).catch(() => {});
		expect(await usageOf(ground({ folder: site.folder }), acme)).toBe(before);
	});

	test("are named if the storage has lost or damaged them, or refuses them, and no other answer is given", async () => {
		const { site, acme, server, settings } = await moved();
		const read = () => usageOf(ground({ folder: site.folder }), acme);
		const causeOf = () =>
			read().then(
				() => "",
				(error: Error) => String(error.cause),
			);
		const objects = [...server.objects];
		server.objects.clear();
		expect(await causeOf()).toContain("is missing or cut short");
		for (const [key, bytes] of objects)
			server.objects.set(
				key,
				bytes.map((byte) => byte ^ 1),
			);
		expect(await causeOf()).toContain("is damaged");
		deleteFetched(site);
		for (const [key, bytes] of objects) server.objects.set(key, bytes);
		useStorage(site.folder, { ...settings, accessKeyId: "another" });
		expect(await causeOf()).toContain("InvalidAccessKeyId (said by a test); look at the settings TOLLGATE_S3_");
		useStorage(site.folder, settings);
		await server.stop();
		expect(await causeOf()).toMatch(/^Error: s3:\/\/old-events\/tollgate\/ at http:.*ConnectionRefused.*tried again/);
		// The storage pauses after the failure, and answers at once meanwhile.
		expect(await causeOf()).toContain("ConnectionRefused");
		server.start();
		useStorage(site.folder, settings);
		expect(await read()).toBe(await usageOf(site, acme));
	});

	test("are skipped by a check that does not fetch them: the hours after them are compared", async () => {
		const { site, server } = await moved();
		await server.stop();
		site.take([reported(9001, 0.5), reported(9002, 9.5)]);
		site.jobs.aggregator.run();
		const leftOut = leftOutOf(site.folder);
		const recounted = () => carriedOutInTime(recounting(site.folder, folderOfTest(), leftOut));
		expect(await recounted()).toEqual([]);
		expect(await carriedOutInTime(checkingFingerprints(site.folder, leftOut))).toEqual([]);
		site.jobs.aggregator.close();
		/** Falsifies the totals of hours; returns their number. */
		const falsify = (...daysAgo: readonly [number, number]): number => {
			const [from, to] = daysAgo.map((days) => Math.floor((testNow - days * dayMs) / 3_600_000));
			const usage = openFile(site.folder, "usage").$client;
			const sql = `UPDATE usage_totals SET events = events + 1 WHERE span = ${spans.hour} AND bucket BETWEEN ${from} AND ${to}`;
			const { changes } = usage.run(sql);
			usage.close();
			return changes;
		};
		expect(falsify(10, 7)).toBeGreaterThan(0);
		expect(await recounted()).toEqual([]);
		expect(falsify(2, 1)).toBeGreaterThan(0);
		expect((await recounted()).length).toBeGreaterThan(1);
		expect(existsSync(join(site.folder, "fetched"))).toBe(false);
	});
});

test("the list of events waits for those in the storage, and is refused while the storage is unreachable", async () => {
	const server = serve();
	const settings = settingsOf(server);
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
	const site = { folder: ours.folder, jobs: { log } };
	await archive(site, 3);
	await upload(site, { settings });
	log.close();
	useStorage(ours.folder, settings);
	await server.stop();
	const refused = await list();
	expect(refused).toMatchObject({ status: 503, body: { code: null, message: expect.stringContaining("S3 storage") } });
	expect(refused.headers.get("retry-after")).toBe("5");
	server.start();
	useStorage(ours.folder, settings);
	expect((await list()).body).toEqual(before.body);
});
