import { describe, expect, test } from "bun:test";
import { world } from "../../support/world";

test("smoke", async () => {
	const { call } = world();
	expect((await call("POST", "/products", { body: { id: "prod", displayName: "Prod" } })).body).toMatchObject({ data: { id: "prod" } });
	expect((await call("POST", "/features", { body: { id: "seats", displayName: "Seats", featureType: "NUMBER", meterType: "INCREMENTAL" } })).body).toMatchObject({ data: { id: "seats" } });
	expect((await call("POST", "/plans", { body: { id: "pro", displayName: "Pro", productId: "prod" } })).body).toMatchObject({ data: { id: "pro" } });
	const e = await call("POST", "/plans/pro/entitlements", { body: { entitlements: [{ type: "FEATURE", id: "seats", usageLimit: 5, resetPeriod: "YEAR", yearlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" }, monthlyResetPeriodConfiguration: {}, weeklyResetPeriodConfiguration: {} }] } });
	console.log(JSON.stringify(e.body));
	const c = await call("PATCH", "/plans/pro", { body: { charges: { pricingType: "PAID", pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount: 10 } }] }] } } });
	console.log(JSON.stringify(c.body));
	console.log(JSON.stringify((await call("GET", "/plans/pro/charges")).body));
	console.log(JSON.stringify((await call("POST", "/plans/pro/publish", { body: { migrationType: "NEW_CUSTOMERS" } })).body));
	console.log(JSON.stringify((await call("GET", "/plans?status=PUBLISHED,DRAFT")).body));
	console.log(JSON.stringify((await call("POST", "/plans/pro/draft")).body));
	console.log(JSON.stringify((await call("GET", "/plans?status=DRAFT")).body));
	console.log(JSON.stringify((await call("GET", "/plans/pro/entitlements")).body));
	console.log(JSON.stringify((await call("POST", "/plans/pro/entitlements", { body: { entitlements: [{ type: "FEATURE", id: "seats", usageLimi: 5 }] } })).body));
	console.log(JSON.stringify((await call("POST", "/plans/pro/entitlements", { body: { entitlements: [] } })).body));
	console.log(JSON.stringify((await call("POST", "/plans/-pro/entitlements", { body: { entitlements: [] } })).body));
});
