import { afterAll, afterEach, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openFile } from "../../src/kernel/storage/db";
import { type ObjectServer, objectServer } from "../support/object-server";
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

const servers: ObjectServer[] = [];
afterEach(async () => {
	for (const server of servers.splice(0)) await server.stop();
});

const dayMs = 86_400_000;

/** Settings by which files of old events move to a storage of this test's own. */
function storage() {
	const server = objectServer();
	servers.push(server);
	const settings = {
		TOLLGATE_EVENTS_KEEP_DAYS: "1",
		TOLLGATE_S3_BUCKET: server.bucket,
		TOLLGATE_S3_ENDPOINT: server.endpoint,
		TOLLGATE_S3_PREFIX: "tollgate",
		TOLLGATE_S3_ACCESS_KEY_ID: server.credentials.accessKeyId,
		TOLLGATE_S3_SECRET_ACCESS_KEY: server.credentials.secretAccessKey,
	};
	return { server, settings };
}

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

const requestOf = (name: string, round: number) => ({
	events: Array.from({ length: 20 }, (_, at) => eventOf(`${name}-${round}-${at}`, round)),
});

/** Sends request after request until the server is gone; answers how many were sent, and how many acknowledged. */
async function sendUntilGone(server: RunningServer, name: string) {
	for (let round = 0; ; round += 1) {
		try {
			expect((await server.call("POST", "/events", requestOf(name, round))).status).toBe(200);
		} catch {
			return { name, sent: round + 1, acknowledged: round };
		}
	}
}

async function counted(server: RunningServer): Promise<number> {
	const [start, end] = [-30 * dayMs, dayMs].map((ms) => new Date(Date.now() + ms).toISOString());
	const { status, body } = await server.call("GET", `/usage/acme/history/calls?startDate=${start}&endDate=${end}`);
	return status === 200 ? body.data.series[0].points.at(-1).value : Number.NaN;
}

const filesHere = (folder: string): string[] =>
	existsSync(join(folder, "archive"))
		? readdirSync(join(folder, "archive"))
				.filter((name) => name.endsWith(".zst"))
				.sort()
		: [];

/** How many files the log names, and how many of them are said to be in the storage. */
function files(folder: string): { all: number; stored: number } {
	const events = openFile(folder, "events").$client;
	try {
		const sql = "SELECT count(*) AS 'all', count(stored_in) AS stored FROM event_archives";
		return events.query<{ all: number; stored: number }, []>(sql).get() ?? { all: 0, stored: 0 };
	} finally {
		events.close();
	}
}

const allMoved = (folder: string) => async () => {
	const { all, stored } = files(folder);
	return all > 0 && all === stored && filesHere(folder).length === 0 ? true : undefined;
};

/** A folder with events of some days, of which none is archived yet. */
async function filled(folder: string): Promise<void> {
	const server = await startServer(folder);
	await prepare(server);
	for (let round = 0; round < 6; round += 1)
		expect((await server.call("POST", "/events", requestOf("first", round))).status).toBe(200);
	expect(await server.stop()).toBe(0);
}

test("kill -9 while events come, move to the storage and are recounted: nothing is lost, nothing counts twice", async () => {
	const folder = join(parent, "data");
	const { server: objects, settings } = storage();
	const first = await startServer(folder, settings);
	await prepare(first);
	await first.stop();
	const sent: Array<{ name: string; sent: number; acknowledged: number }> = [];
	for (let round = 0; round < 3; round += 1) {
		const server = await startServer(folder, settings);
		expect((await server.call("POST", "/usage/rebuild", {})).status).toBe(200);
		const load = Promise.all(Array.from({ length: 6 }, (_, caller) => sendUntilGone(server, `r${round}c${caller}`)));
		// One of them in the middle of an upload.
		const restore = round === 1 ? objects.fail({ kind: "silence", method: "PUT" }) : () => {};
		await Bun.sleep(400 + 150 * round);
		await server.kill();
		restore();
		sent.push(...(await load));
	}
	const server = await startServer(folder, settings);
	const all = sent.reduce((sum, one) => sum + one.sent * 20, 0);
	await eventually(allMoved(folder));
	await eventually(hasCounted(server));
	const total = await eventually(async () => {
		const now = await counted(server);
		return Number.isNaN(now) ? undefined : now;
	});
	expect(total).toBeGreaterThanOrEqual(sent.reduce((sum, one) => sum + one.acknowledged * 20, 0));
	expect(total).toBeLessThanOrEqual(all);
	for (const one of sent)
		for (let round = 0; round < one.sent; round += 1)
			expect((await server.call("POST", "/events", requestOf(one.name, round))).status).toBe(200);
	await eventually(async () => ((await counted(server)) === all ? true : undefined));

	const backup = join(parent, "backup.tgz");
	const backedUp = await runTollgate(folder, ["backup", backup], settings);
	expect(backedUp).toMatchObject({ status: 0 });
	expect(backedUp.output).toContain("lie in s3://old-events/tollgate/: they are not in the backup, which needs them");
	expect(await server.stop()).toBe(0);
	const offline = await runTollgate(folder, ["check"], { ...settings, TOLLGATE_S3_ENDPOINT: "http://127.0.0.1:9" });
	expect(offline).toMatchObject({ status: 0, output: expect.stringMatching(/lie in s3:.*not looked at.*\nsound\n$/) });
	expect(await runTollgate(folder, ["check", "--storage"], settings)).toMatchObject({ status: 0, output: "sound\n" });

	const restored = join(parent, "restored");
	const back = await runTollgate(restored, ["restore", backup], settings);
	expect(back).toMatchObject({ status: 0, output: expect.stringContaining("lie in s3://old-events/tollgate/") });
	expect(filesHere(restored)).toEqual([]);
	expect(await runTollgate(restored, ["usage", "rebuild"], settings)).toMatchObject({ status: 0 });
	const again = await startServer(restored, settings);
	expect(await counted(again)).toBe(all);
	expect((await again.call("POST", "/events", requestOf(sent[0]?.name ?? "", 1))).status).toBe(200);
	await eventually(async () => ((await counted(again)) === all ? true : undefined));
	await again.stop();
	const [key = "", object = new Uint8Array()] = [...objects.objects][0] ?? [];
	objects.objects.set(key, object.slice(1));
	expect(await runTollgate(restored, ["check", "--storage"], settings)).toMatchObject({
		status: 1,
		output: expect.stringContaining(`s3://old-events/${key} has ${object.length - 1} bytes`),
	});
}, 180_000);

