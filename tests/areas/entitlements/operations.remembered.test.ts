import { expect, test } from "bun:test";
import { ResolvedCache } from "../../../src/areas/entitlements/operations.remembered";
import { shop } from "../subscriptions/shop";

/** Customers with the plan `pro`: four features and one currency of credits each. */
async function customers(count: number) {
	const ours = await shop();
	const charges = [{ id: "seats", quantity: 1, type: "FEATURE" }];
	for (let at = 0; at < count; at += 1) {
		await ours.call("POST", "/customers", { body: { id: `c${at}`, name: null, email: null } });
		const body = { id: `s${at}`, customerId: `c${at}`, planId: "pro", billingPeriod: "MONTHLY", charges };
		expect((await ours.call("POST", "/subscriptions", { body })).status).toBe(201);
	}
	const resolveOf = (cache: ResolvedCache) => (at: number) =>
		ours.transactions.read(ours.actor, (work) => cache.resolve(work, `c${at}`, null));
	return { ...ours, resolveOf };
}

test("the cache never exceeds its bounds", async () => {
	const { transactions, resolveOf } = await customers(6);
	const bounds = [
		{ customersMax: 4, entitlementsMax: 1_000 },
		{ customersMax: 1_000, entitlementsMax: 12 },
	];
	for (const limits of bounds) {
		const cache = new ResolvedCache(transactions, limits);
		const resolve = resolveOf(cache);
		for (const at of [0, 1, 1, 2, 3, 4, 5, 0, 2]) {
			const { features, credits } = resolve(at);
			expect(features.size + credits.size).toBe(5);
			expect(cache.size.customers).toBeLessThanOrEqual(limits.customersMax);
			expect(cache.size.entitlements).toBeLessThanOrEqual(limits.entitlementsMax);
			expect(cache.size.entitlements).toBe(cache.size.customers * 5);
		}
	}
});

test("customers share cached rows of the catalogue until anything changes", async () => {
	const { transactions, call, resolveOf } = await customers(2);
	const resolve = resolveOf(new ResolvedCache(transactions));
	const before = resolve(0).features.get("calls")?.feature;
	expect(before?.refId).toBe("calls");
	expect(resolve(1).features.get("calls")?.feature).toBe(before);
	await call("PATCH", "/features/calls", { body: { displayName: "Other" } });
	expect(resolve(1).features.get("calls")?.feature.displayName).toBe("Other");
});
