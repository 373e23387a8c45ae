import { describe, expect, test } from "bun:test";
import { flat, perUnit, till, units, used } from "../billing";
import { found, month, phasesShown, ramp, selling, shown } from "./phases/shop";

describe("phases of a plan version (2.20)", () => {
	test("charges 10.00 for two months, 20.00 for four, then 40.00", async () => {
		const { ours, id } = await selling("2026-01-15T00:00:00Z");
		expect(await shown(ours, id)).toMatchObject({
			phase: {
				id: "start",
				displayName: "Start",
				percentOff: 75,
				startDate: "2026-01-15T00:00:00.000Z",
				endDate: "2026-03-15T00:00:00.000Z",
			},
			scheduledPhases: [
				{
					id: "growth",
					displayName: "growth",
					percentOff: 50,
					startDate: "2026-03-15T00:00:00.000Z",
					endDate: "2026-07-15T00:00:00.000Z",
				},
			],
			prices: [{ amount: 10 }],
		});
		await ours.advance("2026-08-15T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-15: 10 = pro, Start 10",
			"2026-02-15: 10 = pro, Start 10",
			"2026-03-15: 20 = pro, growth 20",
			"2026-04-15: 20 = pro, growth 20",
			"2026-05-15: 20 = pro, growth 20",
			"2026-06-15: 20 = pro, growth 20",
			"2026-07-15: 40 = pro 40",
			"2026-08-15: 40 = pro 40",
		]);
		const after = await shown(ours, id);
		expect([after.phase, after.scheduledPhases]).toEqual([undefined, undefined]);
		expect(found(ours)).toEqual([]);
	});

	test("credits the lower price and charges the higher one for the rest of a calendar month", async () => {
		const { ours } = await selling("2026-01-15T00:00:00Z", { phases: ramp, billingAnchor: { type: "CALENDAR" } });
		await ours.advance("2026-03-20T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-03-15: 5.49 = Unused time: pro, Start -5.48 + pro, growth 10.97");
		expect(found(ours)).toEqual([]);
		await ours.advance("2026-04-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-04-01: 20 = pro, growth 20");
	});

	test("charges half the price for a ramp of two months, of fees, units, minimum spend and usage", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 40 }), perUnit("seats", { month: 10 }), used("calls", { month: 0.25 })], {
			phases: [{ id: "half", duration: month(2), percentOff: 50 }],
			minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 8, currency: "usd" } }],
		});
		const id = await ours.buy("pro", units("seats", 3));
		for (const at of ["2026-01-10T00:00:00Z", "2026-02-10T00:00:00Z", "2026-03-10T00:00:00Z"]) {
			await ours.advance(at);
			await ours.use("calls", 100);
		}
		await ours.advance("2026-04-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-01: 39 = pro, half 20 + 3 Seats (pro), half 15 + Minimum spend 4",
			"2026-02-01: 47.5 = pro, half 20 + 3 Seats (pro), half 15 + Minimum spend 4 + 100 Calls (pro), half 12.5 + Covered by the minimum spend -4",
			"2026-03-01: 86.5 = 100 Calls (pro), half 12.5 + Covered by the minimum spend -4 + pro 40 + 3 Seats (pro) 30 + Minimum spend 8",
			"2026-04-01: 95 = pro 40 + 3 Seats (pro) 30 + Minimum spend 8 + 100 Calls (pro) 25 + Covered by the minimum spend -8",
		]);
		expect((await shown(ours, id)).phase).toBeUndefined();
		expect(found(ours)).toEqual([]);
	});

	test("a phase of 0 percent gives the same invoices as leaving it out", async () => {
		const books = async (plan: object) => {
			const { ours } = await selling("2026-01-31T00:00:00Z", { billingAnchor: { type: "CALENDAR" }, ...plan });
			await ours.advance("2026-05-01T00:00:00Z");
			expect(found(ours)).toEqual([]);
			const { body } = await ours.call("GET", "/customers/acme/invoices?limit=100");
			return body.data.map(({ invoiceId: _, invoiceExternalId: __, ...one }: Record<string, string>) => one);
		};
		const without = await books({});
		expect(without.length).toBe(5);
		const phases = [{ id: "same", duration: { unit: "DAY", count: 40 }, percentOff: 0 }];
		expect(JSON.stringify(await books({ phases }))).toBe(JSON.stringify(without));
	});

	test("counts months from the start, and days from the end of the months", async () => {
		const { ours, id } = await selling("2026-01-31T00:00:00Z", {
			phases: [
				{ id: "a", duration: month(1), percentOff: 10 },
				{ id: "b", duration: month(1), percentOff: 20 },
				{ id: "c", duration: { unit: "WEEK", count: 2 }, percentOff: 30 },
				{ id: "d", duration: { unit: "YEAR", count: 1 }, percentOff: 40 },
			],
		});
		const expected = [
			"a 2026-01-31 to 2026-02-28",
			"b 2026-02-28 to 2026-03-31",
			"c 2026-03-31 to 2026-04-14",
			"d 2026-04-14 to 2027-04-14",
		];
		expect(await phasesShown(ours, id)).toEqual(expected);
		await ours.advance("2026-04-20T00:00:00Z");
		expect(await phasesShown(ours, id)).toEqual(expected.slice(3));
		expect(found(ours)).toEqual([]);
	});

	test("leaves one-off charges and addons at their prices", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.addon("support", flat({ month: 6 }));
		await ours.plan("pro", [flat({ month: 40 }), flat({ month: 99 }, { billingCadence: "ONE_OFF", key: "setup" })], {
			phases: [{ id: "half", duration: month(1), percentOff: 50 }],
		});
		await ours.buy("pro", { addons: [{ id: "support", quantity: 1 }] });
		await ours.advance("2026-02-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-01: 125 = pro, half 20 + setup (pro) 99 + support 6",
			"2026-02-01: 46 = pro 40 + support 6",
		]);
	});
});
