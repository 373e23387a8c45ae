import { expect, setDefaultTimeout, test } from "bun:test";
import { flat, type Till, till } from "../../../subscriptions/billing";
import { findings } from "../../window-cost/findings";
import { segmented, send, variant } from "../segment/events";
import { committed, hourly, useAt } from "./committed";

setDefaultTimeout(60_000);

const daily = { interval: { unit: "DAY", count: 1 } };
const each = (amount: number) => ({ price: { amount } });

/** Sells a price of calls. */
async function sold(price: object, start = "2026-01-01T00:00:00Z", body: object = {}): Promise<Till & { id: string }> {
	const ours = await till(start);
	await ours.plan("pro", [price]);
	return { ...ours, id: await ours.buy("pro", body) };
}

test("bills within a period sum to one bill, and a window that continues owes no true-up", async () => {
	const price = committed({ amount: 10, overageFactor: 2, ...daily }, each(1));
	const amounts = async (bills: readonly string[]): Promise<number[]> => {
		const ours = await sold(price);
		await useAt(ours, 4, "2026-01-01T06:00:00Z");
		await useAt(ours, 14, "2026-01-02T06:00:00Z");
		for (const at of bills) {
			await ours.advance(at);
			await ours.chargeUsage(ours.id);
		}
		await useAt(ours, 3, "2026-01-02T20:00:00Z");
		await ours.advance("2026-02-01T00:00:00Z");
		expect(findings(ours)).toEqual([]);
		return (await ours.books()).map((text) => Number(text.split(" ")[1]));
	};
	// 10 + 10 + 7 × 2 + 29 × 10.
	expect(await amounts([])).toEqual([324]);
	// At noon: 10 + 10 + 4 × 2. The second bill on that day adds nothing.
	expect(await amounts(["2026-01-02T12:00:00Z", "2026-01-02T13:00:00Z"])).toEqual([28, 296]);
});

test("late usage first consumes what a true-up has paid", async () => {
	const ours = await sold(committed({ amount: 10, overageFactor: 2, ...daily }, each(1)));
	await useAt(ours, 4, "2026-01-31T06:00:00Z");
	await ours.advance("2026-02-02T00:00:00Z");
	await ours.use("calls", 5, "2026-01-31T06:00:00Z");
	await ours.advance("2026-03-02T00:00:00Z");
	await ours.use("calls", 3, "2026-01-31T06:00:00Z");
	await ours.advance("2026-04-01T00:00:00Z");
	const books = await ours.books();
	// 9 of 10 are used at first, then 12: 10 + 2 × 2.
	expect(books.map((text) => text.replaceAll(" Calls (pro)", ""))).toEqual([
		"2026-02-01: 310 = 4 310",
		"2026-03-01: 280 = 0 280",
		"2026-04-01: 314 = 0 310 + 3 4",
	]);
	expect(findings(ours)).toEqual([]);
});

test("usage that is canceled after its bill is not refunded", async () => {
	const ours = await sold(committed({ amount: 10, overageFactor: 2 }, each(1)));
	const sent = await ours.use("calls", 20);
	await ours.advance("2026-01-10T00:00:00Z");
	await ours.chargeUsage(ours.id);
	await ours.cancelEvents(sent);
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-01-10: 30 = 20 Calls (pro) 30"]);
	expect(findings(ours)).toEqual([]);
});

test("the commitment comes before the minimum, and the maximum last", async () => {
	const bounded = async (units: number, terms: object): Promise<string | undefined> => {
		const ours = await sold(committed({ amount: 10, overageFactor: 2 }, { ...each(1), ...terms }));
		await ours.use("calls", units);
		await ours.advance("2026-02-01T00:00:00Z");
		expect(findings(ours)).toEqual([]);
		return (await ours.books())[0]?.replaceAll(" Calls (pro)", "");
	};
	expect(await bounded(4, { minimumAmount: 12 })).toBe("2026-02-01: 12 = 4 10 + Minimum: 2");
	expect(await bounded(40, { maximumAmount: 60 })).toBe("2026-02-01: 60 = 40 60");
});

test("a change of the price settles its windows, and each part owes its share", async () => {
	const ours = await sold(committed({ amount: 12, ...daily }, each(1)));
	await ours.plan("max", [committed({ amount: 24, ...daily }, each(1))]);
	await useAt(ours, 5, "2026-01-02T06:00:00Z");
	await ours.advance("2026-01-02T18:00:00Z");
	await ours.buy("max");
	await ours.advance("2026-02-02T00:00:00Z");
	expect((await ours.books()).map((text) => text.split(" (")[0])).toEqual([
		// 12, and 9 for 18 hours.
		"2026-01-02T18:00: 21 = 5 Calls",
		// 6, and 29 days of 24.
		"2026-02-01: 702 = 0 Calls",
	]);
	expect(findings(ours)).toEqual([]);
});

test("time during a pause owes nothing", async () => {
	const ours = await sold(committed({ amount: 10, ...daily }, each(1)));
	await ours.advance("2026-01-11T00:00:00Z");
	await ours.insist("POST", `/subscriptions/${ours.id}/pause`, { at: "IMMEDIATE" });
	await ours.advance("2026-01-21T12:00:00Z");
	await ours.insist("POST", `/subscriptions/${ours.id}/resume`, { at: "IMMEDIATE" });
	await ours.advance("2026-02-01T00:00:00Z");
	expect((await ours.books()).map((text) => text.split(" (")[0])).toEqual([
		"2026-01-11: 100 = 0 Calls",
		"2026-02-01: 105 = 0 Calls",
	]);
	expect(findings(ours)).toEqual([]);
});

