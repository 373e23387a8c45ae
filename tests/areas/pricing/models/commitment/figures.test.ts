import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Till, till } from "../../../subscriptions/billing";
import { findings } from "../../window-cost/findings";
import { committed, hourly, useAt, useByHour } from "./committed";

setDefaultTimeout(60_000);

/** Sells a price of calls. */
async function sold(price: object, start = "2026-01-01T00:00:00Z", body: object = {}): Promise<Till & { id: string }> {
	const ours = await till(start);
	await ours.plan("pro", [price]);
	return { ...ours, id: await ours.buy("pro", body) };
}

describe("2.14: 10 units an hour at 2.00, factor 1.5, in three hours of 4, 16 and 0 units", () => {
	test.each([
		["with a true-up", {}, "78 = 20 Calls (pro) 78"],
		["without a true-up", { isTrueUp: false }, "46 = 20 Calls (pro) 46"],
		["as an amount of 20.00", { quantity: undefined, amount: 20 }, "78 = 20 Calls (pro) 78"],
	])("%s", async (_, more, line) => {
		const ours = await sold(committed({ quantity: 10, overageFactor: 1.5, ...hourly, ...more }));
		await useByHour(ours, "2026-01-01", [4, 16, 0]);
		await ours.advance("2026-01-01T03:00:00Z");
		await ours.cancel(ours.id, { cancellationTime: "IMMEDIATE" });
		expect(await ours.books()).toEqual([`2026-01-01T03:00: ${line}`]);
		expect(findings(ours)).toEqual([]);
	});
});

test("2.14: 1,000.00 a month, factor 1.5, usage of 10,000.00", async () => {
	const ours = await sold(committed({ amount: 1000, overageFactor: 1.5 }));
	await ours.use("calls", 5000);
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-02-01: 14500 = 5000 Calls (pro) 14500"]);
	expect(findings(ours)).toEqual([]);
});

test("all hours of a month owe their commitment, also those without usage", async () => {
	const ours = await sold(committed({ amount: 1, ...hourly }));
	await useAt(ours, 3, "2026-01-20T10:00:00Z");
	await ours.advance("2026-02-01T00:00:00Z");
	// 743 hours, and one of 6.00.
	expect(await ours.books()).toEqual(["2026-02-01: 749 = 3 Calls (pro) 749"]);
	expect(findings(ours)).toEqual([]);
});

test("tiers start again in each window", async () => {
	const tiers = { tiers: [{ upTo: 10, unitPrice: { amount: 2 } }, { unitPrice: { amount: 1 } }] };
	const day = { interval: { unit: "DAY", count: 1 } };
	const ours = await sold(committed({ amount: 4, ...day }, tiers, { tiersMode: "GRADUATED" }));
	await useAt(ours, 15, "2026-01-02T10:00:00Z");
	await useAt(ours, 15, "2026-01-03T10:00:00Z");
	await ours.advance("2026-02-01T00:00:00Z");
	// Twice 25, and 29 days of 4.
	expect(await ours.books()).toEqual(["2026-02-01: 166 = 30 Calls (pro) 166"]);
	expect(findings(ours)).toEqual([]);
});

test("a committed quantity is the price of so many units, by its tiers", async () => {
	const tiers = { tiers: [{ upTo: 10, unitPrice: { amount: 2 } }, { unitPrice: { amount: 1 } }] };
	const ours = await sold(committed({ quantity: 30 }, tiers, { tiersMode: "GRADUATED" }));
	await ours.use("calls", 5);
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-02-01: 40 = 5 Calls (pro) 40"]);
	expect(findings(ours)).toEqual([]);
});

test("weeks run from the start of the period, and the last one owes its share", async () => {
	const week = { interval: { unit: "WEEK", count: 1 } };
	const ours = await sold(committed({ amount: 70, overageFactor: 2, ...week }));
	await useAt(ours, 10, "2026-01-03T00:00:00Z");
	await useAt(ours, 40, "2026-01-09T00:00:00Z");
	await useAt(ours, 20, "2026-01-30T00:00:00Z");
	await ours.advance("2026-02-01T00:00:00Z");
	// 70 + (70 + 10 × 2) + 70 + 70 + (30 + 10 × 2) for three of seven days.
	expect(await ours.books()).toEqual(["2026-02-01: 350 = 70 Calls (pro) 350"]);
	expect(findings(ours)).toEqual([]);
});

