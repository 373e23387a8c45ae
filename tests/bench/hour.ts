import { addCustomers, checkRequest, eventsRequest, stock, subscribe } from "./catalogue";
import type { Row } from "./row";
import { load, ms, ok, type Serving, whole, withServer } from "./serving";

const events = Number(process.env.BENCH_HOUR_EVENTS ?? 5_000_000);
const perRequest = 1000;

/** The very first check of a customer whose usage period began within the hour in which all its events lie. */
export const measureHour = (): Promise<Row[]> =>
	withServer(async (server) => {
		await stock(server);
		await addCustomers(server, 2);
		await subscribe(server, "metered", 2);
		// The events of a request lie a second apart at most: all of them in the period, which has begun with the sale.
		await Bun.sleep(1500);
		await load(server, {
			request: eventsRequest(perRequest, "c-000000"),
			requestsMax: events / perRequest,
			seconds: 600,
			connections: 8,
			isCold: true,
		});
		await countedUpTo(server);
		const first = await load(server, {
			request: checkRequest("c-000000"),
			requestsMax: 1,
			seconds: 60,
			connections: 1,
			isCold: true,
		});
		const { currentUsage } = await ok(server, "GET", "/customers/c-000000/entitlements/check?featureId=calls");
		if (currentUsage !== events) throw new Error(`${currentUsage} of ${events} events were counted.`);
		return [
			{
				work: `first check of a customer with ${whole(events)} events in its current hour`,
				here: ms(first.longest),
				goal: "2 ms",
			},
		];
	});

/** Events are counted in the order in which they came: when the other customer's shows, all before it are counted. */
async function countedUpTo(server: Serving): Promise<void> {
	await load(server, {
		request: eventsRequest(1, "c-000001"),
		from: 900_000_000,
		requestsMax: 1,
		seconds: 60,
		connections: 1,
		isCold: true,
	});
	for (;;) {
		const { currentUsage } = await ok(server, "GET", "/customers/c-000001/entitlements/check?featureId=calls");
		if (currentUsage === 1) return;
		await Bun.sleep(50);
	}
}
