import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Instant } from "../../../../src/kernel/clock";
import { codes } from "../../../graphql/ask";
import { mutate } from "../../../graphql/mutate";
import type { World } from "../../../support/world";
import { invoicesOf, provision, shop } from "../shop";

let ours: World;

const now = "2026-01-31T00:00:00.000Z";
const usd = (amount: number) => ({ amount, currency: "USD" });
const money = "{ amount currency }";

/** As far as docs/interface/graphql.md tells what clients select. */
const estimate = `{ subTotal ${money} total ${money} totalExcludingTax ${money} tax ${money} taxDetails { displayName percentage inclusive }
	discount { type value durationType durationInMonths } billingPeriodRange { start end }
	proration { prorationDate credit ${money} debit ${money} netAmount ${money} }
	subscription { total ${money} totalExcludingTax ${money} subTotal ${money} tax ${money} } }`;
const invoice = `total ${money} subTotal ${money} totalExcludingTax ${money} discount ${money} tax ${money}
	discountDetails { code type value durationType } taxDetails { percentage } lines { description quantity subTotal ${money} }`;
const preview = `{ immediateInvoice { ${invoice} proration { credit ${money} debit ${money} netAmount ${money} prorationDate hasProrations }
	credits { initial ${money} used ${money} remaining ${money} } }
	recurringInvoice { ${invoice} } billingPeriodRange { start end } isPlanDowngrade hasScheduledUpdates }`;

const run = async (name: string, input: object, selection: string) => {
	const body = await mutate(ours, name, input, { selection });
	if (body.errors) throw new Error(JSON.stringify(body.errors));
	return body.data[name];
};
const refused = async (name: string, input: object) => codes(await mutate(ours, name, input));

describe("the cost of a subscription", () => {
	beforeAll(async () => {
		ours = await shop();
	});

	test("estimateSubscription: due now, and for each whole period", async () => {
		const input = {
			customerId: "acme",
			planId: "pro",
			addons: [{ addonId: "extra", quantity: 2 }],
			billingPeriod: "MONTHLY",
			priceUnitAmount: 3,
			startDate: now,
			appliedCoupon: { couponId: "TEN" },
			billingInformation: { taxPercentage: 20 },
			skipTrial: true,
			environmentId: "any",
		};
		// 20, three seats of 5, two addons of 3.33; 10 % off each line, 20 % on.
		const sums = { subTotal: usd(41.66), total: usd(44.99), totalExcludingTax: usd(37.49), tax: usd(7.5) };
		expect(await run("estimateSubscription", input, estimate)).toEqual({
			...sums,
			taxDetails: { displayName: "Tax", percentage: 20, inclusive: false },
			discount: { type: "PERCENTAGE", value: 10, durationType: "FOREVER", durationInMonths: null },
			billingPeriodRange: { start: now, end: "2026-02-28T00:00:00.000Z" },
			proration: null,
			subscription: sums,
		});
		expect((await ours.call("GET", "/subscriptions")).body.data).toEqual([]);
	});

	test("previewSubscription: whole invoices, with the totals of billable features", async () => {
		const input = {
			customerId: "acme",
			planId: "pro",
			billingPeriod: "ANNUALLY",
			billableFeatures: [{ featureId: "seats", quantity: 4 }],
			appliedCoupon: { couponId: "FIVE" },
		};
		const invoiced = {
			total: usd(395),
			subTotal: usd(400),
			totalExcludingTax: usd(395),
			discount: usd(5),
			tax: usd(0),
			discountDetails: { code: "FIVE", type: "FIXED", value: 5, durationType: "FOREVER" },
			taxDetails: null,
			lines: [
				{ description: "Pro", quantity: 1, subTotal: usd(200) },
				{ description: "Seats (Pro)", quantity: 4, subTotal: usd(200) },
			],
		};
		expect(await run("previewSubscription", input, preview)).toEqual({
			immediateInvoice: {
				...invoiced,
				proration: {
					credit: usd(0),
					debit: usd(0),
					netAmount: usd(0),
					prorationDate: now,
					hasProrations: false,
				},
				credits: { initial: usd(0), used: usd(0), remaining: usd(0) },
			},
			recurringInvoice: invoiced,
			billingPeriodRange: { start: now, end: "2027-01-31T00:00:00.000Z" },
			isPlanDowngrade: false,
			hasScheduledUpdates: false,
		});
	});

	test("a free subscription has no period and no price, but sums all the same", async () => {
		expect(await run("estimateSubscription", { customerId: "acme", planId: "free" }, estimate)).toEqual({
			subTotal: usd(0),
			total: usd(0),
			totalExcludingTax: usd(0),
			tax: usd(0),
			taxDetails: null,
			discount: null,
			billingPeriodRange: { start: now, end: now },
			proration: null,
			subscription: null,
		});
	});

	test("refuses as REST does", async () => {
		for (const name of ["estimateSubscription", "previewSubscription"]) {
			expect(await refused(name, { customerId: "none", planId: "pro" })).toEqual(["CustomerNotFound"]);
			expect(await refused(name, { customerId: "acme", planId: "pro" })).toEqual(["BillingPeriodMissingError"]);
			const used = { billingPeriod: "MONTHLY", billableFeatures: [{ featureId: "calls", quantity: 1 }] };
			expect(await refused(name, { customerId: "acme", planId: "pro", ...used })).toEqual(["PriceNotFound"]);
			expect(await refused(name, { customerId: "acme", planId: "nope", ...used })).toEqual(["PlanNotFound"]);
			const coupon = { appliedCoupon: { couponId: "NOPE" } };
			expect(await refused(name, { customerId: "acme", planId: "basic", ...coupon })).toEqual(["CouponNotFound"]);
			const code = { promotionCode: "SPRING" };
			expect(await refused(name, { customerId: "acme", planId: "basic", ...code })).toEqual(["PromotionCodeNotFound"]);
		}
		expect(await refused("estimateSubscriptionUpdate", { subscriptionId: "none" })).toEqual(["SubscriptionNotFound"]);
	});
});

