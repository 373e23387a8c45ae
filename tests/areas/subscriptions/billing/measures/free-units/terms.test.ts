import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { exportCatalogue } from "../../../../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../../../../src/areas/catalog/rules.file";
import { apply } from "../../../../catalog/files";
import { applied, shop } from "../../../../coupons/operations/shop";
import { flat, used } from "../../../billing";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

const units = [{ featureId: "calls", quantity: 500 }];

describe("the terms of a coupon with free units", () => {
	test("shows them, and lists the coupon by its type", async () => {
		const { createCoupon, percent, insist } = await shop();
		await percent("tenth", 10);
		expect((await createCoupon("gift", { freeUnits: units })).body.data).toMatchObject({
			...{ id: "gift", type: "FREE_UNITS", percentOff: null, amountsOff: null },
			freeUnits: units,
		});
		const idsOf = async (type: string) =>
			(await insist("GET", `/coupons?type=${type}`)).map(({ id }: { id: string }) => id);
		expect([await idsOf("FREE_UNITS"), await idsOf("FIXED"), await idsOf("PERCENTAGE")]).toEqual([
			["gift"],
			[],
			["tenth"],
		]);
		expect(await insist("GET", "/coupons/tenth")).not.toHaveProperty("freeUnits");
	});

	test.each([
		["an amount too", { freeUnits: units, percentOff: 5 }, "BadUserInput", "'percentOff'"],
		["a feature twice", { freeUnits: [...units, ...units] }, "BadUserInput", "'freeUnits[1]'"],
		["a scope", { freeUnits: units, appliesTo: { featureIds: ["calls"] } }, "BadUserInput", "'appliesTo'"],
		["USED_UP", { freeUnits: units, frequency: "USED_UP" }, "BadUserInput", "'durationInPeriods'"],
		["ONCE", { freeUnits: units, frequency: "ONCE" }, "BadUserInput", "'durationInPeriods'"],
		["no quantity", { freeUnits: [{ featureId: "calls", quantity: 0 }] }, "BadUserInput", "body/freeUnits/0/quantity"],
		["an unknown feature", { freeUnits: [{ featureId: "x", quantity: 1 }] }, "InvalidArgumentError", "'x'"],
	])("%s is refused, and leaves no coupon", async (_, terms, code, message) => {
		const { createCoupon, call } = await shop();
		const { body } = await createCoupon("gift", terms);
		expect(body).toMatchObject({ code, message: expect.stringContaining(message) });
		expect((await call("GET", "/coupons/gift")).body.code).toBe("CouponNotFound");
	});

	test("a feature without usage is refused", async () => {
		const { createCoupon, insist } = await shop();
		await insist("POST", "/features", { id: "sso", displayName: "SSO", featureType: "BOOLEAN", meterType: "None" });
		const { body } = await createCoupon("gift", { freeUnits: [{ featureId: "sso", quantity: 1 }] });
		expect(body).toMatchObject({ code: "UnsupportedFeatureType", message: expect.stringContaining("'sso'") });
	});
});

