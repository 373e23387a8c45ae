import { afterEach, expect, test } from "bun:test";
import { eventually, type RunningServer, startServer, temporaryFolder } from "../../../../support/process";
import { event } from "../../ground";

const cleanups: Array<() => void> = [];
afterEach(() => {
	for (const clean of cleanups.splice(0)) clean();
});

const callers = 8;
const eventsEach = 20;

/** Sends requests until the server is gone; returns the keys that were sent, and the number of acknowledged ones. */
async function sendUntilGone(server: RunningServer, name: string): Promise<{ sent: string[][]; acknowledged: number }> {
	const sent: string[][] = [];
	for (let round = 0; ; round += 1) {
		const keys = Array.from({ length: eventsEach }, (_, at) => `${name}-${round}-${at}`);
		sent.push(keys);
		try {
			const { status } = await server.call("POST", "/events", {
				events: keys.map((idempotencyKey) => event({ idempotencyKey })),
			});
			expect(status).toBe(200);
		} catch {
			return { sent, acknowledged: (sent.length - 1) * eventsEach };
		}
	}
}

test("after kill -9 under load, all acknowledged events are there, and repeating them counts nothing twice", async () => {
	const { folder, remove } = temporaryFolder();
	cleanups.push(remove);
	let server = await startServer(folder, { TOLLGATE_LOG_LEVEL: "info" });
	cleanups.push(() => void server.kill());
	await server.call("POST", "/customers", { id: "acme" });
	await server.call("POST", "/features", {
		id: "calls",
		displayName: "Calls",
		featureType: "NUMBER",
		meterType: "INCREMENTAL",
	});
	const meter = { aggregation: { function: "COUNT" }, filters: [] };
	expect((await server.call("PATCH", "/features/calls", { meter })).status).toBe(200);

	const load = Promise.all(Array.from({ length: callers }, (_, caller) => sendUntilGone(server, `c${caller}`)));
	await Bun.sleep(500);
	await server.kill();
	const sent = await load;
	const acknowledged = sent.reduce((sum, one) => sum + one.acknowledged, 0);
	expect(acknowledged).toBeGreaterThan(0);

	server = await startServer(folder, { TOLLGATE_LOG_LEVEL: "info" });
	const total = async (): Promise<number> => {
		const start = new Date(Date.now() - 3_600_000).toISOString();
		const end = new Date(Date.now() + 3_600_000).toISOString();
		const { body } = await server.call("GET", `/usage/acme/history/calls?startDate=${start}&endDate=${end}`);
		return body.data.series[0].points.at(-1).value;
	};
	// After a restart, the first answer holds all acknowledged events, and at most those in flight in addition.
	const first = await total();
	expect(first).toBeGreaterThanOrEqual(acknowledged);
	expect(first).toBeLessThanOrEqual(acknowledged + callers * eventsEach);

	const all = sent.flatMap((one) => one.sent);
	for (const keys of all)
		await server.call("POST", "/events", { events: keys.map((idempotencyKey) => event({ idempotencyKey })) });
	await eventually(async () => ((await total()) === all.length * eventsEach ? true : undefined));
	await Bun.sleep(300);
	expect(await total()).toBe(all.length * eventsEach);
}, 60_000);
