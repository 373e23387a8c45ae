import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { applied, shop } from "../../../../coupons/operations/shop";
import { beyond, flat, type Prices, tiered, used } from "../../../billing";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

/** A plan with these prices, and the coupon `gift` that makes 500 calls and 2 thousands of tokens free. */
async function selling(models: readonly object[], more: object = {}, ofPlan: object = {}) {
	const ours = await shop();
	await ours.plan("pro", models, ofPlan);
	await ours.createCoupon("gift", { freeUnits: [callsFree(500), { featureId: "tokens", quantity: 2 }] }, more);
	return ours;
}

const callsFree = (quantity: number) => ({ featureId: "calls", quantity });
const gift = { appliedCoupon: { couponId: "gift" } };
const calls = (month = 1, more: object = {}) => used("calls", { month } as Prices, more);

type Shop = Awaited<ReturnType<typeof shop>>;

/** Bills calls within April and returns the total of each bill. */
async function billed(ours: Shop, id: string, ...uses: readonly number[]): Promise<number[]> {
	const totals: number[] = [];
	for (const [at, n] of uses.entries()) {
		await ours.use("calls", n);
		await ours.advance(`2026-04-${10 + at}T00:00:00Z`);
		await ours.chargeUsage(id);
		totals.push((await lastInvoice(ours)).total);
	}
	return totals;
}

const lastInvoice = async (ours: Shop) => (await ours.insist("GET", "/customers/acme/invoices?limit=100")).at(-1);

describe("free units of a window (2.19)", () => {
	test("500 free units, billed in one window at 300, 250 and 100 units: 0, 50 and 100 are charged", async () => {
		const ours = await selling([calls()]);
		const id = await ours.buy("pro", gift);
		expect(await billed(ours, id, 300, 250, 100)).toEqual([0, 50, 100]);
		const lines = (await ours.insist("GET", "/customers/acme/invoices")).flatMap(
			(one: { lineItems: object[] }) => one.lineItems,
		);
		expect(lines).toMatchObject([
			{
				description: "With free units: Calls (pro): 300",
				quantity: 0,
				freeUnits: [{ couponId: "gift", quantity: 300 }],
			},
			{
				description: "With free units: Calls (pro): 200",
				quantity: 50,
				amount: 50,
				freeUnits: [{ couponId: "gift", quantity: 200 }],
			},
			{ description: "Calls (pro)", quantity: 100, amount: 100 },
		]);
		expect(lines.at(-1)).not.toHaveProperty("freeUnits");
		expect(ours.faults()).toEqual([]);
	});

	test("each window has them again", async () => {
		const ours = await selling([calls()]);
		await ours.buy("pro", gift);
		await ours.use("calls", 600);
		await ours.advance("2026-05-01T00:00:00Z");
		await ours.use("calls", 510);
		await ours.advance("2026-06-01T00:00:00Z");
		expect((await ours.discounted()).map((text) => text.split(":")[0])).toEqual([
			"100 - 0 + 0 = 100",
			"10 - 0 + 0 = 10",
		]);
		expect(ours.faults()).toEqual([]);
	});

	test("tiers begin after the free units", async () => {
		const ours = await selling([
			tiered("calls", "GRADUATED", [
				[100, 1],
				[null, 0.5],
			]),
		]);
		const id = await ours.buy("pro", gift);
		expect(await billed(ours, id, 550, 100)).toEqual([50, 75]);
		expect(ours.faults()).toEqual([]);
	});

	test("free units are units of the price, after the transformation of the feature", async () => {
		const ours = await selling([used("tokens", { month: 3 })]);
		const id = await ours.buy("pro", gift);
		await ours.use("tokens", 2001);
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.chargeUsage(id);
		expect(await lastInvoice(ours)).toMatchObject({ total: 3, lineItems: [{ quantity: 1, unitPrice: 3 }] });
		expect(ours.faults()).toEqual([]);
	});

	test("the first units of overage, beyond the limit, are free", async () => {
		const ours = await selling(
			[flat({ month: 0 })],
			{},
			{ overagePricingModels: [beyond("calls", 1000, { month: 1 })] },
		);
		const id = await ours.buy("pro", gift);
		expect(await billed(ours, id, 900, 300, 400)).toEqual([0, 0, 100]);
		expect(ours.faults()).toEqual([]);
	});

	test("the minimum and the maximum of a window bound the cost of the units that are charged", async () => {
		const ours = await selling([calls(1, { minimumAmount: 20, maximumAmount: 60 })]);
		const id = await ours.buy("pro", gift);
		expect(await billed(ours, id, 510, 100)).toEqual([10, 50]);
		await ours.advance("2026-05-01T00:00:00Z");
		await ours.use("calls", 505);
		await ours.advance("2026-06-01T00:00:00Z");
		expect(await lastInvoice(ours)).toMatchObject({ total: 20, lineItems: [{ amount: 5 }, { amount: 15 }] });
		expect(ours.faults()).toEqual([]);
	});

	test("late usage uses the free units that its window has left", async () => {
		const ours = await selling([flat({ month: 0 }), calls()]);
		const id = await ours.buy("pro", gift);
		await ours.use("calls", 300);
		await ours.advance("2026-05-02T00:00:00Z");
		await ours.change(id, { appliedCoupons: [] });
		await ours.use("calls", 250, "2026-04-20T00:00:00Z");
		await ours.advance("2026-06-01T00:00:00Z");
		expect(await lastInvoice(ours)).toMatchObject({ total: 50 });
		expect(ours.faults()).toEqual([]);
	});

	test("a coupon for a number of billing periods makes units free in as many windows", async () => {
		const ours = await selling([calls()], { durationInPeriods: 1 });
		await ours.buy("pro", gift);
		await ours.use("calls", 510);
		await ours.advance("2026-05-01T00:00:00Z");
		await ours.use("calls", 20);
		await ours.advance("2026-06-01T00:00:00Z");
		expect((await ours.discounted()).map((text) => text.split(" ")[0])).toEqual(["10", "20"]);
		expect(ours.faults()).toEqual([]);
	});
});

