import { beforeAll, describe, expect, test } from "bun:test";
import { invoicesOf, provision } from "../../shop";
import { customer, monthly, openShop, ours } from "./customers";

beforeAll(openShop);

describe("the first invoice", () => {
	interface Worked {
		readonly body: object;
		readonly customer?: object;
		readonly lines: ReadonlyArray<readonly [description: string, quantity: number, amount: number]>;
		readonly sums: object;
	}
	const examples: Array<[string, Worked]> = [
		[
			"the plan alone: at least one seat",
			{
				body: monthly,
				lines: [
					["Pro", 1, 20],
					["Seats (Pro)", 1, 5],
				],
				sums: { subtotal: 25, total: 25 },
			},
		],
		[
			"a year",
			{
				body: { planId: "pro", billingPeriod: "ANNUALLY", unitQuantity: 2 },
				lines: [
					["Pro", 1, 200],
					["Seats (Pro)", 2, 100],
				],
				sums: { subtotal: 300, total: 300 },
			},
		],
		[
			"addons, a percentage and tax: 41.66 − 2.00 − 1.50 − 0.67 + 3.42 + 2.57 + 1.14",
			{
				body: {
					...monthly,
					unitQuantity: 3,
					addons: [{ id: "extra", quantity: 2 }],
					appliedCoupon: { couponId: "TEN" },
					billingInformation: { taxPercentage: 19 },
				},
				lines: [
					["Pro", 1, 20],
					["Seats (Pro)", 3, 15],
					["extra", 2, 6.66],
				],
				sums: { subtotal: 41.66, discount: 4.17, tax: 7.13, total: 44.62 },
			},
		],
		[
			"a fixed discount never goes below zero: 5 of 9.99",
			{
				body: { planId: "basic", appliedCoupon: { couponId: "FIVE" } },
				lines: [["Basic", 1, 9.99]],
				sums: { discount: 5, total: 4.99 },
			},
		],
		[
			"the customer's own coupon",
			{
				customer: { couponId: "TEN" },
				body: { planId: "basic" },
				lines: [["Basic", 1, 9.99]],
				sums: { discount: 1, total: 8.99 },
			},
		],
		[
			"the subscription's coupon goes before the customer's",
			{
				customer: { couponId: "TEN" },
				body: { planId: "basic", appliedCoupon: { couponId: "FIVE" } },
				lines: [["Basic", 1, 9.99]],
				sums: { discount: 5, total: 4.99 },
			},
		],
		[
			"an inline discount",
			{
				body: { planId: "basic", appliedCoupon: { discount: { percentOff: 33.3, name: "Deal" } } },
				lines: [["Basic", 1, 9.99]],
				sums: { discount: 3.33, total: 6.66 },
			},
		],
		[
			"prices of its own: 0.105 a seat rounds half up",
			{
				body: {
					...monthly,
					unitQuantity: 3,
					priceOverrides: [
						{ baseCharge: true, amount: 7.5 },
						{ featureId: "seats", amount: 0.105 },
					],
				},
				lines: [
					["Pro", 1, 7.5],
					["Seats (Pro)", 3, 0.32],
				],
				sums: { total: 7.82 },
			},
		],
		[
			"tiers of its own: 2 × 10 and 3 × 4",
			{
				body: {
					...monthly,
					unitQuantity: 5,
					priceOverrides: [
						{
							featureId: "seats",
							tiers: [
								{ upTo: 2, unitPrice: { amount: 10, currency: "usd" } },
								{ unitPrice: { amount: 4, currency: "usd" } },
							],
						},
					],
				},
				lines: [
					["Pro", 1, 20],
					["Seats (Pro)", 5, 32],
				],
				sums: { total: 52 },
			},
		],
	];
	test.each(examples)("%s", async (_, { body, customer: profile = {}, lines, sums }) => {
		const id = await customer(profile);
		await provision(ours, { customerId: id, ...body });
		const invoices = await invoicesOf(ours, id);
		expect(invoices).toHaveLength(1);
		expect(invoices[0]).toMatchObject({ state: "OPEN", currency: "usd", customerExternalId: id, ...sums });
		expect(
			invoices[0].lineItems.map((line: { description: string; quantity: number; amount: number }) => [
				line.description,
				line.quantity,
				line.amount,
			]),
		).toEqual(lines);
	});

	test("is paid from the start if the caller says so, with its due date", async () => {
		const [paid, later] = [await customer(), await customer()];
		await provision(ours, { customerId: paid, planId: "basic", billingInformation: { isInvoicePaid: true } });
		await provision(ours, { customerId: later, planId: "basic", billingInformation: { invoiceDaysUntilDue: 14 } });
		expect((await invoicesOf(ours, paid))[0]).toMatchObject({ state: "PAID", paidDate: "2026-01-31T00:00:00.000Z" });
		expect((await invoicesOf(ours, later))[0]).toMatchObject({ state: "OPEN", dueDate: "2026-02-14T00:00:00.000Z" });
	});

	test("goes to the paying customer", async () => {
		const [id, payer] = [await customer(), await customer()];
		const { subscription } = await provision(ours, { customerId: id, planId: "basic", payingCustomerId: payer });
		expect(subscription).toMatchObject({ customerId: id, payingCustomerId: payer });
		expect(await invoicesOf(ours, id)).toEqual([]);
		expect(await invoicesOf(ours, payer)).toHaveLength(1);
	});

	test("is not issued for a start in the past, whose billing continues from there", async () => {
		const id = await customer();
		const { subscription } = await provision(ours, {
			customerId: id,
			planId: "basic",
			startDate: "2025-12-15T10:00:00+01:00",
		});
		expect(subscription).toMatchObject({
			startDate: "2025-12-15T09:00:00.000Z",
			billingCycleAnchor: "2025-12-15T09:00:00.000Z",
			currentBillingPeriodStart: "2026-01-15T09:00:00.000Z",
			currentBillingPeriodEnd: "2026-02-15T09:00:00.000Z",
			latestInvoice: null,
		});
		expect(await invoicesOf(ours, id)).toEqual([]);
	});
});
