import { describe, expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { beyond, flat, type Till, tiered, till, used } from "../../billing";
import { site, usd } from "../../spend-thresholds/site";

const found = ({ transactions, actor }: Till) => transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

const date = "2026-04-11T00:00:00Z";
const dated = (amount: number, more: object = {}) => ({
	...{ effectiveDate: date, priceOverrides: [{ featureId: "calls", amount }] },
	...more,
});

/** Sells from 1 April 2026, with 10 calls on 5 April, 20 on 15 April and 4 on 3 May. The clock stands on 5 May. */
async function selling(models: readonly object[], body: object = {}, more: object = {}) {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.coupon("tenth", { percent: 10 });
	await ours.coupon("three", { amounts: [3] });
	await ours.plan("pro", models, more);
	const id = await ours.buy("pro", body);
	await ours.advance("2026-04-21T00:00:00Z");
	await ours.use("calls", 10, "2026-04-05T00:00:00Z");
	await ours.use("calls", 20, "2026-04-15T00:00:00Z");
	await ours.advance("2026-05-05T00:00:00Z");
	await ours.use("calls", 4, "2026-05-03T00:00:00Z");
	const tried = async (more: object) => (await ours.call("PATCH", `/subscriptions/${id}`, { body: more })).body;
	return { ours, id, tried };
}

const calls = used("calls", { month: 0.5 });

describe("usage that a dated change rates again (2.22)", () => {
	test("reverses a billed window, and charges it until the date and from it on", async () => {
		const { ours, id } = await selling([flat({ month: 30 }), calls]);
		await ours.change(id, dated(0.2));
		// April cost 30 × 0.50 = 15.00. Now it costs 10 × 0.50 + 20 × 0.20 = 9.00.
		expect((await ours.books()).at(-1)).toBe(
			"2026-05-05: -6 = 30 Reversed: Calls (pro) -15 + 10 Calls (pro) 5 + 20 Calls (pro) 4",
		);
		expect(found(ours)).toEqual([]);
		await ours.advance("2026-06-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-06-01: 30.8 = pro 30 + 4 Calls (pro) 0.8");
		// Late usage of both parts is billed at the prices of each: 3 × 0.50 and 5 × 0.20.
		await ours.use("calls", 3, "2026-04-06T00:00:00Z");
		await ours.use("calls", 5, "2026-04-16T00:00:00Z");
		await ours.advance("2026-07-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-07-01: 32.5 = pro 30 + 3 Calls (pro) 1.5 + 5 Calls (pro) 1");
		expect(found(ours)).toEqual([]);
	});

	test("rates it again a second time, and reverses late usage with its window", async () => {
		const { ours, id } = await selling([calls]);
		await ours.use("calls", 2, "2026-04-16T00:00:00Z");
		await ours.advance("2026-06-05T00:00:00Z");
		// 4 calls of May, and 2 late ones of April.
		expect((await ours.books()).at(-1)).toBe("2026-06-01: 3 = 4 Calls (pro) 2 + 2 Calls (pro) 1");
		await ours.change(id, dated(0.8));
		// 15.00 + 1.00 + 2.00 become 5.00 + 22 × 0.80 + 4 × 0.80.
		expect((await ours.books()).slice(2).map((line) => line.slice(0, 17))).toEqual(["2026-06-05: 7.8 ="]);
		await ours.change(id, dated(0.3, { effectiveDate: "2026-05-01T00:00:00Z" }));
		expect((await ours.books()).at(-1)).toBe("2026-06-05: -2 = 4 Reversed: Calls (pro) -3.2 + 4 Calls (pro) 1.2");
		const refused = await ours.call("PATCH", `/subscriptions/${id}`, {
			body: dated(1, { effectiveDate: "2026-05-02T00:00:00Z" }),
		});
		expect(refused.body).toMatchObject({
			code: "UnsupportedParameter",
			message: expect.stringContaining("is on a credit note"),
		});
		expect(found(ours)).toEqual([]);
	});

	for (const [body, said] of [
		// 10 % of 15.00, 5.00 and 4.00.
		[{ appliedCoupon: { couponId: "tenth" } }, ": -5.4 less -0.6 = "],
		// 8.875 % of 15.00 is 1.33, of 5.00 0.44, and of 4.00 0.36.
		[{ billingInformation: { taxPercentage: 8.875 } }, ": -6.53 tax -0.53 = "],
	] as const)
		test(`keeps the discount and the tax of the bill: ${JSON.stringify(body)}`, async () => {
			const { ours, id } = await selling([calls], body);
			await ours.change(id, dated(0.2));
			expect((await ours.books()).at(-1)).toContain(said);
			expect(found(ours)).toEqual([]);
		});

	test("starts tiers again at the date, as a change does", async () => {
		const { ours, id } = await selling([
			tiered("calls", "GRADUATED", [
				[20, 1],
				[null, 0.5],
			]),
		]);
		const tiers = [
			{ upTo: 15, unitPrice: { amount: 2, currency: "usd" } },
			{ unitPrice: { amount: 1, currency: "usd" } },
		];
		await ours.plan("next", [
			{ ...tiered("calls", "GRADUATED", []), pricePeriods: [{ billingPeriod: "MONTHLY", tiers }] },
		]);
		expect(id).toStartWith("sub");
		await ours.buy("next", { effectiveDate: date });
		// 20 + 10 × 0.50 = 25.00 becomes 10 × 1.00 = 10.00 and 15 × 2.00 + 5 × 1.00 = 35.00.
		expect((await ours.books()).at(-1)).toBe(
			"2026-05-05: 20 = 30 Reversed: Calls (pro) -25 + 10 Calls (pro) 10 + 20 Calls (next) 35",
		);
		expect(found(ours)).toEqual([]);
		await ours.advance("2026-06-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-06-01: 8 = 4 Calls (next) 8");
		expect(found(ours)).toEqual([]);
	});

	test("keeps the minimum of each part by its share", async () => {
		const { ours, id } = await selling([used("calls", { month: 0.5 }, { minimumAmount: 30 })]);
		expect((await ours.books()).at(-1)).toBe("2026-05-01: 30 = 30 Calls (pro) 15 + Minimum: Calls (pro) 15");
		await ours.change(id, { effectiveDate: date, priceOverrides: [{ featureId: "calls", minimumAmount: 60 }] });
		// 10 of 30 days owe 10.00, 20 days 40.00. The usage is 5.00 and 10.00.
		expect((await ours.books()).at(-1)).toBe(
			"2026-05-05: 20 = 30 Reversed: Calls (pro) -15 + Reversed: Minimum: Calls (pro) -15 + 10 Calls (pro) 5 + Minimum: Calls (pro) 5 + 20 Calls (pro) 10 + Minimum: Calls (pro) 30",
		);
		expect(found(ours)).toEqual([]);
	});

	test("bills usage by the month within a year up to the month that runs", async () => {
		const ours = await till("2026-01-31T00:00:00Z");
		await ours.plan("pro", [
			flat({ year: 1200 }),
			{ ...used("calls", { year: 0.01 }, { chargeInterval: { unit: "MONTH", count: 1 } }) },
		]);
		const id = await ours.buy("pro", { billingPeriod: "ANNUALLY" });
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.use("calls", 1000, "2026-02-10T00:00:00Z");
		await ours.use("calls", 2000, "2026-03-10T00:00:00Z");
		await ours.use("calls", 4000, "2026-04-05T00:00:00Z");
		await ours.advance("2026-05-10T00:00:00Z");
		await ours.change(id, {
			effectiveDate: "2026-03-05T00:00:00Z",
			priceOverrides: [{ featureId: "calls", amount: 0.02 }],
		});
		// The windows end on 28 February, 31 March and 30 April. Those since 5 March cost 0.02 a call.
		const [bill = ""] = (await ours.books()).slice(-1);
		expect(bill).toStartWith("2026-05-10: ");
		expect(bill).toContain("2000 Reversed: Calls (pro) -20");
		expect(bill).toContain("4000 Reversed: Calls (pro) -40");
		expect(bill).toContain("2000 Calls (pro) 40 + 4000 Calls (pro) 80");
		expect(found(ours)).toEqual([]);
	});

	test("bills the window that runs again where a call has billed it", async () => {
		const { ours, id } = await selling([calls]);
		await ours.chargeUsage(id);
		await ours.change(id, dated(0.2));
		expect((await ours.books()).at(-1)).toBe(
			"2026-05-05: -7.2 = 30 Reversed: Calls (pro) -15 + 4 Reversed: Calls (pro) -2 + 10 Calls (pro) 5 + 20 Calls (pro) 4 + 4 Calls (pro) 0.8",
		);
		expect(found(ours)).toEqual([]);
		await ours.use("calls", 6, "2026-05-04T00:00:00Z");
		await ours.advance("2026-06-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-06-01: 1.2 = 6 Calls (pro) 1.2");
		expect(found(ours)).toEqual([]);
	});

	test("credits usage after the date of an end, and bills none of it later", async () => {
		const { ours, id } = await selling([flat({ month: 30 }), calls]);
		const end = { cancellationTime: "SPECIFIC_DATE", endDate: date, isBackdated: true };
		await ours.cancel(id, end);
		// April: 20 of 30 days and 20 calls; May: all of it.
		const credited = (await ours.books()).filter((line) => line.includes(": -"));
		expect(credited.reduce((sum, line) => sum + Number(/: (-[\d.]+)/.exec(line)?.[1]), 0)).toBe(-60);
		expect(found(ours)).toEqual([]);
		await ours.use("calls", 2, "2026-04-06T00:00:00Z");
		await ours.use("calls", 2, "2026-04-16T00:00:00Z");
		await ours.advance("2026-08-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toContain(": 1 = 2 Calls (pro) 1");
		expect(found(ours)).toEqual([]);
	});

	test("waits with all its lines for the next invoice where prorations wait", async () => {
		const { ours, id } = await selling([calls]);
		await ours.change(id, dated(1, { billingInformation: { prorationBehavior: "CREATE_PRORATIONS" } }));
		expect(await ours.books()).toHaveLength(1);
		expect(found(ours)).toEqual([]);
		await ours.advance("2026-06-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe(
			"2026-06-01: 14 = 30 Reversed: Calls (pro) -15 + 10 Calls (pro) 5 + 20 Calls (pro) 20 + 4 Calls (pro) 4",
		);
		expect(found(ours)).toEqual([]);
	});

	test("is refused where it is not exact, with the first date that works", async () => {
		const refused = (said: string) => ({ code: "UnsupportedParameter", message: expect.stringContaining(said) });
		for (const [body, said] of [
			[{ appliedCoupon: { couponId: "three" } }, "several coupons"],
			[{ appliedCoupons: [{ couponId: "tenth" }] }, "several coupons"],
		] as const) {
			const { ours, tried } = await selling([calls], body);
			const before = await ours.books();
			expect({ body, ...(await tried(dated(0.2))) }).toMatchObject(refused(said));
			expect(await ours.books()).toEqual(before);
			expect(found(ours)).toEqual([]);
			expect((await tried(dated(0.2, { effectiveDate: "2026-05-02T00:00:00Z" }))).data).toMatchObject({
				status: "ACTIVE",
			});
		}
		const overage = { overagePricingModels: [beyond("calls", 5, { month: 0.5 })] };
		const limited = await selling([flat({ month: 1 })], {}, overage);
		await limited.ours.plan("next", [flat({ month: 1 }), calls]);
		await limited.ours.plan("beyond", [flat({ month: 1 })], overage);
		for (const planId of ["next", "beyond"]) {
			const body = { customerId: "acme", planId, effectiveDate: date };
			expect((await limited.ours.call("POST", "/subscriptions", { body })).body).toMatchObject(
				refused("overage counts from the start"),
			);
		}
		const { ours, tried } = await selling([calls]);
		const [{ invoiceId }] = await ours.insist("GET", "/customers/acme/invoices");
		await ours.insist("POST", `/customers/acme/invoices/${invoiceId}/credit-note`, { lines: [{ line: 1, amount: 1 }] });
		expect(await tried(dated(0.2))).toMatchObject(refused("was credited by hand; choose 2026-05-01T00:00:00.000Z"));
	});
});

test("usage that a threshold has invoiced is rated again (2.8, 2.22)", async () => {
	const ours = await site();
	await ours.plan("pro", [calls]);
	const id = await ours.buy("pro", { spendThresholds: usd(5) });
	await ours.advance("2026-04-15T00:00:00Z");
	await ours.use("calls", 12, "2026-04-12T00:00:00Z");
	await ours.noticed();
	expect(await ours.books()).toEqual(["2026-04-15: 6 = 12 Calls (pro) 6"]);
	await ours.change(id, dated(1));
	expect((await ours.books()).at(-1)).toBe("2026-04-15: 6 = 12 Reversed: Calls (pro) -6 + 12 Calls (pro) 12");
	expect(found(ours)).toEqual([]);
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await ours.books()).toHaveLength(2);
	expect(found(ours)).toEqual([]);
});
