import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { data } from "../../../graphql/ask";
import { isRefusal } from "../../packages/guards";
import { flat } from "../../subscriptions/billing";
import { applied, shop } from "./shop";

setDefaultTimeout(60_000);

async function selling() {
	const ours = await shop();
	await ours.plan("pro", [flat({ month: 100 })]);
	await ours.percent("half", 50);
	await ours.percent("tenth", 10);
	return ours;
}

const sale = { customerId: "acme", planId: "pro" };

describe("appliedCoupons is refused", () => {
	const one = { appliedCoupon: { couponId: "half" } };
	test.each([
		["with appliedCoupon", { ...applied("tenth"), ...one }, "BadUserInput", "body/appliedCoupons"],
		["with one coupon twice", applied("half", "half"), "CustomerAlreadyUsesCouponError", "body/appliedCoupons/1"],
		["with an unknown coupon", applied("half", "none"), "CouponNotFound", "'none'"],
		["with an archived coupon", applied("half", "old"), "ArchivedCouponCantBeApplied", "'old'"],
		["with more than 20 coupons", applied(...Array(21).fill("half")), "BadUserInput", "appliedCoupons"],
		["with an unknown field", { appliedCoupons: [{ couponId: "half", percent: 1 }] }, "BadUserInput", "percent"],
	])("%s: by a provision, a preview and an update, without a trace", async (_, terms, code, message) => {
		const ours = await selling();
		await ours.percent("old", 5);
		await ours.insist("POST", "/coupons/old/archive");
		const status = code === "CouponNotFound" ? 404 : 400;
		for (const path of ["/subscriptions", "/subscriptions/preview"])
			isRefusal(await ours.call("POST", path, { body: { ...sale, ...terms } }), status, code, message);
		expect(await ours.insist("GET", "/subscriptions?customerId=acme")).toEqual([]);
		const id = await ours.buy("pro");
		isRefusal(await ours.call("PATCH", `/subscriptions/${id}`, { body: terms }), status, code, message);
		expect((await ours.insist("GET", `/subscriptions/${id}`)).coupons).toEqual([]);
	});
});

describe("appliesTo of a coupon", () => {
	test("is refused with an unknown plan, addon or feature, an empty list, and no list", async () => {
		const ours = await selling();
		const refused = async (appliesTo: object, code: string, message: string) => {
			isRefusal(await ours.percent("scoped", 10, { appliesTo }), 400, code, message);
		};
		await refused({ planIds: ["pro", "none"] }, "InvalidArgumentError", "'appliesTo.planIds[1]'");
		await refused({ addonIds: ["none"] }, "InvalidArgumentError", "'appliesTo.addonIds[0]'");
		await refused({ featureIds: ["none"] }, "InvalidArgumentError", "'appliesTo.featureIds[0]'");
		await refused({ planIds: [] }, "BadUserInput", "appliesTo");
		await refused({}, "BadUserInput", "appliesTo");
		expect((await ours.call("GET", "/coupons/scoped")).status).toBe(404);
	});

	test("is shown, cannot change, and limits a coupon that applies alone", async () => {
		const ours = await selling();
		await ours.addon("extra", flat({ month: 40 }));
		const { body } = await ours.fixed("scoped", 60, { appliesTo: { addonIds: ["extra"] } });
		expect(body.data.appliesTo).toEqual({ addonIds: ["extra"] });
		expect(await ours.insist("GET", "/coupons/half")).not.toHaveProperty("appliesTo");
		const change = { appliesTo: { planIds: ["pro"] } };
		isRefusal(await ours.call("PATCH", "/coupons/scoped", { body: change }), 400, "BadUserInput", "appliesTo");
		await ours.buy("pro", { addons: [{ id: "extra", quantity: 1 }], appliedCoupon: { couponId: "scoped" } });
		expect(await ours.discounted()).toEqual(["140 - 40 + 0 = 100: pro 100; extra 40 | scoped 40"]);
		expect(ours.faults()).toEqual([]);
	});
});

describe("an update", () => {
	test("replaces the list, and a coupon that was in it keeps its start", async () => {
		const ours = await selling();
		await ours.insist("POST", "/coupons", {
			...{ id: "brief", name: "Brief", description: null, metadata: null, amountsOff: null },
			...{ percentOff: 20, durationInMonths: 2 },
		});
		const id = await ours.buy("pro", applied("brief", "half"));
		await ours.advance("2026-05-10T00:00:00Z");
		await ours.change(id, applied("tenth", "brief"));
		await ours.advance("2026-06-01T00:00:00Z");
		expect(await ours.discounted()).toEqual([
			"100 - 60 + 0 = 40: pro 100 | brief 20 | half 40",
			"100 - 60 + 0 = 40: pro 100 | brief 20 | half 40",
			"100 - 10 + 0 = 90: pro 100 | tenth 10",
		]);
		await ours.change(id, { appliedCoupons: [] });
		await ours.advance("2026-07-01T00:00:00Z");
		expect((await ours.discounted()).at(-1)).toBe("100 - 0 + 0 = 100: pro 100");
		expect(ours.faults()).toEqual([]);
	});

	test("ends the list when it names one coupon", async () => {
		const ours = await selling();
		const id = await ours.buy("pro", applied("half", "tenth"));
		await ours.percent("third", 30);
		await ours.change(id, { appliedCoupon: { couponId: "third" } });
		await ours.advance("2026-05-01T00:00:00Z");
		expect((await ours.discounted()).at(-1)).toBe("100 - 30 + 0 = 70: pro 100");
	});

	test("keeps the list when the plan changes", async () => {
		const ours = await selling();
		await ours.plan("max", [flat({ month: 300 })]);
		await ours.buy("pro", applied("half", "tenth"));
		await ours.buy("max");
		expect((await ours.discounted()).at(-1)).toContain("max 300 | half 150 | tenth 15");
		expect(ours.faults()).toEqual([]);
	});
});

test("GraphQL sells with several coupons, and shows the discounts of lines and the scope of coupons", async () => {
	const ours = await selling();
	const create = `mutation { createOneCoupon(input: { refId: "plan", name: "Plan", percentOff: 20, appliesTo: { planIds: ["pro"] } })
		{ refId appliesTo { planIds addonIds } } }`;
	expect((await data(ours, create)).createOneCoupon).toEqual({
		refId: "plan",
		appliesTo: { planIds: ["pro"], addonIds: null },
	});
	const sell = `mutation { provisionSubscription(input: { customerId: "acme", planId: "pro", appliedCoupons: [{ couponId: "half" }, { couponId: "plan" }] })
		{ subscription { coupons { coupon { refId } } } } }`;
	expect((await data(ours, sell)).provisionSubscription.subscription.coupons).toEqual([
		{ coupon: { refId: "half" } },
		{ coupon: { refId: "plan" } },
	]);
	const read = `{ invoices(input: { customerId: "acme" }) { edges { node { lines { discounts { couponId amount } taxes { taxId } } } } } }`;
	expect((await data(ours, read)).invoices.edges[0].node.lines).toEqual([
		{
			discounts: [
				{ couponId: "plan", amount: 20 },
				{ couponId: "half", amount: 40 },
			],
			taxes: null,
		},
	]);
});
