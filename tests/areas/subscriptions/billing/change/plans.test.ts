import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { systemActor } from "../../../../../src/areas/access/rules.actors";
import { runMigration } from "../../../../../src/areas/subscriptions/versions/migrate";
import { claimTask } from "../../../../../src/tasks/operations";
import { beyond, flat, type Till, till, units, used } from "../../billing";
import { april, purchased } from "./april";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

describe("another plan", () => {
	test("upgrades: credits unused time, charges the rest of the period, and continues the cycle", async () => {
		const ours = await april();
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.buy("max", { billingPeriod: "MONTHLY" });
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			purchased,
			"2026-04-16: 13.5 = Unused time: pro -15 + Unused time: Seats (pro) -1.5 + max 30",
			"2026-05-01: 60 = max 60",
		]);
	});

	test("downgrades, also to a free plan: credits the excess by a credit note", async () => {
		const ours = await april();
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.buy("basic", { billingPeriod: "MONTHLY" });
		await ours.advance("2026-04-22T00:00:00Z");
		await ours.buy("free");
		await ours.advance("2026-06-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			purchased,
			"2026-04-16: -10.5 = Unused time: pro -15 + Unused time: Seats (pro) -1.5 + basic 6",
			"2026-04-22: -3.6 = Unused time: basic -3.6",
		]);
	});

	test("with another billing period starts its own cycle", async () => {
		const ours = await april();
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.buy("max", { billingPeriod: "ANNUALLY" });
		await ours.advance("2027-04-16T00:00:00Z");
		expect(await ours.books()).toEqual([
			purchased,
			"2026-04-16: 583.5 = Unused time: pro -15 + Unused time: Seats (pro) -1.5 + max 600",
			"2027-04-16: 600 = max 600",
		]);
	});

	test.each(["INVOICE_IMMEDIATELY", "CREATE_PRORATIONS", "NONE"])(
		"at the end of the period is charged instead of the renewal: %s",
		async (prorationBehavior) => {
			const ours = await april();
			await ours.advance("2026-04-16T00:00:00Z");
			const billingInformation = { prorationBehavior };
			await ours.buy("basic", {
				billingPeriod: "MONTHLY",
				scheduleStrategy: "END_OF_BILLING_PERIOD",
				billingInformation,
			});
			await ours.advance("2026-06-01T00:00:00Z");
			expect(await ours.books()).toEqual([purchased, "2026-05-01: 12 = basic 12", "2026-06-01: 12 = basic 12"]);
		},
	);

	test("waits for the next invoice, or is charged from the next period on, as the call says", async () => {
		const ours = await april();
		await ours.customer("none");
		await ours.buy("pro", { billingPeriod: "MONTHLY", customerId: "none" });
		await ours.advance("2026-04-16T00:00:00Z");
		const asked = (prorationBehavior: string) => ({
			billingPeriod: "MONTHLY",
			billingInformation: { prorationBehavior },
		});
		await ours.buy("max", asked("CREATE_PRORATIONS"));
		const id = await ours.buy("max", { ...asked("NONE"), customerId: "none" });
		await ours.advance("2026-05-01T00:00:00Z");
		await ours.cancel(id);
		expect(await ours.books()).toEqual([
			purchased,
			"2026-05-01: 73.5 = Unused time: pro -15 + Unused time: Seats (pro) -1.5 + max 30 + max 60",
		]);
		expect(await ours.books("none")).toEqual([
			purchased,
			"2026-05-01: 60 = max 60",
			"2026-05-01: -60 = Unused time: max -60",
		]);
	});

	test("credits time once that nobody paid in advance", async () => {
		const ours = await april();
		await ours.plan("payg", [used("calls", { month: 1 })]);
		await ours.advance("2026-04-16T00:00:00Z");
		const id = await ours.buy("payg");
		await ours.cancel(id);
		expect(await ours.books()).toEqual([
			purchased,
			"2026-04-16: -16.5 = Unused time: pro -15 + Unused time: Seats (pro) -1.5",
		]);
	});
});

