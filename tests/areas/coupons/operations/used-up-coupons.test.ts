import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { flat, used } from "../../subscriptions/billing";
import { applied, shop } from "./shop";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

const usedUp = { frequency: "USED_UP" };
const once = { frequency: "ONCE" };

/** A fee of 20.00 a month. */
async function selling() {
	const ours = await shop();
	await ours.plan("pro", [flat({ month: 20 })]);
	return ours;
}

const months = ["2026-05-01T00:00:00Z", "2026-06-01T00:00:00Z", "2026-07-01T00:00:00Z"];

type Shop = Awaited<ReturnType<typeof shop>>;

async function renewed(ours: Shop, count: number) {
	for (const month of months.slice(0, count)) await ours.advance(month);
}

const discountsOf = async (ours: Shop, customer = "acme"): Promise<number[]> =>
	(await ours.insist("GET", `/customers/${customer}/invoices?limit=100`)).map(
		(one: { discount: number }) => one.discount,
	);

describe("USED_UP (2.19)", () => {
	test("50.00 on three invoices of 20.00: 20, 20, 10, then nothing", async () => {
		const ours = await selling();
		await ours.fixed("gift", 50, usedUp);
		await ours.buy("pro", { appliedCoupon: { couponId: "gift" } });
		await renewed(ours, 3);
		expect(await ours.discounted()).toEqual([
			"20 - 20 + 0 = 0: pro 20 | gift 20",
			"20 - 20 + 0 = 0: pro 20 | gift 20",
			"20 - 10 + 0 = 10: pro 20 | gift 10",
			"20 - 0 + 0 = 20: pro 20",
		]);
		expect(ours.faults()).toEqual([]);
	});

	test("a full credit note restores the used amount, a voided one uses it again", async () => {
		const ours = await selling();
		await ours.fixed("gift", 15, usedUp);
		await ours.buy("pro", applied("gift"));
		const [{ invoiceId }] = await ours.insist("GET", "/customers/acme/invoices");
		const note = await ours.insist("POST", `/customers/acme/invoices/${invoiceId}/credit-note`, {});
		await renewed(ours, 1);
		expect(await discountsOf(ours)).toEqual([15, 15]);
		expect(ours.faults()).toEqual([]);
		expect(note.discount).toBe(15);
	});

	test("a customer's coupon is used up by all subscriptions together", async () => {
		const ours = await selling();
		await ours.fixed("gift", 30, usedUp);
		await ours.customer("corp", { couponId: "gift" });
		await ours.insist("PATCH", "/products/app", { multipleSubscriptions: true });
		await ours.buy("pro", { customerId: "corp", resourceId: "one" });
		await ours.buy("pro", { customerId: "corp", resourceId: "two" });
		expect((await discountsOf(ours, "corp")).sort()).toEqual([10, 20]);
		expect(ours.faults()).toEqual([]);
	});

	test("usage of the same invoice uses what the fee has left", async () => {
		const ours = await shop();
		await ours.plan("pro", [flat({ month: 20 }), used("calls", { month: 1 })]);
		await ours.fixed("gift", 50, usedUp);
		const id = await ours.buy("pro", applied("gift"));
		await ours.use("calls", 25);
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.chargeUsage(id);
		await renewed(ours, 1);
		expect(await discountsOf(ours)).toEqual([20, 25, 5]);
		expect(ours.faults()).toEqual([]);
	});

	test("the next plan continues it, and a credit within an invoice makes its part unused", async () => {
		const ours = await selling();
		await ours.plan("max", [flat({ month: 40 })]);
		await ours.fixed("gift", 50, usedUp);
		await ours.buy("pro", applied("gift"));
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.buy("max");
		expect((await ours.discounted()).at(-1)).toBe("10 - 10 + 0 = 0: Unused time: pro -10 | gift -10; max 20 | gift 20");
		await renewed(ours, 1);
		expect(await discountsOf(ours)).toEqual([20, 10, 20]);
		expect(ours.faults()).toEqual([]);
	});

	test("prorations that wait for the next invoice count as used", async () => {
		const ours = await selling();
		await ours.plan("max", [flat({ month: 40 })]);
		await ours.fixed("gift", 35, usedUp);
		await ours.buy("pro", applied("gift"));
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.buy("max", { billingInformation: { prorationBehavior: "CREATE_PRORATIONS" } });
		expect(ours.faults()).toEqual([]);
		await renewed(ours, 1);
		expect(await discountsOf(ours)).toEqual([20, 15]);
		expect(ours.faults()).toEqual([]);
	});

	test("a credit note of an end makes its part unused", async () => {
		const ours = await shop();
		await ours.plan("pro", [flat({ month: 100 })]);
		await ours.fixed("gift", 60, usedUp);
		await ours.customer("corp", { couponId: "gift" });
		const id = await ours.buy("pro", { customerId: "corp" });
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		expect((await ours.discounted("corp")).at(-1)).toBe("50 - 30 + 0 = 20: Unused time: pro 50 | gift 30");
		await ours.buy("pro", { customerId: "corp" });
		expect(await discountsOf(ours, "corp")).toEqual([60, 30]);
		expect(ours.faults()).toEqual([]);
	});
});