describe("the cost of a change", () => {
	/** The month has 28 days of 31 January to 28 February; half of it is over. */
	const middle = Date.UTC(2026, 1, 14) as Instant;
	const at = "2026-02-14T00:00:00.000Z";

	beforeEach(async () => {
		ours = await shop();
		await provision(ours, { id: "s", planId: "pro", billingPeriod: "MONTHLY", charges: [] });
		ours.clock.at = middle;
	});

	test("estimateSubscriptionUpdate prorates, and equals what is then invoiced", async () => {
		const change = { unitQuantity: 3, addons: [{ addonId: "extra" }] };
		const answer = await run("estimateSubscriptionUpdate", { subscriptionId: "s", ...change }, estimate);
		// Half of one seat is credited, half of three seats and of the addon is charged; the plan's own fee does not change.
		expect(answer).toMatchObject({
			subTotal: usd(6.67),
			total: usd(6.67),
			proration: { prorationDate: at, credit: usd(2.5), debit: usd(9.17), netAmount: usd(6.67) },
			billingPeriodRange: { start: now, end: "2026-02-28T00:00:00.000Z" },
			subscription: { total: usd(38.33) },
		});
		expect((await ours.call("GET", "/subscriptions/s")).body.data.addons).toEqual([]);
		await run("updateSubscription", { refId: "s", ...change }, "{ refId }");
		expect((await invoicesOf(ours)).map(({ total }) => total)).toContain(answer.total.amount);
	});

	test("an upgrade by another plan prorates too", async () => {
		const input = { customerId: "acme", planId: "pro", billingPeriod: "ANNUALLY" };
		const { immediateInvoice, isPlanDowngrade } = await run("previewSubscription", input, preview);
		expect([immediateInvoice.proration, isPlanDowngrade]).toEqual([
			{ credit: usd(12.5), debit: usd(250), netAmount: usd(237.5), prorationDate: at, hasProrations: true },
			false,
		]);
	});

	test("a scheduled change costs nothing now, and is shown as it will be", async () => {
		await run("updateSubscription", { refId: "s", unitQuantity: 4 }, "{ refId }");
		const answer = await run(
			"estimateSubscriptionUpdate",
			{ subscriptionId: "s", unitQuantity: 2, scheduleStrategy: "END_OF_BILLING_PERIOD" },
			"{ total { amount } proration { credit { amount } } hasScheduledUpdates isPlanDowngrade subscription { total { amount } } }",
		);
		expect(answer).toEqual({
			total: { amount: 0 },
			proration: null,
			hasScheduledUpdates: true,
			isPlanDowngrade: true,
			subscription: { total: { amount: 30 } },
		});
		expect((await ours.call("GET", "/subscriptions/s")).body.data.futureUpdates).toEqual([]);
	});

	test("where nothing costs anything, nothing is in the currency of who pays, else of the environment", async () => {
		const currency = async (customerId: string) => {
			const input = { customerId, planId: "free" };
			const body = await mutate(ours, "estimateSubscription", input, { selection: "{ total { amount currency } }" });
			return body.data.estimateSubscription.total;
		};
		await ours.call("POST", "/customers", { body: { id: "european", billingCurrency: "eur" } });
		await ours.call("POST", "/customers", { body: { id: "anybody" } });
		expect(await currency("european")).toEqual({ amount: 0, currency: "EUR" });
		ours.db.$client.run("UPDATE environments SET default_currency = 'sek'");
		expect(await currency("anybody")).toEqual({ amount: 0, currency: "SEK" });
		ours.db.$client.run("UPDATE environments SET default_currency = 'usd'");
	});

	test("a key that only reads may ask", async () => {
		const key = ours.scopedKey("SUBSCRIPTION:READ");
		const body = await mutate(ours, "estimateSubscriptionUpdate", { subscriptionId: "s", unitQuantity: 2 }, { key });
		expect(body).not.toHaveProperty("errors");
		const other = ours.scopedKey("CUSTOMER:READ");
		const mine = await mutate(ours, "estimateSubscriptionUpdate", { subscriptionId: "s" }, { key: other });
		expect(codes(mine)).toEqual(["AccessDeniedError"]);
		const theirs = await mutate(ours, "estimateSubscriptionUpdate", { subscriptionId: "s" }, { key: ours.foreignKey });
		expect(codes(theirs)).toEqual(["SubscriptionNotFound"]);
	});
});
