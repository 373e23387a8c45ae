import { afterAll, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openFile } from "../../src/kernel/storage/db";
import {
	eventually,
	hasCounted,
	type RunningServer,
	runTollgate,
	startServer,
	temporaryFolder,
} from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

const dayMs = 86_400_000;
const settings = { TOLLGATE_EVENTS_KEEP_DAYS: "1" };

async function prepare(server: RunningServer): Promise<void> {
	await server.call("POST", "/customers", { id: "acme" });
	const feature = { id: "calls", displayName: "Calls", featureType: "NUMBER", meterType: "INCREMENTAL" };
	await server.call("POST", "/features", feature);
	const meter = { aggregation: { function: "COUNT" }, filters: [] };
	expect((await server.call("PATCH", "/features/calls", { meter })).status).toBe(200);
}

/** Each third one is of now; the others are of the days before. */
const eventOf = (key: string, number: number) => ({
	eventName: "api.call",
	customerId: "acme",
	idempotencyKey: key,
	timestamp: new Date(Date.now() - (number % 3) * 2 * dayMs).toISOString(),
});

/** Sends request after request until the server is gone; answers the keys that were sent, and how many were acknowledged. */
async function sendUntilGone(server: RunningServer, name: string) {
	const sent: string[][] = [];
	for (let round = 0; ; round += 1) {
		const keys = Array.from({ length: 20 }, (_, at) => `${name}-${round}-${at}`);
		sent.push(keys);
		try {
			const events = keys.map((key) => eventOf(key, round));
			expect((await server.call("POST", "/events", { events })).status).toBe(200);
		} catch {
			return { sent, acknowledged: (sent.length - 1) * 20 };
		}
	}
}

async function counted(server: RunningServer): Promise<number> {
	const [start, end] = [-30 * dayMs, dayMs].map((ms) => new Date(Date.now() + ms).toISOString());
	const { body } = await server.call("GET", `/usage/acme/history/calls?startDate=${start}&endDate=${end}`);
	return body.data.series[0].points.at(-1).value;
}

const archives = (folder: string): string[] =>
	existsSync(join(folder, "archive"))
		? readdirSync(join(folder, "archive"))
				.filter((name) => name.endsWith(".zst"))
				.sort()
		: [];

function archivedEvents(folder: string): number {
	const events = openFile(folder, "events").$client;
	try {
		return events.query<{ sum: number }, []>("SELECT sum(events) AS sum FROM event_archived_blocks").get()?.sum ?? 0;
	} finally {
		events.close();
	}
}

test("kill -9 while events come, old ones are archived and totals are recounted: nothing is lost, nothing counts twice", async () => {
	const folder = join(parent, "data");
	const first = await startServer(folder, settings);
	await prepare(first);
	await first.stop();
	const all: string[][] = [];
	let acknowledged = 0;
	for (let round = 0; round < 3; round += 1) {
		const server = await startServer(folder, settings);
		// Asked for in each: what a kill has cut off goes on, and one task stands for all who ask.
		expect((await server.call("POST", "/usage/rebuild", {})).status).toBe(200);
		const load = Promise.all(Array.from({ length: 6 }, (_, caller) => sendUntilGone(server, `r${round}c${caller}`)));
		await Bun.sleep(400 + 150 * round);
		await server.kill();
		for (const one of await load) {
			all.push(...one.sent);
			acknowledged += one.acknowledged;
		}
	}
	const server = await startServer(folder, settings);
	await eventually(hasCounted(server));
	const total = await counted(server);
	expect(total).toBeGreaterThanOrEqual(acknowledged);
	expect(total).toBeLessThanOrEqual(all.length * 20);
	await eventually(async () => (archivedEvents(folder) > 0 ? true : undefined));
	for (const [at, keys] of all.entries()) {
		const events = keys.map((key) => eventOf(key, at));
		expect((await server.call("POST", "/events", { events })).status).toBe(200);
	}
	await eventually(async () => ((await counted(server)) === all.length * 20 ? true : undefined));
	const backup = join(parent, "backup.tgz");
	expect(await runTollgate(folder, ["backup", backup])).toMatchObject({ status: 0 });
	expect(await server.stop()).toBe(0);
	expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });

	const restored = join(parent, "restored");
	expect(await runTollgate(restored, ["restore", backup])).toMatchObject({ status: 0 });
	expect(archives(restored)).toEqual(archives(folder));
	expect(await runTollgate(restored, ["usage", "rebuild"])).toMatchObject({ status: 0 });
	expect(await runTollgate(restored, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
	const again = await startServer(restored);
	expect(await counted(again)).toBe(all.length * 20);
	await again.stop();
}, 120_000);