test("days are those of the zone, also where the clock changes", async () => {
	const day = { interval: { unit: "DAY", count: 1 } };
	const ours = await sold(committed({ amount: 24, ...day }), "2026-03-01T05:00:00Z", { timeZone: "America/New_York" });
	// On 8 March, a day of 23 hours ends at 04:00 UTC.
	await useAt(ours, 20, "2026-03-09T03:59:59Z");
	await useAt(ours, 20, "2026-03-09T04:00:00Z");
	await ours.advance("2026-04-01T04:00:00Z");
	// 29 days of 24, and two of 40.
	expect(await ours.books()).toEqual(["2026-04-01T04:00: 776 = 40 Calls (pro) 776"]);
	expect(findings(ours)).toEqual([]);
});

test("the hours of a subscription that starts within one are those of UTC, and the first owes its share", async () => {
	const ours = await sold(committed({ amount: 12, overageFactor: 2, ...hourly }), "2026-01-01T10:15:00Z");
	await useAt(ours, 5, "2026-01-01T10:20:00Z");
	await useAt(ours, 7, "2026-01-01T11:10:00Z");
	await ours.advance("2026-01-01T12:30:00Z");
	await ours.cancel(ours.id, { cancellationTime: "IMMEDIATE" });
	// 9 + 1 × 2 for 45 minutes; 12 + 2 × 2; 6 for half an hour.
	expect(await ours.books()).toEqual(["2026-01-01T12:30: 33 = 12 Calls (pro) 33"]);
	expect(findings(ours)).toEqual([]);
});

describe("a part of a month owes its share of the commitment by the mode of the subscription", () => {
	test.each([
		["BY_TIME", 1000 * (24.25 / 28)],
		["BY_DAY", 1000 * (25 / 28)],
		["NONE", 1000],
	])("%s", async (prorationMode, total) => {
		const ours = await sold(committed({ amount: 1000 }), "2026-02-01T00:00:00Z", { prorationMode });
		await ours.advance("2026-02-25T06:00:00Z");
		await ours.cancel(ours.id, { cancellationTime: "IMMEDIATE" });
		expect((await ours.books())[0]).toStartWith(`2026-02-25T06:00: ${Math.round(total * 100) / 100} = `);
		expect(findings(ours)).toEqual([]);
	});
});

test("windows of months follow the billing anchor, so that a short month makes no window of days", async () => {
	const quarter = { billingPeriod: "QUARTERLY", price: { amount: 1 } };
	const month = { interval: { unit: "MONTH", count: 1 } };
	const ours = await sold(committed({ amount: 100, ...month }, quarter), "2025-11-30T00:00:00Z");
	await ours.advance("2026-05-30T00:00:00Z");
	expect((await ours.books()).map((text) => text.split(" (")[0])).toEqual([
		"2026-02-28: 300 = 0 Calls",
		"2026-05-30: 300 = 0 Calls",
	]);
	expect(findings(ours)).toEqual([]);
});

test.each([
	["an amount", { amount: 100 }],
	["a quantity", { quantity: 50 }],
])("a phase lowers a commitment of %s by its percentage, also above it", async (_, commitment) => {
	const ours = await till("2026-01-01T00:00:00Z");
	const phases = [{ id: "half", duration: { unit: "MONTH", count: 2 }, percentOff: 50 }];
	await ours.plan("pro", [committed({ ...commitment, overageFactor: 2 })], { phases });
	await ours.buy("pro");
	await ours.use("calls", 10);
	await ours.advance("2026-02-01T00:00:00Z");
	await ours.use("calls", 60);
	await ours.advance("2026-04-01T00:00:00Z");
	// A unit costs 1.00 in the phase and 2.00 after it. In February 10.00 above 50.00 count twice.
	expect(await ours.books()).toEqual([
		"2026-02-01: 50 = 10 Calls (pro), half 50",
		"2026-03-01: 70 = 60 Calls (pro), half 70",
		"2026-04-01: 100 = 0 Calls (pro) 100",
	]);
	expect(findings(ours)).toEqual([]);
});
