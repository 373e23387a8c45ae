import { describe, expect, test } from "bun:test";
import { closeSync, openSync, writeSync } from "node:fs";
import { createApp } from "../../src/app";
import { Senders } from "../../src/http/client-address";
import { openLog } from "../../src/http/log";
import { readRange } from "../../src/kernel/addresses";
import { world } from "../support/world";

/** A log whose lines are read back. */
function reading() {
	const lines: string[] = [];
	return {
		log: openLog("trace", (line) => void lines.push(line)),
		lines,
		read: () => lines.map((line) => JSON.parse(line)),
	};
}

describe("the log", () => {
	test("is one JSON object a line, its level a word", () => {
		const { log, lines, read } = reading();
		log.warn({ count: 2 }, "something");
		expect(read()).toEqual([{ level: "warn", time: expect.stringMatching(/^\d{4}-.*Z$/), count: 2, msg: "something" }]);
		expect(lines[0]).toEndWith("\n");
	});

	test("on a full disk loses lines rather than what is going on, and says how many once there is room", () => {
		const full = openSync("/dev/full", "w");
		const lines: string[] = [];
		let isFull = true;
		const log = openLog("info", (line) => void (isFull ? writeSync(full, line) : lines.push(line)));
		log.info("one");
		log.error("two");
		isFull = false;
		log.info("three");
		closeSync(full);
		const entries = lines.map((line) => JSON.parse(line));
		expect(entries).toMatchObject([
			{ level: "warn", lost: 2 },
			{ level: "info", msg: "three" },
		]);
	});
});

describe("a line about a request", () => {
	const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

	async function lineOf(headers: Record<string, string>, peer = "10.0.0.1") {
		const { log, read } = reading();
		const { services } = world();
		const trusted = readRange("10.0.0.0/8");
		const senders = new Senders(trusted ? [trusted] : []);
		const app = createApp({ ...services, log, senders });
		await app.modules;
		const request = new Request("http://localhost/api/v1/products", { headers });
		// Without a network between, somebody must say whose connection it is.
		senders.of(request, { requestIP: () => ({ address: peer }) });
		await app.handle(request);
		await Bun.sleep(0);
		return read().find(({ msg }) => msg === "answered");
	}

	test("names the client whom a trusted proxy names, and the caller's trace", async () => {
		expect(await lineOf({ "x-forwarded-for": "198.51.100.1", traceparent: trace })).toMatchObject({
			level: "info",
			method: "GET",
			path: "/api/v1/products",
			status: 401,
			client: "198.51.100.1",
			traceparent: trace,
		});
	});

	test("believes nobody else, and leaves out what is no trace", async () => {
		const line = await lineOf(
			{ "x-forwarded-for": "198.51.100.1", traceparent: `${trace}\u00e9 injected` },
			"192.0.2.7",
		);
		expect(line.client).toBe("192.0.2.7");
		expect(line).not.toHaveProperty("traceparent");
	});
});
