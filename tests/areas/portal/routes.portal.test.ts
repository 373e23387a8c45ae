import { beforeEach, describe, expect, test } from "bun:test";
import { longText, type World } from "../../support/world";
import { maker } from "../packages/catalogue";
import { provision, shop } from "../subscriptions/shop";
import { type Call, portalOf } from "./links";

let w: World;
let call: Call;
beforeEach(async () => {
	w = await shop();
	await provision(w, { planId: "pro", id: "sub", billingPeriod: "MONTHLY", unitQuantity: 3 });
	call = await portalOf(w);
	await w.call("PATCH", "/products/app", { body: { productSettings: atTheEnd } });
});

const atTheEnd = {
	subscriptionStartSetup: "PLAN_SELECTION",
	subscriptionEndSetup: "CANCEL_SUBSCRIPTION",
	subscriptionCancellationTime: "END_OF_BILLING_PERIOD",
	prorateAtEndOfBillingPeriod: true,
};

const overview = async () => (await call("GET", "/portal")).body.data;
const change = (body: object) => call("POST", "/portal/subscriptions/sub/change", body);
const preview = (body: object) => call("POST", "/portal/subscriptions/sub/preview", body);
const settings = (body: object) => w.call("PATCH", "/products/app/portal-settings", { body });

describe("the overview", () => {
	test("shows the customer's data, and no internal data of the seller", async () => {
		await w.call("PATCH", "/customers/acme", { body: { metadata: { margin: "secret-margin" } } });
		await w.call("PATCH", "/subscriptions/sub", { body: { metadata: { note: "secret-note" } } });
		const data = await overview();
		expect(data).toMatchObject({
			customerId: "acme",
			billing: { name: "Acme Ltd", email: "billing@acme.test", address: null, taxIds: [] },
			subscriptions: [
				{
					id: "sub",
					plan: { id: "pro", displayName: "Pro" },
					status: "ACTIVE",
					billingPeriod: "MONTHLY",
					price: { total: 35, currency: "usd" },
					quantities: [{ featureId: "seats", featureName: "Seats", quantity: 3 }],
					allowed: { changePlan: true, changeQuantities: true, changeAddons: true, cancel: true },
					cancelsAt: "END_OF_BILLING_PERIOD",
				},
			],
			returnUrl: null,
		});
		expect(data.usage.map(({ name }: { name: string }) => name).sort()).toEqual([
			"Seats",
			"calls",
			"gold",
			"region",
			"sso",
		]);
		expect(JSON.stringify(data)).not.toContain("secret");
	});

	test("leaves out hidden features, and shows usage with its limit", async () => {
		await w.call("POST", "/usage", {
			body: { usages: [{ customerId: "acme", featureId: "calls", value: 250 }] },
		});
		w.countUsage();
		const calls = (await overview()).usage.find(({ name }: { name: string }) => name === "calls");
		expect(calls).toMatchObject({ limit: 1000, kind: "FEATURE", isUnlimited: false });
		await w.call("POST", "/plans/pro/draft");
		await w.call("PATCH", "/plans/pro/entitlements/calls", {
			body: { type: "FEATURE", hiddenFromWidgets: ["CUSTOMER_PORTAL"] },
		});
		await w.call("POST", "/plans/pro/publish", { body: { migrationType: "NEW_CUSTOMERS" } });
		await provision(w, { planId: "pro", id: "sub-2", billingPeriod: "MONTHLY", unitQuantity: 9 });
		expect((await overview()).usage.map(({ name }: { name: string }) => name)).not.toContain("calls");
	});
});

