import { afterEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, runTollgate, startServer, temporaryFolder } from "../../../support/process";

const cleanups: Array<() => void> = [];
afterEach(() => {
	for (const clean of cleanups.splice(0)) clean();
});

test("kill -9 as soon as an erasure was answered: it is finished after the restart", async () => {
	const { folder, remove } = temporaryFolder();
	cleanups.push(remove);
	// The receiver answers with the body that it receives.
	const receiver = Bun.serve({ port: 0, fetch: async (request) => new Response(await request.text()) });
	cleanups.push(() => void receiver.stop(true));
	let server = await startServer(folder, { TOLLGATE_WEBHOOKS_ALLOW_PRIVATE: "1" });
	cleanups.push(() => void server.kill());
	const hook = (await server.call("POST", "/webhooks", { endpoint: `http://127.0.0.1:${receiver.port}/` })).body.data;
	/** Returns the receiver's answers to the events of the customer. */
	const answers = async () =>
		JSON.stringify((await server.call("GET", `/webhooks/${hook.id}/deliveries?limit=100`)).body.data);
	await server.call("POST", "/customers", { id: "a", name: "Ada", email: "ada@example.org" });
	await eventually(async () => ((await answers()).includes("ada@example.org") ? true : undefined), 30_000);
	for (let at = 0; at < 300; at += 1)
		await server.call("POST", "/customers/a/balance/entries", { amount: 1, currency: "usd", reason: `r${at}` });
	const { status, body } = await server.call("POST", "/customers/a/erase");
	expect([status, body.data.customerId]).toEqual([200, "a"]);
	await server.kill();
	server = await startServer(folder, { TOLLGATE_WEBHOOKS_ALLOW_PRIVATE: "1" });
	const erasure = await eventually(async () => {
		const [found] = (await server.call("GET", "/customers/a/erasures")).body.data;
		return found.completedAt === null ? undefined : found;
	}, 30_000);
	expect(erasure).toMatchObject({ id: body.data.id, status: "COMPLETED", certificate: { erased: { customers: 1 } } });
	expect(erasure.certificate.erased.deliveries).toBeGreaterThan(0);
	expect(await answers()).not.toContain("ada@example.org");
	const kept = erasure.certificate.kept.find(({ table }: { table: string }) => table === "customer_balance_entries");
	expect(kept.rows).toBe(300);
	expect((await server.call("GET", "/customers/a")).body.data).toMatchObject({ email: null });
}, 60_000);

test("kill -9 again and again while usage events are erased: no file holds them, and usage is as it was", async () => {
	const { folder, remove } = temporaryFolder();
	cleanups.push(remove);
	const settings = { TOLLGATE_EVENTS_KEEP_DAYS: "2" };
	let server = await startServer(folder, settings);
	cleanups.push(() => void server.kill());
	const post = (path: string, body: object) => server.call("POST", path, body);
	await post("/features", { id: "users", displayName: "Users", featureType: "NUMBER", meterType: "INCREMENTAL" });
	const meter = { aggregation: { function: "UNIQUE", field: "by" }, filters: [] };
	await server.call("PATCH", "/features/users", { meter });
	await post("/customers", { id: "a", name: "Ada", email: "zzmail@example.org" });
	const events = Array.from({ length: 4000 }, (_, at) => ({
		eventName: "login",
		customerId: "a",
		idempotencyKey: `zzkey ${at}`,
		timestamp: new Date(Date.now() - (at % 96) * 3_600_000).toISOString(),
		dimensions: { by: `zzby ${at % 500}`, note: `zznote ${at}` },
	}));
	const report = async () => {
		for (let from = 0; from < events.length; from += 500)
			expect((await post("/events", { events: events.slice(from, from + 500) })).status).toBeLessThan(300);
	};
	await report();
	const used = async () => {
		const from = new Date(Date.now() - 90 * 3_600_000).toISOString();
		const { body } = await server.call(
			"GET",
			`/usage/a/history/users?startDate=${from}&endDate=${new Date().toISOString()}`,
		);
		return JSON.stringify(body);
	};
	await eventually(async () => ((await used()).includes("500") ? true : undefined), 30_000);
	expect((await post("/customers/a/erase", {})).status).toBe(200);
	const erased = async () => (await server.call("GET", "/customers/a/erasures")).body.data[0];
	for (let kills = 0; kills < 4; kills += 1) {
		await Bun.sleep(kills * 150);
		await server.kill();
		server = await startServer(folder, settings);
	}
	const erasure = await eventually(async () => {
		const found = await erased();
		return found.completedAt === null ? undefined : found;
	}, 60_000);
	expect(erasure.certificate.erased.event_blocks).toBeGreaterThan(0);
	expect(await used()).toContain("500");
	await report();
	await eventually(async () => ((await used()).includes("500") ? true : undefined), 30_000);
	await server.stop();
	const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
		.join("\n");
	for (const mark of ["zzmail", "zzkey", "zzby", "zznote"]) expect([mark, bytes.includes(mark)]).toEqual([mark, false]);
	expect((await runTollgate(folder, ["check"])).status).toBe(0);
}, 120_000);
