import { addCustomers, eventsRequest, stock } from "./catalogue";
import type { Row } from "./row";
import { alongside, type Load, load, us, whole, withBare, withServer } from "./serving";

const customers = 1000;
const rounds = 3;
const seconds = 3;

/** Acknowledged events a second, counted by a meter meanwhile, next to a bare server that parses and appends the same. */
export const measureIngest = (): Promise<Row[]> =>
	withServer(async (server) => {
		await stock(server);
		await addCustomers(server, customers);
		let sent = 0;
		const measure = async (mode: string, perRequest: number, connections: number) => {
			const traffic = { request: eventsRequest(perRequest), many: customers, seconds, connections };
			return alongside(
				rounds,
				() => {
					// Each round has keys of its own: nothing of it was sent before.
					sent += 100_000_000;
					return load(server, { ...traffic, from: sent });
				},
				() => withBare(mode, (bare) => load(bare, traffic)),
			);
		};
		const many = await measure("append", 1000, 8);
		const single = await measure("append-in-groups", 1, 32);
		const each = ({ perSecond, cpuUs }: Load, perRequest: number): string =>
			`${whole(perSecond * perRequest)}/s, ${us(cpuUs / perRequest)}`;
		return [
			{
				work: "events, 1000 a request",
				here: each(many.ours, 1000),
				ceiling: each(many.ceiling, 1000),
				ratio: many.ratio,
				goal: "0.65, 3 µs",
			},
			{
				work: "events, 1 a request, 32 connections",
				here: `${each(single.ours, 1)}, p99 ${single.ours.p99.toFixed(1)} ms`,
				ceiling: each(single.ceiling, 1),
				ratio: single.ratio,
				goal: "0.65, p99 6 ms",
			},
		];
	});