describe("a change", () => {
	test("costs what the preview showed, and is refused if the offer has changed since", async () => {
		const asked = { quantities: [{ featureId: "seats", quantity: 5 }] };
		const shown = (await preview(asked)).body.data;
		expect(shown.recurringInvoice.total).toBe(45);
		expect(shown.immediateInvoice.total).toBe(10);
		expect((await overview()).subscriptions[0].quantities[0].quantity).toBe(3);
		expect((await change({ ...asked, offer: "another" })).body.code).toBe("InvalidArgumentError");
		expect((await overview()).subscriptions[0].quantities[0].quantity).toBe(3);
		expect((await change({ ...asked, offer: shown.offer })).body.data).toEqual({ id: "sub" });
		expect((await overview()).subscriptions[0]).toMatchObject({ quantities: [{ quantity: 5 }], price: { total: 45 } });
		const { body } = await call("GET", "/portal/invoices");
		expect(body.data.map(({ total }: { total: number }) => total)).toEqual([10, 35]);
	});

	test("to another plan replaces the subscription and keeps its addons", async () => {
		const offers = (await call("GET", "/portal/subscriptions/sub/options")).body.data;
		expect(offers.plans.map(({ id }: { id: string }) => id)).toEqual(["free", "basic", "pro"]);
		expect(offers.addons.map(({ id }: { id: string }) => id).sort()).toEqual(["alien", "extra", "needy"]);
		const { data } = (await change({ planId: "pro", billingPeriod: "ANNUALLY" })).body;
		expect(data.id).toBe("sub");
		expect((await overview()).subscriptions[0]).toMatchObject({ billingPeriod: "ANNUALLY" });
		expect((await change({ addons: [{ id: "extra", quantity: 2 }] })).status).toBe(200);
		expect((await overview()).subscriptions[0].addons).toEqual([{ id: "extra", displayName: "extra", quantity: 2 }]);
		expect((await change({ addons: [{ id: "alien", quantity: 1 }] })).body.code).toBe("IncompatibleSubscriptionAddon");
	});

	test("accepts only the options: no custom plan, draft, or plan or addon of another product", async () => {
		const make = maker(w);
		await make.product("second");
		await make.plan("foreign", { productId: "second" });
		await make.addon("foreign-addon", { productId: "second" });
		await make.addon("custom-addon");
		await make.addon("draft-addon");
		await make.charge("/plans/foreign", { pricingType: "FREE" });
		await make.charge("/addons/foreign-addon", { pricingType: "FREE" });
		await make.charge("/addons/custom-addon", { pricingType: "CUSTOM" });
		for (const path of ["/plans/foreign", "/addons/foreign-addon", "/addons/custom-addon"]) await make.publish(path);
		await w.call("PATCH", "/plans/pro", {
			body: { compatibleAddonIds: ["extra", "needy", "custom-addon", "draft-addon"] },
		});
		const options = (await call("GET", "/portal/subscriptions/sub/options")).body.data;
		const offered = [...options.plans, ...options.addons].map(({ id }: { id: string }) => id);
		for (const planId of ["free", "basic", "pro", "custom", "draft", "foreign", "none"]) {
			const answer = await preview({ planId });
			if (offered.includes(planId)) expect([planId, answer.status]).toEqual([planId, 200]);
			else
				for (const refused of [answer, await change({ planId })])
					expect([planId, refused.status, refused.body.code]).toEqual([planId, 404, "PlanNotFound"]);
		}
		for (const id of ["custom-addon", "draft-addon", "foreign-addon", "none"]) {
			expect(offered).not.toContain(id);
			for (const refused of [
				await preview({ addons: [{ id, quantity: 1 }] }),
				await change({ addons: [{ id, quantity: 1 }] }),
				await change({ planId: "basic", addons: [{ id, quantity: 1 }] }),
			])
				expect([id, refused.status, refused.body.code]).toEqual([id, 404, "AddonNotFound"]);
		}
		expect((await w.call("GET", "/subscriptions?customerId=acme")).body.data).toMatchObject([
			{ id: "sub", planId: "pro", addons: [] },
		]);
	});

	test("may keep or reduce an addon that is no longer offered, but not add to it", async () => {
		await change({ addons: [{ id: "extra", quantity: 2 }] });
		await w.call("POST", "/addons/extra/draft");
		await maker(w).charge("/addons/extra", { pricingType: "CUSTOM" });
		await maker(w).publish("/addons/extra");
		const addons = (quantity: number) => ({ addons: [{ id: "extra", quantity }] });
		expect((await preview(addons(3))).body.code).toBe("AddonNotFound");
		expect((await change(addons(3))).body.code).toBe("AddonNotFound");
		expect((await change({ ...addons(2), quantities: [{ featureId: "seats", quantity: 4 }] })).status).toBe(200);
		expect((await change(addons(1))).status).toBe(200);
		await w.advance("P1M");
		expect((await overview()).subscriptions[0]).toMatchObject({
			quantities: [{ quantity: 4 }],
			addons: [{ id: "extra", quantity: 1 }],
		});
	});

	test("to a cheaper plan takes effect at the end of the billing period, as the preview shows", async () => {
		const shown = (await preview({ planId: "basic" })).body.data;
		expect([shown.isPlanDowngrade, shown.takesEffectAt]).toEqual([true, "2026-02-28T00:00:00.000Z"]);
		expect((await change({ planId: "basic", offer: shown.offer })).status).toBe(200);
		expect((await overview()).subscriptions).toMatchObject([
			{ id: "sub", changes: [{ at: "2026-02-28T00:00:00.000Z", planName: "Basic" }] },
		]);
	});

	test("is limited to what the product allows; repeating the current values is no change", async () => {
		expect(
			(await settings({ changePlan: false, changeQuantities: false, changeAddons: false, cancel: false })).body.data,
		).toEqual({
			changePlan: false,
			changeQuantities: false,
			changeAddons: false,
			cancel: false,
		});
		for (const body of [
			{ planId: "basic" },
			{ billingPeriod: "ANNUALLY" },
			{ quantities: [{ featureId: "seats", quantity: 4 }] },
			{ addons: [{ id: "extra", quantity: 1 }] },
		])
			for (const answer of [await change(body), await preview(body)])
				expect([answer.status, answer.body.code]).toEqual([403, "AccessDeniedError"]);
		expect((await call("POST", "/portal/subscriptions/sub/cancel")).status).toBe(403);
		expect((await call("POST", "/portal/subscriptions/sub/keep")).status).toBe(403);
		const same = {
			planId: "pro",
			billingPeriod: "MONTHLY",
			quantities: [{ featureId: "seats", quantity: 3 }],
			addons: [],
		};
		expect((await preview(same)).status).toBe(200);
		const options = (await call("GET", "/portal/subscriptions/sub/options")).body.data;
		expect([options.plans.map(({ id }: { id: string }) => id), options.addons]).toEqual([["pro"], []]);
		expect((await settings({ changePlan: true })).body.data).toMatchObject({ changePlan: true, cancel: false });
		expect((await w.call("GET", "/products/app/portal-settings")).body.data).toMatchObject({
			changePlan: true,
			cancel: false,
		});
	});

	test("is refused for contracts and for subscriptions that another customer pays", async () => {
		await w.call("POST", "/customers", { body: { id: "payer" } });
		await provision(w, {
			planId: "pro",
			billingPeriod: "ANNUALLY",
			unitQuantity: 9,
			id: "paid",
			payingCustomerId: "payer",
		});
		const paid = (await overview()).subscriptions.find(({ id }: { id: string }) => id === "paid");
		expect(paid.allowed).toEqual({ changePlan: false, changeQuantities: false, changeAddons: false, cancel: false });
		expect((await call("POST", "/portal/subscriptions/paid/cancel")).status).toBe(403);
	});

	test("cannot set prices, discounts or customers", async () => {
		for (const body of [
			{ priceOverrides: [{ baseCharge: true, amount: 0 }] },
			{ appliedCoupon: { couponId: "TEN" } },
			{ customerId: "other" },
			{ planId: 5 },
			{ planId: longText(256) },
			{ billingPeriod: "FORTNIGHTLY" },
			{ quantities: [{ featureId: "seats", quantity: -1 }] },
			{ quantities: [{ featureId: "seats" }] },
			{ addons: "extra" },
			{ offer: 1 },
			[],
		]) {
			expect((await change(body)).body.code).toBe("BadUserInput");
			expect((await preview(body)).body.code).toBe("BadUserInput");
		}
	});
});

