import { expect, setDefaultTimeout, test } from "bun:test";
import { findings } from "../../../pricing/window-cost/findings";
import { beyond, flat, till, used } from "../../billing";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

const each = (count: number, unit = "MONTH") => ({ chargeInterval: { unit, count } });
const usd = (amount: number) => ({ amount, currency: "usd" });
/** Usage that a longer billing period prices. */
const calls = (price: number, period: object, more: object = {}) => ({
	billingModel: "USAGE_BASED",
	featureId: "calls",
	pricePeriods: [{ price: usd(price), ...period }],
	...more,
});
const yearly = { billingPeriod: "ANNUALLY" };
const quarterly = { billingPeriod: "QUARTERLY" };
const fee = (amount: number, period: object) => ({
	billingModel: "FLAT_FEE",
	pricePeriods: [{ price: usd(amount), ...period }],
});

test("usage of a yearly plan is charged by the month, counted from the end of January", async () => {
	for (const model of [calls(0.01, { ...yearly, ...each(1) }), used("calls", { month: 0.01 })]) {
		const ours = await till("2026-01-31T00:00:00Z");
		await ours.plan("pro", [flat({ year: 1200 }), model]);
		await ours.buy("pro");
		await ours.use("calls", 3456);
		await ours.advance("2026-02-28T00:00:00Z");
		await ours.use("calls", 100);
		await ours.advance("2026-03-31T00:00:00Z");
		await ours.use("calls", 200);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-31: 1200 = pro 1200",
			"2026-02-28: 34.56 = 3456 Calls (pro) 34.56",
			"2026-03-31: 1 = 100 Calls (pro) 1",
			"2026-04-30: 2 = 200 Calls (pro) 2",
		]);
		expect(findings(ours)).toEqual([]);
	}
});

test("usage of a quarterly plan is charged by the month, and its renewal charges the last one", async () => {
	const ours = await till("2026-01-31T00:00:00Z");
	await ours.plan("pro", [fee(90, quarterly), calls(0.01, { ...quarterly, ...each(1) })]);
	await ours.buy("pro");
	await ours.use("calls", 3456);
	await ours.advance("2026-02-28T00:00:00Z");
	await ours.advance("2026-03-31T00:00:00Z");
	await ours.use("calls", 300);
	await ours.advance("2026-04-30T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-01-31: 90 = pro 90",
		"2026-02-28: 34.56 = 3456 Calls (pro) 34.56",
		"2026-04-30: 93 = pro 90 + 300 Calls (pro) 3",
	]);
	expect(findings(ours)).toEqual([]);
});

test("two prices of a year are charged by the quarter and by the half year, each with its own tiers", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const tiers = { tiersMode: "GRADUATED" };
	const bounds = { tiers: [{ upTo: 100, unitPrice: usd(1) }, { unitPrice: usd(0.5) }] };
	const by = (count: number, key: string) => ({
		...calls(0, {}, { ...tiers, key }),
		pricePeriods: [{ ...yearly, ...bounds, ...each(count) }],
	});
	await ours.plan("pro", [flat({ year: 12 }), by(3, "quarter"), by(6, "half")]);
	await ours.buy("pro");
	await ours.use("calls", 80);
	await ours.advance("2026-04-01T00:00:00Z");
	await ours.use("calls", 80);
	await ours.advance("2026-07-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-01-01: 12 = pro 12",
		"2026-04-01: 80 = 80 Calls (pro) 80",
		"2026-07-01: 210 = 80 Calls (pro) 80 + 160 Calls (pro) 130",
	]);
	expect(findings(ours)).toEqual([]);
});

test("days divide a period of days", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const days = { billingPeriod: "CUSTOM", billingInterval: { unit: "DAY", count: 28 } };
	await ours.plan("pro", [fee(28, days), calls(0.1, { ...days, ...each(1, "WEEK") })]);
	await ours.buy("pro");
	await ours.use("calls", 10);
	await ours.advance("2026-01-10T00:00:00Z");
	await ours.use("calls", 20);
	await ours.advance("2026-01-29T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-01-01: 28 = pro 28",
		"2026-01-08: 1 = 10 Calls (pro) 1",
		"2026-01-15: 2 = 20 Calls (pro) 2",
		"2026-01-29: 28 = pro 28",
	]);
	expect(findings(ours)).toEqual([]);
});

test("overage keeps the windows of its limit and is billed by its interval", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const overage = { ...beyond("calls", 100, {}), pricePeriods: [{ price: usd(0.5), ...quarterly, ...each(1) }] };
	const yearlyLimit = { featureId: "calls", usageLimit: 100, resetPeriod: "YEAR" };
	await ours.plan("pro", [fee(90, quarterly)], {
		overagePricingModels: [{ ...overage, entitlement: yearlyLimit }],
	});
	await ours.buy("pro");
	await ours.use("calls", 110);
	await ours.advance("2026-02-01T00:00:00Z");
	await ours.use("calls", 20);
	await ours.advance("2026-04-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-01-01: 90 = pro 90",
		"2026-02-01: 5 = 10 Calls (pro) 5",
		"2026-03-01: 10 = 20 Calls (pro) 10",
		"2026-04-01: 90 = pro 90",
	]);
	expect(findings(ours)).toEqual([]);
});
