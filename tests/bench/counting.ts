import { rmSync } from "node:fs";
import { systemActor } from "../../src/areas/access/rules.actors";
import { provisionCustomer } from "../../src/areas/customers/operations";
import { createFeature, updateFeature } from "../../src/areas/features/operations";
import { Aggregator } from "../../src/areas/usage/counting/aggregator";
import { openFolder, schemas } from "../../src/files";
import { prepareFiles } from "../../src/kernel/storage/db";
import { temporaryFolder } from "../support/process";
import { digits } from "./catalogue";
import { countAll, fillLog } from "./log";
import type { Row } from "./row";
import { us, whole } from "./serving";

const customers = Number(process.env.BENCH_COUNTED_CUSTOMERS ?? 100_000);
const events = Number(process.env.BENCH_COUNTED_EVENTS ?? 1_000_000);
const customersAtOnce = 1000;
const environmentId = "bench";

/**
 * Measures what the counting thread can do by itself: events of random customers, all of one hour. Each customer has had
 * some before, from a log that is there.
 */
export async function measureCounting(): Promise<Row[]> {
	const { folder, remove } = temporaryFolder();
	try {
		stock(folder);
		const filling = { environmentId, customers };
		fillLog(folder, { ...filling, first: 0, count: 2 * customers });
		const aggregator = new Aggregator({ folder });
		countAll(aggregator);
		fillLog(folder, { ...filling, first: 2 * customers, count: events });
		const before = process.cpuUsage();
		const beganAtMs = performance.now();
		countAll(aggregator);
		const { user, system } = process.cpuUsage(before);
		const perSecond = (events / (performance.now() - beganAtMs)) * 1000;
		aggregator.close();
		return [
			{
				work: `counting events of ${whole(customers)} customers at random`,
				here: `${whole(perSecond)}/s, ${us((user + system) / events)}`,
				goal: "100,000/s, 10 µs",
			},
		];
	} finally {
		rmSync(folder, { recursive: true, force: true });
		remove();
	}
}

function stock(folder: string): void {
	prepareFiles(folder, schemas);
	const { db, transactions } = openFolder(folder);
	for (let from = 0; from < customers; from += customersAtOnce)
		transactions.write(systemActor(environmentId), (work) => {
			for (let at = from; at < Math.min(customers, from + customersAtOnce); at += 1)
				provisionCustomer(work, { id: `c-${digits(at)}` });
		});
	transactions.write(systemActor(environmentId), (work) => {
		createFeature(work, { id: "calls", displayName: "Calls", featureType: "NUMBER", meterType: "INCREMENTAL" });
		updateFeature(work, "calls", { meter: { aggregation: { function: "COUNT" }, filters: [] } });
	});
	db.$client.close();
}