test("a cancellation takes effect at the end of the billing period, and can be undone until then", async () => {
	const end = "2026-02-28T00:00:00.000Z";
	await w.call("PATCH", "/products/app", {
		body: { productSettings: { ...atTheEnd, subscriptionCancellationTime: "SPECIFIC_DATE" } },
	});
	expect((await call("POST", "/portal/subscriptions/sub/cancel")).body.data).toEqual({ id: "sub" });
	expect((await overview()).subscriptions[0]).toMatchObject({ status: "ACTIVE", cancellationDate: end });
	expect((await call("POST", "/portal/subscriptions/sub/keep")).status).toBe(200);
	expect((await overview()).subscriptions[0].cancellationDate).toBeNull();
	await call("POST", "/portal/subscriptions/sub/cancel");
	await w.advance("P2M");
	expect((await overview()).subscriptions).toEqual([]);
});

describe("a cancellation by the seller", () => {
	const end = "2026-02-28T00:00:00.000Z";
	const keep = () => call("POST", "/portal/subscriptions/sub/keep");
	const cancel = (body: object) => w.call("POST", "/subscriptions/sub/cancel", { body });
	const dateOf = async () => (await w.call("GET", "/subscriptions/sub")).body.data.cancellationDate;

	test.each<[string, () => Promise<unknown>]>([
		["at the end of the period", () => cancel({ cancellationTime: "END_OF_BILLING_PERIOD" })],
		["on a date", () => cancel({ cancellationTime: "SPECIFIC_DATE", endDate: end })],
		["by an update", () => w.call("PATCH", "/subscriptions/sub", { body: { cancellationDate: end } })],
		[
			"after the customer's own",
			async () => {
				await call("POST", "/portal/subscriptions/sub/cancel");
				await cancel({ cancellationTime: "END_OF_BILLING_PERIOD" });
			},
		],
	])("%s is not the customer's to undo, move or escape by another plan", async (_, cancelBySeller) => {
		await cancelBySeller();
		const { subscriptions } = await overview();
		expect(subscriptions).toMatchObject([
			{ cancellationDate: end, allowed: { changePlan: false, changeQuantities: true, cancel: false } },
		]);
		for (const answer of [
			await keep(),
			await call("POST", "/portal/subscriptions/sub/cancel"),
			await keep(),
			await preview({ planId: "basic" }),
			await change({ planId: "basic" }),
			await change({ billingPeriod: "ANNUALLY" }),
		])
			expect([answer.status, answer.body.code]).toEqual([403, "AccessDeniedError"]);
		expect(await dateOf()).toBe(end);
		await w.advance("P2M");
		expect((await overview()).subscriptions).toEqual([]);
	});

	test("can be undone by the seller, like a cancellation by the customer", async () => {
		const undo = () => w.call("PATCH", "/subscriptions/sub", { body: { cancellationDate: null } });
		await cancel({ cancellationTime: "END_OF_BILLING_PERIOD" });
		expect((await undo()).status).toBe(200);
		expect(await dateOf()).toBeNull();
		await call("POST", "/portal/subscriptions/sub/cancel");
		expect((await undo()).status).toBe(200);
		expect(await dateOf()).toBeNull();
		await call("POST", "/portal/subscriptions/sub/cancel");
		expect((await keep()).status).toBe(200);
		expect(await dateOf()).toBeNull();
	});
});

