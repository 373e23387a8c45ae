import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
	ended,
	eventually,
	type RunningServer,
	runTollgate,
	spawnTollgate,
	startServer,
	temporaryFolder,
	testKey,
} from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

const folder = join(parent, "data");
const line = (index: number, more: object = {}): string =>
	JSON.stringify({ eventName: "api.call", customerId: "acme", idempotencyKey: `k${index}`, ...more });

function fileOf(name: string, lines: readonly string[]): string {
	const path = join(parent, name);
	writeFileSync(path, `${lines.join("\n")}\n`);
	return path;
}

async function prepare(server: RunningServer): Promise<void> {
	for (const id of ["acme", "bob"]) await server.call("POST", "/customers", { id });
	const feature = { id: "calls", displayName: "Calls", featureType: "NUMBER", meterType: "INCREMENTAL" };
	await server.call("POST", "/features", feature);
	const meter = { aggregation: { function: "COUNT" }, filters: [] };
	expect((await server.call("PATCH", "/features/calls", { meter })).status).toBe(200);
}

const counted = (server: RunningServer, expected: number) =>
	eventually(async () => {
		const [start, end] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
		const { body } = await server.call("GET", `/usage/acme/history/calls?startDate=${start}&endDate=${end}`);
		return body.data?.series?.[0]?.points.at(-1).value === expected ? true : undefined;
	});

const importing = (server: RunningServer, file: string, key = testKey) =>
	runTollgate(folder, ["events", "import", file, "--url", server.url, "--key", key]);

test("a file of events is sent in parts and counts once; a fault is named by its line; the log can be watched", async () => {
	const server = await startServer(folder);
	await prepare(server);
	const many = Array.from({ length: 12_000 }, (_, index) => line(index));
	const sent = await importing(server, fileOf("many.ndjson", many));
	expect({ ...sent, errors: "" }).toMatchObject({
		status: 0,
		output: expect.stringContaining("sent 12000 events"),
	});
	await counted(server, 12_000);
	// Interrupted and sent again, it changes nothing.
	expect((await importing(server, join(parent, "many.ndjson"))).status).toBe(0);
	await counted(server, 12_000);

	const broken = [...many.slice(0, 6_000), "", line(6_000, { surprise: 1 }), line(20_000)];
	const refused = await importing(server, fileOf("broken.ndjson", broken));
	expect(refused.status).toBe(1);
	expect(refused.errors).toContain("line 6002/surprise");
	expect(refused.errors).toContain("The lines before 5001 were accepted");
	const stranger = fileOf("stranger.ndjson", [line(30_000), "", line(30_001, { customerId: "nobody" })]);
	expect(await importing(server, stranger)).toMatchObject({
		status: 1,
		errors: expect.stringContaining("line 3 'nobody'"),
	});
	expect(await importing(server, stranger, "server-no-such-key")).toMatchObject({
		status: 1,
		errors: expect.stringContaining("API key"),
	});
	expect(await importing(server, join(parent, "none.ndjson"))).toMatchObject({ status: 1 });

	const events = [
		{ eventName: "login", customerId: "bob", idempotencyKey: "1", resourceId: "r1", dimensions: { a: 1 } },
	];
	expect((await server.call("POST", "/events", { events })).status).toBe(200);
	const shown = await runTollgate(folder, ["events", "tail", "--no-follow", "--last", "2"]);
	expect(shown.status).toBe(0);
	expect(shown.output.trim().split("\n")).toEqual([
		expect.stringMatching(/^\S+Z {2}acme {2}api\.call {2}k11999 {2}\{\}$/),
		expect.stringMatching(/^\S+Z {2}bob\/r1 {2}login {2}1 {2}\{"a":1\}$/),
	]);
	const filtered = ["events", "tail", "--no-follow", "--customer", "bob", "--name", "login", "--json"];
	const json = await runTollgate(folder, filtered);
	expect(JSON.parse(json.output)).toEqual({ ...events[0], timestamp: expect.any(String) });
	expect(await runTollgate(folder, ["events", "tail", "--last", "101"])).toMatchObject({ status: 2 });

	const watching = spawnTollgate(folder, ["events", "tail", "--last", "0", "--name", "signup"]);
	const printed = ended(watching);
	// It begins at the end of the log, wherever that is when it starts.
	for (let index = 0; index < 20 && watching.exitCode === null; index += 1) {
		const signup = { eventName: "signup", customerId: "acme", idempotencyKey: `s${index}` };
		await server.call("POST", "/events", { events: [signup, { ...signup, eventName: "other" }] });
		await Bun.sleep(150);
	}
	watching.kill("SIGINT");
	const watched = await printed;
	expect(watched.status).toBe(0);
	expect(watched.output).toContain("acme  signup  s19  {}");
	expect(watched.output).not.toContain("other");
	expect(await server.stop()).toBe(0);
}, 60_000);

test("an import waits for a server that restarts, and says where it asked when none comes", async () => {
	const first = await startServer(folder);
	const port = new URL(first.url).port;
	await first.stop();
	const file = fileOf("few.ndjson", [line(50_000), line(50_001)]);
	const running = ended(spawnTollgate(folder, ["events", "import", file], { API_KEY: testKey, TOLLGATE_PORT: port }));
	await Bun.sleep(700);
	const second = await startServer(folder, { TOLLGATE_PORT: port });
	expect(await running).toMatchObject({ status: 0, output: expect.stringContaining("sent 2 events") });
	expect(await second.stop()).toBe(0);
	expect(await runTollgate(folder, ["events", "import", file])).toMatchObject({
		status: 1,
		errors: expect.stringContaining("--key"),
	});
}, 60_000);

test("kill -9 between cancellations and the counting of them loses none and doubles none", async () => {
	let server = await startServer(folder);
	const events = Array.from({ length: 300 }, (_, index) => ({
		eventName: "api.call",
		customerId: "bob",
		idempotencyKey: `c${index}`,
	}));
	expect((await server.call("POST", "/events", { events })).status).toBe(200);
	const total = async (): Promise<number> => {
		const [start, end] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
		const { body } = await server.call("GET", `/usage/bob/history/calls?startDate=${start}&endDate=${end}`);
		return body.data.series[0].points.at(-1).value;
	};
	const before = await eventually(async () => {
		const value = await total();
		return value >= 300 ? value : undefined;
	});
	let acknowledged = 0;
	for (let round = 0; round < 3; round += 1) {
		const cancelling = (async () => {
			for (let index = round * 100; index < (round + 1) * 100; index += 10) {
				const { status } = await server.call("POST", "/events/cancel", { events: events.slice(index, index + 10) });
				expect(status).toBe(200);
				acknowledged += 10;
			}
		})().catch(() => {});
		await Bun.sleep(40 + round * 30);
		await server.kill();
		await cancelling;
		server = await startServer(folder);
		const kept = before - (await total());
		expect(kept).toBeGreaterThanOrEqual(acknowledged);
		// Calls under way may have been carried out as well.
		expect(kept).toBeLessThanOrEqual(acknowledged + 10 * (round + 1));
	}
	expect((await server.call("POST", "/events/cancel", { events })).status).toBe(200);
	await eventually(async () => ((await total()) === before - 300 ? true : undefined));
	expect(await server.stop()).toBe(0);
	expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
}, 60_000);
