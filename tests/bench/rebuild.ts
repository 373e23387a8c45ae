import { systemActor } from "../../src/areas/access/rules.actors";
import { provisionCustomer } from "../../src/areas/customers/operations";
import { createFeature, updateFeature } from "../../src/areas/features/operations";
import type { MeterInput } from "../../src/areas/features/schema";
import { countUsage, reportUsage } from "../../src/areas/usage/operations.offline";
import { openFolder } from "../../src/files";
import { wallClock } from "../../src/kernel/clock";
import { startServer, temporaryFolder } from "../support/process";
import type { Row } from "./row";
import { cpuMs, median, ms, ok, whole } from "./serving";

const events = Number(process.env.BENCH_REBUILD_EVENTS ?? 1_000_000);
const customers = 1000;
/** The events are spread over so long, in the order of time, as they come: ten million over a month. */
const spanMs = Math.ceil((30 * 86_400_000 * events) / 10_000_000);
const eventsPerRequest = 1000;

const count: MeterInput = { aggregation: { function: "COUNT" }, filters: [] };
const sum: MeterInput = { aggregation: { function: "SUM", field: "tokens" }, filters: [] };

/**
 * All totals of a log, two meters and a month of 1000 customers, recounted while the server answers checks: how long it
 * takes, the CPU of each event, and how long who asks meanwhile waits.
 */
export async function measureRebuild(): Promise<Row[]> {
	const { folder, remove } = temporaryFolder();
	await (await startServer(folder)).stop();
	await fill(folder);
	const server = await startServer(folder);
	try {
		const before = cpuMs(server.pid);
		const beganAtMs = performance.now();
		const { taskId } = await ok(server, "POST", "/usage/rebuild", {});
		const waits: number[] = [];
		for (;;) {
			const askedAtMs = performance.now();
			const { status } = await ok(server, "GET", `/tasks/${taskId}`);
			waits.push(performance.now() - askedAtMs);
			if (status === "COMPLETED") break;
			if (status !== "PENDING" && status !== "IN_PROGRESS") throw new Error(`The rebuild ended ${status}.`);
			await Bun.sleep(20);
		}
		const seconds = (performance.now() - beganAtMs) / 1000;
		const cpuUs = ((cpuMs(server.pid) - before) * 1000) / events;
		const sorted = waits.toSorted((one, other) => one - other);
		const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
		return [
			{ work: `${whole(events)} events recounted`, here: `${seconds.toFixed(1)} s`, goal: "30 s for 10,000,000" },
			{ work: "CPU of each, all threads", here: `${cpuUs.toFixed(2)} µs` },
			{ work: "a read meanwhile", here: `median ${ms(median(waits))}, p99 ${ms(p99)}` },
		];
	} finally {
		await server.stop();
		remove();
	}
}

async function fill(folder: string): Promise<void> {
	const { db, transactions } = openFolder(folder);
	const [first] = db.$client
		.query<{ id: string; account_id: string }, []>("SELECT id, account_id FROM environments")
		.all();
	const environmentId = first?.id ?? "";
	transactions.write(systemActor(environmentId, first?.account_id), (work) => {
		for (let at = 0; at < customers; at += 1) provisionCustomer(work, { id: `c${at}` });
		for (const [id, meter] of [
			["calls", count],
			["tokens", sum],
		] as const) {
			createFeature(work, { id, displayName: id, featureType: "NUMBER", meterType: "INCREMENTAL" });
			updateFeature(work, id, { meter });
		}
	});
	db.$client.close();
	reportUsage(folder, requests(environmentId));
	await countUsage(folder);
}

function* requests(environmentId: string) {
	const now = wallClock.now();
	for (let from = 0; from < events; from += eventsPerRequest) {
		const sent = Array.from({ length: Math.min(eventsPerRequest, events - from) }, (_, at) => {
			const event = from + at;
			return {
				eventName: "api.request",
				customerId: `c${(event * 7919) % customers}`,
				idempotencyKey: `k${event}`,
				timestamp: new Date(now - spanMs + Math.floor((event * spanMs) / events)).toISOString(),
				dimensions: { tokens: event % 1000, region: event % 3 === 0 ? "eu" : "us" },
			};
		});
		yield { environmentId, now, unknownCustomers: "refuse" as const, text: JSON.stringify({ events: sent }) };
	}
}
