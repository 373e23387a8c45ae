import { addCustomers, digits, stock } from "./catalogue";
import type { Row } from "./row";
import { load, request, us, whole, withServer } from "./serving";

/** As many as can be reached in the time, so that no customer meets the limit of thirty calls a minute. */
const customers = 30_000;
const seconds = 3;

/** Customers that get a subscription, and customers that are changed, each by a call of its own. */
export const measureWrites = (): Promise<Row[]> =>
	withServer(async (server) => {
		await stock(server);
		await addCustomers(server, customers, (at) => `w-${digits(at, 12)}`);
		const customerId = `w-${"#".repeat(12)}`;
		const provision = request("POST", "/subscriptions", JSON.stringify({ customerId, planId: "metered" }));
		const patch = request("PATCH", `/customers/w-000000@@@@@@`, JSON.stringify({ name: "#".repeat(12) }));
		const rows: Row[] = [];
		let from = 0;
		for (const connections of [1, 64]) {
			const sold = await load(server, { request: provision, from, seconds, connections, requestsMax: customers / 2 });
			from = customers / 2;
			const changed = await load(server, { request: patch, many: customers, seconds, connections });
			const at = `${connections} connection${connections === 1 ? "" : "s"}`;
			for (const [work, { perSecond, p99, cpuUs }, goal] of [
				[`customers provisioned, ${at}`, sold, undefined],
				[`customers patched, ${at}`, changed, connections === 1 ? undefined : "10,000/s"],
			] as const)
				rows.push({ work, here: `${whole(perSecond)}/s, p99 ${p99.toFixed(1)} ms, ${us(cpuUs)}`, goal });
		}
		return rows;
	});
