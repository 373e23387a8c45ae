import { expect, setDefaultTimeout, test } from "bun:test";
import { findings } from "../../../pricing/window-cost/findings";
import { flat, till } from "../../billing";

setDefaultTimeout(60_000);

const usd = (amount: number) => ({ amount, currency: "usd" });
const calls = (price: number, count: number, more: object = {}) => ({
	billingModel: "USAGE_BASED",
	featureId: "calls",
	pricePeriods: [{ billingPeriod: "ANNUALLY", price: usd(price), chargeInterval: { unit: "MONTH", count }, ...more }],
});

test("another plan settles the window at its instant, and its own windows count from the same anchor", async () => {
	const ours = await till("2026-01-31T00:00:00Z");
	await ours.plan("pro", [flat({ year: 365 }), calls(0.1, 3)]);
	await ours.plan("max", [flat({ year: 730 }), calls(0.2, 1)]);
	await ours.buy("pro");
	await ours.use("calls", 100);
	await ours.advance("2026-03-15T00:00:00Z");
	await ours.buy("max");
	await ours.use("calls", 10);
	await ours.advance("2026-04-15T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-01-31: 365 = pro 365",
		"2026-03-15: 332 = Unused time: pro -322 + 100 Calls (pro) 10 + max 644",
		"2026-03-31: 2 = 10 Calls (max) 2",
	]);
	expect(findings(ours)).toEqual([]);
});

test("a migration to another interval ends the former window and begins one of the new length", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ year: 365 }), calls(0.1, 6)]);
	const id = await ours.buy("pro");
	await ours.use("calls", 100);
	await ours.advance("2026-02-10T00:00:00Z");
	await ours.insist("POST", "/plans/pro/draft");
	const pricingModels = [flat({ year: 365 }), calls(0.1, 3)];
	await ours.insist("PATCH", "/plans/pro", { charges: { pricingType: "PAID", pricingModels } });
	await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	await ours.insist("POST", `/subscriptions/${id}/migrate`, { subscriptionMigrationTime: "IMMEDIATE" });
	await ours.use("calls", 30);
	await ours.advance("2026-07-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-01-01: 365 = pro 365",
		"2026-02-10: 10 = 100 Calls (pro) 10",
		"2026-04-01: 3 = 30 Calls (pro) 3",
	]);
	expect(findings(ours)).toEqual([]);
});

test("an end settles the window, and its part of the minimum has the whole window as denominator", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ year: 0 }), calls(0.1, 3, { minimumAmount: 90 })]);
	const id = await ours.buy("pro");
	await ours.use("calls", 100);
	// 45 of the 90 days of the window.
	await ours.advance("2026-02-15T00:00:00Z");
	await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
	expect((await ours.books()).slice(-1)).toEqual([
		"2026-02-15: 45 = Unused time: pro 0 + 100 Calls (pro) 10 + Minimum: Calls (pro) 35",
	]);
	expect(findings(ours)).toEqual([]);
});

test("a pause settles the window, and usage after the resumption is charged to the end of that window", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ year: 0 }), calls(0.1, 3)]);
	const id = await ours.buy("pro");
	await ours.use("calls", 100);
	await ours.advance("2026-02-15T00:00:00Z");
	await ours.insist("POST", `/subscriptions/${id}/pause`, {});
	await ours.advance("2026-03-01T00:00:00Z");
	await ours.use("calls", 7);
	await ours.insist("POST", `/subscriptions/${id}/resume`, {});
	await ours.advance("2026-03-02T00:00:00Z");
	await ours.use("calls", 20);
	await ours.advance("2026-04-02T00:00:00Z");
	expect((await ours.books()).filter((line) => line.includes("Calls"))).toEqual([
		"2026-02-15: 10 = Unused time: pro 0 + 100 Calls (pro) 10",
		"2026-04-01: 2.7 = 27 Calls (pro) 2.7",
	]);
	expect(findings(ours)).toEqual([]);
});

test("a coupon and a tax apply to each window, and late usage is charged at the prices of its own", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.coupon("tenth", { percent: 10 });
	await ours.plan("pro", [flat({ year: 12 }), calls(0.1, 3)]);
	await ours.buy("pro", { appliedCoupon: { couponId: "tenth" }, billingInformation: { taxPercentage: 20 } });
	await ours.use("calls", 100);
	await ours.advance("2026-04-10T00:00:00Z");
	await ours.use("calls", 50, "2026-03-01T00:00:00Z");
	await ours.advance("2026-07-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-01-01: 12.96 less 1.2 tax 2.16 = pro 12",
		"2026-04-01: 10.8 less 1 tax 1.8 = 100 Calls (pro) 10",
		"2026-07-01: 5.4 less 0.5 tax 0.9 = 50 Calls (pro) 5",
	]);
	expect(findings(ours)).toEqual([]);
});

test("a cut first window of a calendar anchor keeps its whole length as the denominator of its minimum", async () => {
	const ours = await till("2026-02-15T00:00:00Z");
	await ours.plan("pro", [flat({ year: 0 }), calls(0.1, 3, { minimumAmount: 90 })], {
		billingAnchor: { type: "CALENDAR" },
	});
	await ours.buy("pro");
	await ours.advance("2026-04-02T00:00:00Z");
	// 45 of the 90 days from 1 January.
	expect((await ours.books()).slice(-1)).toEqual(["2026-04-01: 45 = Minimum: Calls (pro) 45"]);
	expect(findings(ours)).toEqual([]);
});
