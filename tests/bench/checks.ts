import { addCustomers, checkRequest, digits, eventsRequest, stock, subscribe } from "./catalogue";
import type { Row } from "./row";
import { alongside, cpuMs, type Load, load, ms, ok, type Serving, us, whole, withBare, withServer } from "./serving";

const customers = Number(process.env.BENCH_CUSTOMERS ?? 10_000);
const rounds = 3;
const seconds = 3;
const traffic = { request: checkRequest(), many: customers, seconds, connections: 32 };

/** Checks of random customers, next to a server that answers the same bytes without looking; during ingest; on two threads. */
export async function measureChecks(): Promise<Row[]> {
	const rows = await withServer(async (server) => {
		await fill(server);
		const askedFirstUs = await askedFirst(server);
		const answer = JSON.stringify({
			data: await ok(server, "GET", "/customers/c-000001/entitlements/check?featureId=calls"),
		});
		const alone = await withBare(
			"constant",
			(bare) =>
				alongside(
					rounds,
					() => load(server, traffic),
					() => load(bare, traffic),
				),
			answer,
		);
		const few = { ...traffic, connections: 8 };
		let keys = 400_000_000;
		const both = () => {
			keys += 10_000_000;
			return Promise.all([
				load(server, few),
				// Two connections, ten batches a second each; in each round with keys of their own.
				load(server, { ...ingestTraffic, from: keys, connections: 2, paceMs: 100 }),
			]);
		};
		// Code that compiles at runtime is compiled by then: the server has served before.
		await both();
		let ingested = 0;
		const mixed = await alongside(
			rounds,
			async () => {
				const [busy, ingest] = await both();
				ingested = ingest.perSecond * 1000;
				return busy;
			},
			() => load(server, few),
		);
		return [
			{ work: `first check of each of ${whole(customers)} customers, one after the other`, here: us(askedFirstUs) },
			{
				work: `checks of ${whole(customers)} customers`,
				here: figuresOf(alone.ours),
				ceiling: figuresOf(alone.ceiling),
				ratio: alone.ratio,
				goal: "0.7, 11 µs",
			},
			{
				work: `checks alongside ${whole(ingested)} events/s`,
				here: `${whole(mixed.ours.perSecond)}/s, p99 ${ms(mixed.ours.p99)}`,
				ceiling: `${whole(mixed.ceiling.perSecond)}/s alone`,
				ratio: mixed.ratio,
				goal: "0.5, p99 5 ms",
			},
		];
	});
	const two = await withServer(
		async (server) => {
			await fill(server);
			// On both threads.
			for (let round = 0; round < 3; round += 1) await askedFirst(server);
			return load(server, traffic);
		},
		{ TOLLGATE_HTTP_THREADS: "2" },
	);
	return [...rows, { work: "checks on 2 HTTP threads", here: figuresOf(two) }];
}

/** Asks once for each customer, so that none is asked for the first time when checks are counted; the CPU of one. */
async function askedFirst(server: Serving): Promise<number> {
	const before = cpuMs(server.pid);
	for (let at = 0; at < customers; at += 1)
		await ok(server, "GET", `/customers/c-${digits(at)}/entitlements/check?featureId=calls`);
	return ((cpuMs(server.pid) - before) * 1000) / customers;
}

const ingestTraffic = { request: eventsRequest(1000), many: customers, seconds };

const figuresOf = ({ perSecond, p99, cpuUs }: Load): string => `${whole(perSecond)}/s, p99 ${ms(p99)}, ${us(cpuUs)}`;

/** Each customer has a subscription and some usage. */
async function fill(server: Serving): Promise<void> {
	await stock(server);
	await addCustomers(server, customers);
	await subscribe(server, "metered", customers);
	await load(server, { ...ingestTraffic, seconds: 2, connections: 4, requestsMax: 5 * Math.ceil(customers / 1000) });
}
