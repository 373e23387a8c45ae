import { expect, test } from "bun:test";
import { systemActor } from "../../src/areas/access/rules.actors";
import { exposition } from "../../src/metrics/exposition";
import { figuresOfTables } from "../../src/metrics/store";
import { world } from "../support/world";
import { readMetrics } from "./read";

test("the figures count subscriptions, invoices, webhooks and tasks of all environments", async () => {
	const { call, transactions, foreignKey } = world();
	const insist = async (method: string, path: string, body: object) => {
		const answer = await call(method, path, { body });
		if (answer.status > 201) throw new Error(JSON.stringify(answer.body));
	};
	await insist("POST", "/products", { id: "app", displayName: "App", multipleSubscriptions: true });
	await insist("POST", "/plans", { id: "pro", displayName: "Pro", productId: "app" });
	const price = { amount: 10, currency: "usd" };
	await insist("PATCH", "/plans/pro", {
		charges: {
			pricingType: "PAID",
			pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods: [{ billingPeriod: "MONTHLY", price }] }],
		},
	});
	await insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	await insist("POST", "/customers", { id: "acme" });
	for (const id of ["one", "two"])
		await insist("POST", "/subscriptions", {
			...{ id, customerId: "acme", planId: "pro", billingPeriod: "MONTHLY" },
			...(id === "two" && { startDate: "2040-01-01T00:00:00Z" }),
		});
	await insist("POST", "/webhooks", { endpoint: "https://example.com/hook", description: "a hook" });
	await call("POST", "/webhooks", { key: foreignKey, body: { endpoint: "https://example.com/hook" } });
	await insist("POST", "/customers", { id: "later" });
	const figures = transactions.read(systemActor(""), figuresOfTables);
	const series = readMetrics(await exposition(figures));
	expect(Object.fromEntries(series)).toMatchObject({
		'tollgate_subscriptions{status="ACTIVE"}': 1,
		'tollgate_subscriptions{status="NOT_STARTED"}': 1,
		'tollgate_invoices{state="OPEN"}': 1,
		tollgate_invoices_overdue: 0,
		'tollgate_webhooks{status="ACTIVE"}': 2,
		tollgate_webhooks_failing: 0,
		tollgate_subscription_problems: 0,
	});
	// The older endpoint has not received the events that followed its creation.
	expect(series.get("tollgate_webhook_events_waiting")).toBeGreaterThanOrEqual(1);
});
