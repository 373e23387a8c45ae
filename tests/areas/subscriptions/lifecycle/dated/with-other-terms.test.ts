import { expect, setDefaultTimeout, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, perUnit, type Till, till, units, used } from "../../billing";
import { site } from "../../spend-thresholds/site";

setDefaultTimeout(60_000);

const found = ({ transactions, actor }: Pick<Till, "transactions" | "actor">) =>
	transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

const date = "2026-04-11T00:00:00Z";

/** A flat fee in dollars and in euros. */
const inBoth = (period: "MONTHLY" | "ANNUALLY", usd: number, eur: number) => ({
	billingModel: "FLAT_FEE",
	pricePeriods: [
		{ billingPeriod: period, price: { amount: usd, currency: "usd" } },
		{ billingPeriod: period, price: { amount: eur, currency: "eur" } },
	],
});
const inEuros = { billingCurrency: "eur" };

test("an earlier date rates past periods again in the currency of the subscription (2.22, 2.27)", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [inBoth("MONTHLY", 30, 27)]);
	await ours.plan("max", [inBoth("MONTHLY", 60, 54)]);
	await ours.buy("pro", inEuros);
	await ours.advance("2026-05-05T00:00:00Z");
	await ours.buy("max", { effectiveDate: date });
	// 20 of 30 days of 27.00 and 54.00 EUR, and May as a whole.
	expect((await ours.books()).at(-1)).toBe(
		"2026-05-05: 45 = Unused time: pro -18 + max 36 + Unused time: pro -27 + max 54",
	);
	const invoices = await ours.insist("GET", "/customers/acme/invoices?limit=100");
	expect(invoices.map(({ currency }: { currency: string }) => currency)).toEqual(["eur", "eur", "eur"]);
	expect(found(ours)).toEqual([]);
});

test("a renewal increases the price in the currency of the subscription (2.21, 2.27)", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const term = { months: 12, upliftPercentage: 5 };
	await ours.plan("pro", [inBoth("ANNUALLY", 1200, 1000)], { term });
	await ours.buy("pro", inEuros);
	await ours.advance("2028-01-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-01-01: 1000 = pro 1000",
		"2027-01-01: 1050 = pro 1050",
		"2028-01-01: 1102.5 = pro 1102.5",
	]);
	expect(found(ours)).toEqual([]);
});

test("an earlier date has an invoice of its own, and the next renewals share one again (2.22, 2.23)", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.insist("PATCH", "/customers/acme", { invoiceGrouping: "CONSOLIDATED" });
	for (const id of ["north", "south"]) await ours.customer(id, { parentCustomerId: "acme", billsTo: "PARENT" });
	await ours.plan("pro", [flat({ month: 30 })]);
	await ours.plan("small", [flat({ month: 20 })]);
	const id = await ours.buy("pro", { customerId: "north" });
	await ours.buy("small", { customerId: "south" });
	await ours.advance("2026-05-05T00:00:00Z");
	await ours.change(id, { effectiveDate: date, priceOverrides: [{ baseCharge: true, amount: 60 }] });
	await ours.advance("2026-06-01T00:00:00Z");
	expect((await ours.books()).slice(-3)).toEqual([
		"2026-05-01: 50 = pro 30 + small 20",
		"2026-05-05: 50 = Unused time: pro -20 + pro 40 + Unused time: pro -30 + pro 60",
		"2026-06-01: 80 = pro 60 + small 20",
	]);
	expect(found(ours)).toEqual([]);
});

test("an earlier date rates the level of a window in two parts (2.9, 2.22)", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	const level = (amount: number) => ({
		...{ billingModel: "USAGE_BASED", featureId: "seats", usageMeasure: "TIME_WEIGHTED" },
		pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount, currency: "usd" } }],
	});
	await ours.plan("pro", [level(10)]);
	await ours.plan("max", [level(16)]);
	await ours.buy("pro");
	const usages = [
		{ customerId: "acme", featureId: "seats", value: 6, updateBehavior: "SET", createdAt: "2026-04-01T00:00:00Z" },
	];
	await ours.insist("POST", "/usage", { usages });
	await ours.advance("2026-05-05T00:00:00Z");
	await ours.buy("max", { effectiveDate: date });
	// 6 seats: 60.00 for April; then 10 of 30 days of 60.00 and 20 of 30 days of 96.00.
	expect((await ours.books()).map((line) => line.split(" = ")[0])).toEqual(["2026-05-01: 60", "2026-05-05: 24"]);
	expect(found(ours)).toEqual([]);
});

test("free units come before the events that cost money (2.7, 2.19)", async () => {
	const ours = await site();
	await ours.insist("POST", "/coupons", {
		...{ id: "gift", name: "Gift", description: null, metadata: null, percentOff: null, amountsOff: null },
		...{ durationInMonths: null, freeUnits: [{ featureId: "calls", quantity: 10 }] },
	});
	await ours.plan("api", [{ ...used("calls", { month: 0.5 }), paymentTime: "AT_EVENT" }]);
	await ours.buy("api", { appliedCoupon: { couponId: "gift" } });
	for (const [nth, n] of [6, 6, 3].entries()) {
		await ours.use("calls", n);
		await ours.advance(`2026-04-0${2 + nth}T00:00:00Z`);
	}
	// 12 calls less 10 free ones, then 3.
	expect((await ours.books()).map((line) => line.split(": ")[1]?.split(" = ")[0])).toEqual(["1", "1.5"]);
	expect(found(ours)).toEqual([]);
});

test("an addon of usage at each event is charged next to the plan's seats (2.7)", async () => {
	const ours = await site();
	await ours.plan("pro", [perUnit("seats", { month: 5 })]);
	await ours.addon("traffic", { ...used("calls", { month: 0.015 }), paymentTime: "AT_EVENT" });
	await ours.buy("pro", { ...units("seats", 2), addons: [{ id: "traffic", quantity: 1 }] });
	await ours.advance("2026-04-10T00:00:00Z");
	for (const nth of [1, 2, 3]) {
		await ours.use("calls", 1);
		await ours.advance(`2026-04-10T00:00:0${nth}Z`);
	}
	await ours.advance("2026-05-01T00:00:00Z");
	// 0.015, 0.03 and 0.045 round to 0.02, 0.03 and 0.05.
	expect((await ours.books()).map((line) => line.split(": ")[1]?.split(" = ")[0])).toEqual([
		"10",
		"0.02",
		"0.01",
		"0.02",
		"10",
	]);
	expect(found(ours)).toEqual([]);
});
