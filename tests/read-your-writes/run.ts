import type { RunningServer } from "../support/process";
import { Client, churn, type Found, stock } from "./client";

/** As many clients as were seen to read a stale answer in operation. */
const clients = 10;

/** Lets the clients write and read for some seconds. */
export async function readYourWrites(server: RunningServer, seconds: number): Promise<Found> {
	await stock(server, clients);
	const found: Found = { writes: 0, reads: 0, stale: [] };
	const endMs = performance.now() + seconds * 1000;
	const all = Array.from({ length: clients }, (_, number) => new Client(server, number, found).run(endMs));
	await Promise.all([...all, churn(server, endMs)]);
	return found;
}
