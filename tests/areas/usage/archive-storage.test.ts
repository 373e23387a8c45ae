import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { Archiver } from "../../../src/areas/usage/archive/archiver";
import type { ArchiveOrder } from "../../../src/areas/usage/archive/messages";
import { ObjectStorage } from "../../../src/areas/usage/archive/object-storage";
import { leftOutOf } from "../../../src/areas/usage/archive/operations.check";
import { useStorage } from "../../../src/areas/usage/archive/operations.storage";
import type { StorageSettings } from "../../../src/areas/usage/archive/rules.storage";
import { Uploader } from "../../../src/areas/usage/archive/uploader";
import { recounting } from "../../../src/areas/usage/counting/operations.recount";
import { EventLog } from "../../../src/areas/usage/log/event-log";
import { checkingFingerprints } from "../../../src/areas/usage/log/operations.check";
import { spans } from "../../../src/areas/usage/table.usage";
import type { Instant } from "../../../src/kernel/clock";
import { openFile } from "../../../src/kernel/db";
import { carriedOutInTime, FileNotHere, FileUnreadable, onceHere, step } from "../../../src/kernel/storage";
import { type ObjectServer, objectServer } from "../../support/object-server";
import { testNow, world } from "../../support/world";
import { count, event, ground, type SentEvent, sumOf } from "./ground";
import { memoryFolder } from "./memory-folder";

type Site = ReturnType<typeof ground>;
const dayMs = 86_400_000;

const servers: ObjectServer[] = [];
afterEach(async () => {
	for (const server of servers.splice(0)) await server.stop();
});

function serve(): ObjectServer {
	const server = objectServer();
	servers.push(server);
	return server;
}

const settingsOf = (server: ObjectServer, more: Partial<StorageSettings> = {}): StorageSettings => ({
	...{ bucket: server.bucket, endpoint: server.endpoint, region: "eu-central-1", prefix: "tollgate/" },
	...server.credentials,
	cacheBytesMax: 64 * 1024 * 1024,
	...more,
});

class Killed extends Error {}

interface Moving {
	readonly folder: string;
	readonly jobs: { readonly log: Pick<EventLog, "archive"> };
}

/** Archives what is older than so many days. */
async function archive({ folder, jobs }: Moving, keepDays: number): Promise<void> {
	const archiver = new Archiver({
		...{ folder, keepDays, clock: { now: () => testNow }, isStopping: () => false },
		move: async (slice) => void expect(jobs.log.archive(slice)).toBe(true),
	});
	await archiver.run();
	archiver.close();
}

interface Upload {
	readonly settings: StorageSettings;
	/** Killed before the order of this number. */
	readonly killedAt?: number;
	readonly onTrouble?: (error: unknown) => void;
}

/** Moves the files of the archive to the storage. */
async function upload({ folder, jobs }: Moving, { settings, killedAt = -1, onTrouble = () => {} }: Upload) {
	let orders = 0;
	const uploader = new Uploader({
		...{ folder, onTrouble, isStopping: () => false },
		storage: new ObjectStorage(settings, { pauseMsMin: 1, patienceMs: 300 }),
		keep: async (order: ArchiveOrder) => {
			if (orders === killedAt) throw new Killed();
			orders += 1;
			expect(jobs.log.archive(order)).toBe(true);
		},
	});
	try {
		await uploader.run();
	} finally {
		uploader.close();
	}
}

const filesHere = ({ folder }: { readonly folder: string }): string[] =>
	readdirSync(join(folder, "archive"))
		.filter((name) => name.endsWith(".zst"))
		.sort();
const stored = ({ file }: Site): number =>
	file.query<{ rows: number }, []>("SELECT count(*) AS rows FROM event_archives WHERE stored_in IS NOT NULL").get()
		?.rows ?? 0;

const reported = (key: number, daysAgo: number, more: Partial<SentEvent> = {}) =>
	event({
		idempotencyKey: `k${key}`,
		timestamp: new Date(testNow - daysAgo * dayMs).toISOString(),
		dimensions: { amount: key % 10 },
		...more,
	});

/** Ten days of events, of which five are archived. */
async function archived(options: Parameters<typeof ground>[0] = {}) {
	const site = ground(options);
	const acme = site.customer("acme");
	site.meter("calls", count);
	site.meter("amounts", sumOf("amount"));
	for (let day = 10; day >= 1; day -= 1)
		for (let at = 0; at < 30; at += 1)
			site.take([reported(day * 100 + at, day - at / 100, at % 3 === 0 ? { resourceId: "r1" } : {})]);
	site.jobs.aggregator.run();
	await archive(site, 5);
	return { site, acme };
}

/** As `archived`, and moved to the storage, which is in use. */
async function moved(options: Parameters<typeof ground>[0] = {}, more: Partial<StorageSettings> = {}) {
	const server = serve();
	const settings = settingsOf(server, more);
	const { site, acme } = await archived(options);
	await upload(site, { settings });
	expect([stored(site), filesHere(site)]).toEqual([5, []]);
	useStorage(site.folder, settings);
	site.crash();
	return { site, acme, server, settings };
}

