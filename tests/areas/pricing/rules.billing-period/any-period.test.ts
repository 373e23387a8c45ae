import { expect, setDefaultTimeout, test } from "bun:test";
import { perUnit, type Till, till, units, used } from "../../subscriptions/billing";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

interface Period {
	readonly billingPeriod: string;
	readonly billingInterval?: { readonly unit: string; readonly count: number };
}

const usd = (amount: number) => ({ amount, currency: "usd" });
const fee = (period: Period, amount: number, more: object = {}) => ({
	billingModel: "FLAT_FEE",
	pricePeriods: [{ ...period, price: usd(amount) }],
	...more,
});
const days = (count: number): Period => ({ billingPeriod: "CUSTOM", billingInterval: { unit: "DAY", count } });
const quarterly = { billingPeriod: "QUARTERLY" };

/** Returns the dates and totals of the invoices of a fee from a start to an end. */
async function invoicesOf(start: string, period: Period, until: string): Promise<string[]> {
	const ours = await till(start);
	await ours.plan("pro", [fee(period, 90)]);
	await ours.buy("pro");
	await ours.advance(until);
	return (await ours.books()).map((text) => text.replace(" = pro 90", ""));
}

test.each([
	[
		"quarterly from 30 November 2025",
		"2025-11-30T00:00:00Z",
		quarterly,
		["2025-11-30", "2026-02-28", "2026-05-30", "2026-08-30"],
	],
	[
		"half-yearly from 31 August",
		"2025-08-31T00:00:00Z",
		{ billingPeriod: "HALF_YEARLY" },
		["2025-08-31", "2026-02-28", "2026-08-31"],
	],
	[
		"30 days from 1 January 2026",
		"2026-01-01T00:00:00Z",
		days(30),
		["2026-01-01", "2026-01-31", "2026-03-02", "2026-04-01", "2026-05-01"],
	],
	[
		"every 28 days from 1 January 2029",
		"2029-01-01T00:00:00Z",
		{ billingPeriod: "CUSTOM", billingInterval: { unit: "WEEK", count: 4 } },
		["2029-01-01", "2029-01-29", "2029-02-26", "2029-03-26"],
	],
	["weekly", "2026-01-01T00:00:00Z", { billingPeriod: "WEEKLY" }, ["2026-01-01", "2026-01-08", "2026-01-15"]],
	["daily", "2026-02-27T00:00:00Z", { billingPeriod: "DAILY" }, ["2026-02-27", "2026-02-28", "2026-03-01"]],
	[
		"every two years",
		"2024-02-29T00:00:00Z",
		{ billingPeriod: "CUSTOM", billingInterval: { unit: "YEAR", count: 2 } },
		["2024-02-29", "2026-02-28", "2028-02-29"],
	],
] as const)("2.1: charges %s on the dates that the calendar has", async (_, start, period, dates) => {
	const last = dates.at(-1) ?? "";
	expect(await invoicesOf(start, period, `${last}T00:00:00Z`)).toEqual(dates.map((date) => `${date}: 90`));
});

test("equal lengths are one price, and responses show its name", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [fee({ billingPeriod: "CUSTOM", billingInterval: { unit: "MONTH", count: 3 } }, 90)]);
	const [charge] = await ours.insist("GET", "/plans/pro/charges");
	expect(charge).toMatchObject({ billingPeriod: "QUARTERLY", billingInterval: { unit: "MONTH", count: 3 } });
	const shownAfter = async (body: object) => {
		const { billingPeriod, billingInterval, ...subscription } = await ours.insist(
			"GET",
			`/subscriptions/${await ours.buy("pro", body)}`,
		);
		expect(subscription.currentBillingPeriodEnd).toBe("2026-04-01T00:00:00.000Z");
		return { billingPeriod, billingInterval };
	};
	const shown = { billingPeriod: "QUARTERLY", billingInterval: { unit: "MONTH", count: 3 } };
	expect(await shownAfter({})).toEqual(shown);
	expect(await shownAfter(quarterly)).toEqual(shown);
	expect(await shownAfter({ billingInterval: { unit: "MONTH", count: 3 } })).toEqual(shown);
});

test("a month and a year are shown as before, without an interval", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [fee({ billingPeriod: "CUSTOM", billingInterval: { unit: "YEAR", count: 1 } }, 90)]);
	const [charge] = await ours.insist("GET", "/plans/pro/charges");
	expect(charge.billingPeriod).toBe("ANNUALLY");
	const subscription = await ours.insist("GET", `/subscriptions/${await ours.buy("pro")}`);
	for (const shown of [charge, subscription]) expect(shown).not.toHaveProperty("billingInterval");
	expect(subscription).not.toHaveProperty("billingPeriod");
});

