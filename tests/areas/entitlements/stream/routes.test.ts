import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Connection, queueBytesMax } from "../../../../src/areas/entitlements/stream/connection";
import { customersMax } from "../../../../src/areas/entitlements/stream/schema";
import { SlowReaders } from "../../../../src/http/responses/slow-readers";
import { OpenStreams } from "../../../../src/http/responses/streams";
import {
	type RunningServer,
	runTollgate,
	startServer,
	temporaryFolder,
	testKey,
	testPublishableKey,
} from "../../../support/process";
import { world } from "../../../support/world";
import { item } from "../../promotional-entitlements/grants";
import { follow, type Heard, reading } from "./sse";

const gift = (more: object) => ({ promotionalEntitlements: [item("feature-api-calls", more)] });
const about = (featureId: string) => (heard: Heard) =>
	heard.data.entitlements?.some((one: { feature?: { id: string } }) => one.feature?.id === featureId) === true;

describe("a running server with two HTTP threads", () => {
	let server: RunningServer;
	const data = temporaryFolder();
	beforeAll(async () => {
		server = await startServer(data.folder, { TOLLGATE_DEMO: "1", TOLLGATE_HTTP_THREADS: "2" });
	}, 60_000);
	afterAll(async () => {
		await server.stop();
		data.remove();
	});
	const insist = async (method: string, path: string, body?: unknown) => {
		const answer = await server.call(method, path, body);
		if (answer.status > 201) throw new Error(JSON.stringify(answer.body));
		return answer.body.data;
	};
	const customer = (id: string) => insist("POST", "/customers", { id });

	test("sends a snapshot, then each change with its new values", async () => {
		await customer("ada");
		// The system distributes connections among the threads, so both get some of several.
		const streams = await Promise.all(Array.from({ length: 4 }, () => follow(server.url, "customerId=ada", testKey)));
		for (const { response, next } of streams) {
			expect(response.headers.get("content-type")).toStartWith("text/event-stream");
			expect(await next()).toMatchObject({
				event: "snapshot",
				data: { customerId: "ada", resourceId: null, accessDeniedReason: "NoActiveSubscription", entitlements: [] },
			});
			expect(await next()).toMatchObject({ event: "ready" });
		}
		await insist("POST", "/customers/ada/promotional-entitlements", gift({ usageLimit: 10, period: "lifetime" }));
		for (const { next } of streams)
			expect(await next()).toMatchObject({
				event: "change",
				data: {
					accessDeniedReason: null,
					entitlements: [{ feature: { id: "feature-api-calls" }, usageLimit: 10, currentUsage: 0 }],
					removed: [],
				},
			});
		await insist("POST", "/events", {
			events: [{ eventName: "api_call", customerId: "ada", idempotencyKey: "1" }],
		});
		for (const { until } of streams)
			expect(await until(about("feature-api-calls"))).toMatchObject({
				event: "change",
				data: { entitlements: [{ currentUsage: 1 }] },
			});
		await insist("DELETE", "/customers/ada/promotional-entitlements/feature-api-calls");
		for (const { next, stop } of streams) {
			expect(await next()).toMatchObject({
				event: "change",
				data: {
					accessDeniedReason: "NoActiveSubscription",
					entitlements: [],
					removed: ["feature:feature-api-calls"],
				},
			});
			await stop();
		}
	}, 60_000);

	test("sends changes that happen at their time", async () => {
		await customer("grace");
		const customEndDate = new Date(Date.now() + 1_500).toISOString();
		await insist(
			"POST",
			"/customers/grace/promotional-entitlements",
			gift({ usageLimit: 10, period: "custom", customEndDate }),
		);
		const { next, stop } = await follow(server.url, "customerId=grace", testKey);
		expect(await next()).toMatchObject({ data: { entitlements: [{ isGranted: true, validUntil: customEndDate }] } });
		await next();
		const over = await next();
		expect(over).toMatchObject({ event: "change", data: { entitlements: [], removed: ["feature:feature-api-calls"] } });
		expect(Date.parse(over?.data.at)).toBeGreaterThanOrEqual(Date.parse(customEndDate));
		await stop();
	}, 60_000);

	test("follows several customers, also ones that do not exist yet", async () => {
		await customer("lin");
		const { next, until, stop } = await follow(server.url, "customerId=lin,later", testKey);
		const first = [await next(), await next()].map((heard) => [heard?.data.customerId, heard?.data.accessDeniedReason]);
		expect(first.sort()).toEqual([
			["later", "CustomerNotFound"],
			["lin", "NoActiveSubscription"],
		]);
		expect(await next()).toMatchObject({ event: "ready" });
		await customer("later");
		const change = await until(({ data: { customerId } }) => customerId === "later");
		expect(change).toMatchObject({ event: "change", data: { accessDeniedReason: "NoActiveSubscription" } });
		await stop();
	}, 60_000);

	test("without customers: follows all, also later ones; `once` ends after the snapshots", async () => {
		const { until, stop } = await follow(server.url, "", testKey);
		await until(({ event }) => event === "ready");
		await customer("newcomer");
		expect(await until(({ data: { customerId } }) => customerId === "newcomer")).toMatchObject({ event: "snapshot" });
		await stop();
		const once = await follow(server.url, "once=true", testKey);
		const seen = new Set<string>();
		let last: Heard | undefined;
		for (let heard = await once.next(); heard; heard = await once.next()) {
			if (heard.event === "snapshot") seen.add(heard.data.customerId);
			last = heard;
		}
		expect(last).toMatchObject({ event: "end", data: { reason: "COMPLETE" } });
		expect([...seen]).toContain("newcomer");
	}, 60_000);

	test("requires a key; revoking it in another process ends its streams", async () => {
		const status = async (key: string) =>
			(await fetch(`${server.url}/api/v1/stream/entitlements?once=true`, { headers: { "x-api-key": key } })).status;
		expect(await Promise.all(["no-key", testPublishableKey].map(status))).toEqual([401, 403]);
		const made = await runTollgate(data.folder, ["keys", "create", "--name", "follower", "--scope", "customer:read"]);
		const [id = "", key = ""] = made.output.trim().split(/\s+/);
		const { until, next } = await follow(server.url, "customerId=customer-acme", key);
		await until(({ event }) => event === "ready");
		expect((await runTollgate(data.folder, ["keys", "revoke", id])).status).toBe(0);
		expect(await until(({ event }) => event === "end")).toMatchObject({ data: { reason: "ACCESS_ENDED" } });
		expect(await next()).toBeUndefined();
	}, 60_000);

	test("SIGTERM ends open streams with a reason", async () => {
		const own = temporaryFolder();
		const other = await startServer(own.folder, { TOLLGATE_DEMO: "1", TOLLGATE_HTTP_THREADS: "2" });
		const streams = await Promise.all(
			Array.from({ length: 4 }, () => follow(other.url, "customerId=customer-acme", testKey)),
		);
		for (const { until } of streams) await until(({ event }) => event === "ready");
		const stopped = other.stop();
		for (const { until, next } of streams) {
			expect(await until(({ event }) => event === "end")).toMatchObject({ data: { reason: "SERVER_CLOSING" } });
			expect(await next()).toBeUndefined();
		}
		expect(await stopped).toBe(0);
		own.remove();
	}, 60_000);
});

