import { expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, type Till, till, used } from "../../billing";
import { site } from "../../spend-thresholds/site";

const found = ({ transactions, actor }: Till) => transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

const date = "2026-04-11T00:00:00Z";
const graduated = (first: number, next: number) => ({
	billingModel: "USAGE_BASED",
	featureId: "calls",
	tiersMode: "GRADUATED",
	pricePeriods: [
		{
			billingPeriod: "MONTHLY",
			tiers: [
				{ upTo: 10, unitPrice: { amount: first, currency: "usd" } },
				{ unitPrice: { amount: next, currency: "usd" } },
			],
		},
	],
});

test("another plan from a date in a phase with charges (2.20, 2.22)", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	const charges = { pricingModels: [flat({ month: 10 }), used("calls", { month: 0.1 })] };
	await ours.plan("pro", [flat({ month: 40 }), used("calls", { month: 0.5 })], {
		phases: [{ id: "one", duration: { unit: "MONTH", count: 2 }, charges }],
	});
	await ours.plan("next", [flat({ month: 60 }), used("calls", { month: 0.2 })]);
	await ours.buy("pro");
	await ours.advance("2026-04-21T00:00:00Z");
	await ours.use("calls", 30, "2026-04-15T00:00:00Z");
	await ours.advance("2026-05-05T00:00:00Z");
	await ours.buy("next", { effectiveDate: date });
	// 30 × 0.10 = 3.00; 20 / 30 of 10.00 and of 60.00; May as a whole; 30 × 0.20 = 6.00.
	expect((await ours.books()).at(-1)).toBe(
		"2026-05-05: 86.33 = 30 Reversed: Calls (pro), one -3 + Unused time: pro, one -6.67 + next 40 + Unused time: pro, one -10 + next 60 + 30 Calls (next) 6",
	);
	expect(found(ours)).toEqual([]);
});

test("pooled usage from a date (2.22, 2.24)", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.customer("kid", { parentCustomerId: "acme" });
	await ours.plan("pro", [graduated(0.1, 0.08)]);
	await ours.plan("next", [graduated(0.2, 0.1)]);
	await ours.buy("pro", { includesChildUsage: true });
	await ours.advance("2026-04-21T00:00:00Z");
	await ours.use("calls", 6, "2026-04-05T00:00:00Z");
	await ours.use("calls", 9, "2026-04-06T00:00:00Z", "kid");
	await ours.use("calls", 9, "2026-04-15T00:00:00Z", "kid");
	await ours.advance("2026-05-05T00:00:00Z");
	await ours.buy("next", { effectiveDate: date, includesChildUsage: true });
	// 24 calls: 10 × 0.10 + 14 × 0.08 = 2.12. Until the date 10 × 0.10 + 5 × 0.08 = 1.40, then 9 × 0.20 = 1.80.
	expect((await ours.books()).at(-1)).toBe(
		"2026-05-05: 1.08 = 24 Reversed: Calls (pro) -2.12 + 15 Calls (pro) 1.4 + 9 Calls (next) 1.8",
	);
	expect(found(ours)).toEqual([]);
});

const atEvent = (price: number) => ({ ...used("calls", { month: price }), paymentTime: "AT_EVENT" });

test("usage of each event from a date (2.7, 2.22)", async () => {
	const ours = await site();
	await ours.plan("pro", [atEvent(0.5)]);
	await ours.plan("next", [atEvent(0.3)]);
	await ours.buy("pro");
	await ours.advance("2026-04-12T00:00:00Z");
	await ours.use("calls", 10, "2026-04-05T00:00:00Z");
	await ours.use("calls", 20, "2026-04-11T12:00:00Z");
	await ours.noticed();
	await ours.advance("2026-04-21T00:00:00Z");
	await ours.buy("next", { effectiveDate: date });
	// 30 × 0.50 = 15.00 becomes 10 × 0.50 + 20 × 0.30 = 11.00.
	expect((await ours.books()).at(-1)).toBe(
		"2026-04-21: -4 = 30 Reversed: Calls (pro) -15 + 10 Calls (pro) 5 + 20 Calls (next) 6",
	);
	expect(found(ours)).toEqual([]);
});
