import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Till, till } from "../../../subscriptions/billing";
import { findings } from "../../window-cost/findings";
import { measured, setSeats, tiersOf } from "./levels";

setDefaultTimeout(60_000);

const each = (amount: number) => ({ price: { amount } });

/** Sells a price of seats on 1 April. */
async function sold(price: object, start = "2026-04-01T00:00:00Z", body: object = {}): Promise<Till & { id: string }> {
	const ours = await till(start);
	await ours.plan("pro", [price]);
	return { ...ours, id: await ours.buy("pro", body) };
}

describe("2.9: April, 10 seats, 15 from the 16th", () => {
	test.each([
		["at 10.00 for their time", measured("TIME_WEIGHTED", each(10)), "125 = 12.5 Seats (pro) 125"],
		["at 10.00 by their peak", measured("PEAK", each(10)), "150 = 15 Seats (pro) 150"],
		[
			"graduated, 10.00 to 10, then 8.00",
			measured("TIME_WEIGHTED", tiersOf([10, 10], [null, 8]), { tiersMode: "GRADUATED" }),
			"120 = 12.5 Seats (pro) 120",
		],
		[
			"by volume, 10.00 to 10, else 8.00",
			measured("TIME_WEIGHTED", tiersOf([10, 10], [null, 8]), { tiersMode: "VOLUME" }),
			"110 = 12.5 Seats (pro) 110",
		],
	])("%s", async (_, price, line) => {
		const ours = await sold(price);
		await setSeats(ours, 10, "2026-04-01T00:00:00Z");
		await ours.advance("2026-04-16T00:00:00Z");
		await setSeats(ours, 15, "2026-04-16T00:00:00Z");
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([`2026-05-01: ${line}`]);
		expect(findings(ours)).toEqual([]);
	});
});

test("the level carries over from before the window, and stays until it changes", async () => {
	const ours = await sold(measured("TIME_WEIGHTED", each(10)));
	await setSeats(ours, 10, "2026-03-20T00:00:00Z");
	await ours.advance("2026-06-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-05-01: 100 = 10 Seats (pro) 100", "2026-06-01: 100 = 10 Seats (pro) 100"]);
	expect(findings(ours)).toEqual([]);
});

test("the level before the subscription and after its end is 0", async () => {
	const ours = await sold(measured("TIME_WEIGHTED", each(30)), "2026-04-11T00:00:00Z", {
		billingAnchor: { type: "START_OF_THE_MONTH" },
	});
	await setSeats(ours, 3, "2026-04-01T00:00:00Z");
	// 20 of 30 days.
	await ours.advance("2026-05-01T00:00:00Z");
	await ours.advance("2026-05-11T07:30:00Z");
	await ours.cancel(ours.id, { cancellationTime: "IMMEDIATE" });
	// 247.5 of 744 hours.
	expect(await ours.books()).toEqual(["2026-05-01: 60 = 2 Seats (pro) 60", expect.stringContaining("29.94")]);
	expect(findings(ours)).toEqual([]);
});

test("a level below 0 counts as 0", async () => {
	const ours = await sold(measured("TIME_WEIGHTED", each(10)));
	await ours.advance("2026-04-21T00:00:00Z");
	await setSeats(ours, 20, "2026-04-21T00:00:00Z", "DELTA");
	// The latest level allows it, and takes those of the 11th to the 21st below 0.
	await setSeats(ours, -15, "2026-04-11T00:00:00Z", "DELTA");
	await ours.advance("2026-05-01T00:00:00Z");
	// 5 for 10 of 30 days.
	expect(await ours.books()).toEqual(["2026-05-01: 16.67 = 1.666666666667 Seats (pro) 16.67"]);
	expect(findings(ours)).toEqual([]);
});

test("each day counts its highest level in the zone of the subscription", async () => {
	const ours = await sold(measured("TIME_WEIGHTED", each(30), { prorationMode: "BY_DAY" }), "2026-04-01T04:00:00Z", {
		timeZone: "America/New_York",
	});
	await setSeats(ours, 1, "2026-04-01T04:00:00Z");
	await ours.advance("2026-04-10T22:00:00Z");
	// In New York, 18:00 to 23:00 on the 10th: one day. In UTC it would be two.
	await setSeats(ours, 5, "2026-04-10T22:00:00Z");
	await ours.advance("2026-04-11T03:00:00Z");
	await setSeats(ours, 1, "2026-04-11T03:00:00Z");
	await ours.advance("2026-05-01T04:00:00Z");
	expect(await ours.books()).toEqual(["2026-05-01T04:00: 34 = 1.133333333333 Seats (pro) 34"]);
	expect(findings(ours)).toEqual([]);
});

