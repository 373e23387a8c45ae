import { describe, expect, test } from "bun:test";
import { flat, till, used } from "../../billing";
import { found, selling, shown, termShown, totals } from "./agreed";

const half = { months: 6, upliftPercentage: 10 };

describe("the term of a subscription (2.21)", () => {
	test("replaces that of the version as a whole, and shows its defaults", async () => {
		const { ours, id } = await selling(
			"2026-01-01T00:00:00Z",
			{ months: 12, upliftPercentage: 5 },
			{ term: { months: 3 } },
		);
		expect((await shown(ours, id)).term).toEqual({
			months: 3,
			autoRenew: true,
			noticePeriodDays: 0,
			upliftPercentage: 0,
			upliftsUsage: false,
			renewalMonths: 3,
			earlyCancellation: "AT_TERM_END",
		});
		await ours.advance("2026-04-01T00:00:00Z");
		expect(await termShown(ours, id)).toBe("2: 2026-04-01 to 2026-07-01");
		expect((await totals(ours)).at(-1)).toBe("2026-04-01: 100");
		expect(found(ours)).toEqual([]);
	});

	test("can change: the running term counts from its start, and null returns to that of the plan", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", half);
		await ours.advance("2026-03-10T00:00:00Z");
		await ours.change(id, { term: { months: 24, upliftPercentage: 20, renewalMonths: 3 } });
		expect(await termShown(ours, id)).toBe("1: 2026-01-01 to 2028-01-01");
		const refused = await ours.call("PATCH", `/subscriptions/${id}`, { body: { term: { months: 2 } } });
		expect(refused).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
		expect(refused.body.message).toStartWith("body.term.months:");
		await ours.change(id, { term: null });
		expect(await termShown(ours, id)).toBe("1: 2026-01-01 to 2026-07-01");
		expect((await shown(ours, id)).term).toBeUndefined();
		await ours.advance("2026-07-01T00:00:00Z");
		expect((await totals(ours)).at(-1)).toBe("2026-07-01: 110");
		// The term that runs is the second one, so its length is that of a renewal.
		await ours.change(id, { term: { months: 24, renewalMonths: 3, upliftPercentage: 20 } });
		expect(await termShown(ours, id)).toBe("2: 2026-07-01 to 2026-10-01");
		await ours.advance("2026-10-01T00:00:00Z");
		expect((await totals(ours)).at(-1)).toBe("2026-10-01: 132");
		expect(found(ours)).toEqual([]);
	});

	test("begins with an update where none runs, and ends with one", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", undefined);
		await ours.advance("2026-02-10T00:00:00Z");
		await ours.change(id, { term: half });
		expect(await termShown(ours, id)).toBe("1: 2026-02-10 to 2026-08-10");
		await ours.change(id, { term: null });
		expect(await termShown(ours, id)).toBe("none");
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		expect((await shown(ours, id)).status).toBe("CANCELED");
		expect(found(ours)).toEqual([]);
	});

	test("can change at the end of the billing period, where a new own price is not increased again", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", { months: 2, upliftPercentage: 10 });
		await ours.advance("2026-02-10T00:00:00Z");
		const own = { priceOverrides: [{ baseCharge: true, amount: 500 }], minimumSpend: { amount: 50, currency: "usd" } };
		await ours.change(id, { ...own, scheduleStrategy: "END_OF_BILLING_PERIOD" });
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-01: 100 = pro 100",
			"2026-02-01: 100 = pro 100",
			"2026-03-01: 550 = pro 500 + Minimum spend 50",
			"2026-04-01: 550 = pro 500 + Minimum spend 50",
			"2026-05-01: 605 = pro 550 + Minimum spend 55",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("begins at the end of a trial, also of one that ends now", async () => {
		const trial = { trialOverrideConfiguration: { isTrial: true, trialEndDate: "2026-02-01T00:00:00Z" } };
		const { ours, id } = await selling("2026-01-15T00:00:00Z", half, trial);
		await ours.advance("2026-01-20T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${id}/trial/end`);
		expect(await termShown(ours, id)).toBe("1: 2026-01-20 to 2026-07-20");
		expect(found(ours)).toEqual([]);
	});

	test("counts from a start in the past, at the prices of the sale", async () => {
		const { ours, id } = await selling("2026-01-10T00:00:00Z", half, { startDate: "2024-11-01T00:00:00Z" });
		expect(await termShown(ours, id)).toBe("3: 2025-11-01 to 2026-05-01");
		await ours.advance("2026-05-01T00:00:00Z");
		expect((await totals(ours)).slice(-2)).toEqual(["2026-04-01: 100", "2026-05-01: 110"]);
		expect(found(ours)).toEqual([]);
	});

	test("ends in the time zone of the subscription", async () => {
		const { ours, id } = await selling("2026-02-01T05:00:00Z", half, { timeZone: "America/New_York" });
		expect((await shown(ours, id)).currentTerm.endDate).toBe("2026-08-01T04:00:00.000Z");
		await ours.advance("2026-08-01T04:00:00Z");
		expect((await totals(ours)).at(-1)).toBe("2026-08-01T04:00: 110");
		expect(found(ours)).toEqual([]);
	});
});

