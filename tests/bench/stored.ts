import { openFolder } from "../../src/files";
import { startServer, temporaryFolder } from "../support/process";
import { addCustomers, checkRequest, eventsRequest, stock, subscribe } from "./catalogue";
import { countLog, fillLog } from "./log";
import type { Row } from "./row";
import { load, residentMiB, whole } from "./serving";

const events = Number(process.env.BENCH_STORED_EVENTS ?? 2_000_000);
const customers = Number(process.env.BENCH_STORED_CUSTOMERS ?? 20_000);
/** The events written per second, for the first events and for the last ones. */
const timed = Math.min(1_000_000, events / 2);
const dayMs = 86_400_000;
const seconds = 20;

/**
 * Measures the cost of a log that has grown: how fast it is written at its end, and how much memory the server uses after a start on it
 * and under light load. The events are a day of random customers, each with a subscription.
 */
export async function measureStored(): Promise<Row[]> {
	const { folder, remove } = temporaryFolder();
	try {
		const stocking = await startServer(folder);
		await stock(stocking);
		await addCustomers(stocking, customers);
		await subscribe(stocking, "metered", customers);
		await stocking.stop();
		const rates = fill(folder);
		countLog(folder);
		const server = await startServer(folder);
		try {
			await Bun.sleep(5000);
			const idleMiB = residentMiB(server.pid);
			const busyMiB = await underLightLoad({ port: Number(new URL(server.url).port), pid: server.pid });
			const of = `${whole(events)} events of ${whole(customers)} customers`;
			return [
				{
					work: `events written behind ${of}`,
					here: `${whole(rates.last)}/s`,
					ceiling: `${whole(rates.first)}/s, the first ${whole(timed)}`,
					ratio: rates.last / rates.first,
					goal: "0.85",
				},
				{ work: `memory after a start on ${of}`, here: `${idleMiB.toFixed(0)} MiB` },
				{ work: "the most of it under light load", here: `${busyMiB.toFixed(0)} MiB`, goal: "600 MB at 20,000,000" },
			];
		} finally {
			await server.stop();
		}
	} finally {
		remove();
	}
}

function fill(folder: string): { readonly first: number; readonly last: number } {
	const { db } = openFolder(folder);
	const [found] = db.$client.query<{ id: string }, []>("SELECT id FROM environments").all();
	db.$client.close();
	const filling = { environmentId: found?.id ?? "", customers, spanMs: dayMs };
	const first = fillLog(folder, { ...filling, first: 0, count: timed });
	fillLog(folder, { ...filling, first: timed, count: events - 2 * timed });
	return { first, last: fillLog(folder, { ...filling, first: events - timed, count: timed }) };
}

/** Some hundred checks and a thousand events a second, of customers at random: the most that was seen. */
async function underLightLoad(target: { readonly port: number; readonly pid: number }): Promise<number> {
	let most = 0;
	const looking = setInterval(() => {
		most = Math.max(most, residentMiB(target.pid));
	}, 250);
	const paced = { many: customers, seconds, connections: 4 };
	await Promise.all([
		load(target, { ...paced, request: checkRequest(), paceMs: 10 }),
		load(target, { ...paced, request: eventsRequest(10), from: 1e11, paceMs: 40 }),
	]);
	clearInterval(looking);
	return most;
}