describe("a subscription that the coupon makes nothing free for", () => {
	const refused = { code: "UnsupportedParameter", message: expect.stringContaining("'gift'") };

	test("is not sold: its plan does not charge the usage of the feature by the unit", async () => {
		const ours = await shop();
		await ours.createCoupon("gift", { freeUnits: units });
		await ours.plan("fee", [flat({ month: 10 })]);
		const sold = { customerId: "acme", planId: "fee", appliedCoupon: { couponId: "gift" } };
		expect((await ours.call("POST", "/subscriptions", { body: sold })).body).toMatchObject(refused);
		expect(await ours.insist("GET", "/subscriptions?customerId=acme")).toEqual([]);
	});

	test("does not get it by an update, alone or among others", async () => {
		const ours = await shop();
		await ours.createCoupon("gift", { freeUnits: units });
		await ours.percent("tenth", 10);
		await ours.plan("fee", [flat({ month: 10 })]);
		const id = await ours.buy("fee");
		for (const body of [{ appliedCoupon: { couponId: "gift" } }, applied("tenth", "gift")])
			expect((await ours.call("PATCH", `/subscriptions/${id}`, { body })).body).toMatchObject(refused);
	});

	test("a price by transactions does not count units", async () => {
		const ours = await shop();
		await ours.createCoupon("gift", { freeUnits: units });
		const price = { transactionPrice: { percentRate: 1, currency: "usd" } };
		await ours.plan("pro", [
			{ billingModel: "USAGE_BASED", featureId: "calls", pricePeriods: [{ billingPeriod: "MONTHLY", ...price }] },
		]);
		const sold = { customerId: "acme", planId: "pro", appliedCoupon: { couponId: "gift" } };
		expect((await ours.call("POST", "/subscriptions", { body: sold })).body).toMatchObject(refused);
	});

	test("keeps the customer's coupon, which discounts its other subscriptions", async () => {
		const ours = await shop();
		await ours.createCoupon("gift", { freeUnits: units });
		await ours.customer("corp", { couponId: "gift" });
		await ours.plan("fee", [flat({ month: 10 })]);
		await ours.buy("fee", { customerId: "corp" });
		expect(await ours.discounted("corp")).toEqual(["10 - 0 + 0 = 10: fee 10"]);
		expect(ours.faults()).toEqual([]);
	});
});

describe("surfaces of free units", () => {
	test("a preview estimates usage with them", async () => {
		const ours = await shop();
		await ours.createCoupon("gift", { freeUnits: units });
		await ours.plan("pro", [used("calls", { month: 1 })]);
		const preview = await ours.insist("POST", "/subscriptions/preview", {
			...{ customerId: "acme", planId: "pro", appliedCoupon: { couponId: "gift" } },
			billableFeatures: [{ featureId: "calls", quantity: 530 }],
		});
		expect(preview.recurringInvoice).toMatchObject({
			total: 30,
			lines: [{ description: "With free units: Calls (pro): 500", quantity: 30 }],
		});
	});

	test("the explanation of a line subtracts them, and its arithmetic makes the figures", async () => {
		const ours = await shop();
		await ours.createCoupon("gift", { freeUnits: units });
		await ours.plan("pro", [used("calls", { month: 1 })]);
		const id = await ours.buy("pro", applied("gift"));
		await ours.use("calls", 450);
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.chargeUsage(id);
		await ours.use("calls", 100);
		await ours.advance("2026-05-01T00:00:00Z");
		const { invoiceId } = (await ours.insist("GET", "/customers/acme/invoices")).at(-1);
		const line = await ours.insist("GET", `/customers/acme/invoices/${invoiceId}/lines/1/explain`);
		expect(line.freeUnits).toEqual([{ couponId: "gift", quantity: 50 }]);
		expect(line.steps.slice(0, 2)).toMatchObject([
			{ of: "units", text: expect.stringContaining("free by gift"), arithmetic: "max(550 - 500, 0)", value: 50 },
			{ of: "cost", arithmetic: "1 * 50", value: 50 },
		]);
	});

	test("a subscription shows them with its coupon", async () => {
		const ours = await shop();
		await ours.createCoupon("gift", { freeUnits: units });
		await ours.plan("pro", [used("calls", { month: 1 })]);
		const id = await ours.buy("pro", applied("gift"));
		expect((await ours.insist("GET", `/subscriptions/${id}`)).coupons).toMatchObject([
			{ id: "gift", freeUnits: units },
		]);
	});

	test("a catalogue file carries them, and refuses other units for a known coupon", async () => {
		const [ours, other] = [await shop(), await shop()];
		await ours.createCoupon("gift", { freeUnits: units });
		const text = writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");
		apply(other, text);
		expect((await other.insist("GET", "/coupons/gift")).freeUnits).toEqual(units);
		expect(apply(other, text).changes).toEqual([]);
		expect(() => apply(other, text.replace("quantity: 500", "quantity: 1"))).toThrow("another 'freeUnits'");
	});
});