describe("billing details", () => {
	const patch = (body: object) => call("PATCH", "/portal/billing", body);

	test("appear on later invoices; missing fields are kept, null removes a value", async () => {
		const address = { line1: "1 Main Street", city: "Berlin", postalCode: "10115", country: "DE" };
		const taxIds = [{ type: "eu_vat", value: "DE136695976" }];
		const { body } = await patch({ name: "Acme GmbH", address, taxIds });
		expect(body.data).toEqual({ name: "Acme GmbH", email: "billing@acme.test", address, taxIds });
		expect((await w.call("GET", "/customers/acme")).body.data).toMatchObject({
			name: "Acme GmbH",
			passthrough: { stripe: { billingAddress: address, taxIds } },
		});
		expect((await patch({ address: null, email: null })).body.data).toEqual({
			name: "Acme GmbH",
			email: null,
			address: null,
			taxIds,
		});
	});

	test("keep other data of the customer", async () => {
		const passthrough = { stripe: { customerName: "Old", metadata: { a: "b" } }, zuora: { currency: "usd" } };
		await w.call("PATCH", "/customers/acme", { body: { passthrough } });
		expect((await overview()).billing.name).toBe("Old");
		expect((await patch({ name: "New" })).body.data.name).toBe("New");
		expect((await w.call("GET", "/customers/acme")).body.data.passthrough).toEqual({
			stripe: { metadata: { a: "b" } },
			zuora: { currency: "usd" },
		});
	});

	test.each<[object, string]>([
		[{ taxIds: [{ type: "eu_vat", value: "12" }] }, "InvalidTaxId"],
		[{ taxIds: [{ type: "tax_id", value: "<b>" }] }, "InvalidTaxId"],
		[{ address: { country: "Germany" } }, "InvalidAddressError"],
		[{ email: "nobody" }, "BadUserInput"],
		[{ name: longText(256) }, "BadUserInput"],
		[{ metadata: {} }, "BadUserInput"],
		[{ couponId: "TEN" }, "BadUserInput"],
	])("%p: %s", async (body, code) => {
		expect((await patch(body)).body.code).toBe(code);
	});
});

