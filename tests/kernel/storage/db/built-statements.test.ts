import { expect, test } from "bun:test";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { type World, world } from "../../../support/world";

/** The texts of the statements that are built while something is done: nothing else takes as long in a small call. */
async function builtBy(body: () => Promise<unknown>): Promise<string[]> {
	const built: string[] = [];
	const build = SQLiteSyncDialect.prototype.sqlToQuery;
	SQLiteSyncDialect.prototype.sqlToQuery = function (...given) {
		const query = build.apply(this, given);
		built.push(query.sql);
		return query;
	};
	try {
		await body();
		return built;
	} finally {
		SQLiteSyncDialect.prototype.sqlToQuery = build;
	}
}

async function ok({ call }: World, method: string, path: string, body?: object, headers = {}) {
	const answer = await call(method, path, { ...(body && { body }), headers });
	expect(answer.status).toBeLessThan(300);
	return answer.body?.data;
}

async function stocked(): Promise<World> {
	const made = world();
	await ok(made, "POST", "/environments/current/clock", { now: "2026-01-31T00:00:00Z" });
	await ok(made, "POST", "/products", { id: "app", displayName: "App" });
	await ok(made, "POST", "/features", {
		id: "seats",
		displayName: "Seats",
		featureType: "NUMBER",
		meterType: "FLUCTUATING",
	});
	await ok(made, "POST", "/plans", { id: "team", displayName: "Team", productId: "app" });
	const price = { billingPeriod: "MONTHLY", price: { amount: 20, currency: "usd" } };
	const model = { billingModel: "PER_UNIT", featureId: "seats", pricePeriods: [price] };
	await ok(made, "PATCH", "/plans/team", { charges: { pricingType: "PAID", pricingModels: [model] } });
	await ok(made, "POST", "/plans/team/publish", { migrationType: "NEW_CUSTOMERS" });
	return made;
}

const seats = (quantity: number) => [{ id: "seats", quantity, type: "FEATURE" }];

test("repeated calls and renewals build no new statement", async () => {
	const made = await stocked();
	const steps: Record<string, (at: number) => Promise<unknown>> = {
		"a new customer": (at) =>
			ok(made, "POST", "/customers", { id: `c-${at}`, name: "Ada" }, { "idempotency-key": `k-${at}` }),
		"a changed customer": (at) => ok(made, "PATCH", `/customers/c-${at}`, { name: "Grace" }),
		"a subscription": (at) =>
			ok(made, "POST", "/subscriptions", {
				id: `s-${at}`,
				customerId: `c-${at}`,
				planId: "team",
				billingPeriod: "MONTHLY",
				charges: seats(3),
			}),
		"a changed quantity": (at) => ok(made, "PATCH", `/subscriptions/s-${at}`, { charges: seats(5) }),
		renewals: () => ok(made, "POST", "/environments/current/clock", { advanceBy: "P1M" }),
	};
	for (const [name, step] of Object.entries(steps)) {
		await step(1);
		const built = await builtBy(() => step(2));
		// The savepoint of a due step has no text that could be kept.
		expect({ name, built: built.filter((sql) => !/savepoint/.test(sql)) }).toEqual({ name, built: [] });
	}
});
