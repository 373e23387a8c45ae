import { beforeAll, describe, expect, test } from "bun:test";
import type { Instant } from "../../../../src/kernel/clock";
import { longText } from "../../../support/world";
import { isRefusal } from "../../packages/guards";
import { filledIn } from "../../packages/terms";
import { invoicesOf, provision, shop } from "../shop";
import { customer, monthly, openShop, ours } from "./provision/customers";

beforeAll(openShop);
const post = (body: object, options: object = {}) => ours.call("POST", "/subscriptions", { body, ...options });

describe("permissions and invalid bodies", () => {
	test("checks the caller, the key's scope, and then the body", async () => {
		const body = { customerId: "acme", planId: "free" };
		isRefusal(await post(body, { key: "" }), 401, "Unauthenticated");
		isRefusal(await post(body, { key: ours.publishableKey }), 403, "IdentityForbidden");
		isRefusal(await post(body, { key: ours.scopedKey("SUBSCRIPTION:READ") }), 403, "AccessDeniedError");
		isRefusal(await ours.call("POST", "/subscriptions", { body: "{" }), 400, "BadUserInput", "JSON");
		isRefusal(await post(body, { key: ours.foreignKey }), 404, "CustomerNotFound");
		expect((await ours.call("GET", "/subscriptions", { key: ours.foreignKey })).body.data).toEqual([]);
	});

	const wrong: Array<[object, string]> = [
		[{}, "customerId"],
		[{ customerId: "acme" }, "planId"],
		[{ ...monthly, customerId: "a b" }, "customerId"],
		[{ ...monthly, planId: 5 }, "planId"],
		[{ ...monthly, id: longText(256) }, "id"],
		[{ ...monthly, billingPeriod: "Monthly" }, "billingPeriod"],
		[{ ...monthly, addons: [{ id: "extra" }] }, "quantity"],
		[{ ...monthly, addons: [{ id: "extra", quantity: 1.5 }] }, "quantity"],
		[{ ...monthly, charges: [{ id: "seats", quantity: -1, type: "FEATURE" }] }, "quantity"],
		[{ ...monthly, charges: [{ id: "seats", quantity: 1, type: "Feature" }] }, "type"],
		[{ ...monthly, unitQuantity: "five" }, "unitQuantity"],
		[{ ...monthly, startDate: "2026-01-31" }, "startDate"],
		[{ ...monthly, billingCountryCode: "DEU" }, "billingCountryCode"],
		[{ ...monthly, billingInformation: { taxPercentage: 101 } }, "taxPercentage"],
		[{ ...monthly, billingInformation: { couponId: "TEN" } }, "couponId"],
		[{ ...monthly, minimumSpend: { amount: 5, currency: "USD" } }, "currency"],
		[{ ...monthly, budget: { limit: 5 } }, "hasSoftLimit"],
		[{ ...monthly, checkoutOptions: { successUrl: "nowhere", cancelUrl: "https://x.test" } }, "successUrl"],
		[{ ...monthly, metadata: { a: true } }, "metadata"],
		[{ ...monthly, priceOverrides: [{ amount: 5 }] }, "priceOverrides"],
		[{ ...monthly, appliedCoupon: {} }, "appliedCoupon"],
		[{ ...monthly, appliedCoupon: { couponId: "TEN", promotionCode: "X" } }, "appliedCoupon"],
		[{ ...monthly, appliedCoupon: { discount: { name: "none" } } }, "discount"],
		[
			{
				...monthly,
				entitlements: [
					{ type: "FEATURE", id: "sso" },
					{ type: "FEATURE", id: "sso" },
				],
			},
			"twice",
		],
		[{ ...monthly, surprise: 1 }, "surprise"],
	];
	test.each(wrong)("rejects %j", async (body, says) => {
		isRefusal(
			await post("customerId" in body || "planId" in body ? { customerId: "acme", ...body } : body),
			400,
			"BadUserInput",
			says,
		);
	});

	const refused: Array<[object, number, string]> = [
		[{ ...monthly, customerId: "nobody" }, 404, "CustomerNotFound"],
		[{ ...monthly, payingCustomerId: "nobody" }, 404, "CustomerNotFound"],
		[{ planId: "none" }, 404, "PlanNotFound"],
		[{ planId: "draft" }, 400, "UnPublishedPackage"],
		[{ ...monthly, addons: [{ id: "none", quantity: 1 }] }, 404, "AddonNotFound"],
		[{ planId: "pro" }, 400, "BillingPeriodMissingError"],
		[{ planId: "basic", billingPeriod: "ANNUALLY" }, 400, "BillingPeriodMissingError"],
		[{ ...monthly, addons: [{ id: "alien", quantity: 1 }] }, 400, "IncompatibleSubscriptionAddon"],
		[
			{
				...monthly,
				addons: [
					{ id: "extra", quantity: 1 },
					{ id: "extra", quantity: 1 },
				],
			},
			400,
			"DuplicateAddonProvisionedError",
		],
		[{ ...monthly, addons: [{ id: "extra", quantity: 4 }] }, 400, "AddonQuantityExceedsLimitError"],
		[{ ...monthly, addons: [{ id: "extra", quantity: 0 }] }, 400, "InvalidQuantity"],
		[{ ...monthly, addons: [{ id: "needy", quantity: 1 }] }, 400, "AddonDependencyMissingError"],
		[{ ...monthly, unitQuantity: 0 }, 400, "InvalidQuantity"],
		[{ ...monthly, unitQuantity: 51 }, 400, "InvalidQuantity"],
		[{ ...monthly, unitQuantity: 1.5 }, 400, "InvalidQuantity"],
		[{ planId: "free", unitQuantity: 1 }, 400, "InvalidQuantity"],
		[{ ...monthly, unitQuantity: 2, charges: [{ id: "seats", quantity: 3, type: "FEATURE" }] }, 400, "InvalidQuantity"],
		[{ ...monthly, charges: [{ id: "calls", quantity: 3, type: "FEATURE" }] }, 404, "PriceNotFound"],
		[{ ...monthly, charges: [{ id: "none", quantity: 3, type: "FEATURE" }] }, 404, "FeatureNotFound"],
		[{ ...monthly, charges: [{ id: "none", quantity: 3, type: "CREDIT" }] }, 404, "CustomCurrencyNotFound"],
		[{ ...monthly, charges: [{ id: "gold", quantity: 3, type: "CREDIT" }] }, 404, "PriceNotFound"],
		[{ ...monthly, entitlements: [{ type: "FEATURE", id: "none" }] }, 404, "FeatureNotFound"],
		[{ ...monthly, priceOverrides: [{ featureId: "calls", amount: 1 }] }, 404, "PriceNotFound"],
		[{ ...monthly, priceOverrides: [{ addonId: "extra", amount: 1 }] }, 404, "PriceNotFound"],
		[{ ...monthly, appliedCoupon: { couponId: "none" } }, 404, "CouponNotFound"],
		[{ ...monthly, appliedCoupon: { billingCouponId: "none" } }, 404, "CouponNotFound"],
		[{ ...monthly, appliedCoupon: { promotionCode: "none" } }, 404, "PromotionCodeNotFound"],
		[{ ...monthly, appliedCoupon: { couponId: "OLD" } }, 400, "ArchivedCouponCantBeApplied"],
		[{ ...monthly, billingInformation: { integrationId: "none" } }, 404, "IntegrationNotFound"],
		[{ ...monthly, cancellationDate: "2026-01-01T00:00:00Z" }, 400, "InvalidCancellationDate"],
		[{ ...monthly, scheduleStrategy: "END_OF_BILLING_PERIOD" }, 400, "SchedulingAtEndOfBillingPeriod"],
		[{ ...monthly, trialOverrideConfiguration: { isTrial: true } }, 400, "BadUserInput"],
	];
	test.each(refused)("rejects %j with %d %s, and stores nothing", async (body, status, code) => {
		const id = await customer();
		isRefusal(await post({ customerId: id, ...body }), status, code);
		expect((await ours.call("GET", `/subscriptions?customerId=${id}`)).body.data).toEqual([]);
		expect(await invoicesOf(ours, id)).toEqual([]);
	});

	test("counts thirty calls a minute for one customer and resource", async () => {
		const id = await customer();
		const send = (resourceId?: string) => post({ customerId: id, planId: "none", ...(resourceId && { resourceId }) });
		for (let call = 0; call < 30; call += 1) expect((await send()).status).toBe(404);
		isRefusal(await send(), 429, "RateLimitExceeded");
		expect((await send("site")).status).toBe(404);
	});
});