test("by day, the date of a change belongs to the new price, and the date of an end counts", async () => {
	const ours = await sold(measured("TIME_WEIGHTED", each(30), { prorationMode: "BY_DAY" }));
	await ours.plan("max", [measured("TIME_WEIGHTED", each(60), { prorationMode: "BY_DAY" })]);
	await setSeats(ours, 2, "2026-04-01T00:00:00Z");
	await ours.advance("2026-04-11T12:00:00Z");
	await setSeats(ours, 1, "2026-04-11T12:00:00Z");
	const next = await ours.buy("max");
	await ours.advance("2026-04-21T12:00:00Z");
	await ours.cancel(next, { cancellationTime: "IMMEDIATE" });
	// Ten days of 2 at 30 each, then eleven of 1 at 60 each.
	expect(await ours.books()).toEqual([
		"2026-04-11T12:00: 20 = 0.666666666667 Seats (pro) 20",
		"2026-04-21T12:00: 22 = 0.366666666667 Seats (max) 22",
	]);
	expect(findings(ours)).toEqual([]);
});

test("interim bills, a maximum and late levels charge a window as one bill would", async () => {
	const ours = await sold(measured("TIME_WEIGHTED", { ...each(10), maximumAmount: 110, minimumAmount: 20 }));
	await setSeats(ours, 10, "2026-04-01T00:00:00Z");
	await ours.advance("2026-04-16T00:00:00Z");
	await ours.chargeUsage(ours.id);
	await setSeats(ours, 15, "2026-04-16T00:00:00Z");
	await ours.advance("2026-05-01T00:00:00Z");
	await setSeats(ours, 0, "2026-05-01T00:00:00Z");
	await ours.advance("2026-06-02T00:00:00Z");
	// 9.68 for ten days of May, which the true-up of May has paid.
	await setSeats(ours, 3, "2026-05-11T00:00:00Z");
	await setSeats(ours, 0, "2026-05-21T00:00:00Z");
	await ours.advance("2026-07-01T00:00:00Z");
	// 48.39 in May together, less the 20 that the true-up has charged.
	await setSeats(ours, 12, "2026-05-21T00:00:00Z");
	await setSeats(ours, 0, "2026-05-31T00:00:00Z");
	await ours.advance("2026-08-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-04-16: 50 = 5 Seats (pro) 50",
		"2026-05-01: 60 = 7.5 Seats (pro) 60",
		"2026-06-01: 20 = Minimum: Seats (pro) 20",
		"2026-07-01: 20 = Minimum: Seats (pro) 20 + 0.967741935484 Seats (pro) 0",
		"2026-08-01: 48.39 = Minimum: Seats (pro) 20 + 3.870967741935 Seats (pro) 28.39",
	]);
	expect(findings(ours)).toEqual([]);
});

test("a paused subscription has the level 0", async () => {
	const ours = await sold(measured("TIME_WEIGHTED", each(30)));
	await setSeats(ours, 2, "2026-04-01T00:00:00Z");
	await ours.advance("2026-04-11T00:00:00Z");
	await ours.insist("POST", `/subscriptions/${ours.id}/pause`, { at: "IMMEDIATE" });
	await ours.advance("2026-04-21T00:00:00Z");
	await ours.insist("POST", `/subscriptions/${ours.id}/resume`, { at: "IMMEDIATE" });
	await ours.advance("2026-05-01T00:00:00Z");
	expect((await ours.books()).map((text) => text.split(" (")[0])).toEqual([
		"2026-04-11: 20 = 0.666666666667 Seats",
		"2026-05-01: 20 = 0.666666666667 Seats",
	]);
	expect(findings(ours)).toEqual([]);
});

test("a peak is never prorated, and several bills of a window charge it once", async () => {
	const ours = await sold(measured("PEAK", each(10)));
	await setSeats(ours, 4, "2026-04-01T00:00:00Z");
	await ours.advance("2026-04-10T00:00:00Z");
	await ours.chargeUsage(ours.id);
	await setSeats(ours, 9, "2026-04-10T00:00:00Z");
	await setSeats(ours, 2, "2026-04-10T00:00:01Z");
	await ours.advance("2026-04-12T00:00:00Z");
	await ours.cancel(ours.id, { cancellationTime: "IMMEDIATE" });
	expect(await ours.books()).toEqual(["2026-04-10: 40 = 4 Seats (pro) 40", "2026-04-12: 50 = 5 Seats (pro) 50"]);
	expect(findings(ours)).toEqual([]);
});
