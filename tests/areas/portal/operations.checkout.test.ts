import { beforeEach, describe, expect, test } from "bun:test";
import type { Instant } from "../../../src/kernel/clock";
import type { World } from "../../support/world";
import { invoicesOf, provision, shop } from "../subscriptions/shop";
import { type Call, callBy, checkoutOf, order, tokenIn } from "./links";

let w: World;
beforeEach(async () => {
	w = await shop();
});

const create = (body: object, key = w.key) =>
	w.call("POST", "/checkout-sessions", { key, body: { ...order, ...body } });
const subscriptions = async () => (await w.call("GET", "/subscriptions?customerId=acme")).body.data;
const offerOf = async (call: Call, details: object = {}): Promise<string> =>
	(await call("POST", "/checkout/preview", details)).body.data.offer;

describe("a checkout session", () => {
	test("shows the price, and provisions the subscription once when the customer confirms", async () => {
		const { call, id } = await checkoutOf(w, { unitQuantity: 2, referenceId: "cart-7" });
		expect((await call("GET", "/checkout")).body.data).toMatchObject({
			status: "OPEN",
			plan: { id: "pro", displayName: "Pro" },
			billingPeriod: "MONTHLY",
			customer: { name: "Acme Ltd", email: "billing@acme.test" },
			cancelUrl: order.cancelUrl,
			successUrl: null,
		});
		const shown = (await call("POST", "/checkout/preview", {})).body.data;
		expect([shown.immediateInvoice.total, shown.recurringInvoice.total]).toEqual([30, 30]);
		expect(await subscriptions()).toEqual([]);
		const confirm = () => call("POST", "/checkout/confirm", { offer: shown.offer });
		const answers = await Promise.all([confirm(), confirm(), confirm()]);
		const [{ id: sub }, ...more] = await subscriptions();
		expect(more).toEqual([]);
		for (const { status, body } of [...answers, await confirm()])
			expect([status, body.data]).toEqual([200, { subscriptionId: sub, successUrl: order.successUrl }]);
		expect(await invoicesOf(w)).toHaveLength(1);
		expect((await w.call("GET", `/checkout-sessions/${id}`)).body.data).toMatchObject({
			status: "COMPLETED",
			subscriptionId: sub,
			referenceId: "cart-7",
		});
		expect((await call("GET", "/checkout")).body.data).toMatchObject({
			status: "COMPLETED",
			successUrl: order.successUrl,
		});
		expect((await call("POST", "/checkout/preview", {})).body.code).toBe("InvalidArgumentError");
	});

	test("saves billing details with the sale, or nothing if the sale fails", async () => {
		const { call } = await checkoutOf(w, { collectBillingAddress: true, allowTaxIdCollection: true });
		const address = { line1: "1 Main Street", city: "Berlin", country: "DE" };
		const taxId = { type: "eu_vat", value: "DE136695976" };
		const confirm = (details: object, offer: string) => call("POST", "/checkout/confirm", { ...details, offer });
		const offer = await offerOf(call);
		expect((await confirm({}, offer)).body.code).toBe("InvalidAddressError");
		expect((await confirm({ address: { ...address, city: " " } }, offer)).body.message).toContain("city");
		expect((await confirm({ address, taxId: { type: "eu_vat", value: "1" } }, offer)).body.code).toBe("InvalidTaxId");
		expect((await confirm({ name: "Acme GmbH", address, taxId }, "stale")).body.code).toBe("InvalidArgumentError");
		expect((await w.call("GET", "/customers/acme")).body.data.name).toBe("Acme Ltd");
		expect((await confirm({ name: "Acme GmbH", address, taxId }, offer)).status).toBe(200);
		expect((await w.call("GET", "/customers/acme")).body.data).toMatchObject({
			name: "Acme GmbH",
			passthrough: { stripe: { billingAddress: address, taxIds: [taxId] } },
		});
	});

	test("accepts coupon codes if it allows them, and reports an invalid code", async () => {
		const { call } = await checkoutOf(w, { allowPromoCodes: true });
		const preview = (couponId: string) => call("POST", "/checkout/preview", { couponId });
		expect((await preview("NONE")).body.code).toBe("CouponNotFound");
		expect((await preview("OLD")).body.code).toBe("ArchivedCouponCantBeApplied");
		const { offer, immediateInvoice } = (await preview("TEN")).body.data;
		expect([immediateInvoice.total, immediateInvoice.discount]).toEqual([22.5, 2.5]);
		expect((await call("POST", "/checkout/confirm", { offer })).body.code).toBe("InvalidArgumentError");
		expect((await call("POST", "/checkout/confirm", { offer, couponId: "TEN" })).status).toBe(200);
		expect((await invoicesOf(w))[0].total).toBe(22.5);
		const { call: without } = await checkoutOf(w);
		expect((await without("POST", "/checkout/preview", { couponId: "TEN" })).body.code).toBe("CouponNotFound");
	});

	test("is refused if the price changed after it was shown", async () => {
		const { call } = await checkoutOf(w, { planId: "basic" });
		const offer = await offerOf(call);
		await w.call("POST", "/plans/basic/draft");
		const charges = {
			pricingType: "PAID",
			pricingModels: [
				{
					billingModel: "FLAT_FEE",
					pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount: 99, currency: "usd" } }],
				},
			],
		};
		await w.call("PATCH", "/plans/basic", { body: { charges } });
		await w.call("POST", "/plans/basic/publish", { body: { migrationType: "NEW_CUSTOMERS" } });
		expect((await call("POST", "/checkout/confirm", { offer })).body).toEqual({
			code: "InvalidArgumentError",
			message: "The price has changed since it was shown; review the new price and confirm again.",
		});
		expect(await subscriptions()).toEqual([]);
		expect((await call("POST", "/checkout/confirm", { offer: await offerOf(call) })).status).toBe(200);
	});

	test("expires", async () => {
		const { call, id } = await checkoutOf(w, { expiresInMinutes: 5 });
		const offer = await offerOf(call);
		w.clock.at = (w.clock.at + 5 * 60_000) as Instant;
		expect((await call("POST", "/checkout/confirm", { offer })).status).toBe(401);
		expect((await w.call("GET", `/checkout-sessions/${id}`)).body.data.status).toBe("EXPIRED");
		expect(await subscriptions()).toEqual([]);
	});

	test("applies the coupon of the session, and offers what the product allows", async () => {
		const { call } = await checkoutOf(w, { planId: "basic", couponId: "TEN" });
		expect((await call("POST", "/checkout/preview", {})).body.data.immediateInvoice.total).toBe(8.99);
		await provision(w, { planId: "free", id: "free" });
		expect((await call("POST", "/checkout/confirm", { offer: await offerOf(call) })).status).toBe(200);
		expect((await w.call("GET", "/subscriptions/free")).body.data.status).not.toBe("ACTIVE");
	});

	test.each<[object, number, string]>([
		[{ customerId: "none" }, 404, "CustomerNotFound"],
		[{ planId: "none" }, 404, "PlanNotFound"],
		[{ planId: "draft" }, 400, "UnPublishedPackage"],
		[{ billingPeriod: undefined }, 400, "BillingPeriodMissingError"],
		[{ couponId: "NONE" }, 404, "CouponNotFound"],
		[{ addons: [{ id: "alien", quantity: 1 }] }, 400, "IncompatibleSubscriptionAddon"],
		[{ successUrl: "javascript:alert(1)" }, 400, "BadUserInput"],
		[{ cancelUrl: "//evil.example" }, 400, "BadUserInput"],
		[{ cancelUrl: undefined }, 400, "BadUserInput"],
		[{ expiresInMinutes: 0 }, 400, "BadUserInput"],
		[{ priceOverrides: [] }, 400, "BadUserInput"],
	])("%p: %d %s", async (body, status, code) => {
		const answer = await create(body);
		expect([answer.status, answer.body.code]).toEqual([status, code]);
	});

	test("requires the scope to sell, in its own environment", async () => {
		const { body } = await create({});
		const { id, url } = body.data;
		expect(body.data).toEqual({
			...{ id, url: expect.stringMatching(/^http:\/\/localhost\/checkout#checkout-[\w-]{32}$/), customerId: "acme" },
			...{ planId: "pro", status: "OPEN", subscriptionId: null, referenceId: null, completedAt: null },
			...{ expiresAt: "2026-02-01T00:00:00.000Z", createdAt: "2026-01-31T00:00:00.000Z" },
		});
		expect((await w.call("GET", `/checkout-sessions/${id}`, { key: w.foreignKey })).status).toBe(404);
		expect((await create({}, w.foreignKey)).body.code).toBe("CustomerNotFound");
		expect((await create({}, w.scopedKey("SUBSCRIPTION:WRITE"))).status).toBe(403);
		expect((await w.call("GET", `/checkout-sessions/${id}`)).body.data).not.toHaveProperty("url");
		const call = callBy(w, tokenIn(url));
		for (const bad of [{ offer: 1 }, {}, { offer: "x", planId: "basic" }, { offer: "x", email: "no" }])
			expect((await call("POST", "/checkout/confirm", bad)).body.code).toBe("BadUserInput");
	});
});

