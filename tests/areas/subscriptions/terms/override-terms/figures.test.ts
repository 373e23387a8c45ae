import { expect, setDefaultTimeout, test } from "bun:test";
import { segmented, send, variant } from "../../../pricing/models/segment/events";
import { findings } from "../../../pricing/window-cost/findings";
import { flat, type Till, till, used } from "../../billing";

setDefaultTimeout(60_000);

const start = "2026-01-01T00:00:00Z";
const payments = (transactionPrice: object) => ({
	billingModel: "USAGE_BASED",
	featureId: "calls",
	pricePeriods: [{ billingPeriod: "MONTHLY", transactionPrice }],
});
const own = (override: object) => ({ priceOverrides: [{ featureId: "calls", ...override }] });

async function use(ours: Till, ...values: readonly number[]): Promise<void> {
	for (const value of values) await ours.use("calls", value);
}

test("2.10: an agreed percentage with a floor and a cap replaces a price of units", async () => {
	const ours = await till(start);
	await ours.plan("pro", [flat({ month: 30 }), used("calls", { month: 1 })]);
	const transactionPrice = { percentRate: 1.2, fixedFee: 0.1, minimum: 0.5, maximum: 10 };
	const id = await ours.buy("pro", own({ transactionPrice }));
	expect((await ours.insist("GET", `/subscriptions/${id}`)).prices).toContainEqual(
		expect.objectContaining({ featureId: "calls", transactionPrice: { ...transactionPrice, currency: "usd" } }),
	);
	await use(ours, 20, 250, 2000);
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-01-01: 30 = pro 30", "2026-02-01: 43.6 = pro 30 + 3 Calls (pro) 13.6"]);
	const [, { invoiceId }] = await ours.insist("GET", "/customers/acme/invoices");
	const { steps } = await ours.insist("GET", `/customers/acme/invoices/${invoiceId}/lines/2/explain`);
	expect(steps).toContainEqual(expect.objectContaining({ of: "cost", value: 13.6 }));
	expect(findings(ours)).toEqual([]);
});

test("2.10: an update replaces a listed percentage, then returns to units", async () => {
	const ours = await till(start);
	await ours.plan("pro", [payments({ percentRate: 10 })]);
	const id = await ours.buy("pro");
	await use(ours, 100);
	await ours.advance("2026-01-11T00:00:00Z");
	await ours.change(id, own({ transactionPrice: { percentRate: 5, fixedFee: 1 } }));
	await use(ours, 100);
	await ours.advance("2026-01-21T00:00:00Z");
	await ours.change(id, own({ amount: 2 }));
	await use(ours, 100);
	await ours.advance("2026-02-01T00:00:00Z");
	await ours.change(id, { priceOverrides: [] });
	await use(ours, 100);
	await ours.advance("2026-03-01T00:00:00Z");
	expect((await ours.books()).map((line) => line.split(" = ")[1])).toEqual([
		"Calls (pro) 10",
		"Calls (pro) 6",
		"100 Calls (pro) 200",
		"Calls (pro) 10",
	]);
	expect(findings(ours)).toEqual([]);
});

test("2.11: an agreed formula prices each event", async () => {
	const ours = await till(start);
	await ours.plan("pro", [payments({ percentRate: 10 })]);
	await ours.buy("pro", own({ transactionPrice: { formula: "provider_cost * 1.2" } }));
	for (const provider_cost of [0.0134, 0.0271, 1.5]) await send(ours, 1, { provider_cost });
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-02-01: 1.85 = 3 Calls (pro) 1.85"]);
	expect(findings(ours)).toEqual([]);
});

test("2.12: agreed variants price dimensions that the plan does not", async () => {
	const ours = await till(start);
	await ours.plan("pro", [used("calls", { month: 3 })]);
	const variants = [
		variant({ model: ["large"], region: ["eu"] }, 12, { id: "large-eu" }),
		variant({ model: ["large"] }, 10, { id: "large" }),
	];
	await ours.buy("pro", own({ amount: 2, variants }));
	await send(ours, 3.2, { model: "large", region: "eu" });
	await send(ours, 1.5, { model: "large", region: "us" });
	await send(ours, 7, { model: "small" });
	await ours.advance("2026-02-01T00:00:00Z");
	const [{ lineItems, total }] = await ours.insist("GET", "/customers/acme/invoices");
	expect(total).toBe(67.4);
	expect(lineItems.map((line: { variantId?: string; amount: number }) => [line.variantId, line.amount])).toEqual([
		["large-eu", 38.4],
		["large", 15],
		[undefined, 14],
	]);
	expect(findings(ours)).toEqual([]);
});

test("2.12: agreed prices of the plan's variants need no further counter; an empty list removes them", async () => {
	const ours = await till(start);
	await ours.plan("pro", [segmented(2, [variant({ model: ["large"] }, 10, { id: "large" })], { groupBy: ["team"] })]);
	const id = await ours.buy("pro", own({ variants: [variant({ model: ["large"] }, 5, { id: "large" })] }));
	expect(ours.db.$client.query("SELECT count(*) AS n FROM agreed_prices").get()).toEqual({ n: 0 });
	await send(ours, 2, { model: "large", team: "a" });
	await ours.advance("2026-02-01T00:00:00Z");
	await ours.change(id, own({ variants: [] }));
	await send(ours, 2, { model: "large", team: "a" });
	await ours.advance("2026-03-01T00:00:00Z");
	expect((await ours.books()).map((line) => line.split(" ")[1])).toEqual(["10", "4"]);
	expect(findings(ours)).toEqual([]);
});

test("2.16: usage of a quarter is charged by the month, as agreed", async () => {
	const ours = await till("2026-01-31T00:00:00Z");
	const quarterly = (more: object) => ({ billingPeriod: "QUARTERLY", price: { amount: 90 }, ...more });
	await ours.plan("pro", [
		{ billingModel: "FLAT_FEE", pricePeriods: [quarterly({})] },
		{ billingModel: "USAGE_BASED", featureId: "calls", pricePeriods: [quarterly({ price: { amount: 0.01 } })] },
	]);
	const id = await ours.buy("pro", own({ chargeInterval: { unit: "MONTH", count: 1 } }));
	await use(ours, 3456);
	await ours.advance("2026-02-28T00:00:00Z");
	await use(ours, 100);
	await ours.advance("2026-03-31T00:00:00Z");
	await ours.change(id, own({ chargeInterval: null }));
	await use(ours, 200);
	await ours.advance("2026-04-30T00:00:00Z");
	expect((await ours.books()).map((line) => line.split(" = ")[1])).toEqual([
		"pro 90",
		"3456 Calls (pro) 34.56",
		"100 Calls (pro) 1",
		"pro 90 + 200 Calls (pro) 2",
	]);
	expect(findings(ours)).toEqual([]);
});
