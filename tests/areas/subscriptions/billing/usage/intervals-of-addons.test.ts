import { expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { till } from "../../billing";

const price = (amount: number, interval?: object) => ({
	billingModel: "USAGE_BASED",
	featureId: "calls",
	pricePeriods: [
		{
			billingPeriod: "QUARTERLY",
			price: { amount, currency: "usd" },
			...(interval && { chargeInterval: interval }),
		},
	],
});
const fee = {
	billingModel: "FLAT_FEE",
	pricePeriods: [{ billingPeriod: "QUARTERLY", price: { amount: 90, currency: "usd" } }],
};

/** The sum that usage costs, and the days of its bills, where the plan charges it by the quarter and an addon by `interval`. */
async function billed(interval?: object) {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [fee, price(1)]);
	await ours.addon("more", price(0.5, interval));
	await ours.buy("pro", { addons: [{ id: "more", quantity: 1 }] });
	for (const at of ["2026-01-10", "2026-02-10", "2026-03-10"]) {
		await ours.advance(`${at}T00:00:00Z`);
		await ours.use("calls", 100);
	}
	await ours.advance("2026-04-01T00:00:00Z");
	const found = ours.transactions.read(ours.actor, (work) => [...checkSubscriptionBills(work)]);
	expect(found).toEqual([]);
	return ours.books();
}

test("a plan and an addon that price one feature each charge all its usage, each in its own windows (2.16)", async () => {
	expect(await billed({ unit: "MONTH", count: 1 })).toEqual([
		"2026-01-01: 90 = pro 90",
		"2026-02-01: 50 = 100 Calls (more) 50",
		"2026-03-01: 50 = 100 Calls (more) 50",
		"2026-04-01: 440 = pro 90 + 300 Calls (pro) 300 + 100 Calls (more) 50",
	]);
	expect(await billed()).toEqual([
		"2026-01-01: 90 = pro 90",
		"2026-04-01: 540 = pro 90 + 300 Calls (pro) 300 + 300 Calls (more) 150",
	]);
});
