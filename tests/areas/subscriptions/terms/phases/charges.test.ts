import { describe, expect, test } from "bun:test";
import { beyond, flat, perUnit, till, units, used } from "../../billing";
import { found, month, phasesShown, priced, shown } from "./shop";

const ramp = [priced("start", 2, [flat({ month: 10 })]), priced("growth", 4, [flat({ month: 20 })])];

/** Sells a plan of 40.00 a month that begins with 10.00 and 20.00. */
async function selling(start: string, plan: object = {}, body: object = {}) {
	const ours = await till(start);
	await ours.plan("pro", [flat({ month: 40 })], { phases: ramp, ...plan });
	return { ours, id: await ours.buy("pro", body) };
}

describe("phases with charges (2.20)", () => {
	test("charge 10.00 for two months, 20.00 for four, then 40.00", async () => {
		const { ours, id } = await selling("2026-01-15T00:00:00Z");
		expect(await phasesShown(ours, id)).toEqual(["start 2026-01-15 to 2026-03-15", "growth 2026-03-15 to 2026-07-15"]);
		const now = await shown(ours, id);
		expect([now.phase.percentOff, now.prices.map(({ amount }: { amount: number }) => amount)]).toEqual([
			undefined,
			[10],
		]);
		await ours.advance("2026-08-15T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-15: 10 = pro, start 10",
			"2026-02-15: 10 = pro, start 10",
			"2026-03-15: 20 = pro, growth 20",
			"2026-04-15: 20 = pro, growth 20",
			"2026-05-15: 20 = pro, growth 20",
			"2026-06-15: 20 = pro, growth 20",
			"2026-07-15: 40 = pro 40",
			"2026-08-15: 40 = pro 40",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("credit 5.48 and charge 10.97 on 15 March of a calendar month", async () => {
		const { ours } = await selling("2026-01-15T00:00:00Z", { billingAnchor: { type: "CALENDAR" } });
		await ours.advance("2026-03-20T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-03-15: 5.49 = Unused time: pro, start -5.48 + pro, growth 10.97");
		await ours.advance("2026-07-20T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-07-15: 10.97 = Unused time: pro, growth -10.97 + pro 21.94");
		expect(found(ours)).toEqual([]);
	});

	test("phases of a subscription replace those of the plan, and null returns to them", async () => {
		const own = [priced("own", 1, [flat({ month: 5 })])];
		const { ours, id } = await selling("2026-01-01T00:00:00Z", {}, { phases: own });
		expect((await shown(ours, id)).phases).toEqual([{ ...own[0], charges: { pricingModels: [flat({ month: 5 })] } }]);
		await ours.advance("2026-02-15T00:00:00Z");
		expect(await ours.books()).toEqual(["2026-01-01: 5 = pro, own 5", "2026-02-01: 40 = pro 40"]);
		await ours.change(id, { phases: null });
		expect(await phasesShown(ours, id)).toEqual(["start 2026-01-01 to 2026-03-01", "growth 2026-03-01 to 2026-07-01"]);
		expect((await ours.books()).at(-1)).toBe("2026-02-15: -15 = Unused time: pro -20 + pro, start 5");
		expect(found(ours)).toEqual([]);
	});

	test("have prices of other kinds than the plan: usage, units, minimum spend, end of the period", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		const phases = [
			priced("trial", 1, [used("calls", { month: 0.5 })]),
			priced("teams", 1, [perUnit("seats", { month: 10 }, { paymentTime: "IN_ARREARS" })], {
				minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 7, currency: "usd" } }],
			}),
		];
		await ours.plan("pro", [flat({ month: 40 }), used("calls", { month: 0.1 })], { phases });
		await ours.buy("pro", units("seats", 3));
		for (const at of ["2026-01-10T00:00:00Z", "2026-02-10T00:00:00Z", "2026-03-10T00:00:00Z"]) {
			await ours.advance(at);
			await ours.use("calls", 100);
		}
		await ours.advance("2026-04-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-02-01: 57 = 100 Calls (pro), trial 50 + Minimum spend 7",
			"2026-03-01: 70 = pro 40 + 3 Seats (pro), teams 30",
			"2026-04-01: 50 = pro 40 + 100 Calls (pro) 10",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("keep addons at their prices, and override neither by the subscription's own price nor by its minimum spend", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.addon("support", flat({ month: 6 }));
		await ours.plan("pro", [flat({ month: 40 })], { phases: [priced("start", 1, [flat({ month: 10 })])] });
		await ours.buy("pro", {
			addons: [{ id: "support", quantity: 1 }],
			priceOverrides: [
				{ baseCharge: true, amount: 30 },
				{ addonId: "support", amount: 5 },
			],
			minimumSpend: { amount: 12 },
		});
		await ours.advance("2026-02-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-01: 15 = pro, start 10 + support 5",
			"2026-02-01: 47 = pro 30 + support 5 + Minimum spend 12",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("alternate with phases of a percentage, and have their own mode and one-off charges", async () => {
		const ours = await till("2026-01-16T12:00:00Z");
		const setup = flat({ month: 99 }, { billingCadence: "ONE_OFF", key: "setup" });
		await ours.plan("pro", [flat({ month: 40 })], {
			billingAnchor: { type: "CALENDAR" },
			phases: [
				{ id: "half", duration: month(1), percentOff: 50 },
				priced("special", 1, [flat({ month: 31 }), setup], { prorationMode: "NONE" }),
			],
		});
		await ours.buy("pro");
		await ours.advance("2026-04-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-16T12:00: 10 = pro, half 10",
			"2026-02-01: 20 = pro, half 20",
			"2026-02-16T12:00: 121.07 = Unused time: pro, half -8.93 + pro, special 31 + setup (pro), special 99",
			"2026-03-01: 31 = pro, special 31",
			"2026-03-16T12:00: 20 = pro 20",
			"2026-04-01: 40 = pro 40",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("have the overage of the plan's limit", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		const { entitlement: _, ...dearer } = beyond("calls", 0, { month: 2 });
		await ours.plan("pro", [flat({ month: 40 })], {
			overagePricingModels: [beyond("calls", 10, { month: 1 })],
			phases: [priced("start", 1, [flat({ month: 10 })], { overagePricingModels: [dearer] })],
		});
		await ours.buy("pro");
		await ours.advance("2026-01-10T00:00:00Z");
		await ours.use("calls", 15);
		await ours.advance("2026-02-10T00:00:00Z");
		await ours.use("calls", 15);
		await ours.advance("2026-03-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-01: 10 = pro, start 10",
			"2026-02-01: 50 = 5 Calls (pro), start 10 + pro 40",
			"2026-03-01: 45 = pro 40 + 5 Calls (pro) 5",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("a migration keeps the phase by its id, at the prices of the new version", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z");
		await ours.advance("2026-02-10T00:00:00Z");
		await ours.insist("POST", "/plans/pro/draft");
		await ours.insist("PATCH", "/plans/pro", {
			charges: {
				pricingType: "PAID",
				pricingModels: [flat({ month: 60 })],
				phases: [priced("start", 5, [flat({ month: 12 })]), priced("late", 1, [flat({ month: 50 })])],
			},
		});
		await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
		await ours.insist("POST", `/subscriptions/${id}/migrate`, { subscriptionMigrationTime: "IMMEDIATE" });
		expect(await phasesShown(ours, id)).toEqual(["start 2026-01-01 to 2026-03-01", "late 2026-03-01 to 2026-04-01"]);
		await ours.advance("2026-04-01T00:00:00Z");
		expect((await ours.books()).slice(-2)).toEqual(["2026-03-01: 50 = pro, late 50", "2026-04-01: 60 = pro 60"]);
		expect(found(ours)).toEqual([]);
	});

	test("a plan change drops the rest, and the preview says so", async () => {
		const { ours } = await selling("2026-01-01T00:00:00Z");
		await ours.plan("max", [flat({ month: 60 })]);
		await ours.advance("2026-02-15T00:00:00Z");
		const preview = await ours.insist("POST", "/subscriptions/preview", { customerId: "acme", planId: "max" });
		expect(preview.droppedPhases.map((one: { id: string }) => one.id)).toEqual(["start", "growth"]);
		expect(preview.isPlanDowngrade).toBe(false);
		await ours.buy("max");
		expect((await ours.books()).at(-1)).toBe("2026-02-15: 25 = Unused time: pro, start -5 + max 30");
		expect(found(ours)).toEqual([]);
	});

	test("the same prices as the plan give the same amounts as leaving the phase out", async () => {
		const totals = async (phases: readonly object[]) => {
			const ours = await till("2026-01-31T00:00:00Z");
			const models = [flat({ month: 40 }), used("calls", { month: 0.25 })];
			await ours.plan("pro", models, { billingAnchor: { type: "CALENDAR" }, phases });
			await ours.buy("pro");
			await ours.advance("2026-02-20T00:00:00Z");
			await ours.use("calls", 100);
			await ours.advance("2026-05-01T00:00:00Z");
			expect(found(ours)).toEqual([]);
			return (await ours.books()).map((line) => line.replaceAll(", same", ""));
		};
		const without = await totals([]);
		const models = [flat({ month: 40 }), used("calls", { month: 0.25 })];
		const same = { id: "same", duration: { unit: "DAY", count: 40 }, charges: { pricingModels: models } };
		expect(await totals([same])).toEqual(without);
	});
});
