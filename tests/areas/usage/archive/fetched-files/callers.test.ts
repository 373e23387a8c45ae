import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { createApp } from "../../../../../src/app";
import { testClocksIn } from "../../../../../src/areas/access/environments/operations.clocks";
import { useStorage } from "../../../../../src/areas/usage/archive/operations.storage";
import { EventLog } from "../../../../../src/areas/usage/log/event-log";
import type { Instant } from "../../../../../src/kernel/clock";
import { newUuidV7 } from "../../../../../src/kernel/ids";
import { openFile } from "../../../../../src/kernel/storage/db";
import { openTransactions } from "../../../../../src/kernel/storage/transactions";
import { CatchUp } from "../../../../../src/scheduler/catch-up";
import { data } from "../../../../graphql/ask";
import type { Answer } from "../../../../support/world";
import { beyond, flat, till } from "../../../subscriptions/billing";
import { archive } from "../../archived";
import { serve, settingsOf, upload } from "../../stored";

// Every step is a transaction on the disk, which a busy machine delays.
setDefaultTimeout(60_000);

const at = (text: string): Instant => Date.parse(text) as Instant;

/**
 * A customer that bought at half past ten, with the events of that hour in the storage: the usage of its period needs
 * these events.
 */
async function boughtWithinAnHour() {
	const ours = await till("2026-04-01T11:30:00Z", "wall");
	await ours.plan("payg", [flat({ month: 10 })], {
		overagePricingModels: [beyond("calls", 2, { month: 3 })],
	});
	await ours.use("calls", 3, "2026-04-01T10:20:00Z");
	await ours.use("calls", 5, "2026-04-01T10:40:00Z");
	ours.clock.at = at("2026-04-01T10:30:00Z");
	await ours.buy("payg", { id: "sold" });
	ours.clock.at = at("2026-04-20T00:00:00Z");
	const server = serve();
	const settings = settingsOf(server);
	const log = new EventLog({ folder: ours.folder, onTrouble: () => {} });
	const site = { folder: ours.folder, jobs: { log } };
	await archive(site, 5, { at: ours.clock.at });
	await upload(site, { settings });
	log.close();
	useStorage(ours.folder, settings);
	const fetched = join(ours.folder, "fetched");
	// The connection of the sale has cached the events that it has read.
	const db = openFile(ours.folder, "main", ["usage", "renders", "events", "deliveries"]);
	const { clock } = ours;
	const transactions = openTransactions({ db, clock, testClocks: testClocksIn, newId: newUuidV7, wake: () => {} });
	const app = createApp({ ...ours.services, transactions });
	return {
		...ours,
		thread: { ...ours.thread, transactions },
		call: async (method: string, path: string, { body }: { body?: unknown } = {}): Promise<Answer> => {
			await app.modules;
			const response = await app.handle(
				new Request(`http://localhost${path.startsWith("/graphql") ? path : `/api/v1${path}`}`, {
					method,
					headers: { "x-api-key": ours.key, ...(body !== undefined && { "content-type": "application/json" }) },
					...(body !== undefined && { body: JSON.stringify(body) }),
				}),
			);
			return { status: response.status, headers: response.headers, body: await response.json() };
		},
		/** As after a long time. */
		discard: () => rmSync(fetched, { recursive: true, force: true }),
		hasFetched: () => existsSync(fetched),
		away: () => server.stop(),
		back: () => {
			server.start();
			useStorage(ours.folder, settings);
		},
	};
}

const decision = '{ entitlement(query: { customerId: "acme", featureId: "calls" }) { currentUsage isGranted } }';

test("GraphQL waits for old events, and states the reason while the storage is unreachable", async () => {
	const ours = await boughtWithinAnHour();
	await ours.away();
	const { status, body } = await ours.call("POST", "/graphql", { body: { query: decision } });
	expect(status).toBe(200);
	expect(body.errors).toMatchObject([
		{ message: expect.stringContaining("S3 storage"), extensions: { code: "UnexpectedError" } },
	]);
	ours.back();
	expect(await data(ours, decision)).toEqual({ entitlement: { currentUsage: 5, isGranted: true } });
	expect(ours.hasFetched()).toBe(true);
});

const range = "startDate=2026-04-01T10:30:00.000Z&endDate=2026-04-20T00:00:00.000Z";

test.each([
	["a check", "GET", "/customers/acme/entitlements/check?featureId=calls", { currentUsage: 5 }],
	[
		"a history",
		"GET",
		`/usage/acme/history/calls?${range}&groupBy=n`,
		{ series: [{ tags: [{ key: "n", value: "5" }] }] },
	],
	[
		"a charge for usage",
		"POST",
		"/subscriptions/sold/usage/charge",
		{ usageCharged: [{ featureId: "calls", usageAmount: 5 }] },
	],
])("%s waits for old events, and is refused while the storage is away", async (_, method, path, expected) => {
	const ours = await boughtWithinAnHour();
	const ask = () => ours.call(method, path, method === "POST" ? { body: {} } : {});
	await ours.away();
	const refused = await ask();
	expect(refused).toMatchObject({ status: 503, body: { message: expect.stringContaining("S3 storage") } });
	expect(refused.headers.get("retry-after")).toBe("5");
	ours.back();
	expect(await ask()).toMatchObject({ status: 200, body: { data: expected } });
	expect(ours.hasFetched()).toBe(true);
});

test("an invoice waits for old events, reports this once, and is correct when the storage is back", async () => {
	const ours = await boughtWithinAnHour();
	const reported: string[] = [];
	const scheduler = new CatchUp({
		...ours.thread,
		log: pino({ level: "info" }, { write: (line) => reported.push(JSON.parse(line).msg) }),
	});
	const first = await ours.books();
	await ours.away();
	ours.clock.at = at("2026-05-02T00:00:00Z");
	for (let look = 0; look < 3; look += 1) {
		await scheduler.run();
		await Bun.sleep(600);
	}
	expect(await ours.books()).toEqual(first);
	expect(reported).toEqual([
		"old events cannot be read: due steps that need them wait, and are carried out as soon as they can",
	]);
	ours.back();
	await Bun.sleep(600);
	await scheduler.run();
	expect(reported.slice(1)).toEqual(["old events can be read again: due steps are carried out"]);
	expect(await ours.books()).toEqual([...first, "2026-05-01T10:30: 19 = payg 10 + 3 Calls (payg) 9"]);
});
