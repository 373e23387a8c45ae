import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { beyond, flat, perUnit, type Till, till, units } from "../../subscriptions/billing";
import { draft, simulate } from "../simulation";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(120_000);

describe("properties", () => {
	const terms = fc.record({
		seats: fc.integer({ min: 1, max: 9 }),
		extras: fc.integer({ min: 0, max: 3 }),
		yearly: fc.boolean(),
		own: fc.option(fc.integer({ min: 0, max: 500 })),
		coupon: fc.constantFrom(null, "TEN", "FIVE"),
		minimum: fc.option(fc.integer({ min: 1, max: 90 })),
		calls: fc.integer({ min: 0, max: 300 }),
	});

	/** A street of customers who bought a plan in every way there is, and used it. */
	async function street(models: readonly object[], more: object, count: number): Promise<Till> {
		const ours = await till("2026-01-15T00:00:00Z");
		await ours.plan("mix", models, more);
		await ours.addon("extra", flat({ month: 3.33, year: 33.3 }));
		await ours.coupon("TEN", { percent: 10 });
		await ours.coupon("FIVE", { amounts: [5] });
		const purchased = fc.sample(terms, { numRuns: count, seed: 11 });
		for (const [at, one] of purchased.entries()) {
			const customerId = `c${at}`;
			await ours.customer(customerId);
			await ours.buy("mix", {
				customerId,
				billingPeriod: one.yearly ? "ANNUALLY" : "MONTHLY",
				...units("seats", one.seats),
				...(one.extras > 0 && { addons: [{ id: "extra", quantity: one.extras }] }),
				...(one.own !== null && { priceOverrides: [{ baseCharge: true, amount: one.own / 10 }] }),
				...(one.coupon && { appliedCoupon: { couponId: one.coupon } }),
				...(one.minimum !== null && { minimumSpend: { amount: one.minimum, currency: "usd" } }),
			});
		}
		await ours.advance("2026-02-01T00:00:00Z");
		for (const [at, { calls }] of purchased.entries())
			if (calls > 0) await ours.use("calls", calls, "2026-01-20T00:00:00Z", `c${at}`);
		await ours.advance("2027-02-20T00:00:00Z");
		return ours;
	}
	const year = { startDate: "2026-01-01T00:00:00Z", endDate: "2027-01-01T00:00:00Z" };

	test("an unchanged draft costs the same as the published version, whatever the customers bought", async () => {
		const priced = [flat({ month: 9.99, year: 99 }), perUnit("seats", { month: 1.01, year: 10.1 })];
		const ours = await street(
			priced,
			{ overagePricingModels: [beyond("calls", 100, { month: 0.37, year: 0.37 })] },
			30,
		);
		await draft(ours, "mix");
		for (const body of [{}, year]) {
			const answer = await simulate(ours, "mix", body);
			expect(answer.failures).toEqual([]);
			expect(answer.customersCount).toBe(30);
			for (const { before, difference } of answer.customers) {
				expect(before).toBeGreaterThanOrEqual(0);
				expect(difference).toBe(0);
			}
			expect(answer.currencyTotals[0].before).toBeGreaterThan(0);
		}
	});

	test("twice the price is twice the cost, to the cent, where nothing but the plan is charged", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 100_000 }),
				fc.integer({ min: 1, max: 100_000 }),
				fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 4 }),
				async (base, unit, seats) => {
					const ours = await till("2026-01-31T00:00:00Z");
					const priced = (times: number) => [
						flat({ month: (base * times) / 100 }),
						perUnit("seats", { month: (unit * times) / 100 }),
					];
					await ours.plan("pro", priced(1));
					for (const [at, quantity] of seats.entries()) {
						await ours.customer(`c${at}`);
						await ours.buy("pro", { customerId: `c${at}`, ...units("seats", quantity) });
					}
					await ours.advance("2026-03-10T00:00:00Z");
					await draft(ours, "pro", ...priced(2));
					const { customers } = await simulate(ours, "pro");
					expect(customers).toHaveLength(seats.length);
					for (const { customerId, before, after } of customers) {
						const cents = base + unit * (seats[Number(customerId.slice(1))] ?? 0);
						expect([before, after]).toEqual([cents / 100, (2 * cents) / 100]);
					}
				},
			),
			{ numRuns: 5 },
		);
	});
});
