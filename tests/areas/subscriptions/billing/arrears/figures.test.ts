import { expect, setDefaultTimeout, test } from "bun:test";
import { checkRates } from "../../../../../src/areas/invoices/check/operations.rates";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, perUnit, type Till, till, units, used } from "../../billing";

setDefaultTimeout(60_000);

const drift = ({ transactions, actor }: Till): string[] =>
	transactions.read(actor, (work) => [...checkRates(work), ...checkSubscriptionBills(work)]);

const inArrears = { paymentTime: "IN_ARREARS" };
const byDay = { ...inArrears, prorationMode: "BY_DAY" };
const seats = (price: number, terms: object = byDay) => perUnit("seats", { month: price }, terms);

const totals = async (ours: Pick<Till, "books">) => (await ours.books()).map((text) => text.split(" = ")[0]);

async function sold(start: string, models: readonly object[], terms: object = {}) {
	const ours = await till(start);
	await ours.plan("pro", models);
	const id = await ours.buy("pro", terms);
	return { ...ours, id };
}

test("2.6: 12.00 a seat in April, 10 seats, 15 from the 16th: one line for each stretch on 1 May", async () => {
	const ours = await sold("2026-04-01T00:00:00Z", [seats(12)], units("seats", 10));
	await ours.advance("2026-04-16T09:00:00Z");
	await ours.change(ours.id, units("seats", 15));
	expect(await ours.books()).toEqual([]);
	expect(drift(ours)).toEqual([]);
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-05-01: 150 = 10 Seats (pro) 60 + 15 Seats (pro) 90"]);
	await ours.advance("2026-06-01T00:00:00Z");
	expect((await ours.books()).slice(1)).toEqual(["2026-06-01: 180 = 15 Seats (pro) 180"]);
	expect(drift(ours)).toEqual([]);
});

test("2.6: an end bills the used time", async () => {
	const ours = await sold("2026-04-01T00:00:00Z", [flat({ month: 30 }, byDay)]);
	await ours.advance("2026-04-10T12:00:00Z");
	await ours.cancel(ours.id, { cancellationTime: "IMMEDIATE" });
	// The date of the end counts.
	expect(await ours.books()).toEqual(["2026-04-10T12:00: 10 = pro 10"]);
	await ours.advance("2026-07-01T00:00:00Z");
	expect(await ours.books()).toHaveLength(1);
	expect(drift(ours)).toEqual([]);
});

test("2.6: a trial is not billed", async () => {
	const trialOverrideConfiguration = { isTrial: true, trialEndDate: "2026-04-11T00:00:00Z" };
	const ours = await sold("2026-04-01T00:00:00Z", [flat({ month: 30 }, inArrears)], { trialOverrideConfiguration });
	await ours.advance("2026-05-11T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-05-11: 30 = pro 30"]);
	expect(drift(ours)).toEqual([]);
});

const paidOnce = ["2026-04-01: 30", "2026-06-01: 30", "2026-07-01: 30"];

test.each([
	["END_OF_BILLING_PERIOD", {}, {}, paidOnce],
	["IMMEDIATE", {}, {}, ["2026-04-01: 30", "2026-04-16: -15", "2026-05-01: 15", "2026-06-01: 30", "2026-07-01: 30"]],
	["IMMEDIATE", { prorationMode: "NONE" }, { prorationMode: "NONE" }, paidOnce],
	["IMMEDIATE", { refundsUnusedTime: false }, {}, paidOnce],
] as const)(
	"2.6: a running charge that moves to in arrears %s is billed once for the running period (%o)",
	async (time, before, after, expected) => {
		const ours = await sold("2026-04-01T00:00:00Z", [flat({ month: 30 }, before)]);
		await ours.insist("POST", "/plans/pro/draft");
		const charges = { pricingType: "PAID", pricingModels: [flat({ month: 30 }, { ...inArrears, ...after })] };
		await ours.insist("PATCH", "/plans/pro", { charges });
		await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${ours.id}/migrate`, { subscriptionMigrationTime: time });
		await ours.advance("2026-07-01T00:00:00Z");
		expect(await totals(ours)).toEqual([...expected]);
		expect(drift(ours)).toEqual([]);
	},
);

test.each([
	[{ prorationMode: "NONE" }, { prorationMode: "NONE" }],
	[{ refundsUnusedTime: false }, {}],
] as const)(
	"2.6: a charge that is never credited (%o) has paid the running period, also if it costs more in arrears",
	async (before, after) => {
		const ours = await sold("2026-04-01T00:00:00Z", [flat({ month: 30 }, before)]);
		await ours.insist("POST", "/plans/pro/draft");
		const charges = { pricingType: "PAID", pricingModels: [flat({ month: 50 }, { ...inArrears, ...after })] };
		await ours.insist("PATCH", "/plans/pro", { charges });
		await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${ours.id}/migrate`, { subscriptionMigrationTime: "IMMEDIATE" });
		await ours.advance("2026-07-01T00:00:00Z");
		expect(await totals(ours)).toEqual(["2026-04-01: 30", "2026-06-01: 50", "2026-07-01: 50"]);
		expect(drift(ours)).toEqual([]);
	},
);