describe("the response of a provision", () => {
	test("resets its own entitlement by its period, ignoring reset configurations of others", async () => {
		const id = await customer();
		const calls = { type: "FEATURE", id: "calls", usageLimit: 5000, resetPeriod: "WEEK", ...filledIn };
		await provision(ours, { ...monthly, customerId: id, entitlements: [calls] });
		const check = await ours.call("GET", `/customers/${id}/entitlements/check?featureId=calls`);
		expect(check.body.data).toMatchObject({ resetPeriod: "WEEK", usagePeriodEnd: "2026-02-06T00:00:00.000Z" });
	});

	test("shows the subscription with every key, and the customer's new entitlements", async () => {
		const id = await customer();
		const data = await provision(ours, {
			...monthly,
			customerId: id,
			id: "sub-1",
			resourceId: "site",
			billingId: "b-1",
			addons: [{ id: "extra", quantity: 2 }],
			charges: [{ id: "seats", quantity: 3, type: "FEATURE" }],
			metadata: { source: "web" },
			minimumSpend: { amount: 12.5 },
			budget: { limit: 100, hasSoftLimit: true },
			paymentCollectionMethod: "INVOICE",
			entitlements: [{ type: "FEATURE", id: "calls", usageLimit: 5000 }],
			trialOverrideConfiguration: { isTrial: false },
		});
		expect(data).toMatchObject({ id: "sub-1", status: "SUCCESS", isScheduled: false });
		expect(data.subscription).toEqual({
			id: "sub-1",
			billingId: "b-1",
			customerId: id,
			payingCustomerId: null,
			resourceId: "site",
			planId: "pro",
			contractId: null,
			status: "ACTIVE",
			cancelReason: null,
			pricingType: "PAID",
			paymentCollection: "NOT_REQUIRED",
			paymentCollectionMethod: "INVOICE",
			startDate: "2026-01-31T00:00:00.000Z",
			endDate: null,
			effectiveEndDate: null,
			cancellationDate: null,
			trialEndDate: null,
			trial: null,
			billingCycleAnchor: "2026-01-31T00:00:00.000Z",
			currentBillingPeriodStart: "2026-01-31T00:00:00.000Z",
			currentBillingPeriodEnd: "2026-02-28T00:00:00.000Z",
			addons: [{ id: "extra", quantity: 2 }],
			coupons: [],
			prices: [
				{ addonId: null, featureId: null, baseCharge: true, amount: 20, currency: "usd" },
				{ addonId: null, featureId: "seats", baseCharge: false, amount: 5, currency: "usd" },
				{ addonId: "extra", featureId: null, baseCharge: false, amount: 3.33, currency: "usd" },
			],
			minimumSpend: { amount: 12.5, currency: "usd" },
			budget: { limit: 100, hasSoftLimit: true },
			latestInvoice: {
				billingId: expect.any(String),
				status: "OPEN",
				requiresAction: false,
				amountDue: 54.16,
				billingReason: "SUBSCRIPTION_CREATION",
				currency: "usd",
				pdfUrl: null,
				total: 54.16,
				createdAt: "2026-01-31T00:00:00.000Z",
			},
			futureUpdates: [],
			metadata: { source: "web" },
			subscriptionEntitlements: [{ id: "calls", type: "FEATURE" }],
			createdAt: "2026-01-31T00:00:00.000Z",
		});
		const limits = Object.fromEntries(
			data.entitlements.flatMap((one: { type: string; feature: { id: string }; usageLimit?: number }) =>
				one.type === "FEATURE" ? [[one.feature.id, one.usageLimit]] : [],
			),
		);
		expect(limits).toEqual({ sso: undefined, calls: 5000, region: undefined, seats: 3 });
		expect((await ours.call("GET", "/subscriptions/sub-1")).body.data).toEqual(data.subscription);
		isRefusal(await post({ customerId: id, planId: "free", id: "sub-1" }), 409, "DuplicatedEntityNotAllowed", "sub-1");
	});

	test("a free plan charges nothing and has no billing period", async () => {
		const id = await customer();
		const { subscription } = await provision(ours, { customerId: id, planId: "free", billingPeriod: "MONTHLY" });
		expect(subscription).toMatchObject({
			pricingType: "FREE",
			billingCycleAnchor: null,
			currentBillingPeriodStart: null,
			currentBillingPeriodEnd: null,
			latestInvoice: null,
			prices: [],
		});
		expect(await invoicesOf(ours, id)).toEqual([]);
	});

	test("takes the only billing period by default", async () => {
		const { subscription } = await provision(ours, { customerId: await customer(), planId: "basic" });
		expect(subscription).toMatchObject({ currentBillingPeriodEnd: "2026-02-28T00:00:00.000Z" });
	});

	test("an Idempotency-Key returns the same response again, and creates one subscription", async () => {
		const id = await customer();
		const send = () => post({ customerId: id, planId: "basic" }, { headers: { "idempotency-key": `k-${id}` } });
		const [first, again] = [await send(), await send()];
		expect(again.body).toEqual(first.body);
		expect(again.headers.get("idempotent-replayed")).toBe("true");
		expect((await ours.call("GET", `/subscriptions?customerId=${id}`)).body.data).toHaveLength(1);
		expect(await invoicesOf(ours, id)).toHaveLength(1);
	});
});

