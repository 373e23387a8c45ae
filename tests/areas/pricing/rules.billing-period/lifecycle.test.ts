import { expect, setDefaultTimeout, test } from "bun:test";
import { checkRates } from "../../../../src/areas/invoices/check/operations.rates";
import { checkSubscriptionBills } from "../../../../src/areas/subscriptions/billing/check/operations";
import { draft, simulate, total } from "../../simulations/simulation";
import { perUnit, type Till, till, units } from "../../subscriptions/billing";

setDefaultTimeout(60_000);

const usd = (amount: number) => ({ amount, currency: "usd" });
const thirtyDays = { billingPeriod: "CUSTOM", billingInterval: { unit: "DAY", count: 30 } } as const;
const quarterly = { billingPeriod: "QUARTERLY" } as const;
const fee = (period: object, amount: number) => ({
	billingModel: "FLAT_FEE",
	pricePeriods: [{ ...period, price: usd(amount) }],
});

const drift = ({ transactions, actor }: Till): string[] =>
	transactions.read(actor, (work) => [...checkRates(work), ...checkSubscriptionBills(work)]);

/** A plan by 30 days and an addon, with two seats. */
async function sold(): Promise<Till & { readonly id: string }> {
	const ours = await till("2026-01-01T00:00:00Z");
	const seats = { ...perUnit("seats", {}), pricePeriods: [{ ...thirtyDays, price: usd(15) }] };
	await ours.plan("pro", [fee(thirtyDays, 30), seats]);
	await ours.addon("extra", fee(thirtyDays, 6));
	const id = await ours.buy("pro", { ...units("seats", 2), addons: [{ id: "extra", quantity: 1 }] });
	return { ...ours, id };
}

test("an end during a period of 30 days credits the unused days", async () => {
	const ours = await sold();
	await ours.advance("2026-01-11T00:00:00Z");
	await ours.cancel(ours.id, { cancellationTime: "IMMEDIATE", prorate: true });
	const [first, credit] = await ours.books();
	expect(first).toBe("2026-01-01: 66 = pro 30 + 2 Seats (pro) 30 + extra 6");
	expect(credit).toStartWith("2026-01-11: -44 = ");
	expect(drift(ours)).toEqual([]);
});

test("an end waits for the end of the period", async () => {
	const ours = await sold();
	await ours.advance("2026-02-10T00:00:00Z");
	await ours.cancel(ours.id, { cancellationTime: "END_OF_BILLING_PERIOD" });
	expect(await ours.insist("GET", `/subscriptions/${ours.id}`)).toMatchObject({
		cancellationDate: "2026-03-02T00:00:00.000Z",
	});
	await ours.advance("2026-06-01T00:00:00Z");
	expect((await ours.books()).map((text) => text.slice(0, 14))).toEqual(["2026-01-01: 66", "2026-01-31: 66"]);
	expect(drift(ours)).toEqual([]);
});

test("a price override and a coupon apply to a price by 30 days", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [fee(thirtyDays, 30)]);
	await ours.coupon("TEN", { percent: 10 });
	await ours.buy("pro", { priceOverrides: [{ baseCharge: true, amount: 20 }], appliedCoupon: { couponId: "TEN" } });
	await ours.advance("2026-01-31T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-01-01: 18 less 2 = pro 20", "2026-01-31: 18 less 2 = pro 20"]);
	expect(drift(ours)).toEqual([]);
});

test("the check finds a subscription whose paid time is no period of its length", async () => {
	const ours = await sold();
	await ours.advance("2026-02-10T00:00:00Z");
	expect(drift(ours)).toEqual([]);
	ours.transactions.write(ours.actor, (work) => {
		work.tx.run("UPDATE subscriptions SET billing_period = '31 DAY'");
	});
	expect(drift(ours).join()).toContain(ours.id);
});

test("a simulation compares a past quarter under a new price", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [fee(quarterly, 90)]);
	await ours.buy("pro");
	await ours.advance("2026-04-02T00:00:00Z");
	await draft(ours, "pro", fee(quarterly, 99));
	expect((await simulate(ours, "pro")).currencyTotals).toEqual([total(90, 99)]);
});

test("two plans of one length share the billing cycle, however they name it", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [fee(quarterly, 90)]);
	await ours.plan("max", [fee({ billingPeriod: "CUSTOM", billingInterval: { unit: "MONTH", count: 3 } }, 180)]);
	await ours.buy("pro");
	await ours.advance("2026-02-15T00:00:00Z");
	await ours.buy("max");
	await ours.advance("2026-04-01T00:00:00Z");
	expect((await ours.books()).map((text) => text.split(" = ")[0])).toEqual([
		"2026-01-01: 90",
		"2026-02-15: 45",
		"2026-04-01: 180",
	]);
	expect(drift(ours)).toEqual([]);
});
