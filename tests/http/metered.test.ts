import { describe, expect, test } from "bun:test";
import { openLog } from "../../src/http/log";
import { timed } from "../../src/http/metered";
import { Meter } from "../../src/kernel/metrics/meter";

const find = (_method: string, path: string) =>
	path.startsWith("/api/v1/customers/") ? { route: "/api/v1/customers/:id" } : undefined;

/** Returns the series of requests and how many there were in each. */
async function measured(requests: ReadonlyArray<readonly [method: string, path: string, status: number]>) {
	const meter = new Meter();
	for (const [at, [method, path, status]] of requests.entries()) {
		const response = new Response(null, { status });
		// Some answers are there at once, others later.
		const answer = timed<undefined>({ find, meter, slowMs: 0, log: openLog("silent") }, () =>
			at % 2 === 0 ? response : Promise.resolve(response),
		);
		await answer(new Request(`http://127.0.0.1${path}`, { method }), undefined as never);
	}
	return meter.figures().map(({ labels, buckets = [] }): object => ({
		...labels,
		count: buckets.reduce((sum, count) => sum + count, 0),
	}));
}

test("requests are counted by the template of their route, their method and the class of their status", async () => {
	expect(
		await measured([
			["GET", "/api/v1/customers/one", 200],
			["GET", "/api/v1/customers/two", 200],
			["GET", "/api/v1/customers/none", 404],
			["POST", "/graphql", 200],
		]),
	).toEqual([
		{ method: "GET", route: "/api/v1/customers/{id}", status: "2xx", count: 2 },
		{ method: "GET", route: "/api/v1/customers/{id}", status: "4xx", count: 1 },
		{ method: "POST", route: "/graphql", status: "2xx", count: 1 },
	]);
});

test("invented paths and methods share one series", async () => {
	const invented = Array.from({ length: 1000 }, (_, at) => ["GET", `/invented/${at}`, 404] as const);
	expect(await measured([...invented, ["PROPFIND", "/anything", 404]])).toEqual([
		{ method: "GET", route: "other", status: "4xx", count: 1000 },
		{ method: "other", route: "other", status: "4xx", count: 1 },
	]);
});

describe("slow requests", () => {
	/** Returns the lines about some requests, each answered after 30 ms. */
	async function logged(slowMs: number, ...paths: readonly string[]) {
		const lines: string[] = [];
		const log = openLog("info", (line) => lines.push(line));
		const headers = { "x-request-id": "r-1" };
		const answer = timed<undefined>({ find, meter: undefined, slowMs, log }, async () => {
			await Bun.sleep(30);
			return new Response(null, { status: 200, headers });
		});
		for (const path of paths) await answer(new Request(`http://127.0.0.1${path}`), undefined as never);
		return lines.map((line) => JSON.parse(line));
	}

	test("are logged with their template, without what the caller sent", async () => {
		const [line, ...others] = await logged(10, "/api/v1/customers/erika@example.com?secret=1");
		expect(others).toEqual([]);
		const { ms, time, ...rest } = line;
		expect(ms).toBeGreaterThanOrEqual(29);
		expect(rest).toEqual({
			...{ level: "warn", msg: "a request took long", requestId: "r-1" },
			...{ method: "GET", route: "/api/v1/customers/{id}", status: 200 },
		});
	});

	test("are not logged below the bound, with a bound of 0, and for long polls", async () => {
		expect(await logged(60_000, "/api/v1/customers/one")).toEqual([]);
		expect(await logged(0, "/api/v1/customers/one")).toEqual([]);
		expect(await logged(10, "/api/v1/events-out?after=0&wait=25")).toEqual([]);
	});
});