const caller = { environmentId: "environment", id: "key" };

describe("bounds", () => {
	test("a reader that reads nothing is ended with a reason, and frees its place", async () => {
		const streams = new OpenStreams({ streams: { thread: 1, environment: 1, caller: 1 } });
		const connection = new Connection(streams, caller);
		const undone: string[] = [];
		connection.onEnd(() => undone.push("undone"));
		const update = { at: "x".repeat(10_000) };
		expect(() => new Connection(streams, caller)).toThrow("1 streams open");
		for (let sent = 0; sent < queueBytesMax + 20_000; sent += 10_000) connection.send("ready", update);
		expect(undone).toEqual(["undone"]);
		const heard = [];
		const { next } = reading(connection.body);
		for (let one = await next(); one; one = await next()) heard.push(one);
		expect(heard.length).toBeLessThan(queueBytesMax / 10_000 + 1);
		expect(heard.at(-1)).toMatchObject({ event: "end", data: { reason: "SLOW_READER" } });
		new Connection(streams, caller).end("COMPLETE");
	});

	test("the slowest reader is ended once the queues of all readers together are too large", async () => {
		const readers = new SlowReaders(queueBytesMax);
		const streams = new OpenStreams({ readers });
		const connect = () => new Connection(streams, caller);
		const [slowest, slow, taking] = [connect(), connect(), connect()];
		const half = { at: "x".repeat(queueBytesMax / 2) };
		const undone: string[] = [];
		slowest.onEnd(() => undone.push("slowest"));
		slow.onEnd(() => undone.push("slow"));
		slowest.send("ready", half);
		slow.send("ready", { at: "x".repeat(queueBytesMax / 4) });
		expect(undone).toEqual([]);
		const { next } = reading(taking.body);
		taking.send("ready", half);
		expect(undone).toEqual(["slowest"]);
		expect(slowest.getBufferedAmount()).toBe(0);
		await expect(reading(slowest.body).next()).rejects.toThrow("read in time");
		expect((await next())?.event).toBe("ready");
		for (let waits = readers.bytes; waits > queueBytesMax / 2; waits = readers.bytes) await Bun.sleep(1);
		taking.send("ready", half);
		expect(undone).toEqual(["slowest"]);
		for (const one of [slow, taking]) one.end("COMPLETE");
		expect(readers.bytes).toBe(0);
	});

	test("an environment with too many customers for a connection is refused with a remedy", async () => {
		const ours = world();
		for (let at = 0; at <= customersMax; at += 1) await ours.call("POST", "/customers", { body: { id: `c${at}` } });
		const { status, body } = await ours.call("GET", "/stream/entitlements?once=true");
		expect([status, body.code]).toEqual([400, "BadUserInput"]);
		const named = await ours.call("GET", "/stream/entitlements?once=true&customerId=c0,c1");
		expect(named.status).toBe(200);
		expect(named.body.match(/event: snapshot/g)).toHaveLength(2);
	});
});