describe("replacing another subscription", () => {
	test("a plan of the same product ends the active one", async () => {
		const id = await customer();
		const first = await provision(ours, { customerId: id, planId: "free" });
		const second = await provision(ours, { customerId: id, planId: "basic" });
		const [newer, older] = (await ours.call("GET", `/subscriptions?customerId=${id}`)).body.data;
		expect(newer).toMatchObject({ id: second.id, status: "ACTIVE" });
		expect(older).toMatchObject({
			id: first.id,
			status: "CANCELED",
			cancelReason: "UPGRADE_OR_DOWNGRADE",
			effectiveEndDate: "2026-01-31T00:00:00.000Z",
		});
		// The unused time of 9.99 was paid and is credited in full.
		const third = await provision(ours, { customerId: id, planId: "free", billingCycleAnchor: "UNCHANGED" });
		expect(third.subscription).toMatchObject({ status: "ACTIVE", latestInvoice: null });
		expect((await ours.call("GET", `/customers/${id}/credit-notes`)).body.data).toMatchObject([{ total: 9.99 }]);
	});

	test("another resource does so too, unless the product allows several", async () => {
		const id = await customer();
		const statuses = async () =>
			(await ours.call("GET", `/subscriptions?customerId=${id}&status=ACTIVE`)).body.data.map(
				(one: { resourceId: string | null }) => one.resourceId,
			);
		await provision(ours, { customerId: id, planId: "free", resourceId: "a" });
		await provision(ours, { customerId: id, planId: "free", resourceId: "b" });
		expect(await statuses()).toEqual(["b"]);
		const several = await shop();
		await several.call("PATCH", "/products/app", { body: { multipleSubscriptions: true } });
		for (const resourceId of ["a", "b", "a", null]) await provision(several, { planId: "free", resourceId });
		const { data } = (await several.call("GET", "/subscriptions?status=ACTIVE")).body;
		expect(data.map((one: { resourceId: string | null }) => one.resourceId)).toEqual([null, "a", "b"]);
	});

	test("usage is counted from the change on, as the product says", async () => {
		const id = await customer();
		const anchor = async () =>
			(await ours.call("GET", `/customers/${id}/entitlements/check?featureId=calls`)).body.data.usagePeriodAnchor;
		await provision(ours, { customerId: id, ...monthly });
		const before = ours.clock.at;
		ours.clock.at = (before + 86_400_000) as Instant;
		await provision(ours, { customerId: id, planId: "pro", billingPeriod: "ANNUALLY" });
		expect(await anchor()).toBe("2026-02-01T00:00:00.000Z");
		await ours.call("PATCH", "/products/app", { body: { usageResetCutoffRule: { behavior: "NEVER_RESET" } } });
		ours.clock.at = (before + 2 * 86_400_000) as Instant;
		await provision(ours, { customerId: id, ...monthly });
		expect(await anchor()).toBe("2026-02-01T00:00:00.000Z");
		ours.clock.at = before;
	});
});
