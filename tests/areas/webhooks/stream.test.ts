import { describe, expect, test } from "bun:test";
import { createApp } from "../../../src/app";
import { SlowReaders } from "../../../src/http/answers/slow-readers";
import { OpenStreams } from "../../../src/http/answers/streams";
import { eventually } from "../../support/process";
import { world } from "../../support/world";
import { reading } from "../entitlements/sse";

/** The feed of a world of its own, in which so many bytes may wait for all who read. */
async function feed(bytesMax?: number) {
	const ours = world();
	const streams = new OpenStreams(9, new SlowReaders(bytesMax));
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
	return { streams, follow, customer, next };
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
		const told: string[] = [];
		const reads = (async () => {
			for (let one = await taking.next(); one; one = await taking.next()) told.push(one.event);
		})();
		for (let nth = 1; nth <= 5; nth += 1) {
			await customer(`customer-${nth}`);
			await eventually(async () => told.filter((event) => event === "customer.created").length === nth || undefined);
		}
		await expect(slow.next()).rejects.toThrow("read in time");
		expect(streams.readers.bytes).toBeLessThanOrEqual(bytesMax);
		streams.endAll();
		await reads;
		expect(streams.readers.bytes).toBe(0);
	});
});