const within = { start: (testNow - 8.83 * dayMs) as Instant, end: (testNow - 6.127 * dayMs) as Instant };
const usageOf = async (site: Site, customer: string, period: typeof within | null = within): Promise<string> =>
	await onceHere(() => site.usage("amounts", customer, { period }));

/** What was fetched goes. */
const forgetFetched = (site: Site): void => rmSync(join(site.folder, "fetched"), { recursive: true, force: true });

describe("files of old events", () => {
	test("move to the storage, and are read from there by pieces", async () => {
		const server = serve();
		const { site, acme } = await archived();
		const before = [await usageOf(site, acme), await usageOf(site, acme, null)];
		const names = filesHere(site);
		await upload(site, { settings: settingsOf(server) });
		expect([stored(site), filesHere(site)]).toEqual([5, []]);
		const keys = [...server.objects.keys()].sort();
		expect(keys.map((key) => key.replace(/-[0-9a-f]{64}/, ""))).toEqual(names.map((name) => `tollgate/${name}`));
		for (const [key, bytes] of server.objects)
			expect(key).toContain(new Bun.CryptoHasher("sha256").update(bytes).digest("hex"));
		// Nothing is remembered of what was read before.
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

	test("are known when they come again, and are taken back, with the storage away and the fingerprints made again", async () => {
		const { site, acme, server } = await moved();
		await server.stop();
		for (const lost of [false, true]) {
			if (lost) rmSync(join(site.folder, "fingerprints"), { recursive: true });
			site.crash();
			const { lastEvent } = site.jobs.log;
			site.take([reported(1007, 3), reported(609, 8, { resourceId: "r1" }), reported(700, 1, { resourceId: "r1" })]);
			expect(site.jobs.log.lastEvent).toBe(lastEvent);
			// The same key for another resource, and another name, is another event.
			site.take([reported(1007, 3, { resourceId: `of-${lost}` }), reported(609, 8, { eventName: `n${lost}` })]);
			expect(site.jobs.log.lastEvent).toBe(lastEvent + 2);
		}
		expect(site.cancel([reported(1007, 3), reported(101, 1)])).toMatchObject({ kind: "canceled", canceled: 2 });
		expect(site.cancel([reported(1007, 3)])).toMatchObject({ kind: "canceled", canceled: 0, alreadyCanceled: 1 });
		expect(site.cancel([reported(100_007, 3)])).toMatchObject({ kind: "missing" });
		expect(site.troubles).toEqual([]);
		expect(site.jobs.aggregator.lag()).toBe(4);
		expect(() => site.jobs.aggregator.run()).toThrow(FileNotHere);
		server.start();
		await carriedOutInTime(step(() => site.jobs.aggregator.run()));
		expect(site.usage("calls", acme)).toBe(`${200 + 2 - 2}`);
	});

	test("are told from others of the same fingerprint without being read", async () => {
		const { site, server } = await moved({ hash: () => 7n });
		await server.stop();
		const { lastEvent } = site.jobs.log;
		site.take([reported(1007, 3), reported(1008, 3), reported(77_777, 3)]);
		expect(site.jobs.log.lastEvent).toBe(lastEvent + 1);
	});

	test("are in one place whatever a kill has cut off, and what is there whole is not sent again", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat(8), { maxLength: 4 }), async (kills) => {
				const server = serve();
				const settings = settingsOf(server);
				const { site, acme } = await archived();
				const names = filesHere(site);
				for (const killedAt of kills) {
					await upload(site, { settings, killedAt }).catch((error) => expect(error).toBeInstanceOf(Killed));
					site.crash();
					// Each is here, or was read back from the storage and is told to be there.
					expect(filesHere(site).length + stored(site)).toBeGreaterThanOrEqual(names.length);
				}
				await upload(site, { settings });
				expect([stored(site), filesHere(site)]).toEqual([names.length, []]);
				expect(server.requests.filter((asked) => asked.startsWith("PUT")).length).toBe(names.length);
				useStorage(site.folder, settings);
				site.crash();
				site.jobs.aggregator.rebuild({ taskId: "anew", environmentId: null, featureId: null });
				await carriedOutInTime(step(() => site.jobs.aggregator.run()));
				expect(site.usage("calls", acme)).toBe("200");
				expect(await carriedOutInTime(recounting(site.folder, memoryFolder()))).toEqual([]);
				expect(await carriedOutInTime(checkingFingerprints(site.folder))).toEqual([]);
				site.close();
			}),
			{ numRuns: 8 },
		);
	}, 60_000);

	test("that were deleted here by nobody stay when a kill came before: the next run deletes them", async () => {
		const { site, settings } = await moved();
		const name = "2026-01-21-1.zst";
		writeFileSync(join(site.folder, "archive", name), "what a kill has left");
		await upload(site, { settings });
		expect(filesHere(site)).toEqual([]);
		// Of another bucket nothing is known.
		writeFileSync(join(site.folder, "archive", name), "brought back by the owner");
		await upload(site, { settings: { ...settings, prefix: "other/" } });
		expect(filesHere(site)).toEqual([name]);
	});

	describe.each([
		["answers nothing but failures", { kind: { status: 500, code: "InternalError" } }],
		["never answers", { kind: "silence" }],
		["knows no such key", { kind: { status: 403, code: "InvalidAccessKeyId" } }],
		["has no such bucket", { kind: { status: 404, code: "NoSuchBucket" } }],
	] as const)("stay here while the storage %s", (_, fault) => {
		test("and go there once it works", async () => {
			const server = serve();
			const settings = settingsOf(server);
			const { site } = await archived();
			const mend = server.fail(fault);
			await expect(upload(site, { settings })).rejects.toThrow("S3 storage");
			expect([stored(site), filesHere(site).length]).toEqual([0, 5]);
			mend();
			await upload(site, { settings });
			expect([stored(site), filesHere(site)]).toEqual([5, []]);
		});
	});

	test("stay here when what was written cannot be read back as it was", async () => {
		const server = serve();
		const settings = settingsOf(server);
		const { site } = await archived();
		for (const kind of ["damage", "half body"] as const) {
			const mend = server.fail({ kind, method: "GET" });
			await expect(upload(site, { settings })).rejects.toBeInstanceOf(FileUnreadable);
			expect([stored(site), filesHere(site).length]).toEqual([0, 5]);
			mend();
		}
		await upload(site, { settings });
		expect(stored(site)).toBe(5);
	});

	test("of which one is damaged here are moved but for that one, which is named", async () => {
		const server = serve();
		const { site } = await archived();
		const [damaged = ""] = filesHere(site);
		truncateSync(join(site.folder, "archive", damaged), 40);
		const troubles: unknown[] = [];
		await upload(site, { settings: settingsOf(server), onTrouble: (error) => troubles.push(error) });
		expect([stored(site), filesHere(site)]).toEqual([4, [damaged]]);
		expect(troubles.map(String)).toEqual([expect.stringContaining(`archive/${damaged} is not what was written`)]);
	});

	test("that were fetched take no more room than is set, and are read all the same", async () => {
		const { site, acme } = await moved({}, { cacheBytesMax: 1 });
		const rooms = async () => {
			await usageOf(ground({ folder: site.folder }), acme);
			return readdirSync(join(site.folder, "fetched")).length;
		};
		expect([await rooms(), await rooms()]).toEqual([1, 1]);
	});

	test("that were fetched and are damaged are fetched again", async () => {
		const { site, acme } = await moved();
		const before = await usageOf(ground({ folder: site.folder }), acme);
		const pieces = readdirSync(join(site.folder, "fetched")).map((name) => join(site.folder, "fetched", name));
		for (const [at, path] of pieces.entries()) truncateSync(path, at === 0 ? 0 : statSync(path).size - 1);
		await expect(usageOf(ground({ folder: site.folder }), acme)).rejects.toThrow("cannot be read");
		// The other end of the period lies in the other one.
		await usageOf(ground({ folder: site.folder }), acme).catch(() => {});
		expect(await usageOf(ground({ folder: site.folder }), acme)).toBe(before);
	});

	test("that the storage has lost, or damaged, or keeps to itself, are named, and nothing else is answered", async () => {
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
		forgetFetched(site);
		for (const [key, bytes] of objects) server.objects.set(key, bytes);
		useStorage(site.folder, { ...settings, accessKeyId: "another" });
		expect(await causeOf()).toContain("InvalidAccessKeyId (said by a test); look at the settings TOLLGATE_S3_");
		useStorage(site.folder, settings);
		await server.stop();
		expect(await causeOf()).toMatch(/^Error: s3:\/\/old-events\/tollgate\/ at http:.*ConnectionRefused.*tried again/);
		// It is left alone for a while, and answers at once meanwhile.
		expect(await causeOf()).toContain("ConnectionRefused");
		server.start();
		useStorage(site.folder, settings);
		expect(await read()).toBe(await usageOf(site, acme));
	});

	test("are left out of a check that is not to fetch them: the hours after them are compared", async () => {
		const { site, server } = await moved();
		await server.stop();
		site.take([reported(9001, 0.5), reported(9002, 9.5)]);
		site.jobs.aggregator.run();
		const leftOut = leftOutOf(site.folder);
		const recounted = () => carriedOutInTime(recounting(site.folder, memoryFolder(), leftOut));
		expect(await recounted()).toEqual([]);
		expect(await carriedOutInTime(checkingFingerprints(site.folder, leftOut))).toEqual([]);
		site.jobs.aggregator.close();
		/** Makes the totals of hours wrong; answers how many. */
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

test("the list of events waits for those that are in the storage, and is refused by name while that is away", async () => {
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
