import { afterEach, describe, expect, test } from "bun:test";
import { createEnvironment } from "../../src/areas/access/operations";
import { systemActor } from "../../src/areas/access/rules.actors";
import { openFolder } from "../../src/files";
import { openLog } from "../../src/http/log";
import { openFile } from "../../src/kernel/storage/db";
import { Epochs } from "../../src/kernel/storage/epochs";
import { makeServer } from "../../src/server/http-thread";
import { HeartbeatMonitor, Heartbeats } from "../../src/workers/heartbeat";
import { openReading } from "../../src/workers/main-file";
import { Pool } from "../../src/workers/pool";
import { eventually } from "../support/process";
import { threadSettings } from "../support/threads";
import { freshFolder } from "../support/world";

const ends: Array<() => Promise<void> | void> = [];
afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
});

/** The threads of a server, started from here so that a test gets at them. */
async function served(threads: number) {
	const folder = freshFolder();
	const direct = openFolder(folder);
	const { fullAccessKey: key } = direct.transactions.write(systemActor(""), (work) =>
		createEnvironment(work, { accountName: "Ours", environmentName: "main", kind: "SANDBOX" }),
	);
	direct.db.$client.close();
	const epochs = new Epochs();
	const db = openFile(folder, "main", ["usage", "renders", "events", "deliveries"]);
	db.$client.run("PRAGMA query_only = ON");
	ends.push(() => db.$client.close());
	const transactions = openReading(db, epochs);
	const log = openLog("silent");
	const { http: httpSettings, ...others } = threadSettings(folder);
	const settings = { ...others, epochs: epochs.memory, http: { ...httpSettings, threads } };
	const onUnconfirmed = (cause: string) => {
		throw new Error(cause);
	};
	const pool = new Pool({
		log,
		settings,
		onUnconfirmed,
		onDamaged: onUnconfirmed,
		descriptorsMax: Number.POSITIVE_INFINITY,
	});
	ends.push(() => pool.stop());
	const stopping = new AbortController().signal;
	const notReady = () => pool.notReady();
	const { writer, events } = pool;
	const host = "127.0.0.1";
	const server = makeServer({
		folder,
		transactions,
		writer,
		events,
		log,
		stopping,
		notReady,
		host,
		isShared: threads > 1,
		slowMs: 0,
	});
	const port = server.listen(0);
	ends.push(() => server.close());
	pool.listen(port);
	await pool.start(transactions);
	/** Each by a connection of its own, so that the system may choose another thread for it. */
	const call = async (method: string, path: string, body?: unknown, headers: object = {}) => {
		const answer = await fetch(`http://${host}:${port}${path}`, {
			method,
			headers: { "x-api-key": key, "content-type": "application/json", connection: "close", ...headers },
			...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
		});
		return { status: answer.status, headers: answer.headers, body: await answer.json() };
	};
	return { pool, call, api: (method: string, path: string, body?: unknown) => call(method, `/api/v1${path}`, body) };
}

