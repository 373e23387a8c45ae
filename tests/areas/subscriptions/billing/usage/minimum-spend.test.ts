import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { flat, perUnit, till, units, used } from "../../billing";
import { takeOver } from "./taken-over";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

describe("minimum spend", () => {
	test("is charged in advance and used over several invoices; the excess is due, the rest is lost", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [used("calls", { month: 1 })], {
			minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 100, currency: "usd" } }],
		});
		const id = await ours.buy("pro");
		await ours.use("calls", 70);
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.chargeUsage(id);
		await ours.use("calls", 50);
		await ours.advance("2026-04-20T00:00:00Z");
		await ours.chargeUsage(id);
		await ours.use("calls", 8);
		await ours.advance("2026-05-02T00:00:00Z");
		await ours.use("calls", 30);
		await ours.advance("2026-06-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 100 = Minimum spend 100",
			"2026-04-10: 0 = 70 Calls (pro) 70 + Covered by the minimum spend -70",
			"2026-04-20: 20 = 50 Calls (pro) 50 + Covered by the minimum spend -30",
			"2026-05-01: 108 = Minimum spend 100 + 8 Calls (pro) 8",
			"2026-06-01: 100 = Minimum spend 100 + 30 Calls (pro) 30 + Covered by the minimum spend -30",
		]);
	});

	test("pays for late usage only what the usage before new prices has left of it", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		const minimumSpend = [{ billingPeriod: "MONTHLY", minimum: { amount: 100, currency: "usd" } }];
		await ours.plan("pro", [used("calls", { month: 1 })], { minimumSpend });
		const id = await ours.buy("pro");
		await ours.insist("POST", "/plans/pro/draft");
		const charges = { pricingType: "PAID", pricingModels: [used("calls", { month: 2 })], minimumSpend };
		await ours.insist("PATCH", "/plans/pro", { charges });
		await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
		await ours.insist("POST", `/subscriptions/${id}/migrate`, { subscriptionMigrationTime: "END_OF_BILLING_PERIOD" });
		await ours.use("calls", 70);
		await ours.advance("2026-05-02T00:00:00Z");
		await ours.use("calls", 50, "2026-04-20T00:00:00Z");
		await ours.advance("2026-06-01T00:00:00Z");
		expect((await ours.books()).slice(1)).toEqual([
			"2026-05-01: 100 = 70 Calls (pro) 70 + Covered by the minimum spend -70 + Minimum spend 100",
			"2026-06-01: 120 = Minimum spend 100 + 50 Calls (pro) 50 + Covered by the minimum spend -30",
		]);
	});

	test("pays for no usage once credited: neither at the end, nor in a new cycle", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [used("calls", { month: 1 })]);
		await ours.customer("anew");
		const minimum = { minimumSpend: { amount: 100, currency: "usd" } };
		const id = await ours.buy("pro", minimum);
		const renewed = await ours.buy("pro", { ...minimum, customerId: "anew" });
		await ours.advance("2026-04-16T00:00:00Z");
		for (const customer of ["acme", "anew"]) await ours.use("calls", 80, "2026-04-10T00:00:00Z", customer);
		await ours.cancel(id);
		await ours.change(renewed, { ...minimum, billingCycleAnchor: "NOW" });
		await ours.use("calls", 120, undefined, "anew");
		await ours.advance("2026-05-16T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 100 = Minimum spend 100",
			"2026-04-16: -20 = Unused time: Minimum spend -50 + 80 Calls (pro) 80 + Covered by the minimum spend -50",
		]);
		expect(await ours.books("anew")).toEqual([
			"2026-04-01: 100 = Minimum spend 100",
			"2026-04-16: 80 = Unused time: Minimum spend -50 + Minimum spend 100 + 80 Calls (pro) 80 + Covered by the minimum spend -50",
			"2026-05-16: 120 = Minimum spend 100 + 120 Calls (pro) 120 + Covered by the minimum spend -100",
		]);
	});

	test("charged by another system is not credited at an end, so it pays for late usage, whether it was changed here or not", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [flat({ year: 365 }), used("calls", { month: 1 })], {
			minimumSpend: [{ billingPeriod: "ANNUALLY", minimum: { amount: 730, currency: "usd" } }],
		});
		await ours.addon("extra", flat({ year: 365 }));
		const customers = ["changed", "alike"];
		for (const id of customers) await ours.customer(id);
		const item = { planId: "pro", billingPeriod: "ANNUALLY", startDate: "2026-01-01T00:00:00Z" };
		await takeOver(ours, ...customers.map((customerId) => ({ ...item, id: customerId, customerId })));
		await ours.advance("2026-01-02T00:00:00Z");
		await ours.change("changed", { addons: [{ id: "extra", quantity: 1 }] });
		await ours.advance("2026-03-15T00:00:00Z");
		for (const id of customers) await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		for (const id of customers) await ours.use("calls", 1000, "2026-01-20T00:00:00Z", id);
		await ours.advance("2026-05-01T00:00:00Z");
		const late = "2026-04-15: 270 = 1000 Calls (pro) 1000 + Covered by the minimum spend -730";
		expect(await ours.books("alike")).toEqual([late]);
		expect(await ours.books("changed")).toEqual([
			"2026-01-02: 364 = extra 364",
			"2026-03-15: -292 = Unused time: pro -292 + Unused time: extra -292 + Unused time: Minimum spend -584 + Not charged here: pro 292 + Not charged here: Minimum spend 584",
			late,
		]);
	});

	test("pays for late usage up to the change that begins the billing cycle again, and not beyond it", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [used("calls", { month: 1 })]);
		const minimum = { minimumSpend: { amount: 100, currency: "usd" } };
		const id = await ours.buy("pro", minimum);
		await ours.use("calls", 10);
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(id, { ...minimum, billingCycleAnchor: "NOW" });
		await ours.advance("2026-04-21T00:00:00Z");
		await ours.change(id, { ...minimum, billingCycleAnchor: "NOW" });
		await ours.use("calls", 30, "2026-04-18T00:00:00Z");
		await ours.chargeUsage(id);
		// 5 of 30 days of the minimum of 16 to 21 April are not credited: 16.67 pays for calls of these days.
		expect(await ours.books()).toEqual([
			"2026-04-01: 100 = Minimum spend 100",
			"2026-04-16: 50 = Unused time: Minimum spend -50 + Minimum spend 100 + 10 Calls (pro) 10 + Covered by the minimum spend -10",
			"2026-04-21: 16.67 = Unused time: Minimum spend -83.33 + Minimum spend 100",
			"2026-04-21: 13.33 = 30 Calls (pro) 30 + Covered by the minimum spend -16.67",
		]);
	});

	test("is drawn once by usage that a change of its price closes, also where the change is charged itself", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [used("calls", { month: 1 }), perUnit("seats", { month: 10 })], {
			minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 100, currency: "usd" } }],
		});
		const id = await ours.buy("pro");
		await ours.use("calls", 60);
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(id, { ...units("seats", 2), priceOverrides: [{ featureId: "calls", amount: 2 }] });
		await ours.use("calls", 30);
		await ours.advance("2026-05-01T00:00:00Z");
		// The first 60 calls have used 60 of the 100, so 40 pays for the calls at 2.
		expect(await ours.books()).toEqual([
			"2026-04-01: 110 = Seats (pro) 10 + Minimum spend 100",
			"2026-04-16: 5 = Unused time: Seats (pro) -5 + 2 Seats (pro) 10 + 60 Calls (pro) 60 + Covered by the minimum spend -60",
			"2026-05-01: 140 = 2 Seats (pro) 20 + Minimum spend 100 + 30 Calls (pro) 60 + Covered by the minimum spend -40",
		]);
	});

	test("is drawn once by usage that a change of its price closes", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [used("calls", { month: 1 }), perUnit("seats", { month: 10 })], {
			minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 100, currency: "usd" } }],
		});
		const id = await ours.buy("pro");
		await ours.use("calls", 60);
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(id, { ...units("seats", 1), priceOverrides: [{ featureId: "calls", amount: 2 }] });
		await ours.use("calls", 30);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 110 = Seats (pro) 10 + Minimum spend 100",
			"2026-04-16: 0 = 60 Calls (pro) 60 + Covered by the minimum spend -60",
			"2026-05-01: 130 = Seats (pro) 10 + Minimum spend 100 + 30 Calls (pro) 60 + Covered by the minimum spend -40",
		]);
	});
});