test.each([
	[
		"credits the rest, and bills the rest at the end",
		{},
		["2026-04-01: 30", "2026-04-16: -15", "2026-05-01: 30", "2026-06-01: 60"],
	],
	[
		"without proration the paid period runs out",
		{ billingInformation: { prorationBehavior: "NONE" } },
		["2026-04-01: 30", "2026-06-01: 60"],
	],
] as const)("2.6: a plan in arrears that replaces one in advance: %s", async (_, terms, expected) => {
	const ours = await sold("2026-04-01T00:00:00Z", [flat({ month: 30 })]);
	await ours.plan("max", [flat({ month: 60 }, inArrears)]);
	await ours.advance("2026-04-16T00:00:00Z");
	await ours.buy("max", terms);
	await ours.advance("2026-06-01T00:00:00Z");
	expect(await totals(ours)).toEqual([...expected]);
	expect(drift(ours)).toEqual([]);
});

test("a plan in arrears that is replaced bills its used time at once, and the other one begins", async () => {
	const ours = await sold("2026-04-01T00:00:00Z", [flat({ month: 30 }, inArrears)]);
	await ours.plan("max", [flat({ month: 60 }, inArrears)]);
	await ours.advance("2026-04-11T00:00:00Z");
	await ours.buy("max");
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await totals(ours)).toEqual(["2026-04-11: 10", "2026-05-01: 40"]);
	expect(drift(ours)).toEqual([]);
});

test("fees in advance, fees in arrears and usage share the invoice of a renewal, with a percentage coupon", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.coupon("ten", { percent: 10 });
	await ours.plan("pro", [flat({ month: 100 }), seats(12), used("calls", { month: 1 })]);
	await ours.buy("pro", { ...units("seats", 10), appliedCoupon: { couponId: "ten" } });
	await ours.use("calls", 5);
	await ours.advance("2026-05-01T00:00:00Z");
	const [, renewal] = await ours.books();
	expect(renewal).toContain("2026-05-01: 202.5 less 22.5 =");
	expect(drift(ours)).toEqual([]);
});

test.each([
	[
		"in advance too",
		[flat({ month: 100 }), flat({ month: 30 }, { ...inArrears, key: "late" })],
		["2026-04-01: 90 less 10", "2026-05-01: 120 less 10"],
	],
	["in arrears only", [flat({ month: 30 }, inArrears)], ["2026-05-01: 20 less 10"]],
] as const)("a fixed discount applies once a period where fees are %s", async (_, models, expected) => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.coupon("ten", { amounts: [10] });
	await ours.plan(
		"pro",
		models.map((model, at) => ({ ...model, ...(models.length > 1 && at === 0 && { key: "early" }) })),
	);
	const id = await ours.buy("pro", { appliedCoupon: { couponId: "ten" } });
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await totals(ours)).toEqual([...expected]);
	await ours.cancel(id, { cancellationTime: "IMMEDIATE", prorate: true });
	expect(drift(ours)).toEqual([]);
});

