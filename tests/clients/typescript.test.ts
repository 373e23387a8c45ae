import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Tollgate, TollgateError } from "../../clients/typescript/src/client";
import { retrying } from "../../clients/typescript/src/retry";
import { EventSpool } from "../../clients/typescript/src/spool";
import { item } from "../areas/promotional-entitlements/grants";
import {
	ended,
	eventually,
	type RunningServer,
	start,
	startServer,
	temporaryFolder,
	testKey,
} from "../support/process";

const data = temporaryFolder();
let server: RunningServer;
beforeAll(async () => {
	server = await startServer(data.folder, { TOLLGATE_DEMO: "1" });
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

/** A customer with a promotional entitlement for calls. */
async function customer(id: string, usageLimit = 1000): Promise<string> {
	await insist("POST", "/customers", { id });
	const gift = item("feature-api-calls", { usageLimit, period: "lifetime" });
	await insist("POST", `/customers/${id}/promotional-entitlements`, { promotionalEntitlements: [gift] });
	return id;
}

const usageOf = async (id: string): Promise<number> =>
	(await insist("GET", `/customers/${id}/entitlements/check?featureId=feature-api-calls`)).currentUsage;

/** The requests that a fetch has received. */
function counting(fetch: typeof globalThis.fetch = globalThis.fetch) {
	const asked: Array<{ method: string; path: string; key: string | null }> = [];
	const counted: typeof globalThis.fetch = Object.assign(
		(input: Parameters<typeof fetch>[0], init?: RequestInit) => {
			const request = new Request(input, init);
			const { pathname } = new URL(request.url);
			asked.push({ method: request.method, path: pathname, key: request.headers.get("idempotency-key") });
			return fetch(request);
		},
		{ preconnect: globalThis.fetch.preconnect },
	);
	return { asked, fetch: counted };
}

describe("checks", () => {
	test("are pushed for a known customer: no call is made, and changes appear", async () => {
		const id = await customer("pushed");
		const { asked, fetch } = counting();
		const changes: string[] = [];
		const client = new Tollgate({
			baseUrl: server.url,
			apiKey: testKey,
			fetch,
			onChange: (customerId, featureIds) => changes.push(`${customerId} ${featureIds}`),
		});
		try {
			expect(await client.check(id, "feature-api-calls")).toMatchObject({ isGranted: true, usageLimit: 1000 });
			const calls = () => asked.filter(({ path }) => path.endsWith("/check")).length;
			// After the stream has sent the customer, no request is made.
			await eventually(async () => {
				const before = calls();
				await client.check(id, "feature-api-calls");
				return calls() === before ? true : undefined;
			});
			await insist("POST", "/events", { events: [{ eventName: "api_call", customerId: id, idempotencyKey: "1" }] });
			const before = calls();
			const seen = await eventually(async () => {
				const found = await client.check(id, "feature-api-calls");
				return found.currentUsage === 1 ? found : undefined;
			});
			expect(seen).toEqual(await insist("GET", `/customers/${id}/entitlements/check?featureId=feature-api-calls`));
			expect(calls()).toBe(before);
			expect(changes).toContain("pushed feature-api-calls");
			// A check with arguments is always sent to the server.
			expect(await client.check(id, "feature-api-calls", { requestedUsage: 5000 })).toMatchObject({ isGranted: false });
			expect(calls()).toBe(before + 1);
			expect((await client.explain(id, "feature-api-calls")).explanation?.text).toStartWith(
				"Customer 'pushed' may use",
			);
		} finally {
			await client.close();
		}
	}, 60_000);

	test("without a stream call the server each time, and a refused check has a code", async () => {
		const client = new Tollgate({ baseUrl: server.url, apiKey: "no-key", push: false });
		const refused = await client.check("nobody", "feature-api-calls").catch((error: unknown) => error);
		expect(refused).toBeInstanceOf(TollgateError);
		expect(refused).toMatchObject({ status: 401, code: "Unauthenticated" });
		await client.close();
	});
});

describe("failed calls", () => {
	const answers = (...statuses: ReadonlyArray<number | "lost">) => {
		const keys = new Set<string | null>();
		let at = 0;
		const fetch = Object.assign(
			async (input: Parameters<typeof globalThis.fetch>[0]) => {
				keys.add(new Request(input).headers.get("idempotency-key"));
				const status = statuses[at] ?? 200;
				at += 1;
				if (status === "lost") throw new Error("the connection was lost");
				return new Response("{}", { status, headers: { "retry-after": "0" } });
			},
			{ preconnect: globalThis.fetch.preconnect },
		);
		return { keys, fetch, calls: () => at };
	};
	const call = (fetch: typeof globalThis.fetch, method: string) =>
		retrying({ fetch, pauseMs: 1, attemptsMax: 4 })(new Request("http://localhost/", { method }));

	test("are repeated, a POST with the same idempotency key", async () => {
		const { keys, fetch, calls } = answers(503, "lost", 429);
		expect((await call(fetch, "POST")).status).toBe(200);
		expect([calls(), keys.size, [...keys][0]?.length]).toEqual([4, 1, 36]);
	});

	test("are not repeated without end, after a refusal, or for changes whose response was lost", async () => {
		const busy = answers(503, 503, 503, 503, 503);
		expect((await call(busy.fetch, "GET")).status).toBe(503);
		expect(busy.calls()).toBe(4);
		const refused = answers(409);
		expect((await call(refused.fetch, "POST")).status).toBe(409);
		expect(refused.calls()).toBe(1);
		const lost = answers("lost");
		await expect(call(lost.fetch, "DELETE")).rejects.toThrow("lost");
		expect(lost.calls()).toBe(1);
	});

	test("a repeated POST is executed once", async () => {
		let isLost = true;
		const losing = Object.assign(
			async (input: Parameters<typeof globalThis.fetch>[0]) => {
				const response = await globalThis.fetch(input);
				if (!isLost) return response;
				isLost = false;
				throw new Error("the answer was lost");
			},
			{ preconnect: globalThis.fetch.preconnect },
		);
		const client = new Tollgate({ baseUrl: server.url, apiKey: testKey, fetch: losing, pauseMs: 1, push: false });
		const made = await client.api.POST("/api/v1/customers", { body: { id: "made-once" } });
		expect(made.response.status).toBe(201);
		expect(made.response.headers.get("idempotent-replayed")).toBe("true");
	});
});

describe("events", () => {
	const reporting = (folder: string, more: object = {}) =>
		new Tollgate({ baseUrl: server.url, apiKey: testKey, push: false, events: { folder, flushEveryMs: 20, ...more } });

	test("are sent in batches, and counted once", async () => {
		const id = await customer("batched");
		const spool = temporaryFolder();
		const { asked, fetch } = counting();
		const client = new Tollgate({
			baseUrl: server.url,
			apiKey: testKey,
			fetch,
			push: false,
			events: { folder: spool.folder, flushEveryMs: 60_000 },
		});
		await Promise.all(Array.from({ length: 1500 }, () => client.report({ eventName: "api_call", customerId: id })));
		await client.flush();
		expect(asked.filter(({ path }) => path === "/api/v1/events").length).toBeLessThanOrEqual(3);
		await eventually(async () => ((await usageOf(id)) === 1500 ? true : undefined));
		expect(readdirSync(spool.folder)).toEqual([]);
		await client.close();
		spool.remove();
	}, 60_000);

	test("stay on disk while the server is unreachable and the process is killed, and are counted once", async () => {
		const id = await customer("killed");
		const spool = temporaryFolder();
		// Reports to an unreachable server, prints a line, and is killed.
		const script = join(spool.folder, "report.ts");
		writeFileSync(
			script,
			`import { Tollgate } from ${JSON.stringify(resolve(import.meta.dir, "../../clients/typescript/src/client.ts"))};
			const client = new Tollgate({ baseUrl: "http://127.0.0.1:9", apiKey: "k", push: false, events: { folder: ${JSON.stringify(join(spool.folder, "events"))} } });
			for (let at = 0; at < 7; at += 1) await client.report({ eventName: "api_call", customerId: "${id}" });
			process.kill(process.pid, "SIGKILL");`,
		);
		await ended(start([process.execPath, script], {}));
		const files = readdirSync(join(spool.folder, "events")).sort();
		expect(files).not.toEqual([]);
		// A line that was cut off by the kill.
		writeFileSync(join(spool.folder, "events", files[0] ?? ""), '{"eventName":"api_c', { flag: "a" });
		const client = reporting(join(spool.folder, "events"));
		await client.flush();
		await eventually(async () => ((await usageOf(id)) === 7 ? true : undefined));
		await client.close();
		spool.remove();
	}, 60_000);

	test("are set aside if the server rejects them, and do not block others", async () => {
		const id = await customer("refused");
		const spool = temporaryFolder();
		const refused: string[] = [];
		const client = reporting(spool.folder, { onRefused: (_: object, message: string) => refused.push(message) });
		await Promise.all([
			client.report({ eventName: "api_call", customerId: id }),
			client.report({ eventName: "api_call", customerId: "nobody-at-all" }),
			client.report({ eventName: "api_call", customerId: id }),
		]);
		await eventually(async () => ((await usageOf(id)) === 2 ? true : undefined));
		await client.close();
		expect(refused).toEqual([expect.stringContaining("nobody-at-all")]);
		expect(readdirSync(spool.folder)).toEqual(["refused.ndjson"]);
		spool.remove();
	}, 60_000);

	test("are all sent, including those added while others are being sent", async () => {
		const spool = temporaryFolder();
		const sent = new Set<string>();
		const calls: number[] = [];
		const waiting = new EventSpool({
			folder: spool.folder,
			flushEveryMs: 60_000,
			send: async (events) => {
				calls.push(events.length);
				await Bun.sleep(1);
				// Every second response is lost.
				if (calls.length % 2 === 0) throw new Error("lost");
				for (const { idempotencyKey } of events) sent.add(idempotencyKey);
				return null;
			},
		});
		const adding = Array.from({ length: 20 }, async (_, worker) => {
			for (let at = 0; at < 40; at += 1) {
				const key = `${worker}-${at}`;
				await waiting.add({ eventName: "x", customerId: "y", idempotencyKey: key });
				if (at % 10 === 9) {
					// Events added before are sent after this response.
					while (!sent.has(key)) await waiting.flush().catch(() => {});
				}
			}
		});
		await Promise.all(adding);
		expect(sent.size).toBe(800);
		expect(Math.max(...calls)).toBeLessThanOrEqual(1000);
		await waiting.close();
		expect(readdirSync(spool.folder)).toEqual([]);
		spool.remove();
	}, 60_000);

	test("are rejected by the client if too many are waiting", async () => {
		const spool = temporaryFolder();
		const waiting = new EventSpool({
			folder: spool.folder,
			bytesMax: 500,
			send: () => Promise.reject(new Error("away")),
		});
		const add = () => waiting.add({ eventName: "x", customerId: "y" });
		await add();
		await expect(Promise.all(Array.from({ length: 10 }, add))).rejects.toThrow("bytes of events wait");
		await expect(waiting.flush()).rejects.toThrow("away");
		await waiting.close();
		spool.remove();
	});
});

test("the built client runs on Node", async () => {
	const id = await customer("node");
	const out = temporaryFolder();
	const built = await Bun.build({
		entrypoints: [resolve(import.meta.dir, "../../clients/typescript/src/client.ts")],
		target: "node",
		format: "esm",
		outdir: out.folder,
	});
	expect(built.success).toBe(true);
	const script = join(out.folder, "run.mjs");
	writeFileSync(
		script,
		`import { Tollgate } from "./client.js";
		const client = new Tollgate({ baseUrl: ${JSON.stringify(server.url)}, apiKey: ${JSON.stringify(testKey)}, events: { folder: ${JSON.stringify(join(out.folder, "spool"))} } });
		await client.report({ eventName: "api_call", customerId: "${id}" });
		await client.flush();
		let answer;
		do {
			await new Promise((resolve) => setTimeout(resolve, 10));
			answer = await client.check("${id}", "feature-api-calls");
		} while (answer.currentUsage !== 1);
		await client.close();
		console.log(JSON.stringify({ runtime: process.release.name, usage: answer.currentUsage }));`,
	);
	const { output, errors } = await ended(start(["node", script], {}));
	expect({ output: output.trim(), errors }).toEqual({ output: '{"runtime":"node","usage":1}', errors: "" });
	out.remove();
}, 60_000);
