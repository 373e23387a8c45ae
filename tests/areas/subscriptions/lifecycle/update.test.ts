import { describe, expect, test } from "bun:test";
import { longText } from "../../../support/world";
import { isRefusal } from "../../packages/guards";
import { scenario } from "../scenario";

const mine = scenario();
const seats = (quantity: number) => ({ charges: [{ id: "seats", quantity, type: "FEATURE" }] });

/** A monthly subscription to `pro` with three seats, 35 a month; half of its first period is over on the 14th of February. */
async function begun(body: object = {}) {
	const customerId = await mine.customer();
	const { id } = await mine.provision({ customerId, planId: "pro", billingPeriod: "MONTHLY", ...seats(3), ...body });
	return { customerId, id };
}
const half = "2026-02-14T00:00:00Z";

async function changed(id: string, body: object) {
	const { status, body: answer } = await mine.patch(id, body);
	if (status !== 200) expect(answer).toEqual({ status: 200 });
	return answer.data;
}

describe("changes that show at once", () => {
	const fields: Array<[string, object, object, object, object]> = [
		[
			"metadata, as a whole",
			{ metadata: { a: "1" } },
			{ metadata: { a: "1" } },
			{ metadata: { b: "2" } },
			{ metadata: { b: "2" } },
		],
		[
			"the budget, and null takes it away",
			{ budget: { limit: 9, hasSoftLimit: false } },
			{ budget: { limit: 9, hasSoftLimit: false } },
			{ budget: null },
			{ budget: null },
		],
		[
			"the minimum spend, and null takes it away",
			{ minimumSpend: { amount: 50 } },
			{ minimumSpend: { amount: 50, currency: "usd" } },
			{ minimumSpend: null },
			{ minimumSpend: null },
		],
		[
			"the addons, as a whole",
			{ addons: [{ id: "extra", quantity: 2 }] },
			{ addons: [{ id: "extra", quantity: 2 }] },
			{
				addons: [
					{ id: "extra", quantity: 1 },
					{ id: "needy", quantity: 1 },
				],
			},
			{
				addons: [
					{ id: "extra", quantity: 1 },
					{ id: "needy", quantity: 1 },
				],
			},
		],
		["the addons, to none", { addons: [{ id: "extra", quantity: 2 }] }, {}, { addons: [] }, { addons: [] }],
		[
			"its own entitlements, as a whole",
			{ entitlements: [{ type: "FEATURE", id: "calls", usageLimit: 5 }] },
			{ subscriptionEntitlements: [{ id: "calls", type: "FEATURE" }] },
			{ entitlements: [{ type: "CREDIT", id: "gold", amount: 7, cadence: "MONTH" }] },
			{ subscriptionEntitlements: [{ id: "gold", type: "CREDIT" }] },
		],
		[
			"its own prices, as a whole",
			{ priceOverrides: [{ baseCharge: true, amount: 12 }] },
			{ prices: [expect.objectContaining({ amount: 12 }), expect.objectContaining({ amount: 5 })] },
			{ priceOverrides: [{ featureId: "seats", amount: 4 }] },
			{ prices: [expect.objectContaining({ amount: 20 }), expect.objectContaining({ amount: 4 })] },
		],
		[
			"the cancellation, and null takes it back",
			{ cancellationDate: "2026-05-01T00:00:00Z" },
			{ cancellationDate: "2026-05-01T00:00:00.000Z", effectiveEndDate: "2026-05-01T00:00:00.000Z", status: "ACTIVE" },
			{ cancellationDate: null },
			{ cancellationDate: null, effectiveEndDate: null, status: "ACTIVE" },
		],
	];
	test.each(fields)("%s", async (_, first, shown, second, shownThen) => {
		const { id } = await begun();
		const before = await mine.get(id);
		expect(await changed(id, first)).toMatchObject(shown);
		const after = await changed(id, second);
		expect(after).toMatchObject(shownThen);
		expect(await mine.get(id)).toEqual(after);
		for (const kept of [
			"customerId",
			"planId",
			"startDate",
			"billingCycleAnchor",
			"currentBillingPeriodEnd",
			"createdAt",
		])
			expect(after[kept]).toBe(before[kept]);
	});

	test("nothing, with an empty body; and a salesforce id without being shown", async () => {
		const { customerId, id } = await begun();
		const before = await mine.get(id);
		expect(await changed(id, {})).toEqual(before);
		expect(await changed(id, { salesforceId: "s-1" })).toEqual(before);
		expect(await changed(id, { salesforceId: null })).toEqual(before);
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 35 OPEN"]);
	});

	test("omitted units stay, and the entitlements follow at once", async () => {
		const { customerId, id } = await begun();
		await changed(id, { addons: [{ id: "extra", quantity: 1 }] });
		const check = async (featureId: string) =>
			(await mine.world.call("GET", `/customers/${customerId}/entitlements/check?featureId=${featureId}`)).body.data
				.usageLimit;
		expect([await check("seats"), await check("calls")]).toEqual([3, 1500]);
		await changed(id, { ...seats(8), addons: [] });
		expect([await check("seats"), await check("calls")]).toEqual([8, 1000]);
	});
});