describe("discounts, tax and currencies", () => {
	test("a coupon of three months discounts three invoices; a credit has the discount of its charge", async () => {
		const ours = await till("2026-01-31T00:00:00Z");
		await ours.plan("pro", [flat({ month: 30 })]);
		await ours.coupon("THIRD", { percent: 33, months: 3 });
		const id = await ours.buy("pro", {
			appliedCoupon: { couponId: "THIRD" },
			billingInformation: { taxPercentage: 7.5 },
		});
		await ours.advance("2026-05-15T12:00:00Z");
		await ours.cancel(id);
		// 30 - 9.9 = 20.1, and 7.5 % of it 1.5075.
		expect(await ours.books()).toEqual([
			"2026-01-31: 21.61 less 9.9 tax 1.51 = pro 30",
			"2026-02-28: 21.61 less 9.9 tax 1.51 = pro 30",
			"2026-03-31: 21.61 less 9.9 tax 1.51 = pro 30",
			"2026-04-30: 32.25 tax 2.25 = pro 30",
			"2026-05-15T12:00: -16.13 tax -1.13 = Unused time: pro -15",
		]);
	});

	test("a fixed coupon applies once a month, and in part to a part of a month", async () => {
		const ours = await april();
		await ours.customer("five");
		await ours.coupon("FIVE", { amounts: [5, [700, "jpy"]] });
		const id = await ours.buy("pro", {
			billingPeriod: "MONTHLY",
			customerId: "five",
			appliedCoupon: { couponId: "FIVE" },
		});
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(id, units("seats", 3));
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books("five")).toEqual([
			"2026-04-01: 28 less 5 = pro 30 + Seats (pro) 3",
			"2026-04-16: 3 = Unused time: pro -15 + Unused time: Seats (pro) -1.5 + pro 15 + 3 Seats (pro) 4.5",
			"2026-05-01: 34 less 5 = pro 30 + 3 Seats (pro) 9",
		]);
	});

	test("the customer's own coupon applies if the subscription has none", async () => {
		const ours = await april();
		await ours.coupon("HALF", { percent: 50, months: 1 });
		await ours.coupon("TEN", { percent: 10 });
		await ours.customer("held", { couponId: "HALF" });
		await ours.customer("both", { couponId: "HALF" });
		await ours.buy("basic", { billingPeriod: "MONTHLY", customerId: "held" });
		await ours.buy("basic", { billingPeriod: "MONTHLY", customerId: "both", appliedCoupon: { couponId: "TEN" } });
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books("held")).toEqual(["2026-04-01: 6 less 6 = basic 12", "2026-05-01: 12 = basic 12"]);
		expect(await ours.books("both")).toEqual([
			"2026-04-01: 10.8 less 1.2 = basic 12",
			"2026-05-01: 10.8 less 1.2 = basic 12",
		]);
	});

	test("a currency without minor units rounds half up to whole units", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("yen", [flat({ month: [1001, "jpy"] })]);
		const id = await ours.buy("yen", { billingInformation: { taxPercentage: 10 } });
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.cancel(id);
		expect(await ours.books()).toEqual([
			"2026-04-01: 1101 tax 100 = yen 1001",
			"2026-04-16: -551 tax -50 = Unused time: yen -501",
		]);
	});
});

test("after a publication to all customers, a renewal bills the usage of the ended period at the prices of that period", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 10 }), used("calls", { month: 1 })]);
	await ours.buy("pro");
	await ours.use("calls", 10);
	await ours.insist("POST", "/plans/pro/draft");
	const charges = { pricingType: "PAID", pricingModels: [flat({ month: 20 }), used("calls", { month: 3 })] };
	await ours.insist("PATCH", "/plans/pro", { charges });
	await publishToAll(ours);
	await ours.advance("2026-05-01T00:00:00Z");
	await ours.use("calls", 10);
	await ours.advance("2026-06-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-04-01: 10 = pro 10",
		"2026-05-01: 30 = pro 20 + 10 Calls (pro) 10",
		"2026-06-01: 50 = pro 20 + 10 Calls (pro) 30",
	]);
});

test("a publication that prices usage bills no earlier usage, reported late or not", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 10 })]);
	await ours.buy("pro");
	await ours.use("calls", 10);
	await ours.use("tokens", 40_000);
	await ours.insist("POST", "/plans/pro/draft");
	// The limit's window is a year: it began before the prices and continues after them.
	const tokens = beyond("tokens", 5, { month: 2 });
	const charges = {
		pricingType: "PAID",
		pricingModels: [flat({ month: 20 }), used("calls", { month: 3 })],
		overagePricingModels: [{ ...tokens, entitlement: { ...tokens.entitlement, ...yearFromJanuary } }],
	};
	await ours.insist("PATCH", "/plans/pro", { charges });
	await publishToAll(ours);
	await ours.advance("2026-05-01T00:00:00Z");
	await ours.use("calls", 2, "2026-04-20T00:00:00Z");
	await ours.use("calls", 7);
	await ours.use("tokens", 3_000);
	await ours.advance("2026-06-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-04-01: 10 = pro 10",
		"2026-05-01: 20 = pro 20",
		"2026-06-01: 47 = pro 20 + 7 Calls (pro) 21 + 3 Tokens (pro) 6",
	]);
});

async function publishToAll(ours: Till): Promise<void> {
	await ours.insist("POST", "/plans/pro/publish", { migrationType: "ALL_CUSTOMERS" });
	const task = ours.transactions.write(systemActor(""), (work) => claimTask(work, ["MIGRATE_SUBSCRIPTIONS"]));
	if (task) await runMigration(ours.thread, task);
}

/** A limit whose window continues over many renewals. */
const yearFromJanuary = {
	resetPeriod: "YEAR",
	monthlyResetPeriodConfiguration: undefined,
	yearlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
};