test("kill -9 in the middle of an upload leaves the file where it is; the next start sends it whole", async () => {
	const folder = join(parent, "cut-off");
	const { server: objects, settings } = storage();
	await filled(folder);
	const restore = objects.fail({ kind: "silence", method: "PUT" });
	const server = await startServer(folder, settings);
	await eventually(async () => (objects.requests.some((asked) => asked.startsWith("PUT")) ? true : undefined));
	await server.kill();
	expect([files(folder).stored, objects.objects.size]).toEqual([0, 0]);
	expect(filesHere(folder).length).toBe(files(folder).all);
	restore();
	const next = await startServer(folder, settings);
	await eventually(allMoved(folder));
	expect(objects.objects.size).toBe(files(folder).all);
	expect(await counted(next)).toBe(120);
	expect(await next.stop()).toBe(0);
	expect(await runTollgate(folder, ["check", "--storage"], settings)).toMatchObject({ status: 0, output: "sound\n" });
}, 60_000);

test("while the storage is away events come, are known again, and what needs old ones waits or is refused by name", async () => {
	const folder = join(parent, "away");
	const { server: objects, settings } = storage();
	await filled(folder);
	const first = await startServer(folder, settings);
	await eventually(allMoved(folder));
	expect(await first.stop()).toBe(0);
	await objects.stop();

	const server = await startServer(folder, settings);
	expect((await server.call("POST", "/events", requestOf("first", 1))).status).toBe(200);
	expect((await server.call("POST", "/events", requestOf("second", 0))).status).toBe(200);
	await eventually(async () => ((await counted(server)) === 140 ? true : undefined));
	const list = () =>
		server.call("GET", `/events?limit=100&customerId=acme&to=${new Date(Date.now() - dayMs).toISOString()}`);
	expect(await list()).toMatchObject({ status: 503, body: { message: expect.stringContaining("S3 storage") } });
	const taken = { customerId: "acme", eventName: "api.call", idempotencyKey: "first-1-0" };
	expect(await server.call("POST", "/events/cancel", { events: [taken] })).toMatchObject({
		status: 200,
		body: { data: { canceled: 1, alreadyCanceled: 0 } },
	});
	const { body } = await server.call("POST", "/usage/rebuild", {});
	await Bun.sleep(3_000);
	const task = () => server.call("GET", `/tasks/${body.data.taskId}`);
	expect((await task()).body.data.status).toBe("IN_PROGRESS");
	expect(await counted(server)).toBe(140);
	objects.start();
	await eventually(async () => ((await counted(server)) === 139 ? true : undefined), 60_000);
	await eventually(async () => ((await task()).body.data.status === "COMPLETED" ? true : undefined), 60_000);
	expect(await counted(server)).toBe(139);
	expect((await list()).body.data.length).toBe(80);
	// Reported once, not at each check.
	const logged = server
		.output()
		.split("\n")
		.filter((line) => line.includes('"job":"archive"') && line.includes("error"));
	expect(logged.length).toBe(1);
	expect(await server.stop()).toBe(0);
}, 150_000);

test("a wrong secret is named once in the log, and the server works", async () => {
	const folder = join(parent, "wrong");
	const { server: objects, settings } = storage();
	await filled(folder);
	const server = await startServer(folder, { ...settings, TOLLGATE_S3_ACCESS_KEY_ID: "somebody-else" });
	await eventually(async () => (server.output().includes("InvalidAccessKeyId") ? true : undefined));
	await eventually(async () => (objects.requests.length > 2 ? true : undefined));
	expect(server.output().match(/cannot be moved to the storage now/g)?.length).toBe(1);
	expect(server.output()).not.toContain(settings.TOLLGATE_S3_SECRET_ACCESS_KEY);
	expect(await counted(server)).toBe(120);
	expect(filesHere(folder).length).toBe(files(folder).all);
	expect(await server.stop()).toBe(0);
}, 60_000);