describe("the charges of a mid-cycle change", () => {
	const more = [{ id: "extra", quantity: 2 }];
	const costs: Array<[string, object, object, string[], string[]]> = [
		["two seats more: half of ten", {}, seats(5), ["2026-02-14 5 OPEN"], []],
		["two seats fewer give half of ten back", {}, seats(1), [], ["2026-02-14 5 ORDER_CHANGE"]],
		["an addon: half of 6.66", {}, { addons: more }, ["2026-02-14 3.33 OPEN"], []],
		[
			"a price of its own: half of 20 back, half of 100",
			{},
			{ priceOverrides: [{ baseCharge: true, amount: 100 }] },
			["2026-02-14 40 OPEN"],
			[],
		],
		["a minimum spend: half of it", {}, { minimumSpend: { amount: 50 } }, ["2026-02-14 25 OPEN"], []],
		["nothing, with NONE", {}, { ...seats(5), billingInformation: { prorationBehavior: "NONE" } }, [], []],
		["paid at once", {}, { ...seats(5), billingInformation: { isInvoicePaid: true } }, ["2026-02-14 5 PAID"], []],
		["taxes are for the next charge", {}, { billingInformation: { taxPercentage: 20 } }, [], []],
		[
			"with new taxes, at once: 2.50 − 2.50 old, and 10 × 1.2 of what is new",
			{},
			{ ...seats(5), billingInformation: { taxPercentage: 20 } },
			["2026-02-14 9.5 OPEN"],
			[],
		],
		["the same again", {}, seats(3), [], []],
		["a year: 332.50 = 350 less half of 35", {}, { billingPeriod: "ANNUALLY" }, ["2026-02-14 332.5 OPEN"], []],
		["a new cycle: 35 less half of 35", {}, { billingCycleAnchor: "NOW" }, ["2026-02-14 17.5 OPEN"], []],
	];
	test.each(costs)("%s", async (_, body, change, bills, notes) => {
		const { customerId, id } = await begun(body);
		const [first] = await mine.bills(customerId);
		mine.at(half);
		await changed(id, change);
		const after = await mine.bills(customerId);
		expect(after.slice(1)).toEqual(bills);
		expect(await mine.notes(customerId)).toEqual(notes);
		if (notes.length === 0) expect(after[0]).toBe(first);
	});

	test("with CREATE_PRORATIONS the difference waits for the next invoice", async () => {
		const { customerId, id } = await begun();
		mine.at(half);
		await changed(id, { ...seats(5), billingInformation: { prorationBehavior: "CREATE_PRORATIONS" } });
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 35 OPEN"]);
		mine.turn(customerId, "2026-03-01T00:00:00Z");
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 35 OPEN", "2026-02-28 50 OPEN"]);
	});

	test("a year begins at once, where a month ran; a new cycle too", async () => {
		const { id } = await begun();
		const cycle = await begun();
		mine.at(half);
		expect(await changed(id, { billingPeriod: "ANNUALLY" })).toMatchObject({
			billingCycleAnchor: "2026-02-14T00:00:00.000Z",
			currentBillingPeriodStart: "2026-02-14T00:00:00.000Z",
			currentBillingPeriodEnd: "2027-02-14T00:00:00.000Z",
			latestInvoice: { billingReason: "SUBSCRIPTION_UPDATE" },
		});
		expect(await changed(cycle.id, { billingCycleAnchor: "NOW" })).toMatchObject({
			billingCycleAnchor: "2026-02-14T00:00:00.000Z",
			currentBillingPeriodEnd: "2026-03-14T00:00:00.000Z",
		});
	});

	test("in the first and the last millisecond: all of it, and next to nothing", async () => {
		const [first, last] = [await begun(), await begun()];
		await changed(first.id, seats(5));
		mine.at("2026-02-27T23:59:59.999Z");
		await changed(last.id, seats(5));
		expect(await mine.bills(first.customerId)).toEqual(["2026-01-31 35 OPEN", "2026-01-31 10 OPEN"]);
		expect((await mine.bills(last.customerId)).slice(1).every((bill) => bill.startsWith("2026-02-27 0 "))).toBe(true);
		mine.turn(last.customerId, "2026-02-28T00:00:00Z");
		expect((await mine.bills(last.customerId)).at(-1)).toBe("2026-02-28 45 OPEN");
	});

	test("due steps are carried out before a change", async () => {
		const { customerId, id } = await begun();
		mine.at("2026-03-15T12:00:00Z");
		await changed(id, seats(5));
		// 31 days from the 28th of February: half of them are left.
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 35 OPEN", "2026-02-28 35 OPEN", "2026-03-15 5 OPEN"]);
	});
});