test("the invoices are those of the customer, without drafts, in pages", async () => {
	const page = await call("GET", "/portal/invoices?limit=1");
	expect(page.body.data).toEqual([
		{
			id: expect.any(String),
			number: expect.any(String),
			state: "OPEN",
			issueDate: "2026-01-31T00:00:00.000Z",
			dueDate: expect.any(String),
			currency: "usd",
			total: 35,
			due: 35,
		},
	]);
	expect((await call("GET", "/portal/invoices?limit=0")).body.code).toBe("BadUserInput");
	expect((await call("GET", "/portal/invoices?customerId=other")).body.code).toBe("BadUserInput");
});

test("the page has the branding of the customer's issuer", async () => {
	const [{ id }] = (await w.call("GET", "/legal-entities")).body.data;
	const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
	const patch = (body: object) => w.call("PATCH", `/legal-entities/${id}`, { body });
	expect(
		(await patch({ name: "Acme Billing", brandColor: "#1f6feb", email: "help@acme.test" })).body.data.brandColor,
	).toBe("#1f6feb");
	expect((await patch({ logo: { contentBase64: png } })).status).toBe(200);
	expect((await call("GET", "/portal/branding")).body.data).toEqual({
		name: "Acme Billing",
		color: "#1f6feb",
		logo: `data:image/png;base64,${png}`,
		email: "help@acme.test",
	});
	for (const brandColor of ["red", "#12345", "#1234567", "url(x)", 5])
		expect((await patch({ brandColor })).body.code).toBe("BadUserInput");
	expect((await patch({ brandColor: null })).body.data.brandColor).toBeNull();
});

test("each product has its own settings, and CATALOG:WRITE is required to change them", async () => {
	expect((await w.call("GET", "/products/app/portal-settings")).body.data).toEqual({
		changePlan: true,
		changeQuantities: true,
		changeAddons: true,
		cancel: true,
	});
	for (const body of [{ cancel: "no" }, { other: true }, { cancel: null }])
		expect((await settings(body)).body.code).toBe("BadUserInput");
	expect((await w.call("PATCH", "/products/app/portal-settings", { key: w.foreignKey, body: {} })).body.code).toBe(
		"ProductNotFoundError",
	);
});
