import { afterAll, afterEach, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFile } from "../../src/kernel/storage/db";
import { type ObjectServer, objectServer } from "../support/object-server";
import { eventually, type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
const servers: ObjectServer[] = [];
afterEach(async () => {
	for (const server of servers.splice(0)) await server.stop();
});

const dayMs = 86_400_000;
let count = 0;

/** A folder of this test's own, with names within it. */
function place(): (name: string) => string {
	const folder = join(parent, String(++count));
	mkdirSync(folder);
	return (name) => join(folder, name);
}

function storage() {
	const server = objectServer();
	servers.push(server);
	const settings = {
		TOLLGATE_EVENTS_KEEP_DAYS: "1",
		TOLLGATE_S3_BUCKET: server.bucket,
		TOLLGATE_S3_ENDPOINT: server.endpoint,
		TOLLGATE_S3_PREFIX: "tollgate",
		TOLLGATE_S3_ACCESS_KEY_ID: server.credentials.accessKeyId,
		TOLLGATE_S3_SECRET_ACCESS_KEY: server.credentials.secretAccessKey,
	};
	return { server, settings };
}

const eventOf = (customerId: string, key: string, by: string) => ({
	...{ eventName: "call", customerId, idempotencyKey: key, dimensions: { by } },
	timestamp: new Date(Date.now() - 5 * dayMs).toISOString(),
});

/** Two customers, with events of one past day. */
async function fill(server: RunningServer): Promise<void> {
	for (const id of ["leaving", "staying"])
		expect((await server.call("POST", "/customers", { id, name: `${id} Person` })).status).toBeLessThan(300);
	const events = [eventOf("leaving", "key-of-ada", "Ada"), eventOf("staying", "key-of-grace", "Grace")];
	expect((await server.call("POST", "/events", { events })).status).toBe(200);
}

async function erase(server: RunningServer): Promise<void> {
	expect((await server.call("POST", "/customers/leaving/erase")).status).toBeLessThan(300);
	await erased(server);
}

const erased = (server: RunningServer) =>
	eventually(async () => {
		const { status, body } = await server.call("GET", "/customers/leaving/erasures");
		return status === 200 && body.data[0]?.status === "COMPLETED" ? body.data[0] : undefined;
	});

/** The values of the dimension `by` in a customer's events. */
async function valuesOf(server: RunningServer, customerId: string): Promise<string[]> {
	const { status, body } = await eventually(async () => {
		const answer = await server.call("GET", `/events?customerId=${customerId}`);
		return answer.status === 503 ? undefined : answer;
	});
	expect(status).toBe(200);
	return body.data.map(({ dimensions }: { dimensions: { by: string } }) => dimensions.by);
}

const nameOf = async (server: RunningServer): Promise<string> =>
	(await server.call("GET", "/customers/leaving")).body.data.name;

const token = expect.stringMatching(/^erased-/);

const isMoved = (folder: string) => async () => {
	const events = openFile(folder, "events").$client;
	const sql = "SELECT count(*) AS files FROM event_archives WHERE stored_in IS NOT NULL";
	const files = events.query<{ files: number }, []>(sql).get()?.files;
	events.close();
	return files === 1 && readdirSync(join(folder, "archive")).every((name) => !name.endsWith(".zst")) ? true : undefined;
};

test("a restored backup erases again by the list in the bucket, and still has the events of other customers", async () => {
	const at = place();
	const { server: bucket, settings } = storage();
	const first = await startServer(at("data"));
	await fill(first);
	expect(await first.stop()).toBe(0);
	const second = await startServer(at("data"), settings);
	await eventually(isMoved(at("data")));
	expect((await runTollgate(at("data"), ["backup", at("before.tgz")], settings)).status).toBe(0);
	await erase(second);
	expect(await valuesOf(second, "leaving")).toEqual([token]);
	expect(await second.stop()).toBe(0);
	expect(JSON.parse(Buffer.from(bucket.objects.get("tollgate/tollgate-erasures.json") ?? []).toString())).toMatchObject(
		{
			format: 1,
			erasures: [{ customerId: expect.any(String), requestedAt: expect.any(String) }],
		},
	);

	const restored = await runTollgate(at("restored"), ["restore", at("before.tgz")], settings);
	expect(restored).toMatchObject({
		status: 0,
		output: expect.stringContaining("erasures that were requested after this backup: 1; the server repeats them"),
	});
	const third = await startServer(at("restored"), settings);
	expect(await valuesOf(third, "staying")).toEqual(["Grace"]);
	const { certificate } = await erased(third);
	expect(certificate.kept).toContainEqual({
		...{ table: "event_replaced_objects", rows: 1, why: expect.any(String) },
		until: expect.stringMatching(/^\d{4}-/),
	});
	expect(await nameOf(third)).toMatch(/^erased-/);
	expect(await valuesOf(third, "leaving")).toEqual([token]);
	expect(await valuesOf(third, "staying")).toEqual(["Grace"]);
	expect(await third.stop()).toBe(0);
	expect(existsSync(join(at("restored"), "erasures.json"))).toBe(false);
	expect(await runTollgate(at("restored"), ["check", "--storage"], settings)).toMatchObject({ status: 0 });
}, 120_000);

test("a restored backup erases again by the list alongside later backups, or by one that is named", async () => {
	const at = place();
	const first = await startServer(at("data"));
	await fill(first);
	expect((await runTollgate(at("data"), ["backup", at("1.tgz")])).status).toBe(0);
	expect(existsSync(at("tollgate-erasures.json"))).toBe(false);
	await erase(first);
	expect((await runTollgate(at("data"), ["backup", at("2.tgz")])).status).toBe(0);
	expect(await first.stop()).toBe(0);
	const list = readFileSync(at("tollgate-erasures.json"), "utf8");
	expect(list).not.toContain("leaving");

	expect((await runTollgate(at("restored"), ["restore", at("1.tgz")])).output).toContain("after this backup: 1;");
	const second = await startServer(at("restored"));
	await erased(second);
	expect(await nameOf(second)).toMatch(/^erased-/);
	expect(await second.stop()).toBe(0);

	// The later backup knows it already.
	expect((await runTollgate(at("later"), ["restore", at("2.tgz")])).output).not.toContain("erasures");

	mkdirSync(at("elsewhere"));
	copyFileSync(at("1.tgz"), at("elsewhere/1.tgz"));
	expect((await runTollgate(at("back"), ["restore", at("elsewhere/1.tgz")])).output).not.toContain("erasures");
	const named = ["restore", at("elsewhere/1.tgz"), "--erasures", at("tollgate-erasures.json")];
	expect((await runTollgate(at("named"), named)).output).toContain("after this backup: 1;");
	writeFileSync(at("elsewhere/tollgate-erasures.json"), "{}");
	expect(await runTollgate(at("damaged"), ["restore", at("elsewhere/1.tgz")])).toMatchObject({
		status: 1,
		errors: expect.stringContaining("tollgate-erasures.json is not a list of erasures"),
	});
	expect(existsSync(at("damaged"))).toBe(false);
}, 120_000);

test("an erasure that the restored folder cannot repeat yet is named, and each start tries it again", async () => {
	const at = place();
	const first = await startServer(at("data"));
	await fill(first);
	const product = { id: "product", displayName: "Product" };
	expect((await first.call("POST", "/products", product)).status).toBeLessThan(300);
	const plan = { id: "plan", displayName: "Plan", productId: "product", pricingType: "CUSTOM" };
	expect((await first.call("POST", "/plans", plan)).status).toBeLessThan(300);
	expect((await first.call("POST", "/plans/plan/publish", { migrationType: "NEW_CUSTOMERS" })).status).toBeLessThan(
		300,
	);
	const sold = { id: "sold", customerId: "leaving", planId: "plan" };
	expect((await first.call("POST", "/subscriptions", sold)).status).toBeLessThan(300);
	expect((await runTollgate(at("data"), ["backup", at("1.tgz")])).status).toBe(0);
	const now = { cancellationTime: "IMMEDIATE" };
	const cancel = (server: RunningServer) => server.call("POST", "/subscriptions/sold/cancel", now);
	expect((await cancel(first)).status).toBeLessThan(300);
	await erase(first);
	expect((await runTollgate(at("data"), ["backup", at("2.tgz")])).status).toBe(0);
	expect(await first.stop()).toBe(0);

	expect((await runTollgate(at("restored"), ["restore", at("1.tgz")])).output).toContain(
		"The customer 'leaving' cannot be erased: the subscription 'sold' has not ended; cancel it first.",
	);
	const second = await startServer(at("restored"));
	expect(await nameOf(second)).toBe("leaving Person");
	expect((await cancel(second)).status).toBeLessThan(300);
	expect(await second.stop()).toBe(0);
	const third = await startServer(at("restored"));
	await erased(third);
	expect(await nameOf(third)).toMatch(/^erased-/);
	expect(await third.stop()).toBe(0);
}, 120_000);