describe("a shorter billing period", () => {
	test("waits for the year that is paid for", async () => {
		const { customerId, id } = await begun({ billingPeriod: "ANNUALLY" });
		mine.at(half);
		isRefusal(
			await mine.patch(id, { billingPeriod: "MONTHLY", scheduleStrategy: "IMMEDIATE" }),
			400,
			"DowngradeBillingPeriodNotSupportedError",
			"END_OF_BILLING_PERIOD",
		);
		const scheduled = await changed(id, { billingPeriod: "MONTHLY" });
		expect(scheduled.futureUpdates).toEqual([
			{
				subscriptionScheduleType: "BILLING_PERIOD",
				scheduleStatus: "SCHEDULED",
				scheduledExecutionTime: "2027-01-31T00:00:00.000Z",
				targetPackage: null,
			},
		]);
		expect(scheduled.currentBillingPeriodEnd).toBe("2027-01-31T00:00:00.000Z");
		mine.turn(customerId, "2027-03-01T00:00:00Z");
		expect(await mine.get(id)).toMatchObject({
			futureUpdates: [],
			currentBillingPeriodStart: "2027-02-28T00:00:00.000Z",
			currentBillingPeriodEnd: "2027-03-31T00:00:00.000Z",
		});
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 350 OPEN", "2027-01-31 35 OPEN", "2027-02-28 35 OPEN"]);
	});
});