test("2.5: without proration 5, 8, 5, 8 seats in arrears charge the highest number once", async () => {
	const ours = await sold(
		"2026-04-01T00:00:00Z",
		[seats(10, { ...inArrears, prorationMode: "NONE" })],
		units("seats", 5),
	);
	for (const [day, count] of [
		[5, 8],
		[10, 5],
		[15, 8],
	] as const) {
		await ours.advance(`2026-04-${String(day).padStart(2, "0")}T00:00:00Z`);
		await ours.change(ours.id, units("seats", count));
	}
	await ours.advance("2026-06-01T00:00:00Z");
	expect(await totals(ours)).toEqual(["2026-05-01: 80", "2026-06-01: 80"]);
	expect(drift(ours)).toEqual([]);
});

test("a chosen day, a move and a zone cut charges in arrears like those in advance", async () => {
	const ours = await sold("2026-01-20T00:00:00Z", [flat({ month: 30 }, inArrears)], {
		billingAnchor: { type: "DAY", dayOfMonth: 15 },
	});
	await ours.advance("2026-03-02T00:00:00Z");
	await ours.change(ours.id, { billingAnchor: { type: "DAY", dayOfMonth: 1 } });
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await totals(ours)).toEqual(["2026-02-15: 25.16", "2026-03-15: 30", "2026-04-01: 16.45", "2026-05-01: 30"]);
	expect(drift(ours)).toEqual([]);
});

test.each([
	["FREE", ["2026-06-01: 30"]],
	["FULL", ["2026-05-01: 30", "2026-06-01: 30"]],
] as const)("a first period can be %s in arrears", async (firstPeriod, expected) => {
	const billingAnchor = { type: "DAY", dayOfMonth: 1, firstPeriod };
	const ours = await sold("2026-04-16T00:00:00Z", [flat({ month: 30 }, inArrears)], { billingAnchor });
	await ours.advance("2026-06-01T00:00:00Z");
	expect(await totals(ours)).toEqual([...expected]);
	expect(drift(ours)).toEqual([]);
});

test.each([
	["at the end of the period", { scheduleStrategy: "END_OF_BILLING_PERIOD" }],
	["without proration", { billingInformation: { prorationBehavior: "NONE" } }],
])(
	"an addon in arrears that is removed %s is billed to the end of the period, or of the subscription",
	async (_, how) => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 100 })]);
		await ours.addon("extra", flat({ month: 30 }, byDay));
		const addons = [{ id: "extra", quantity: 1 }];
		for (const end of [false, true]) {
			const id = await ours.buy("pro", { addons });
			await ours.change(id, { addons: [], ...how });
			await ours.advance(end ? "2026-06-16T00:00:00Z" : "2026-06-01T00:00:00Z");
			await ours.cancel(id, { cancellationTime: "IMMEDIATE", prorate: false });
		}
		expect(await totals(ours)).toEqual([
			...["2026-04-01: 100", "2026-05-01: 130", "2026-06-01: 100"],
			...["2026-06-01: 100", "2026-06-16: 15"],
		]);
		expect(drift(ours)).toEqual([]);
	},
);

test("a charge that another system bills for the running period, and that moves to in advance then, has ended", async () => {
	const ours = await till("2026-04-16T00:00:00Z");
	await ours.plan("pro", [flat({ month: 30 }, inArrears)]);
	const id = await ours.buy("pro", { startDate: "2026-04-01T00:00:00Z" });
	await ours.insist("POST", "/plans/pro/draft");
	const charges = { pricingType: "PAID", pricingModels: [flat({ month: 30 })] };
	await ours.insist("PATCH", "/plans/pro", { charges });
	await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	await ours.insist("POST", `/subscriptions/${id}/migrate`, { subscriptionMigrationTime: "END_OF_BILLING_PERIOD" });
	await ours.advance("2026-07-01T00:00:00Z");
	expect(await totals(ours)).toEqual(["2026-05-01: 30", "2026-06-01: 30", "2026-07-01: 30"]);
	expect(drift(ours)).toEqual([]);
});

test("a change of the billing period bills the used time at once, and the new period at its end", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 30, year: 365 }, inArrears)]);
	const id = await ours.buy("pro", { billingPeriod: "MONTHLY" });
	await ours.advance("2026-04-11T00:00:00Z");
	await ours.change(id, { billingPeriod: "ANNUALLY" });
	await ours.advance("2027-04-11T00:00:00Z");
	expect(await totals(ours)).toEqual(["2026-04-11: 10", "2027-04-11: 365"]);
	expect(drift(ours)).toEqual([]);
});
