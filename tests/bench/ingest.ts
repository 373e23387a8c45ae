import { join } from "node:path";
import { migrations as events } from "../../drizzle/events";
import { migrations as main } from "../../drizzle/main";
import { systemActor } from "../../src/areas/access/rules.actors";
import { provisionCustomer } from "../../src/areas/customers/operations";
import { EventLog } from "../../src/areas/usage/event-log";
import type { Instant } from "../../src/kernel/clock";
import { openFile, prepareFiles } from "../../src/kernel/db";
import { openDoors } from "../../src/kernel/doors";
import { newUuidV7 } from "../../src/kernel/ids";
import { temporaryFolder, testKey } from "../support/process";
import type { Measure } from "./measure";
import { portOf, whole, withServer } from "./serving";

/** The test process waits for the line that says where the server listens, which is logged as information. */
const settings = { TOLLGATE_LOG_LEVEL: "info" };

const customers = 100;
const seconds = 4;
const now = Date.UTC(2026, 0, 31) as Instant;

/** Events a second that one thread parses, checks, deduplicates and appends, one flush to disk for each thousand. */
export function ingestCeiling(requests = 1000): number {
	const { folder, remove } = temporaryFolder();
	prepareFiles(folder, { main, events });
	const db = openFile(folder, "main");
	const doors = openDoors({ db, clock: { now: () => now }, newId: newUuidV7, wake: () => {} });
	doors.write(systemActor("bench"), (work) => {
		for (let at = 0; at < customers; at += 1) provisionCustomer(work, { id: `bench-${at}` });
	});
	const log = new EventLog({
		folder,
		onTrouble: (error) => {
			throw error;
		},
	});
	let spent = 0;
	for (let request = 0; request < requests; request += 1) {
		const text = bodyOf(request);
		const start = performance.now();
		log.ingest([{ environmentId: "bench", now, unknownCustomers: "refuse", text }]);
		log.tidy(1000);
		spent += performance.now() - start;
	}
	if (log.lastEvent !== requests * 1000) throw new Error(`${log.lastEvent} events were kept.`);
	log.close();
	db.$client.close();
	remove();
	return (requests * 1000) / (spent / 1000);
}

const bodyOf = (request: number): string =>
	JSON.stringify({
		events: Array.from({ length: 1000 }, (_, at) => ({
			eventName: "api.request",
			customerId: `bench-${at % customers}`,
			idempotencyKey: String(request * 1000 + at).padStart(12, "0"),
			timestamp: new Date(now - at * 1000).toISOString(),
			dimensions: { bytes: at, region: "eu-west" },
		})),
	});

/** Acknowledged events a second over HTTP, from a client in another process; counted by a meter meanwhile. */
export async function ingestOverHttp(perRequest: number, connections: number): Promise<number> {
	return withServer(async (server) => {
		for (let at = 0; at < customers; at += 1) await server.call("POST", "/customers", { id: `bench-${at}` });
		await server.call("POST", "/features", {
			id: "bench",
			displayName: "Requests",
			featureType: "NUMBER",
			meterType: "INCREMENTAL",
		});
		await server.call("PATCH", "/features/bench", { meter: { aggregation: { function: "COUNT" }, filters: [] } });
		const args = [portOf(server), testKey, seconds, connections, perRequest, customers].map(String);
		const child = Bun.spawn([process.execPath, join(import.meta.dir, "load-events.ts"), ...args], {
			stdout: "pipe",
			stderr: "inherit",
		});
		const printed = await new Response(child.stdout).text();
		if ((await child.exited) !== 0) throw new Error("The load generator failed.");
		return Number(printed.trim());
	}, settings);
}

/** Ingest at 1000 and at 1 event per request, against the ceiling of the same run. */
export async function measureIngest(): Promise<Measure[]> {
	const ceiling = ingestCeiling();
	const many = await ingestOverHttp(1000, 8);
	const single = await ingestOverHttp(1, 128);
	return [
		{ name: "parse + append in process, events/s (ceiling)", value: whole(ceiling) },
		{ name: "ingest over HTTP, 1000 per request, events/s", value: whole(many), ratio: many / ceiling, aim: "0.5" },
		{ name: "ingest over HTTP, 1 per request, events/s", value: whole(single), ratio: single / ceiling },
	];
}
