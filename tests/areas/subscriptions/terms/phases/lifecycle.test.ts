import { describe, expect, test } from "bun:test";
import { flat, perUnit, till, units } from "../../billing";
import { found, month, phasesShown, ramp, selling, shown } from "./shop";

const half = [{ id: "half", duration: month(2), percentOff: 50 }];

describe("phases of a subscription (2.20)", () => {
	test("replace those of the version as a whole, and an empty list has none", async () => {
		const { ours, id } = await selling("2026-01-15T00:00:00Z", { phases: ramp }, { phases: half });
		expect(await shown(ours, id)).toMatchObject({ phases: half, phase: { id: "half" } });
		await ours.advance("2026-03-15T00:00:00Z");
		expect((await ours.books()).map((line) => line.split(" = ")[0])).toEqual([
			"2026-01-15: 20",
			"2026-02-15: 20",
			"2026-03-15: 40",
		]);
		await ours.insist("POST", "/customers", { id: "other" });
		const none = await shown(ours, await ours.buy("pro", { customerId: "other", phases: [] }));
		expect([none.phase, none.scheduledPhases, none.phases]).toEqual([undefined, undefined, []]);
		expect(await ours.books("other")).toEqual(["2026-03-15: 40 = pro 40"]);
		expect(found(ours)).toEqual([]);
	});

	test("an update counts them from the start of billing, and null returns to those of the plan", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z");
		await ours.advance("2026-01-16T12:00:00Z");
		await ours.change(id, { phases: [{ id: "long", duration: month(3), percentOff: 50 }] });
		expect(await phasesShown(ours, id)).toEqual(["long 2026-01-01 to 2026-04-01"]);
		expect((await ours.books()).at(-1)).toBe("2026-01-16T12:00: 5 = Unused time: pro, Start -5 + pro, long 10");
		await ours.change(id, { phases: null });
		expect(await phasesShown(ours, id)).toEqual(["start 2026-01-01 to 2026-03-01", "growth 2026-03-01 to 2026-07-01"]);
		expect((await ours.books()).at(-1)).toBe("2026-01-16T12:00: -5 = Unused time: pro, long -10 + pro, Start 5");
		expect((await shown(ours, id)).phases).toBeUndefined();
		expect(found(ours)).toEqual([]);
	});

	test("begin at the end of a trial, however it ends", async () => {
		const trial = { trialOverrideConfiguration: { isTrial: true, trialEndDate: "2026-02-01T00:00:00Z" } };
		const { ours, id } = await selling("2026-01-15T00:00:00Z", { phases: half }, trial);
		const waiting = await shown(ours, id);
		expect(waiting.phase).toBeUndefined();
		expect(await phasesShown(ours, id)).toEqual(["half 2026-02-01 to 2026-04-01"]);
		await ours.advance("2026-01-20T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${id}/trial/end`);
		expect(await phasesShown(ours, id)).toEqual(["half 2026-01-20 to 2026-03-20"]);
		await ours.advance("2026-03-20T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-20: 20 = pro, half 20",
			"2026-02-20: 20 = pro, half 20",
			"2026-03-20: 40 = pro 40",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("begin with a scheduled start", async () => {
		const { ours, id } = await selling("2026-01-15T00:00:00Z", { phases: half }, { startDate: "2026-02-01T00:00:00Z" });
		expect(await phasesShown(ours, id)).toEqual(["half 2026-02-01 to 2026-04-01"]);
		await ours.advance("2026-04-01T00:00:00Z");
		expect((await ours.books()).map((line) => line.split(" = ")[0])).toEqual([
			"2026-02-01: 20",
			"2026-03-01: 20",
			"2026-04-01: 40",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("a start in the past is in the phase of now, and a backdated one pays each phase", async () => {
		const phases = [{ id: "half", duration: { unit: "DAY", count: 10 }, percentOff: 50 }];
		const past = { startDate: "2026-01-01T00:00:00Z" };
		const { ours } = await selling("2026-01-16T12:00:00Z", { phases }, past);
		await ours.advance("2026-02-01T00:00:00Z");
		expect(await ours.books()).toEqual(["2026-02-01: 40 = pro 40"]);
		expect(found(ours)).toEqual([]);

		const backdated = { ...past, billingInformation: { isBackdated: true } };
		const { ours: other, id } = await selling("2026-01-16T12:00:00Z", { phases }, backdated);
		await other.advance("2026-02-01T00:00:00Z");
		expect(await other.books()).toEqual([
			"2026-01-16T12:00: 20 = pro, half 20",
			"2026-01-16T12:00: 13.55 = Unused time: pro, half -13.55 + pro 27.1",
			"2026-02-01: 40 = pro 40",
		]);
		expect((await shown(other, id)).phase).toBeUndefined();
		expect(found(other)).toEqual([]);
	});

	test("run on during a pause, and change the price at the resumption", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", { phases: half });
		await ours.advance("2026-02-15T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${id}/pause`, {});
		await ours.advance("2026-03-11T00:00:00Z");
		expect((await ours.books()).length).toBe(3);
		await ours.insist("POST", `/subscriptions/${id}/resume`, {});
		expect((await shown(ours, id)).phase).toBeUndefined();
		const books = await ours.books();
		const after = books.slice(3).map((line) => Number(line.match(/: (-?[\d.]+)/)?.[1]));
		// 21 of 31 days at 40.00.
		expect(after.reduce((sum, one) => sum + one, 0)).toBeCloseTo(27.1, 2);
		await ours.advance("2026-04-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-04-01: 40 = pro 40");
		expect(found(ours)).toEqual([]);
	});

	test("an end within a phase credits the price of the phase", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", { phases: half });
		await ours.advance("2026-02-15T00:00:00Z");
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		expect((await ours.books()).at(-1)).toBe("2026-02-15: -10 = Unused time: pro, half -10");
		await ours.advance("2026-05-01T00:00:00Z");
		expect((await ours.books()).length).toBe(3);
		expect([await phasesShown(ours, id), found(ours)]).toEqual([[], []]);
	});

	test("a change of units within a phase charges the price of the phase", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [perUnit("seats", { month: 10 })], { phases: half });
		const id = await ours.buy("pro", units("seats", 1));
		await ours.advance("2026-02-15T00:00:00Z");
		await ours.change(id, units("seats", 3));
		expect((await ours.books()).at(-1)).toBe(
			"2026-02-15: 5 = Unused time: Seats (pro), half -2.5 + 3 Seats (pro), half 7.5",
		);
		expect(found(ours)).toEqual([]);
	});

	test("lower the subscription's own price and minimum spend, too", async () => {
		const terms = { phases: half, priceOverrides: [{ baseCharge: true, amount: 30 }], minimumSpend: { amount: 10 } };
		const { ours } = await selling("2026-01-01T00:00:00Z", {}, terms);
		await ours.advance("2026-03-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-01: 20 = pro, half 15 + Minimum spend 5",
			"2026-02-01: 20 = pro, half 15 + Minimum spend 5",
			"2026-03-01: 40 = pro 30 + Minimum spend 10",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("a boundary and a scheduled change of one time make one invoice", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [perUnit("seats", { month: 10 })], { phases: half });
		const id = await ours.buy("pro", units("seats", 2));
		await ours.advance("2026-02-10T00:00:00Z");
		await ours.change(id, { ...units("seats", 1), scheduleStrategy: "END_OF_BILLING_PERIOD" });
		await ours.advance("2026-03-01T00:00:00Z");
		expect((await ours.books()).slice(2)).toEqual(["2026-03-01: 10 = Seats (pro) 10"]);
		expect((await shown(ours, id)).futureUpdates).toEqual([]);
		expect(found(ours)).toEqual([]);
	});

	test("a scheduled change that fails leaves the boundary", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", { phases: half });
		await ours.addon("support", flat({ month: 6 }));
		await ours.advance("2026-02-10T00:00:00Z");
		await ours.change(id, {
			addons: [{ id: "support", quantity: 1 }],
			scheduleStrategy: "END_OF_BILLING_PERIOD",
		});
		ours.db.$client.run("UPDATE products SET archived_at = 1");
		await ours.advance("2026-03-01T00:00:00Z");
		expect((await ours.books()).slice(2)).toEqual(["2026-03-01: 40 = pro 40"]);
		expect(found(ours)).toEqual([]);
	});

	test("without proration, the next renewal charges the new price", async () => {
		const { ours } = await selling(
			"2026-01-10T00:00:00Z",
			{ phases: half, billingAnchor: { type: "CALENDAR" } },
			{ billingInformation: { prorationBehavior: "NONE" } },
		);
		await ours.advance("2026-04-01T00:00:00Z");
		expect((await ours.books()).slice(2)).toEqual(["2026-03-01: 20 = pro, half 20", "2026-04-01: 40 = pro 40"]);
		expect(found(ours)).toEqual([]);
	});

	test("a boundary cancels a change that waits for its payment, which was invoiced at other prices", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		const phases = [{ id: "half", duration: { unit: "DAY", count: 10 }, percentOff: 50 }];
		await ours.plan("pro", [perUnit("seats", { month: 10 })], { phases });
		const id = await ours.buy("pro", units("seats", 1));
		await ours.advance("2026-01-10T12:00:00Z");
		await ours.change(id, { ...units("seats", 2), awaitPaymentConfirmation: true });
		expect((await shown(ours, id)).futureUpdates).toMatchObject([{ scheduleStatus: "PENDING_PAYMENT" }]);
		await ours.advance("2026-01-11T00:00:00Z");
		expect((await shown(ours, id)).futureUpdates).toEqual([]);
		await ours.advance("2026-02-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-02-01: 10 = Seats (pro) 10");
		expect(found(ours)).toEqual([]);
	});
});

describe("renewals, plan changes and migrations", () => {
	test("a boundary at a renewal makes one invoice without a credit, with fees in arrears at their own phase", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 40 }, { paymentTime: "IN_ARREARS" })], { phases: half });
		await ours.buy("pro");
		await ours.advance("2026-04-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-02-01: 20 = pro, half 20",
			"2026-03-01: 20 = pro, half 20",
			"2026-04-01: 40 = pro 40",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("fees in arrears bill each phase for its part of the period", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		const phases = [{ id: "half", duration: { unit: "DAY", count: 10 }, percentOff: 50 }];
		await ours.plan("pro", [flat({ month: 31 }, { paymentTime: "IN_ARREARS" })], { phases });
		await ours.buy("pro");
		await ours.advance("2026-02-01T00:00:00Z");
		expect((await ours.books()).join("\n")).toContain("pro, half 5 + pro 21");
		expect(found(ours)).toEqual([]);
	});

	test("a plan change drops the remaining phases, and the preview says so", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z");
		await ours.plan("max", [flat({ month: 60 })]);
		await ours.advance("2026-02-15T00:00:00Z");
		const body = { customerId: "acme", planId: "max" };
		const preview = await ours.insist("POST", "/subscriptions/preview", body);
		expect(preview.droppedPhases.map((one: { id: string }) => one.id)).toEqual(["start", "growth"]);
		const changed = await shown(ours, await ours.buy("max"));
		expect([changed.planId, changed.phase, changed.scheduledPhases]).toEqual(["max", undefined, undefined]);
		expect(await phasesShown(ours, id)).toEqual([]);
		expect((await ours.books()).at(-1)).toBe("2026-02-15: 25 = Unused time: pro, Start -5 + max 30");
		await ours.advance("2026-04-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-04-01: 60 = max 60");
		expect(found(ours)).toEqual([]);
	});

	test("the price after all phases decides whether a change of plan is a downgrade", async () => {
		const { ours } = await selling("2026-01-01T00:00:00Z");
		await ours.plan("small", [flat({ month: 30 })]);
		const preview = await ours.insist("POST", "/subscriptions/preview", { customerId: "acme", planId: "small" });
		expect(preview.isPlanDowngrade).toBe(true);
	});

	test("a migration keeps the phase by its id, until its end", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z");
		await ours.advance("2026-02-10T00:00:00Z");
		await ours.insist("POST", "/plans/pro/draft");
		const phases = [
			{ id: "other", duration: month(12), percentOff: 100 },
			{ id: "start", duration: month(5), percentOff: 60 },
			{ id: "late", duration: month(1), percentOff: 10 },
		];
		await ours.insist("PATCH", "/plans/pro", {
			charges: { pricingType: "PAID", pricingModels: [flat({ month: 40 })], phases },
		});
		await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
		await ours.insist("POST", `/subscriptions/${id}/migrate`, { subscriptionMigrationTime: "IMMEDIATE" });
		expect(await phasesShown(ours, id)).toEqual(["start 2026-01-01 to 2026-03-01", "late 2026-03-01 to 2026-04-01"]);
		await ours.advance("2026-04-01T00:00:00Z");
		expect((await ours.books()).map((line) => line.split(" = ")[0])).toEqual([
			"2026-01-01: 10",
			"2026-02-01: 10",
			"2026-02-10: 4.07",
			"2026-03-01: 36",
			"2026-04-01: 40",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("a migration to a version without the phase ends it with the prices", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z");
		await ours.insist("POST", "/plans/pro/draft");
		await ours.insist("PATCH", "/plans/pro", {
			charges: { pricingType: "PAID", pricingModels: [flat({ month: 50 })], phases: half },
		});
		await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
		await ours.insist("POST", `/subscriptions/${id}/migrate`, {});
		expect((await shown(ours, id)).phase).toMatchObject({ id: "start" });
		await ours.advance("2026-03-01T00:00:00Z");
		expect((await ours.books()).slice(1)).toEqual(["2026-02-01: 50 = pro 50", "2026-03-01: 50 = pro 50"]);
		expect([await phasesShown(ours, id), found(ours)]).toEqual([[], []]);
	});
});