describe("coupons", () => {
	const ways: Array<[string, object]> = [
		["appliedCoupon", { appliedCoupon: { couponId: "TEN" } }],
		["billingInformation", { billingInformation: { couponId: "TEN" } }],
		["an inline discount", { appliedCoupon: { discount: { percentOff: 10, name: "Deal" } } }],
	];
	test.each(ways)("by %s, from the next invoice on", async (_, body) => {
		const { customerId, id } = await begun();
		expect((await changed(id, body)).coupons).toEqual([
			expect.objectContaining({ status: "ACTIVE", percentOff: 10, amountsOff: null }),
		]);
		mine.turn(customerId, "2026-02-28T00:00:00Z");
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 35 OPEN", "2026-02-28 31.5 OPEN"]);
	});

	test("one takes the place of the other, and a null code takes it off", async () => {
		const { customerId, id } = await begun({ appliedCoupon: { couponId: "TEN" } });
		const statuses = async () =>
			(await mine.get(id)).coupons.map((one: { id: string; status: string }) => `${one.id} ${one.status}`);
		await changed(id, { appliedCoupon: { couponId: "FIVE" } });
		expect(await statuses()).toEqual(["TEN REMOVED", "FIVE ACTIVE"]);
		await changed(id, { appliedCoupon: { promotionCode: null, couponId: "TEN" } });
		expect(await statuses()).toEqual(["TEN REMOVED", "FIVE REMOVED", "TEN ACTIVE"]);
		await changed(id, { appliedCoupon: { promotionCode: null } });
		expect(await statuses()).toEqual(["TEN REMOVED", "FIVE REMOVED", "TEN REMOVED"]);
		mine.turn(customerId, "2026-02-28T00:00:00Z");
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 31.5 OPEN", "2026-02-28 35 OPEN"]);
	});

	test("an active coupon does not restart", async () => {
		const { id } = await begun({ appliedCoupon: { couponId: "TEN" } });
		isRefusal(
			await mine.patch(id, { appliedCoupon: { couponId: "TEN" } }),
			400,
			"CustomerAlreadyUsesCouponError",
			"TEN",
		);
		expect((await mine.get(id)).coupons).toEqual([expect.objectContaining({ id: "TEN", status: "ACTIVE" })]);
	});
});