describe("coupons that change within a window", () => {
	test("a coupon that is added makes free what no bill has charged; one that is removed gives no more", async () => {
		const ours = await selling([calls()]);
		const id = await ours.buy("pro");
		expect(await billed(ours, id, 300)).toEqual([300]);
		await ours.change(id, applied("gift"));
		await ours.use("calls", 450);
		await ours.advance("2026-04-15T00:00:00Z");
		await ours.chargeUsage(id);
		expect(await lastInvoice(ours)).toMatchObject({ total: 0, lineItems: [{ freeUnits: [{ quantity: 450 }] }] });
		await ours.change(id, { appliedCoupons: [] });
		await ours.use("calls", 30);
		await ours.advance("2026-04-20T00:00:00Z");
		await ours.chargeUsage(id);
		expect(await lastInvoice(ours)).toMatchObject({ total: 30 });
		expect(ours.faults()).toEqual([]);
	});

	test("a coupon that is removed and applied again gives no more than its units", async () => {
		const ours = await selling([calls()]);
		const id = await ours.buy("pro", applied("gift"));
		expect(await billed(ours, id, 400)).toEqual([0]);
		await ours.change(id, { appliedCoupons: [] });
		await ours.change(id, applied("gift"));
		await ours.use("calls", 400);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await lastInvoice(ours)).toMatchObject({ total: 300 });
		expect(ours.faults()).toEqual([]);
	});

	test("two coupons give their units one after the other; an amount then discounts the rest", async () => {
		const ours = await selling([calls()]);
		await ours.createCoupon("more", { freeUnits: [callsFree(100)] });
		await ours.percent("tenth", 10);
		await ours.buy("pro", applied("tenth", "gift", "more"));
		await ours.use("calls", 650);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await lastInvoice(ours)).toMatchObject({
			...{ subtotal: 50, discount: 5, total: 45 },
			lineItems: [
				{
					freeUnits: [
						{ couponId: "gift", quantity: 500 },
						{ couponId: "more", quantity: 100 },
					],
					discounts: [{ couponId: "tenth", amount: 5 }],
				},
			],
		});
		expect(ours.faults()).toEqual([]);
	});

	test("where one discount applies, the subscription's free units go before the customer's percentage", async () => {
		const ours = await selling([calls()]);
		await ours.percent("half", 50);
		await ours.customer("corp", { couponId: "half" });
		await ours.buy("pro", { customerId: "corp", ...gift });
		await ours.use("calls", 520, undefined, "corp");
		await ours.advance("2026-05-01T00:00:00Z");
		expect((await ours.insist("GET", "/customers/corp/invoices")).at(-1)).toMatchObject({ discount: 0, total: 20 });
		expect(ours.faults()).toEqual([]);
	});

	test("a price that changes within a window leaves the units that are free", async () => {
		const ours = await selling([calls()]);
		const id = await ours.buy("pro", gift);
		expect(await billed(ours, id, 400)).toEqual([0]);
		await ours.change(id, { priceOverrides: [{ featureId: "calls", amount: 2 }] });
		await ours.use("calls", 150);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await lastInvoice(ours)).toMatchObject({ total: 100 });
		expect(ours.faults()).toEqual([]);
	});

	test("a change of plan within a window takes the units over that are left", async () => {
		const ours = await selling([calls()]);
		await ours.plan("max", [calls(2)]);
		const id = await ours.buy("pro", gift);
		expect(await billed(ours, id, 400)).toEqual([0]);
		await ours.buy("max");
		await ours.use("calls", 150);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await lastInvoice(ours)).toMatchObject({ total: 100 });
		await ours.use("calls", 510);
		await ours.advance("2026-06-01T00:00:00Z");
		expect(await lastInvoice(ours)).toMatchObject({ total: 20 });
		expect(ours.faults()).toEqual([]);
	});
});
