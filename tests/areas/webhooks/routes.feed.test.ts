import { describe, expect, test } from "bun:test";
import { createApp } from "../../../src/app";
import { SlowReaders } from "../../../src/http/responses/slow-readers";
import { OpenStreams, type OpenStreamsOptions } from "../../../src/http/responses/streams";
import { eventually } from "../../support/process";
import { world } from "../../support/world";
import { reading } from "../entitlements/stream/sse";

/** The feed of a world of its own, in which so many bytes may wait for all who read. */
async function feed(bytesMax?: number, max: OpenStreamsOptions = {}) {
	const ours = world();
	const streams = new OpenStreams({ readers: new SlowReaders(bytesMax), ...max });
	const app = createApp({ ...ours.services, streams });
	await app.modules;
	const follow = async (query = "") => {
		const url = `http://localhost/api/v1/stream/events-out${query}`;
		const { status, body } = await app.handle(new Request(url, { headers: { "x-api-key": ours.key } }));
		if (status !== 200 || !body) throw new Error(String(status));
		return reading(body);
	};
	const customer = (id: string) =>
		ours.call("POST", "/customers", { body: { id, metadata: { text: "x".repeat(300) } } });
	const next = async () => (await ours.call("GET", "/events-out?limit=1000")).body.next;
	/** A call that waits for events. */
	const wait = async (after: number, { key = ours.key, signal }: { key?: string; signal?: AbortSignal } = {}) => {
		const url = `http://localhost/api/v1/events-out?wait=25&after=${after}`;
		const answer = await app.handle(new Request(url, { headers: { "x-api-key": key }, ...(signal && { signal }) }));
		return { status: answer.status, headers: answer.headers, body: await answer.json() };
	};
	return { ours, streams, follow, customer, next, wait };
}

const bytesMax = 2500;

describe("GET /stream/events-out", () => {
	test("tells all that is there and ends, where it is asked once", async () => {
		const { streams, follow, customer } = await feed();
		await customer("ada");
		await customer("bob");
		const { next } = await follow("?once=true");
		const heard = [];
		for (let one = await next(); one; one = await next()) heard.push(one.event);
		expect(heard.filter((event) => event === "customer.created")).toHaveLength(2);
		expect(streams.readers.bytes).toBe(0);
	});

	test("ends who takes nothing, once too much waits for all who read; who reads goes on", async () => {
		const { streams, follow, customer, next } = await feed(bytesMax);
		const after = `?after=${await next()}`;
		const [slow, taking] = [await follow(after), await follow(after)];
		const received: string[] = [];
		const reads = (async () => {
			for (let one = await taking.next(); one; one = await taking.next()) received.push(one.event);
		})();
		for (let nth = 1; nth <= 5; nth += 1) {
			await customer(`customer-${nth}`);
			await eventually(
				async () => received.filter((event) => event === "customer.created").length === nth || undefined,
			);
		}
		await expect(slow.next()).rejects.toThrow("read in time");
		expect(streams.readers.bytes).toBeLessThanOrEqual(bytesMax);
		streams.endAll();
		await reads;
		expect(streams.readers.bytes).toBe(0);
	});
});

describe("GET /events-out with wait", () => {
	const one: OpenStreamsOptions = { streams: { thread: 9, environment: 9, caller: 1 } };

	test("ends with 401 once the key is revoked", async () => {
		const { ours, next, wait } = await feed();
		const { body } = await ours.call("POST", "/api-keys", {
			body: { displayName: "Feed", scopes: [{ resource: "WEBHOOK", action: "READ" }] },
		});
		const waits = wait(await next(), { key: body.data.token });
		await Bun.sleep(0);
		await ours.call("DELETE", `/api-keys/${body.data.id}`);
		// Callers that may still read receive the event of the revocation.
		expect((await waits).status).toBe(401);
	});

	test("counts among the streams of its key, until its client leaves", async () => {
		const { next, wait } = await feed(undefined, one);
		const after = await next();
		const leaving = new AbortController();
		const first = wait(after, { signal: leaving.signal });
		await Bun.sleep(0);
		const second = await wait(after);
		expect(second).toMatchObject({ status: 429, body: { code: "RateLimitExceeded" } });
		expect(second.body.message).toContain("1 streams open");
		expect(second.headers.get("retry-after")).toBe("5");
		leaving.abort();
		expect((await first).body).toEqual({ data: [], next: after });
	});

	test("ends when the server stops", async () => {
		const { streams, next, wait } = await feed();
		const after = await next();
		const waits = wait(after);
		await Bun.sleep(0);
		streams.endAll();
		expect((await waits).body).toEqual({ data: [], next: after });
	});
});

test.each(["/stream/events-out?once=true", "/stream/entitlements?once=true"])(
	"%s asks proxies not to buffer it",
	async (path) => {
		const { headers } = await world().call("GET", path);
		expect(headers.get("x-accel-buffering")).toBe("no");
	},
);
