import { addCustomers, eventsRequest, stock, subscribe } from "./catalogue";
import type { Row } from "./row";
import { load, median, ms, ok, type Serving, whole, withServer } from "./serving";

const samples = 200;
const timeoutMs = 15_000;
const customers = 1000;
const busy = { many: customers, seconds: 8, connections: 8 };

/**
 * How long after its acknowledgement an event is in `currentUsage`, as an entitlement check shows it: with nothing else to
 * do, and while another process sends as many events as are taken. Includes the last check's own way over HTTP.
 */
export const measureLag = (): Promise<Row[]> =>
	withServer(async (server) => {
		await stock(server);
		await addCustomers(server, customers);
		await subscribe(server, "metered", 1);
		const idle = await lagsMs(server, "idle");
		const sending = { isOver: false };
		const sent = load(server, { ...busy, request: eventsRequest(1000) }).finally(() => {
			sending.isOver = true;
		});
		// The sender warms up for half a second.
		await Bun.sleep(600);
		const full = await lagsMs(server, "busy", sending);
		const { perSecond } = await sent;
		return [
			{ work: "acknowledged until counted", here: textOf(idle), goal: "p99 50 ms" },
			{ work: `the same at ${whole(perSecond * 1000)} events/s`, here: textOf(full), goal: "p99 50 ms" },
		];
	});

/** The median and the 99th percentile. */
export function textOf(lags: readonly number[]): string {
	const sorted = [...lags].sort((one, other) => one - other);
	return `median ${ms(median(lags))}, p99 ${ms(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN)}`;
}

async function lagsMs(server: Serving, name: string, until = { isOver: false }): Promise<number[]> {
	const lags: number[] = [];
	for (let sample = 0; sample < samples && !until.isOver; sample += 1) {
		const before = await usage(server);
		const event = { eventName: "api.request", customerId: "c-000000", idempotencyKey: `lag-${name}-${sample}` };
		await ok(server, "POST", "/events", { events: [event] });
		const acknowledged = performance.now();
		// Asked without a pause: a pause would be what is measured.
		while ((await usage(server)) <= before)
			if (performance.now() - acknowledged > timeoutMs) throw new Error(`Not counted within ${timeoutMs} ms.`);
		lags.push(performance.now() - acknowledged);
	}
	return lags;
}

const usage = async (server: Serving): Promise<number> =>
	(await ok(server, "GET", "/customers/c-000000/entitlements/check?featureId=calls")).currentUsage;
