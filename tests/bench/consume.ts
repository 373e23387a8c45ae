import { addCustomers, digits } from "./catalogue";
import type { Row } from "./row";
import { load, ok, request, type Serving, us, whole, withServer } from "./serving";

const customers = 1000;
const seconds = 3;

/** A plan with a hard limit that nobody reaches, so that each consumption is decided, and recorded. */
async function stock(server: Serving): Promise<void> {
	await ok(server, "POST", "/products", { id: "app", displayName: "App" });
	const feature = { id: "tokens", displayName: "Tokens", featureType: "NUMBER", meterType: "INCREMENTAL" };
	await ok(server, "POST", "/features", feature);
	await ok(server, "POST", "/plans", { id: "team", displayName: "Team", productId: "app" });
	await ok(server, "POST", "/plans/team/entitlements", {
		entitlements: [{ type: "FEATURE", id: "tokens", usageLimit: 1_000_000_000, resetPeriod: "MONTH" }],
	});
	await ok(server, "PATCH", "/plans/team", { charges: { pricingType: "FREE", pricingModels: [] } });
	await ok(server, "POST", "/plans/team/publish", { migrationType: "NEW_CUSTOMERS" });
	await addCustomers(server, customers, (at) => `c-${digits(at, 6)}`);
	for (let at = 0; at < customers; at += 1)
		await ok(server, "POST", "/subscriptions", { customerId: `c-${digits(at, 6)}`, planId: "team" });
}

/** Decided and recorded in one step, by one who asks after the other and by many at once. */
export const measureConsume = (): Promise<Row[]> =>
	withServer(async (server) => {
		await stock(server);
		const path = "/customers/c-@@@@@@/entitlements/tokens/consume";
		const asked = request("POST", path, JSON.stringify({ amount: 1 }));
		const keyed = request("POST", path, JSON.stringify({ amount: 1, idempotencyKey: `k${"#".repeat(12)}` }));
		const rows: Row[] = [];
		for (const [work, one, connections, goal] of [
			["consumed, 1 connection", asked, 1, undefined],
			["consumed, 64 connections", asked, 64, "10,000/s"],
			["consumed by keys of their own, 64 connections", keyed, 64, undefined],
		] as const) {
			const { perSecond, p99, cpuUs } = await load(server, { request: one, many: customers, seconds, connections });
			rows.push({ work, here: `${whole(perSecond)}/s, p99 ${p99.toFixed(1)} ms, ${us(cpuUs)}`, goal });
		}
		return rows;
	});