describe("refusals leave everything as it was", () => {
	const refused: Array<[object, number, string]> = [
		[{ planId: "basic" }, 400, "BadUserInput"],
		[{ unitQuantity: 4 }, 400, "BadUserInput"],
		[{ resourceId: "site" }, 400, "BadUserInput"],
		[{ budget: { limit: 1 } }, 400, "BadUserInput"],
		[{ minimumSpend: 5 }, 400, "BadUserInput"],
		[{ metadata: null }, 400, "BadUserInput"],
		[{ metadata: { a: 1 } }, 400, "BadUserInput"],
		[{ cancellationDate: "tomorrow" }, 400, "BadUserInput"],
		[{ scheduleStrategy: "LATER" }, 400, "BadUserInput"],
		[{ salesforceId: longText(256) }, 400, "BadUserInput"],
		[{ priceOverrides: [{ featureId: "seats", tiers: [] }] }, 400, "BadUserInput"],
		[{ priceOverrides: [{ amount: 5 }] }, 400, "BadUserInput"],
		[{ appliedCoupon: {} }, 400, "BadUserInput"],
		[{ appliedCoupon: { couponId: "TEN", discount: { percentOff: 5 } } }, 400, "BadUserInput"],
		[{ cancellationDate: "2026-01-31T00:00:00Z" }, 400, "InvalidCancellationDate"],
		[{ cancellationDate: "2025-01-01T00:00:00Z" }, 400, "InvalidCancellationDate"],
		[{ trialEndDate: "2026-03-01T00:00:00Z" }, 400, "InvalidSubscriptionStatus"],
		[{ addons: [{ id: "none", quantity: 1 }] }, 404, "AddonNotFound"],
		[{ addons: [{ id: "alien", quantity: 1 }] }, 400, "IncompatibleSubscriptionAddon"],
		[{ addons: [{ id: "needy", quantity: 1 }] }, 400, "AddonDependencyMissingError"],
		[{ addons: [{ id: "extra", quantity: 4 }] }, 400, "AddonQuantityExceedsLimitError"],
		[{ addons: [{ id: "extra", quantity: 0 }] }, 400, "InvalidQuantity"],
		[
			{
				addons: [
					{ id: "extra", quantity: 1 },
					{ id: "extra", quantity: 1 },
				],
			},
			400,
			"DuplicateAddonProvisionedError",
		],
		[seats(0), 400, "InvalidQuantity"],
		[seats(51), 400, "InvalidQuantity"],
		[{ charges: [{ id: "calls", quantity: 1, type: "FEATURE" }] }, 404, "PriceNotFound"],
		[{ charges: [{ id: "none", quantity: 1, type: "FEATURE" }] }, 404, "FeatureNotFound"],
		[{ charges: [{ id: "none", quantity: 1, type: "CREDIT" }] }, 404, "CustomCurrencyNotFound"],
		[{ entitlements: [{ type: "FEATURE", id: "none" }] }, 404, "FeatureNotFound"],
		[{ priceOverrides: [{ featureId: "calls", amount: 1 }] }, 404, "PriceNotFound"],
		[{ priceOverrides: [{ currencyId: "gold", amount: 1 }] }, 404, "PriceNotFound"],
		[{ appliedCoupon: { couponId: "none" } }, 404, "CouponNotFound"],
		[{ billingInformation: { couponId: "none" } }, 404, "CouponNotFound"],
		[{ promotionCode: "none" }, 404, "PromotionCodeNotFound"],
		[{ appliedCoupon: { promotionCode: "none" } }, 404, "PromotionCodeNotFound"],
		[{ appliedCoupon: { couponId: "OLD" } }, 400, "ArchivedCouponCantBeApplied"],
		[{ billingInformation: { integrationId: "none" } }, 404, "IntegrationNotFound"],
		[{ ...seats(51), scheduleStrategy: "END_OF_BILLING_PERIOD" }, 400, "InvalidQuantity"],
	];
	test.each(refused)("%j is %d %s", async (body, status, code) => {
		const { customerId, id } = await begun();
		const before = await mine.get(id);
		isRefusal(await mine.patch(id, body), status, code);
		expect(await mine.get(id)).toEqual(before);
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 35 OPEN"]);
	});

	const unfit: Array<[string, object, object, string]> = [
		[
			"a period that is not sold",
			{ planId: "basic", charges: [] },
			{ billingPeriod: "ANNUALLY" },
			"BillingPeriodMissingError",
		],
		[
			"a schedule where nothing is billed by periods",
			{ planId: "free", charges: [], billingPeriod: undefined },
			{ metadata: {}, scheduleStrategy: "END_OF_BILLING_PERIOD" },
			"SchedulingAtEndOfBillingPeriod",
		],
		[
			"what waits for its first payment",
			{ awaitPaymentConfirmation: true },
			{ metadata: {} },
			"InvalidSubscriptionStatus",
		],
	];
	test.each(unfit)("%s", async (_, sold, body, code) => {
		const { id } = await begun(sold);
		isRefusal(await mine.patch(id, body), 400, code);
	});

	test("an ended subscription", async () => {
		const { id } = await begun();
		await mine.cancel(id);
		isRefusal(await mine.patch(id, { metadata: {} }), 400, "SubscriptionAlreadyCanceledOrExpired", "CANCELED");
		isRefusal(await mine.patch("none", {}), 404, "SubscriptionNotFound", "none");
	});
});

describe("the end of a period", () => {
	test("a change that is scheduled for it is in the invoice of the next one, which charges everything", async () => {
		const { customerId, id } = await begun();
		await changed(id, {
			...seats(2),
			addons: [{ id: "extra", quantity: 1 }],
			scheduleStrategy: "END_OF_BILLING_PERIOD",
		});
		mine.turn(customerId, "2026-04-01T00:00:00Z");
		expect(await mine.bills(customerId)).toEqual([
			"2026-01-31 35 OPEN",
			"2026-02-28 33.33 OPEN",
			"2026-03-31 33.33 OPEN",
		]);
		expect(await mine.notes(customerId)).toEqual([]);
	});

	test("a cancellation at the same instant comes first", async () => {
		const { customerId, id } = await begun();
		await changed(id, { ...seats(9), scheduleStrategy: "END_OF_BILLING_PERIOD" });
		await mine.cancel(id, { cancellationTime: "END_OF_BILLING_PERIOD" });
		mine.turn(customerId, "2026-04-01T00:00:00Z");
		expect(await mine.states(customerId)).toEqual(["pro CANCELED ScheduledCancellation"]);
		expect((await mine.get(id)).futureUpdates).toEqual([]);
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 35 OPEN"]);
	});
});