describe("threads that serve", () => {
	test("show to every caller, on every thread, the answer of a moment before", async () => {
		const { api, pool } = await served(3);
		expect(pool.notReady()).toEqual([]);
		await api("POST", "/customers", { id: "ada", name: "0" });
		for (let round = 1; round <= 10; round += 1) {
			expect((await api("PATCH", "/customers/ada", { name: String(round) })).status).toBe(200);
			const seen = await Promise.all(Array.from({ length: 6 }, () => api("GET", "/customers/ada")));
			expect(seen.map(({ body }) => body.data.name)).toEqual(Array(6).fill(String(round)));
		}
	}, 60_000);

	test("share the limit of calls, which is counted in one place", async () => {
		const { api } = await served(2);
		await api("POST", "/customers", { id: "ada" });
		const patches = await Promise.all(
			Array.from({ length: 40 }, (_, at) => api("PATCH", "/customers/ada", { name: `${at}` })),
		);
		expect(patches.filter(({ status }) => status === 200)).toHaveLength(30);
		expect(patches.filter(({ status }) => status === 429)).toHaveLength(10);
	}, 60_000);

	test("carry out a call under an Idempotency-Key once, whichever takes it in", async () => {
		const { call } = await served(2);
		const post = (path: string, body: object) => call("POST", `/api/v1${path}`, body, { "idempotency-key": "once" });
		const made = await Promise.all(Array.from({ length: 12 }, () => post("/customers", { id: "ada" })));
		expect(made.map(({ status }) => status)).toEqual(Array(12).fill(201));
		expect(made.filter(({ headers }) => headers.has("idempotent-replayed"))).toHaveLength(11);
		// Events are written elsewhere, and their answer is kept where all answers are.
		const events = { events: [{ eventName: "call", customerId: "ada", idempotencyKey: "1" }] };
		expect((await post("/events", events)).status).toBe(200);
		expect((await post("/events", events)).headers.get("idempotent-replayed")).toBe("true");
		expect((await post("/events", { events: [] })).status).toBe(400);
	}, 60_000);

	test("answer GraphQL's queries, and hand its mutations on, however they are spelt", async () => {
		const { call } = await served(1);
		const ask = async (query: string) => (await call("POST", "/graphql", { query })).body;
		const created = await ask('mutation { createOneProduct(input: { refId: "app", displayName: "App" }) { refId } }');
		expect(created).toEqual({ data: { createOneProduct: { refId: "app" } } });
		const sent = JSON.stringify({
			query: 'mutation { createOneProduct(input: { refId: "two", displayName: "Two" }) { refId } }',
		});
		const escaped = sent.replace("mutation", "\\u006dutation");
		expect((await call("POST", "/graphql", escaped)).body).toEqual({ data: { createOneProduct: { refId: "two" } } });
		expect(await ask("{ products { edges { node { refId } } } }")).toMatchObject({
			data: { products: { edges: expect.arrayContaining([{ node: { refId: "app" } }, { node: { refId: "two" } }]) } },
		});
	}, 60_000);
});

describe("a writer that dies", () => {
	test("leaves who waits with 503; reads go on; the next writer has all that was acknowledged", async () => {
		const { pool, api, call } = await served(1);
		expect((await api("POST", "/customers", { id: "before" })).status).toBe(201);
		// An unknown message ends the thread as any fault of ours would.
		pool.writer.link.post(["{"]);
		const during = await Promise.all(
			Array.from({ length: 16 }, (_, at) => api("POST", "/customers", { id: `c${at}` })),
		);
		const refused = during.filter(({ status }) => status !== 201);
		expect(refused.length).toBeGreaterThan(0);
		for (const { status, body, headers } of refused) {
			expect([status, body.code, headers.get("retry-after")]).toEqual([503, null, "1"]);
			expect(headers.get("x-content-type-options")).toBe("nosniff");
		}
		expect((await api("GET", "/customers/before")).status).toBe(200);
		await eventually(async () => ((await call("GET", "/readyz")).status === 200 ? true : undefined));
		expect((await api("POST", "/customers", { id: "after" })).status).toBe(201);
		for (const [at, { status }] of during.entries())
			if (status === 201) expect((await api("GET", `/customers/c${at}`)).status).toBe(200);
	}, 60_000);
});

describe("a thread's heartbeat", () => {
	test("beats once at each time that is due", async () => {
		const heartbeats = new Heartbeats();
		const begunMs = performance.now();
		ends.push(heartbeats.beat(1));
		await eventually(async () => (heartbeats.of(1) >= 8 ? true : undefined));
		// The first beat may come at once; a slow machine only makes it later.
		expect(performance.now() - begunMs).toBeGreaterThanOrEqual(7 * heartbeats.beatEveryMs - 50);
	});

	test("with a stall of a second is named in the log, and again when it continues", async () => {
		const logged: Array<readonly [object, string | undefined]> = [];
		const log = openLog("silent");
		log.warn = (entry: object, message?: string) => void logged.push([entry, message]);
		const heartbeats = new Heartbeats();
		ends.push(heartbeats.beat(1));
		const stop = heartbeats.beat(2);
		await eventually(async () => (heartbeats.of(2) > 0 ? true : undefined));
		stop();
		const watch = new HeartbeatMonitor(heartbeats, log);
		ends.push(() => watch.stop());
		watch.watch("lively", 1);
		watch.watch("stuck", 2);
		const first = await eventually(async () => logged[0]);
		expect(first).toEqual([{ thread: "stuck", stalledMs: expect.any(Number) }, expect.stringContaining("stalls")]);
		ends.push(heartbeats.beat(2));
		const second = await eventually(async () => logged[1]);
		expect(second).toEqual([{ thread: "stuck", stalledMs: expect.any(Number) }, expect.stringContaining("continues")]);
		expect(logged).toHaveLength(2);
	});
});