describe("ONCE (2.19)", () => {
	test("discounts the first invoice whose scope is above 0", async () => {
		const ours = await shop();
		await ours.plan("pro", [flat({ month: 20 }), used("calls", { month: 1 })]);
		await ours.percent("start", 50, { ...once, appliesTo: { featureIds: ["calls"] } });
		await ours.buy("pro", { appliedCoupon: { couponId: "start" } });
		await renewed(ours, 1);
		await ours.use("calls", 8);
		await ours.advance("2026-06-01T00:00:00Z");
		await ours.use("calls", 8);
		await ours.advance("2026-07-01T00:00:00Z");
		expect(await discountsOf(ours)).toEqual([0, 0, 4, 0]);
		expect(ours.faults()).toEqual([]);
	});

	test("a fixed amount discounts one invoice, whatever it leaves", async () => {
		const ours = await selling();
		await ours.fixed("start", 50, once);
		await ours.buy("pro", applied("start"));
		await renewed(ours, 1);
		expect(await discountsOf(ours)).toEqual([20, 0]);
		expect(ours.faults()).toEqual([]);
	});
});

describe("durationInPeriods (2.19)", () => {
	test("lasts for that many billing periods of the subscription", async () => {
		const ours = await selling();
		await ours.percent("start", 50, { durationInPeriods: 2 });
		await ours.buy("pro", applied("start"));
		await renewed(ours, 3);
		expect(await discountsOf(ours)).toEqual([10, 10, 0, 0]);
		expect(ours.faults()).toEqual([]);
	});

	test("counts periods from the first charged one after a trial, and for a coupon of the customer from its application", async () => {
		const ours = await selling();
		await ours.percent("start", 50, { durationInPeriods: 1 });
		await ours.customer("corp", { couponId: "start" });
		await ours.buy("pro", { customerId: "corp" });
		await ours.buy("pro", {
			...applied("start"),
			trialOverrideConfiguration: { isTrial: true, trialEndDate: "2026-04-11T00:00:00Z" },
		});
		await ours.advance("2026-04-11T00:00:00Z");
		await renewed(ours, 2);
		expect(await discountsOf(ours, "corp")).toEqual([10, 0, 0]);
		expect(await discountsOf(ours)).toEqual([10, 0]);
		expect(ours.faults()).toEqual([]);
	});

	test("keeps its end when an update names it again", async () => {
		const ours = await selling();
		await ours.percent("start", 50, { durationInPeriods: 2 });
		const id = await ours.buy("pro", {
			...applied("start"),
			trialOverrideConfiguration: { isTrial: true, trialEndDate: "2026-04-11T00:00:00Z" },
		});
		await ours.advance("2026-04-11T00:00:00Z");
		await ours.change(id, applied("start"));
		await renewed(ours, 3);
		expect(await discountsOf(ours)).toEqual([10, 10, 0]);
		expect(ours.faults()).toEqual([]);
	});
});

test("EACH_PERIOD bills as a coupon without a frequency", async () => {
	const billsWith = async (terms: object) => {
		const ours = await selling();
		const { body } = await ours.fixed("gift", 5, terms);
		await ours.buy("pro", { appliedCoupon: { couponId: "gift" } });
		await renewed(ours, 1);
		const coupon = Object.keys(body.data ?? body);
		return { coupon, discounts: await ours.discounted() };
	};
	expect(await billsWith({ frequency: "EACH_PERIOD", durationInPeriods: null })).toEqual(await billsWith({}));
});

test.each([
	["USED_UP of a percentage", { percentOff: 10, frequency: "USED_UP" }, "'amountsOff'"],
	["months and periods", { percentOff: 10, durationInMonths: 2, durationInPeriods: 2 }, "'durationInPeriods'"],
])("refuses %s", async (_, terms, message) => {
	const ours = await shop();
	const { status, body } = await ours.createCoupon("bad", {}, terms);
	expect(status).toBe(400);
	expect(body.code).toBe("BadUserInput");
	expect(body.message).toContain(message);
	expect((await ours.call("GET", "/coupons/bad")).status).toBe(404);
});

describe("the check finds", () => {
	test.each([
		["another used amount", "UPDATE coupon_uses SET amount = '19'", "19 counts as used by"],
		["a use that is lost", "DELETE FROM coupon_uses", "does not count as used"],
		["a use without a document", "UPDATE coupon_uses SET document_id = 'none'", "its lines make 0"],
	])("%s", async (_, statement, finding) => {
		const ours = await selling();
		await ours.fixed("gift", 50, usedUp);
		await ours.buy("pro", applied("gift"));
		expect(ours.faults()).toEqual([]);
		ours.db.$client.run(statement);
		expect(ours.faults().join("\n")).toContain(finding);
	});
});
