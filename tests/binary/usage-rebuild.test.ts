import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openFile } from "../../src/kernel/storage/db";
import { eventually, type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

const sent = 40;

async function report(server: RunningServer): Promise<void> {
	await server.call("POST", "/customers", { id: "acme" });
	const feature = { id: "calls", displayName: "Calls", featureType: "NUMBER", meterType: "INCREMENTAL" };
	await server.call("POST", "/features", feature);
	const meter = { aggregation: { function: "COUNT" }, filters: [] };
	expect((await server.call("PATCH", "/features/calls", { meter })).status).toBe(200);
	const events = Array.from({ length: sent }, (_, at) => ({
		eventName: "api.call",
		customerId: "acme",
		idempotencyKey: `k${at}`,
	}));
	expect((await server.call("POST", "/events", { events })).status).toBe(200);
	await counted(server, sent);
}

const counted = (server: RunningServer, expected: number) =>
	eventually(async () => {
		const [start, end] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
		const { body } = await server.call("GET", `/usage/acme/history/calls?startDate=${start}&endDate=${end}`);
		return body.data?.series?.[0]?.points.at(-1).value === expected ? true : undefined;
	});

/** While no server runs. */
function damage(folder: string): void {
	const usage = openFile(folder, "usage").$client;
	usage.run("UPDATE usage_totals SET state = '1000'");
	usage.run("DELETE FROM usage_events_by_hour");
	usage.close();
}

test("damaged totals are recounted by the command, alongside a server and without one, and by the route", async () => {
	const folder = join(parent, "data");
	const first = await startServer(folder);
	await report(first);
	await first.stop();
	damage(folder);
	expect((await runTollgate(folder, ["check"])).output).toContain("tollgate usage rebuild");

	const alone = await runTollgate(folder, ["usage", "rebuild"]);
	expect(alone).toMatchObject({ status: 0, output: expect.stringContaining("100 %\nusage was recounted\n") });
	expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });

	damage(folder);
	const second = await startServer(folder);
	const alongside = await runTollgate(folder, ["usage", "rebuild"]);
	expect(alongside).toMatchObject({ status: 0, output: expect.stringContaining("100 %\nusage was recounted\n") });
	await counted(second, sent);
	const { status, body } = await second.call("POST", "/usage/rebuild", { featureId: "calls" });
	expect(status).toBe(200);
	await eventually(async () => {
		const task = (await second.call("GET", `/tasks/${body.data.taskId}`)).body.data;
		return task.status === "COMPLETED" && task.progress === 100 ? true : undefined;
	});
	await counted(second, sent);
	expect(await second.stop()).toBe(0);
	expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
	const unknown = await runTollgate(folder, ["usage", "rebuild", "--feature", "nothing"]);
	expect(unknown).toMatchObject({ status: 1, errors: expect.stringContaining("nothing") });
}, 60_000);
