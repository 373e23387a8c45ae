import { expect, setDefaultTimeout, test } from "bun:test";
import { isBudgetSpent } from "../../../../../src/areas/subscriptions/billing/budget/operations";
import { getSubscription } from "../../../../../src/areas/subscriptions/operations";
import { previewNextInvoice } from "../../../../../src/areas/subscriptions/preview/next-invoice";
import { saleOf } from "../../../../../src/areas/subscriptions/terms/subscription-sale";
import { findings } from "../../../pricing/window-cost/findings";
import { draft, simulate, total } from "../../../simulations/simulation";
import { flat, till } from "../../billing";

// Usage that is settled for several billing periods together.
setDefaultTimeout(60_000);

const usd = (amount: number) => ({ amount, currency: "usd" });
const every = (count: number, unit = "MONTH") => ({ chargeInterval: { unit, count } });
const tiers = [{ upTo: 100, unitPrice: usd(1) }, { unitPrice: usd(0.5) }];
const calls = (price: object, interval: object, more: object = {}) => ({
	billingModel: "USAGE_BASED",
	featureId: "calls",
	...("tiers" in price && { tiersMode: "GRADUATED" }),
	pricePeriods: [{ billingPeriod: "MONTHLY", ...price, ...interval }],
	...more,
});
const graduated = { tiers };

test("usage of a monthly plan is settled each quarter, with the tiers of the quarter", async () => {
	const ours = await till("2026-01-31T00:00:00Z");
	await ours.plan("pro", [flat({ month: 10 }), calls(graduated, every(3))]);
	const id = await ours.buy("pro");
	await ours.use("calls", 80);
	await ours.advance("2026-03-05T00:00:00Z");
	await ours.use("calls", 40);
	await ours.advance("2026-04-05T00:00:00Z");
	const next = ours.transactions.write(ours.actor, (work) => previewNextInvoice(work, id));
	expect<string | undefined>(next?.invoice.total).toBe("120");
	await ours.advance("2026-05-05T00:00:00Z");
	// Late, of the settled quarter: the next settlement charges it in the tiers of its own.
	await ours.use("calls", 20, "2026-03-01T00:00:00Z");
	await ours.use("calls", 7);
	await ours.advance("2026-08-05T00:00:00Z");
	const fees = (await ours.books()).filter((line) => line.endsWith("= pro 10"));
	expect(fees.length).toBe(5);
	expect((await ours.books()).filter((line) => line.includes("Calls"))).toEqual([
		"2026-04-30: 120 = pro 10 + 120 Calls (pro) 110",
		"2026-07-31: 27 = pro 10 + 7 Calls (pro) 7 + 20 Calls (pro) 10",
	]);
	expect(findings(ours)).toEqual([]);
});

test("a plan of usage alone has no invoice before the settlement", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [calls({ price: usd(0.1) }, every(2))]);
	await ours.buy("pro");
	await ours.use("calls", 10);
	await ours.advance("2026-05-02T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-03-01: 1 = 10 Calls (pro) 1"]);
	expect(findings(ours)).toEqual([]);
});

test("a change, an end and a charge by call settle the window at their instant", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const bounded = (amount: number) => calls({ price: usd(0.1), minimumAmount: amount }, every(3));
	await ours.plan("pro", [flat({ month: 0 }), bounded(90)]);
	await ours.plan("max", [flat({ month: 0 }), bounded(180)]);
	const id = await ours.buy("pro");
	await ours.use("calls", 100);
	await ours.advance("2026-01-20T00:00:00Z");
	await ours.chargeUsage(id);
	// 45 of 90 days of the first plan, then 15 of the second.
	await ours.advance("2026-02-15T00:00:00Z");
	const next = await ours.buy("max");
	await ours.advance("2026-03-02T00:00:00Z");
	await ours.cancel(next, { cancellationTime: "IMMEDIATE" });
	const amounts = (await ours.books()).flatMap((line) => line.match(/(Minimum: )?Calls \(\w+\) [\d.]+/g) ?? []);
	expect(amounts).toEqual(["Calls (pro) 10", "Minimum: Calls (pro) 35", "Minimum: Calls (max) 30"]);
	expect(findings(ours)).toEqual([]);
});

