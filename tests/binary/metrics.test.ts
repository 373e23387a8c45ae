import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { readMetrics } from "../metrics/read";
import { eventually, runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

/** Starts a server that serves metrics at a free port, which it logs. */
async function measuredServer(name: string) {
	const server = await startServer(join(parent, name), { TOLLGATE_METRICS_PORT: "0" });
	const url = await eventually(async () => /metrics at (http:\S+)"/.exec(server.output())?.[1]);
	const metrics = async () => readMetrics(await (await fetch(url)).text());
	return { server, url, metrics };
}

test("the metrics show what callers did, on whichever thread, and each thread by its name", async () => {
	const { server, metrics, url } = await measuredServer("measured");
	await server.call("POST", "/products", { id: "app", displayName: "App" });
	await server.call("POST", "/products", { id: "app", displayName: "App" });
	await server.call("GET", "/customers/none");
	await server.call("POST", "/customers", { id: "acme" });
	const event = { eventName: "call", customerId: "acme", idempotencyKey: "one" };
	for (let time = 0; time < 2; time += 1) await server.call("POST", "/events", { events: [event] });
	await Promise.all(Array.from({ length: 300 }, (_, at) => server.call("GET", `/invented-${at}`)));
	const series = await metrics();
	const requests = (method: string, route: string, status: string) =>
		series.get(`tollgate_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`);
	expect(requests("POST", "/api/v1/products", "2xx")).toBe(1);
	expect(requests("POST", "/api/v1/products", "4xx")).toBe(1);
	expect(requests("GET", "/api/v1/customers/{id}", "4xx")).toBe(1);
	expect(requests("GET", "other", "4xx")).toBe(300);
	expect(series.get('tollgate_http_rejections_total{code="DuplicatedEntityNotAllowed"}')).toBe(1);
	expect(series.get("tollgate_events_accepted_total")).toBe(1);
	expect(series.get('tollgate_event_requests_total{outcome="accepted"}')).toBe(2);
	expect(series.get('tollgate_commit_writes_count{file="main"}')).toBeGreaterThanOrEqual(2);
	expect(series.get('tollgate_file_bytes{file="main.db"}')).toBeGreaterThan(0);
	for (const thread of ["main", "writer", "ingester", "aggregator", "monitor"])
		expect(series.get(`tollgate_thread_up{thread="${thread}"}`)).toBe(1);
	const [elsewhere, wrongMethod] = await Promise.all([fetch(new URL("/", url)), fetch(url, { method: "POST" })]);
	expect([elsewhere.status, wrongMethod.status]).toEqual([404, 405]);
	expect(await server.stop()).toBe(0);
}, 60_000);

test("a server without the setting measures nothing", async () => {
	const server = await startServer(join(parent, "unmeasured"));
	await server.call("GET", "/products");
	expect(server.output()).not.toContain("metrics at");
	await server.stop();
}, 60_000);

test("a port that is no port, is the server's or is in use is refused, with the setting to change", async () => {
	const folder = join(parent, "refused");
	const refusal = async (environment: object) => {
		const { status, errors } = await runTollgate(folder, ["serve"], environment);
		expect(status).not.toBe(0);
		return errors;
	};
	expect(await refusal({ TOLLGATE_METRICS_PORT: "70000" })).toContain("TOLLGATE_METRICS_PORT must be a port");
	expect(await refusal({ TOLLGATE_PORT: "4999", TOLLGATE_METRICS_PORT: "4999" })).toContain(
		"TOLLGATE_METRICS_PORT must differ from TOLLGATE_PORT.",
	);
	using taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
	expect(await refusal({ TOLLGATE_METRICS_PORT: String(taken.port) })).toContain(
		"another process uses it: stop that one, or set TOLLGATE_METRICS_PORT",
	);
}, 60_000);