test("variants and groups: the commitment applies to their sum, in one line", async () => {
	const price = segmented(2, [variant({ model: ["large"] }, 10, { id: "large" })], {
		groupBy: ["team"],
		period: { commitment: { amount: 50, overageFactor: 2, ...daily } },
	});
	const ours = await sold(price);
	await send(ours, 4, { model: "large", team: "a" });
	await send(ours, 10, { model: "small", team: "b" });
	await ours.advance("2026-01-02T00:00:00Z");
	await send(ours, 1, { model: "large", team: "a" });
	await ours.advance("2026-02-01T00:00:00Z");
	// 40 + 20 on the first day: 50 + 10 × 2; then 30 days of 50.
	expect(await ours.books()).toEqual(["2026-02-01: 1570 = 15 Calls (pro) 1570"]);
	expect(findings(ours)).toEqual([]);
});

test("transactions: each window has allowances of its own", async () => {
	const transactionPrice = { percentRate: 10, currency: "usd", freeTransactions: 1 };
	const ours = await sold(committed({ amount: 5, overageFactor: 2, ...daily }, { transactionPrice }));
	await ours.use("calls", 200);
	await ours.use("calls", 100);
	await useAt(ours, 100, "2026-01-02T00:00:00Z");
	await ours.advance("2026-02-01T00:00:00Z");
	// 10 on the first day: 5 + 5 × 2; then 30 days of 5.
	expect(await ours.books()).toEqual(["2026-02-01: 165 = 3 Calls (pro) 165"]);
	expect(findings(ours)).toEqual([]);
});

test("a unit transformation counts each window by itself, and an unused flat price is its cost", async () => {
	const tiers = {
		tiers: [{ upTo: 5, unitPrice: { amount: 1 }, flatPrice: { amount: 3 } }, { unitPrice: { amount: 2 } }],
	};
	const model = { featureId: "tokens", tiersMode: "GRADUATED", chargesFlatPriceUnused: true };
	const ours = await sold(committed({ amount: 2, ...daily }, tiers, model));
	await ours.use("tokens", 1500);
	await ours.advance("2026-01-02T10:00:00Z");
	await ours.use("tokens", 100);
	await ours.advance("2026-02-01T00:00:00Z");
	// 3 + 2, 3 + 1, and 29 days of 3.
	expect((await ours.books())[0]).toStartWith("2026-02-01: 96 = 3 Tokens");
	expect(findings(ours)).toEqual([]);
});

test("coupons and taxes apply to fees and to the committed cost", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.coupon("tenth", { percent: 10 });
	await ours.plan("pro", [flat({ month: 5 }), committed({ amount: 100 })]);
	await ours.buy("pro", { appliedCoupon: { couponId: "tenth" }, billingInformation: { taxPercentage: 20 } });
	await ours.advance("2026-02-01T00:00:00Z");
	expect((await ours.books())[1]).toStartWith("2026-02-01: 113.4 less 10.5 tax 18.9 = ");
	expect(findings(ours)).toEqual([]);
});

test("reported usage counts by the hour too", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.insist("POST", "/features", {
		...{ id: "jobs", displayName: "Jobs", featureType: "NUMBER", meterType: "INCREMENTAL" },
		...{ featureUnits: "job", featureUnitsPlural: "jobs" },
	});
	await ours.plan("pro", [committed({ amount: 2, overageFactor: 3, ...hourly }, each(1), { featureId: "jobs" })]);
	const id = await ours.buy("pro");
	for (const [at, value] of [
		["2026-01-01T00:10:00Z", 5],
		["2026-01-01T01:59:59Z", 1],
		["2026-01-01T03:00:00Z", 2],
	] as const) {
		await ours.advance(at);
		await ours.insist("POST", "/usage", {
			usages: [{ customerId: "acme", featureId: "jobs", value, updateBehavior: "DELTA", createdAt: at }],
		});
	}
	await ours.advance("2026-01-01T04:00:00Z");
	await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
	// 2 + 3 × 3, 2, 2, 2.
	expect(await ours.books()).toEqual(["2026-01-01T04:00: 17 = 8 Jobs (pro) 17"]);
	expect(findings(ours)).toEqual([]);
});

test("a trial owes nothing, unless its usage is billed: then it is one part of windows", async () => {
	const billed = async (billsUsage: boolean): Promise<string[]> => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.insist("POST", "/plans", { id: "pro", displayName: "Pro", productId: "app" });
		await ours.insist("PATCH", "/plans/pro", {
			charges: { pricingType: "PAID", pricingModels: [committed({ amount: 10, ...daily }, each(1))] },
			defaultTrialConfig: { duration: 10, units: "DAY", trialEndBehavior: "CONVERT_TO_PAID", billsUsage },
		});
		await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
		await ours.buy("pro");
		await ours.advance("2026-02-11T00:00:00Z");
		expect(findings(ours)).toEqual([]);
		return (await ours.books()).map((text) => text.split(" (")[0] ?? "");
	};
	expect(await billed(false)).toEqual(["2026-02-11: 310 = 0 Calls"]);
	expect(await billed(true)).toEqual(["2026-01-11: 100 = 0 Calls", "2026-02-11: 310 = 0 Calls"]);
});

test("a price that is charged several times in a period has its windows in each interval", async () => {
	const quarter = { billingPeriod: "QUARTERLY", chargeInterval: { unit: "MONTH", count: 1 } };
	const ours = await sold(committed({ amount: 100, overageFactor: 2 }, { ...each(1), ...quarter }));
	await ours.use("calls", 130);
	await ours.advance("2026-04-01T00:00:00Z");
	expect((await ours.books()).map((text) => text.split(" (")[0])).toEqual([
		"2026-02-01: 160 = 130 Calls",
		"2026-03-01: 100 = 0 Calls",
		"2026-04-01: 100 = 0 Calls",
	]);
	expect(findings(ours)).toEqual([]);
});