test("a calendar anchor cuts the first window, and a move of the anchor ends one", async () => {
	const ours = await till("2026-02-15T00:00:00Z");
	await ours.plan("pro", [flat({ month: 0 }), calls({ price: usd(0.1), minimumAmount: 90 }, every(3))], {
		billingAnchor: { type: "CALENDAR" },
	});
	const id = await ours.buy("pro");
	await ours.advance("2026-04-10T00:00:00Z");
	await ours.use("calls", 100);
	await ours.change(id, { billingAnchor: { type: "DAY", dayOfMonth: 15 } });
	await ours.advance("2026-05-01T00:00:00Z");
	await ours.use("calls", 200);
	await ours.advance("2026-06-20T00:00:00Z");
	const amounts = (await ours.books()).flatMap((line) => line.match(/^[\d-]+|(Minimum: )?Calls \(\w+\) [\d.]+/g) ?? []);
	const charged = (await ours.books()).filter((line) => line.includes("Calls")).map((line) => line.slice(0, 10));
	// 45 of 90 days; 30 of 91 days, 29.67.
	expect(amounts.filter((text) => text.includes("Calls"))).toEqual([
		"Minimum: Calls (pro) 45",
		"Calls (pro) 10",
		"Minimum: Calls (pro) 19.67",
		"Calls (pro) 20",
	]);
	// The new anchor is 15 May, so the first of its windows ends there.
	expect(charged).toEqual(["2026-04-01", "2026-05-01", "2026-05-15"]);
	expect(findings(ours)).toEqual([]);
});

test("windows of six months within periods of four months end during a period, and with a renewal", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const four = { billingPeriod: "CUSTOM", billingInterval: { unit: "MONTH", count: 4 } };
	const fee = { billingModel: "FLAT_FEE", pricePeriods: [{ ...four, price: usd(4) }] };
	await ours.plan("pro", [fee, calls({ price: usd(0.1) }, every(6))]);
	await ours.buy("pro", four);
	await ours.use("calls", 10);
	await ours.advance("2026-05-02T00:00:00Z");
	await ours.use("calls", 10);
	await ours.advance("2026-09-02T00:00:00Z");
	await ours.use("calls", 30);
	await ours.advance("2027-01-02T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-01-01: 4 = pro 4",
		"2026-05-01: 4 = pro 4",
		"2026-07-01: 2 = 20 Calls (pro) 2",
		"2026-09-01: 4 = pro 4",
		"2027-01-01: 7 = pro 4 + 30 Calls (pro) 3",
	]);
	expect(findings(ours)).toEqual([]);
});

test("a budget of the period counts its part of the window", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 10 }), calls(graduated, every(3))]);
	const id = await ours.buy("pro", { budget: { limit: 35, hasSoftLimit: false } });
	await ours.use("calls", 80);
	await ours.advance("2026-02-02T00:00:00Z");
	await ours.use("calls", 40);
	const isSpent = () =>
		ours.transactions.read(ours.actor, (work) => {
			const row = getSubscription(work, id);
			const featureId = saleOf(work, row).prices.find(({ charge }) => charge.featureId)?.charge.featureId;
			return isBudgetSpent(work, row, featureId ?? "");
		});
	// 20 at 1.00 and 20 at 0.50 are 30.00. From zero they would be 40.00.
	expect(isSpent()).toBe(false);
	await ours.use("calls", 10);
	expect(isSpent()).toBe(true);
});

test("a simulation counts a period's part of the window", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 10 }), calls(graduated, {})]);
	await ours.buy("pro");
	await ours.use("calls", 80);
	await ours.advance("2026-02-02T00:00:00Z");
	await ours.use("calls", 40);
	await ours.advance("2026-03-02T00:00:00Z");
	await draft(ours, "pro", flat({ month: 10 }), calls(graduated, every(3)));
	// February: 40.00 by the month; 20 at 1.00 and 20 at 0.50 by the quarter.
	expect((await simulate(ours, "pro")).currencyTotals).toEqual([total(50, 40)]);
});
