import { join } from "node:path";
import { type RunningServer, testKey } from "../support/process";
import type { Measure } from "./measure";
import { portOf, withServer } from "./serving";

const samples = 100;
const givenUpMs = 15_000;
const load = { seconds: 6, connections: 8, perRequest: 100, customers: 100 };

/**
 * How long after its acknowledgement an event is in `currentUsage`, as an entitlement check shows it: with nothing else to
 * do, and while another process sends as many events as are taken. Includes the last check's own way over HTTP.
 */
export async function measureLag(): Promise<Measure[]> {
	return withServer(
		async (server) => {
			const idle = await lagsMs(server, "idle");
			for (let at = 0; at < load.customers; at += 1) await server.call("POST", "/customers", { id: `bench-${at}` });
			const args = [portOf(server), testKey, load.seconds, load.connections, load.perRequest, load.customers].map(
				String,
			);
			const sender = Bun.spawn([process.execPath, join(import.meta.dir, "load-events.ts"), ...args], {
				stdout: "pipe",
				stderr: "inherit",
			});
			const sending = { isOver: false };
			const rate = new Response(sender.stdout).text().then((printed) => {
				sending.isOver = true;
				return Number(printed.trim());
			});
			// The sender warms up for half a second.
			await Bun.sleep(600);
			const busy = await lagsMs(server, "busy", sending);
			const sent = await rate;
			if ((await sender.exited) !== 0) throw new Error("The load generator failed.");
			return [
				...rows("acknowledged → in currentUsage", idle),
				...rows(`the same, at ${Math.round(sent / 1000)}k events/s`, busy),
			];
		},
		{ TOLLGATE_DEMO: "1" },
	);
}

/** The aim's source: docs/interface/usage.md ("within about 100 ms"). */
const rows = (name: string, lags: readonly number[]): Measure[] => [
	{ name: `${name}, median`, value: milliseconds(lags, 0.5), aim: "100 ms" },
	{ name: `${name}, worst of ${lags.length}`, value: milliseconds(lags, 1) },
];

const milliseconds = (lags: readonly number[], part: number): string => {
	const sorted = [...lags].sort((one, other) => one - other);
	return `${(sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN).toFixed(1)} ms`;
};

async function lagsMs(server: RunningServer, name: string, until = { isOver: false }): Promise<number[]> {
	const lags: number[] = [];
	for (let sample = 0; sample < samples && !until.isOver; sample += 1) {
		const before = await usage(server);
		const { status } = await server.call("POST", "/events", {
			events: [{ eventName: "api_call", customerId: "customer-acme", idempotencyKey: `lag-${name}-${sample}` }],
		});
		if (status !== 200) throw new Error(`An event was answered with ${status}.`);
		const acknowledged = performance.now();
		// Asked without a pause: a pause would be what is measured.
		while ((await usage(server)) <= before)
			if (performance.now() - acknowledged > givenUpMs) throw new Error(`Not counted within ${givenUpMs} ms.`);
		lags.push(performance.now() - acknowledged);
	}
	return lags;
}

async function usage({ call }: RunningServer): Promise<number> {
	const { body } = await call("GET", "/customers/customer-acme/entitlements/check?featureId=feature-api-calls");
	return body.data.currentUsage;
}
