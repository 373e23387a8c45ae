import { Database } from "bun:sqlite";
import { join } from "node:path";
import { eventually } from "../../support/process";
import { digits, stock } from "../catalogue";
import type { Row } from "../row";
import { ms, ok, residentMiB, withServer } from "../serving";
import { billed, textOf } from "./measures";

const subscriptions = Number(process.env.BENCH_SHARED_SUBSCRIPTIONS ?? 1000);

/** One invoice of a payer for the subscriptions of its children: their bills, its issue, and its PDF. */
export const measureConsolidated = (): Promise<Row[]> =>
	withServer(async (server, folder) => {
		await ok(server, "POST", "/environments/current/clock", { now: "2030-01-01T00:00:00Z" });
		await stock(server);
		await ok(server, "POST", "/customers", { id: "group", invoiceGrouping: "CONSOLIDATED" });
		for (let at = 0; at < subscriptions; at += 1) {
			const customerId = `c-${digits(at)}`;
			await ok(server, "POST", "/customers", { id: customerId, parentCustomerId: "group", billsTo: "PARENT" });
			await ok(server, "POST", "/subscriptions", { customerId, planId: "pro", billingPeriod: "MONTHLY" });
		}
		const bill = await billed(server, Date.parse("2030-02-01T00:00:01Z"));
		const invoiceId = sharedIn(folder);
		const { lineItems } = await ok(server, "GET", `/customers/group/invoices/${invoiceId}`);
		if (lineItems.length < subscriptions) throw new Error(`The invoice has ${lineItems.length} lines.`);
		const path = `/customers/group/invoices/${invoiceId}/pdf`;
		const before = residentMiB(server.pid);
		let most = before;
		const began = performance.now();
		await ok(server, "POST", `${path}/generate`);
		await eventually(async () => {
			most = Math.max(most, residentMiB(server.pid));
			return (await ok(server, "GET", `${path}/status`)).status === "READY" ? true : undefined;
		});
		const tookMs = performance.now() - began;
		return [
			{ work: `one invoice of ${subscriptions} subscriptions`, here: textOf(bill), goal: "longest wait 50 ms" },
			{
				work: `its PDF of ${lineItems.length} lines`,
				here: `${ms(tookMs)}, at most ${Math.round(most - before)} MiB more than before`,
			},
		];
	});

/** Returns the id of the only shared invoice. Lists begin with the oldest ones. */
function sharedIn(folder: string): string {
	const main = new Database(join(folder, "main.db"), { readonly: true });
	const found = main.query<{ id: string }, []>("SELECT invoice_id AS id FROM consolidated_invoices").all();
	main.close();
	const [{ id } = { id: "" }, ...others] = found;
	if (others.length > 0) throw new Error("The subscriptions share several invoices.");
	return id;
}
