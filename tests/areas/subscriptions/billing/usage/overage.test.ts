import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { data } from "../../../../graphql/ask";
import { beyond, flat, perUnit, till, used } from "../../billing";
import { takeOver } from "./taken-over";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

describe("overage", () => {
	test("with a monthly limit is billed with the renewal, by the limit's own month", async () => {
		const ours = await till("2026-01-31T00:00:00Z");
		await ours.plan("pro", [flat({ month: 10 })], { overagePricingModels: [beyond("calls", 100, { month: 0.5 })] });
		const id = await ours.buy("pro");
		await ours.use("calls", 90);
		await ours.advance("2026-02-05T00:00:00Z");
		expect((await ours.chargeUsage(id)).invoiceBillingId).toBeNull();
		await ours.use("calls", 20);
		await ours.advance("2026-02-10T00:00:00Z");
		await ours.chargeUsage(id);
		await ours.use("calls", 5);
		await ours.advance("2026-02-28T00:00:00Z");
		await ours.use("calls", 101);
		await ours.advance("2026-03-31T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-31: 10 = pro 10",
			"2026-02-10: 5 = 10 Calls (pro) 5",
			"2026-02-28: 12.5 = pro 10 + 5 Calls (pro) 2.5",
			"2026-03-31: 10.5 = pro 10 + Calls (pro) 0.5",
		]);
	});

	test("in a continuing window uses the minimum of its own time when a new period begins", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		const weekly = {
			...beyond("calls", 0, { month: 1 }),
			entitlement: {
				featureId: "calls",
				usageLimit: 0,
				resetPeriod: "WEEK",
				weeklyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
			},
		};
		const minimumSpend = [{ billingPeriod: "MONTHLY", minimum: { amount: 30, currency: "usd" } }];
		await ours.plan("pro", [flat({ month: 10 })], { overagePricingModels: [weekly], minimumSpend });
		const id = await ours.buy("pro");
		await ours.advance("2026-04-30T00:00:00Z");
		await ours.use("calls", 40);
		await ours.advance("2026-05-01T00:00:00Z");
		const before = await ours.books();
		await ours.use("calls", 5, "2026-04-30T12:00:00Z");
		await ours.chargeUsage(id);
		expect((await ours.books()).slice(before.length)).toEqual(["2026-05-01: 5 = 5 Calls (pro) 5"]);
	});

	test("reported late for a window with a migration is billed once", async () => {
		const ours = await till("2026-01-26T00:00:00Z");
		const calls = (price: number) => ({
			...beyond("calls", 10, { month: price }),
			entitlement: {
				featureId: "calls",
				usageLimit: 10,
				resetPeriod: "MONTH",
				monthlyResetPeriodConfiguration: { accordingTo: "StartOfTheMonth" },
			},
		});
		await ours.plan("pro", [flat({ month: 30 })], { overagePricingModels: [calls(1)] });
		const id = await ours.buy("pro");
		await ours.insist("POST", "/plans/pro/draft");
		const charges = { pricingType: "PAID", pricingModels: [flat({ month: 30 })], overagePricingModels: [calls(2)] };
		await ours.insist("PATCH", "/plans/pro", { charges });
		await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
		await ours.advance("2026-02-20T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${id}/migrate`, { subscriptionMigrationTime: "END_OF_BILLING_PERIOD" });
		await ours.advance("2026-03-02T00:00:00Z");
		await ours.use("calls", 15, "2026-02-21T00:00:00Z");
		await ours.advance("2026-05-27T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-26: 30 = pro 30",
			"2026-02-26: 30 = pro 30",
			"2026-03-26: 40 = pro 30 + 5 Calls (pro) 10",
			"2026-04-26: 30 = pro 30",
			"2026-05-26: 30 = pro 30",
		]);
	});

	test.each([
		[
			"MONTHLY",
			["2026-01-31: 100 = pro 100", "2026-02-28: 5 = 10 Calls (pro) 5", "2026-05-31: 1 = 2 Calls (pro) 1"],
			"2027-01-31: 102 = pro 100 + 4 Calls (pro) 2",
		],
		[
			"ON_SUBSCRIPTION_RENEWAL",
			["2026-01-31: 100 = pro 100"],
			"2027-01-31: 108 = pro 100 + 10 Calls (pro) 5 + 2 Calls (pro) 1 + 4 Calls (pro) 2",
		],
	])("in a year's plan is billed %s", async (overageBillingPeriod, during, renewal) => {
		const ours = await till("2026-01-31T00:00:00Z");
		await ours.plan("pro", [flat({ year: 100 })], {
			overageBillingPeriod,
			overagePricingModels: [beyond("calls", 100, { year: 0.5 })],
		});
		await ours.buy("pro");
		await ours.use("calls", 110);
		await ours.advance("2026-05-01T00:00:00Z");
		await ours.use("calls", 102);
		await ours.advance("2027-01-30T00:00:00Z");
		await ours.use("calls", 104);
		expect(await ours.books()).toEqual(during);
		await ours.advance("2027-01-31T00:00:00Z");
		expect(await ours.books()).toEqual([...during, renewal]);
	});

	test("and usage that are priced by the month are billed each month of a year that is paid in advance", async () => {
		const ours = await till("2026-01-31T00:00:00Z");
		await ours.plan("pro", [flat({ year: 365 }), used("calls", { month: 0.5 })], {
			overagePricingModels: [beyond("tokens", 100, { month: 1 })],
		});
		const id = await ours.buy("pro");
		await ours.use("calls", 10);
		await ours.use("tokens", 100_000);
		await ours.advance("2026-02-28T00:00:00Z");
		await ours.use("calls", 4);
		await ours.use("tokens", 102_500);
		await ours.advance("2026-04-30T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-31: 365 = pro 365",
			"2026-02-28: 5 = 10 Calls (pro) 5",
			"2026-03-31: 5 = 4 Calls (pro) 2 + 3 Tokens (pro) 3",
		]);
		expect(await ours.insist("GET", `/subscriptions/${id}`)).toMatchObject({
			currentBillingPeriodStart: "2026-01-31T00:00:00.000Z",
			currentBillingPeriodEnd: "2027-01-31T00:00:00.000Z",
		});
		await ours.use("calls", 6, "2026-03-01T00:00:00Z");
		await ours.advance("2026-05-15T00:00:00Z");
		await ours.use("calls", 8);
		await ours.advance("2026-06-30T00:00:00Z");
		await ours.use("calls", 2, "2026-06-29T00:00:00Z");
		// From 31 January: 215 of 365 days are left.
		await ours.cancel(id);
		expect((await ours.books()).slice(3)).toEqual([
			"2026-05-31: 7 = 8 Calls (pro) 4 + 6 Calls (pro) 3",
			"2026-06-30: -214 = Unused time: pro -215 + 2 Calls (pro) 1",
		]);
	});

	test("in a yearly period is billed monthly through a change, a preview of it, and the next year", async () => {
		const ours = await till("2026-01-15T00:00:00Z");
		await ours.plan("pro", [flat({ year: 365 }), used("calls", { month: 1 })]);
		await ours.addon("extra", flat({ year: 365 }));
		const id = await ours.buy("pro");
		await ours.use("calls", 3);
		await ours.advance("2026-02-20T00:00:00Z");
		await ours.use("calls", 2, "2026-02-19T00:00:00Z");
		const money = "{ amount }";
		const { estimateSubscriptionUpdate: change } = await data(
			ours,
			`mutation ($input: EstimateSubscriptionUpdateInput!) { estimateSubscriptionUpdate(input: $input) {
				total ${money} subscription { total ${money} } billingPeriodRange { start end } } }`,
			{ input: { subscriptionId: id, addons: [{ addonId: "extra", quantity: 1 }] } },
		);
		// 329 of 365 days are left; the month's usage continues to its own end.
		expect(change).toEqual({
			total: { amount: 329 },
			subscription: { total: { amount: 730 } },
			billingPeriodRange: { start: "2026-01-15T00:00:00.000Z", end: "2027-01-15T00:00:00.000Z" },
		});
		const renewed = { customerId: "acme", planId: "pro", addons: [{ id: "extra", quantity: 1 }] };
		const replaced = await ours.insist("POST", "/subscriptions/preview", renewed);
		// As another subscription it ends this one, whose two calls are billed with its end.
		expect(replaced.immediateInvoice.lines.map((line: { subTotal: number }) => line.subTotal)).toEqual([
			-329, 2, 329, 329,
		]);
		expect(replaced).toMatchObject({ immediateInvoice: { total: 331 }, recurringInvoice: { total: 730 } });
		await ours.change(id, { addons: [{ id: "extra", quantity: 1 }] });
		await ours.advance("2026-12-20T00:00:00Z");
		await ours.use("calls", 9);
		await ours.advance("2027-02-15T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-15: 365 = pro 365",
			"2026-02-15: 3 = 3 Calls (pro) 3",
			"2026-02-20: 329 = extra 329",
			"2026-03-15: 2 = 2 Calls (pro) 2",
			"2027-01-15: 739 = pro 365 + extra 365 + 9 Calls (pro) 9",
		]);
	});

	test.each([
		["units by the month", [flat({ year: 100 }), perUnit("seats", { month: 5 })], {}],
		["overage by the year alone", [flat({ month: 10 })], { overagePricingModels: [beyond("calls", 1, { year: 1 })] }],
	])("prices that no billing period can charge are rejected at publication: %s", async (_, pricingModels, more) => {
		const ours = await till("2026-01-15T00:00:00Z");
		await ours.insist("POST", "/plans", { id: "odd", displayName: "odd", productId: "app" });
		await ours.insist("PATCH", "/plans/odd", { charges: { pricingType: "PAID", pricingModels, ...more } });
		const { status, body } = await ours.call("POST", "/plans/odd/publish", {
			body: { migrationType: "NEW_CUSTOMERS" },
		});
		expect({ status, body }).toMatchObject({ status: 400, body: { code: "BillingPeriodMissingError" } });
	});

	test("an addon without a price for the billing period is rejected by name", async () => {
		const ours = await till("2026-01-15T00:00:00Z");
		await ours.plan("pro", [flat({ year: 365 })]);
		await ours.addon("monthly", flat({ month: 5 }));
		const body = { customerId: "acme", planId: "pro", addons: [{ id: "monthly", quantity: 1 }] };
		const answer = await ours.call("POST", "/subscriptions", { body });
		expect(answer.status).toBe(400);
		expect(answer.body).toMatchObject({ code: "BillingPeriodMissingError" });
		expect(answer.body.message).toContain("'monthly' has a MONTHLY price only");
	});

	test("usage is billed although a change at the same instant precedes", async () => {
		const ours = await till("2026-01-15T00:00:00Z");
		await ours.plan("pro", [flat({ year: 365 })], {
			overageBillingPeriod: "MONTHLY",
			overagePricingModels: [beyond("calls", 100, { year: 1 })],
		});
		await ours.addon("extra", flat({ year: 365 }));
		const id = await ours.buy("pro");
		await ours.use("calls", 103);
		await ours.change(id, { addons: [{ id: "extra", quantity: 1 }], scheduleStrategy: "END_OF_BILLING_MONTH" });
		await ours.advance("2026-03-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-15: 365 = pro 365",
			"2026-02-15: 334 = extra 334",
			"2026-02-15: 3 = 3 Calls (pro) 3",
		]);
	});
});

test("overage before the period of an import was billed elsewhere", async () => {
	const ours = await till("2026-04-10T00:00:00Z");
	const entitlement = {
		featureId: "calls",
		usageLimit: 10,
		resetPeriod: "YEAR",
		yearlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
	};
	const overage = { ...beyond("calls", 10, { month: 1 }), entitlement };
	await ours.plan("pro", [flat({ month: 30 })], { overagePricingModels: [overage] });
	await ours.use("calls", 30, "2026-02-03T00:00:00Z");
	const item = { id: "old", customerId: "acme", planId: "pro", startDate: "2026-01-01T00:00:00Z" };
	await takeOver(ours, item);
	await ours.use("calls", 5);
	await ours.advance("2026-05-02T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-05-01: 35 = pro 30 + 5 Calls (pro) 5"]);
});