test("usage by the month is billed each month of a quarter; usage by the week with each week", async () => {
	const monthly = await till("2026-01-31T00:00:00Z");
	await monthly.plan("pro", [fee(quarterly, 90), used("calls", { month: 0.5 })]);
	await monthly.buy("pro");
	for (const [at, n] of [
		["2026-02-01T00:00:00Z", 10],
		["2026-03-01T00:00:00Z", 20],
	] as const) {
		await monthly.advance(at);
		await monthly.use("calls", n);
	}
	await monthly.advance("2026-05-01T00:00:00Z");
	expect(await monthly.books()).toEqual([
		"2026-01-31: 90 = pro 90",
		"2026-02-28: 5 = 10 Calls (pro) 5",
		"2026-03-31: 10 = 20 Calls (pro) 10",
		"2026-04-30: 90 = pro 90",
	]);

	const weekly = await till("2026-01-01T00:00:00Z");
	const calls = {
		billingModel: "USAGE_BASED",
		featureId: "calls",
		pricePeriods: [{ billingPeriod: "WEEKLY", price: usd(0.5) }],
	};
	await weekly.plan("pro", [fee({ billingPeriod: "WEEKLY" }, 7), calls]);
	await weekly.buy("pro");
	await weekly.use("calls", 10);
	await weekly.advance("2026-01-15T00:00:00Z");
	expect(await weekly.books()).toEqual([
		"2026-01-01: 7 = pro 7",
		"2026-01-08: 12 = pro 7 + 10 Calls (pro) 5",
		"2026-01-15: 7 = pro 7",
	]);
});

test("added units pay for their part of the period", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const seats = { ...perUnit("seats", {}), pricePeriods: [{ ...days(30), price: usd(30) }] };
	await ours.plan("pro", [seats]);
	const id = await ours.buy("pro", units("seats", 1));
	await ours.advance("2026-01-11T00:00:00Z");
	await ours.change(id, units("seats", 2));
	expect(await ours.books()).toEqual(["2026-01-01: 30 = Seats (pro) 30", expect.stringContaining("2026-01-11: 20 = ")]);
});

/** A plan by the month, by 31 days, by 30 days and by the quarter. */
async function sold(period: object): Promise<Till & { readonly id: string }> {
	const ours = await till("2026-01-01T00:00:00Z");
	const prices = [{ billingPeriod: "MONTHLY" }, days(31), days(30), quarterly].map((one) => ({
		...one,
		price: usd(30),
	}));
	await ours.plan("pro", [{ billingModel: "FLAT_FEE", pricePeriods: prices }]);
	return { ...ours, id: await ours.buy("pro", period) };
}

test("2.1: a change to a longer period takes effect at once; one to a shorter period waits for the end", async () => {
	// A month has 30.44 days: 31 days are longer, and 30 days are shorter.
	const longer = await sold({ billingPeriod: "MONTHLY" });
	await longer.change(longer.id, days(31));
	expect(await longer.insist("GET", `/subscriptions/${longer.id}`)).toMatchObject({
		billingPeriod: "CUSTOM",
		billingInterval: { unit: "DAY", count: 31 },
		futureUpdates: [],
	});

	const shorter = await sold({ billingPeriod: "MONTHLY" });
	await shorter.change(shorter.id, days(30));
	expect(await shorter.insist("GET", `/subscriptions/${shorter.id}`)).toMatchObject({
		futureUpdates: [{ subscriptionScheduleType: "BILLING_PERIOD", scheduledExecutionTime: "2026-02-01T00:00:00.000Z" }],
	});
	await shorter.advance("2026-03-03T00:00:00Z");
	expect((await shorter.books()).map((text) => text.slice(0, 10))).toEqual(["2026-01-01", "2026-02-01", "2026-03-03"]);

	const refused = await sold(quarterly);
	const answer = await refused.call("PATCH", `/subscriptions/${refused.id}`, {
		body: { billingPeriod: "MONTHLY", scheduleStrategy: "IMMEDIATE" },
	});
	expect(answer).toMatchObject({ status: 400, body: { code: "DowngradeBillingPeriodNotSupportedError" } });
});

test("the later of two scheduled changes counts, its interval included", async () => {
	const ours = await sold(quarterly);
	await ours.change(ours.id, days(31));
	await ours.change(ours.id, { billingPeriod: "MONTHLY" });
	await ours.advance("2026-05-01T00:00:00Z");
	expect((await ours.books()).map((text) => text.slice(0, 10))).toEqual(["2026-01-01", "2026-04-01", "2026-05-01"]);
});

test("a preview shows the period that a sale would charge", async () => {
	const ours = await sold({ billingPeriod: "MONTHLY" });
	const preview = await ours.insist("POST", "/subscriptions/preview", {
		customerId: "acme",
		planId: "pro",
		...days(30),
	});
	expect(preview.recurringInvoice).toMatchObject({
		total: 30,
		billingPeriodRange: { start: "2026-01-01T00:00:00.000Z", end: "2026-01-31T00:00:00.000Z" },
	});
});

test("bought credits are granted with each billing period", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.insist("POST", "/credits/custom-currencies", { id: "gold", displayName: "Gold" });
	const packs = {
		billingModel: "PER_UNIT",
		topUpCustomCurrencyId: "gold",
		minUnitQuantity: 10,
		pricePeriods: [{ billingPeriod: "WEEKLY", price: usd(1) }],
	};
	await ours.plan("pro", [fee({ billingPeriod: "WEEKLY" }, 7), packs]);
	await ours.buy("pro", { charges: [{ id: "gold", quantity: 10, type: "CREDIT" }] });
	await ours.advance("2026-01-09T00:00:00Z");
	const grants: readonly { effectiveAt: string; amount: number }[] = await ours.insist(
		"GET",
		"/credits/grants?customerId=acme",
	);
	expect(grants.map(({ effectiveAt, amount }) => [effectiveAt.slice(0, 10), amount]).sort()).toEqual([
		["2026-01-01", 10],
		["2026-01-08", 10],
	]);
});