describe("a term and other changes", () => {
	test("a pause does not stop it; the resumption has the increased price", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", { months: 2, upliftPercentage: 10 });
		await ours.advance("2026-02-15T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${id}/pause`);
		await ours.advance("2026-06-16T00:00:00Z");
		expect(await termShown(ours, id)).toBe("3: 2026-05-01 to 2026-07-01");
		await ours.insist("POST", `/subscriptions/${id}/resume`);
		expect((await ours.books()).at(-1)).toBe("2026-06-16: 60.5 = pro 60.5");
		await ours.advance("2026-07-01T00:00:00Z");
		expect((await totals(ours)).at(-1)).toBe("2026-07-01: 133.1");
		expect(found(ours)).toEqual([]);
	});

	test("a paused subscription expires with a term that is not renewed", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", { months: 2, autoRenew: false });
		await ours.insist("POST", `/subscriptions/${id}/pause`);
		await ours.advance("2026-03-01T00:00:00Z");
		expect((await shown(ours, id)).status).toBe("EXPIRED");
	});

	test("phases lower the increased price", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 100 }), used("calls", { month: 1 })], {
			term: { months: 1, upliftPercentage: 10, upliftsUsage: true },
			phases: [{ id: "half", duration: { unit: "MONTH", count: 2 }, percentOff: 50 }],
		});
		await ours.buy("pro");
		await ours.advance("2026-02-10T00:00:00Z");
		await ours.use("calls", 10);
		await ours.advance("2026-03-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-01: 50 = pro, half 50",
			"2026-02-01: 55 = pro, half 55",
			"2026-03-01: 126.5 = 10 Calls (pro), half 5.5 + pro 121",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("a change of plan begins a new term at the prices of the new plan", async () => {
		const { ours, id } = await selling(
			"2026-01-01T00:00:00Z",
			{ months: 2, upliftPercentage: 10 },
			{ term: { months: 1, upliftPercentage: 50 } },
		);
		await ours.plan("big", [flat({ month: 200 })], { term: { months: 12 } });
		await ours.advance("2026-02-15T00:00:00Z");
		const preview = await ours.insist("POST", "/subscriptions/preview", { customerId: "acme", planId: "big" });
		expect(preview.endedTerm).toMatchObject({ number: 2, endDate: "2026-03-01T00:00:00.000Z" });
		const next = await ours.buy("big");
		expect(await termShown(ours, next)).toBe("1: 2026-02-15 to 2027-02-15");
		expect((await shown(ours, next)).term).toBeUndefined();
		expect((await ours.books()).at(-1)).toBe("2026-02-15: 25 = Unused time: pro -75 + big 100");
		expect((await shown(ours, id)).status).toBe("CANCELED");
		expect(found(ours)).toEqual([]);
	});

	test("a migration keeps the running term and its increases; the next term is that of the new version", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", { months: 1, upliftPercentage: 10 });
		await ours.advance("2026-02-10T00:00:00Z");
		await ours.insist("POST", "/plans/pro/draft");
		const charges = {
			pricingType: "PAID",
			pricingModels: [flat({ month: 200 })],
			term: { months: 3, renewalMonths: 2, upliftPercentage: 50 },
		};
		await ours.insist("PATCH", "/plans/pro", { charges });
		await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
		await ours.insist("POST", `/subscriptions/${id}/migrate`, { subscriptionMigrationTime: "IMMEDIATE" });
		expect(await termShown(ours, id)).toBe("2: 2026-02-01 to 2026-03-01");
		await ours.advance("2026-03-01T00:00:00Z");
		expect(await termShown(ours, id)).toBe("3: 2026-03-01 to 2026-04-01");
		await ours.advance("2026-04-01T00:00:00Z");
		expect(await termShown(ours, id)).toBe("4: 2026-04-01 to 2026-06-01");
		expect((await totals(ours)).slice(-2)).toEqual(["2026-03-01: 242", "2026-04-01: 363"]);
		expect(found(ours)).toEqual([]);
	});

	test("a version without a term ends it with the running one, and keeps the increases", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", { months: 1, upliftPercentage: 10 });
		await ours.advance("2026-02-10T00:00:00Z");
		await ours.insist("POST", "/plans/pro/draft");
		await ours.insist("PATCH", "/plans/pro", {
			charges: { pricingType: "PAID", pricingModels: [flat({ month: 100 })] },
		});
		const dryRun = await ours.insist("POST", "/plans/pro/publish?dryRun=true", { migrationType: "ALL_CUSTOMERS" });
		expect(dryRun.impact.term).toMatchObject({ change: "REMOVED", before: { months: 1 }, after: null });
		await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
		await ours.insist("POST", `/subscriptions/${id}/migrate`, { subscriptionMigrationTime: "IMMEDIATE" });
		await ours.advance("2026-04-01T00:00:00Z");
		expect(await termShown(ours, id)).toBe("none");
		expect((await totals(ours)).slice(-2)).toEqual(["2026-03-01: 110", "2026-04-01: 110"]);
		expect(found(ours)).toEqual([]);
	});

	test("a transfer to another resource keeps the term", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.insist("PATCH", "/products/app", { multipleSubscriptions: true });
		await ours.plan("pro", [flat({ month: 100 })], { term: { months: 1, upliftPercentage: 10 } });
		const id = await ours.buy("pro", { resourceId: "one" });
		await ours.advance("2026-02-10T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${id}/transfer`, { destinationResourceId: "two" });
		await ours.advance("2026-03-01T00:00:00Z");
		expect(await termShown(ours, id)).toBe("3: 2026-03-01 to 2026-04-01");
		expect((await totals(ours)).at(-1)).toBe("2026-03-01: 121");
		expect(found(ours)).toEqual([]);
	});
});