describe("by GraphQL", () => {
	const ask = (query: string, variables: object) => w.call("POST", "/graphql", { body: { query, variables } });
	const input = { ...order, allowPromoCodes: true, collectBillingAddress: true, referenceId: "r" };
	const initiate =
		"mutation ($input: InitiateCheckoutInput!) { initiateCheckout(input: $input) { checkoutUrl checkoutBillingId } }";

	test("initiateCheckout returns the same page", async () => {
		const { checkoutUrl, checkoutBillingId } = (await ask(initiate, { input })).body.data.initiateCheckout;
		expect((await w.call("GET", `/checkout-sessions/${checkoutBillingId}`)).body.data).toMatchObject({
			planId: "pro",
			status: "OPEN",
		});
		expect((await callBy(w, tokenIn(checkoutUrl))("GET", "/checkout")).body.data).toMatchObject({
			allowPromoCodes: true,
			collectBillingAddress: true,
		});
		const codes = async (changed: object) =>
			(await ask(initiate, { input: { ...input, ...changed } })).body.errors[0].extensions.code;
		expect(await codes({ planId: "none" })).toBe("PlanNotFound");
		expect(await codes({ promotionCode: "X" })).toBe("PromotionCodeNotFound");
		expect(await codes({ successUrl: "javascript:1" })).toBe("BadUserInput");
	});

	test("checkoutState shows the plan with the customer's prices, and no card payment", async () => {
		const state =
			"query ($input: CheckoutStateInput!) { checkoutState(input: $input) { plan { refId prices { billingPeriod } } customer { refId } } }";
		const { body } = await ask(state, { input: { customerId: "acme", planId: "pro" } });
		expect(body.data.checkoutState).toMatchObject({ plan: { refId: "pro" }, customer: { refId: "acme" } });
		const paying = await ask("mutation { createPaymentSession(input: {}) { clientSecret } }", {});
		expect(paying.body.errors[0].extensions.code).toBe("CheckoutIsNotSupported");
	});
});
