import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writePricesPlain } from "../../../support/plain-prices";
import { flat, perUnit, units, used } from "../../subscriptions/billing";
import { applied, shop } from "./shop";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

/** A fee of 100.00 and usage at 1.00; 20 percent off usage, and 30.00 off all. */
async function selling() {
	const ours = await shop();
	await ours.plan("pro", [flat({ month: 100 }), used("calls", { month: 1 })]);
	await ours.percent("usage", 20, { appliesTo: { featureIds: ["calls"] } });
	await ours.fixed("all", 30);
	return ours;
}

describe("several coupons (2.19)", () => {
	test("each coupon applies to what the narrower ones left, and a fixed amount is shared by the rests", async () => {
		const ours = await selling();
		await ours.buy("pro", applied("all", "usage"));
		await ours.use("calls", 50);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.discounted()).toEqual([
			"100 - 30 + 0 = 70: pro 100 | all 30",
			"150 - 40 + 0 = 110: pro 100 | all 21.43; Calls (pro) 50 | usage 10 | all 8.57",
		]);
		expect(ours.faults()).toEqual([]);
	});

	test("coupons of one scope apply in the order of the list, and the customer's coupon last", async () => {
		const ours = await shop();
		await ours.plan("pro", [flat({ month: 100 })]);
		await ours.percent("half", 50);
		await ours.fixed("ten", 10);
		await ours.percent("loyal", 25);
		await ours.customer("first", { couponId: "loyal" });
		await ours.buy("pro", { customerId: "first", ...applied("half", "ten") });
		await ours.customer("second", { couponId: "loyal" });
		await ours.buy("pro", { customerId: "second", ...applied("ten", "half") });
		expect(await ours.discounted("first")).toEqual(["100 - 70 + 0 = 30: pro 100 | half 50 | ten 10 | loyal 10"]);
		expect(await ours.discounted("second")).toEqual([
			"100 - 66.25 + 0 = 33.75: pro 100 | ten 10 | half 45 | loyal 11.25",
		]);
		expect(ours.faults()).toEqual([]);
	});

	test("the order of scopes: charge, feature, addon, plan, all", async () => {
		const ours = await shop();
		await ours.plan("pro", [perUnit("seats", { month: 10 }, { key: "seat" }), flat({ month: 8 }, { key: "care" })]);
		await ours.addon("extra", flat({ month: 50 }));
		await ours.fixed("everything", 7);
		await ours.percent("plan", 50, { appliesTo: { planIds: ["pro"] } });
		await ours.percent("addon", 10, { appliesTo: { addonIds: ["extra"] } });
		await ours.percent("feature", 50, { appliesTo: { featureIds: ["seats"] } });
		await ours.fixed("charge", 2, { appliesTo: { chargeKeys: ["seat", "care"] } });
		await ours.buy("pro", {
			...units("seats", 4),
			addons: [{ id: "extra", quantity: 1 }],
			...applied("everything", "plan", "addon", "feature", "charge"),
		});
		// 2.00 is shared as 40 : 8, and 7.00 as 9.58 : 3.83 : 45.
		expect(await ours.discounted()).toEqual([
			[
				"98 - 46.59 + 0 = 51.41: Seats (pro) 40 | charge 1.67 | feature 19.17 | plan 9.58 | everything 1.15",
				"care (pro) 8 | charge 0.33 | plan 3.84 | everything 0.46",
				"extra 50 | addon 5 | everything 5.39",
			].join("; "),
		]);
		expect(ours.faults()).toEqual([]);
	});

	test("discountStacking ALL applies the coupons of subscription and customer, and ONE the first", async () => {
		for (const [discountStacking, expected] of [
			["ALL", "100 - 55 + 0 = 45: pro 100 | own 50 | loyal 5"],
			["ONE", "100 - 50 + 0 = 50: pro 100"],
		] as const) {
			const ours = await shop();
			await ours.insist("PATCH", "/environments/current", { discountStacking });
			await ours.plan("pro", [flat({ month: 100 })]);
			await ours.percent("own", 50);
			await ours.percent("loyal", 10);
			await ours.insist("PATCH", "/customers/acme", { couponId: "loyal" });
			await ours.buy("pro", { appliedCoupon: { couponId: "own" } });
			expect(await ours.discounted()).toEqual([expected]);
			expect((await ours.insist("GET", "/environments/current")).discountStacking).toBe(
				discountStacking === "ALL" ? "ALL" : undefined,
			);
			expect(ours.faults()).toEqual([]);
		}
	});

	test("a coupon of one feature discounts of its usage what the minimum spend has not paid", async () => {
		const ours = await shop();
		await ours.plan("pro", [used("calls", { month: 1 }), used("tokens", { month: 1 })], {
			minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 90, currency: "usd" } }],
		});
		await ours.percent("usage", 20, { appliesTo: { featureIds: ["calls"] } });
		const id = await ours.buy("pro", applied("usage"));
		await ours.use("calls", 40);
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.chargeUsage(id);
		await ours.use("calls", 20);
		await ours.use("tokens", 80_000);
		await ours.advance("2026-04-20T00:00:00Z");
		await ours.chargeUsage(id);
		// Half of the 100 is consumed from the minimum, and so half of the 20 for calls.
		expect((await ours.discounted()).slice(1)).toEqual([
			"0 - 0 + 0 = 0: Calls (pro) 40 | usage 8; Covered by the minimum spend -40 | usage -8",
			"50 - 2 + 0 = 48: Calls (pro) 20 | usage 4; Tokens (pro) 80; Covered by the minimum spend -50 | usage -2",
		]);
		expect(ours.faults()).toEqual([]);
	});

	test("no amount goes below 0", async () => {
		const ours = await selling();
		await ours.fixed("more", 500);
		await ours.buy("pro", applied("more", "all"));
		expect(await ours.discounted()).toEqual(["100 - 100 + 0 = 0: pro 100 | more 100"]);
		expect(ours.faults()).toEqual([]);
	});

	test("included taxes: discounts are shown net and sum to the discount", async () => {
		const ours = await shop();
		await ours.insist("POST", "/taxes", { id: "vat", displayName: "VAT", percentage: 19, isInclusive: true });
		await ours.insist("PATCH", "/environments/current", { taxes: ["vat"] });
		await ours.plan("pro", [flat({ month: 119 })]);
		await ours.percent("ten", 10);
		await ours.fixed("off", 20);
		const id = await ours.buy("pro", applied("ten", "off"));
		// 87.10 / 1.19 = 73.19; the discount of 26.81 is spread as 11.90 : 20.00.
		expect(await ours.discounted()).toEqual(["100 - 26.81 + 13.91 = 87.1: pro 100 | ten 10 | off 16.81"]);
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		expect(ours.faults()).toEqual([]);
	});
});

describe("a credit reverses its part of exactly the discounts of its charge", () => {
	test("at an end, although usage shared the fixed amount", async () => {
		const ours = await selling();
		const id = await ours.buy("pro", applied("all", "usage"));
		await ours.use("calls", 50);
		await ours.advance("2026-05-01T00:00:00Z");
		await ours.advance("2026-05-11T00:00:00Z");
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		// 21 of 31 days: 67.74 less 14.52, 21.43 * 0.6774.
		expect((await ours.discounted()).at(-1)).toBe("67.74 - 14.52 + 0 = 53.22: Unused time: pro 67.74 | all 14.52");
		expect(ours.faults()).toEqual([]);
	});

	test("at a change of plan, also if the coupons changed in between", async () => {
		const ours = await selling();
		await ours.plan("max", [flat({ month: 200 })]);
		const id = await ours.buy("pro", applied("all", "usage"));
		await ours.percent("half", 50);
		await ours.change(id, applied("half"));
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.buy("max");
		expect((await ours.discounted()).at(-1)).toBe(
			"50 - 35 + 0 = 15: Unused time: pro -50 | all -15; max 100 | half 50",
		);
		expect(ours.faults()).toEqual([]);
	});

	test("a whole credit note of an invoice reverses all discounts", async () => {
		const ours = await selling();
		await ours.buy("pro", applied("all"));
		const [invoice] = await ours.insist("GET", "/customers/acme/invoices");
		await ours.insist("POST", `/customers/acme/invoices/${invoice.invoiceId}/credit-note`, {});
		expect((await ours.discounted()).at(-1)).toBe("100 - 30 + 0 = 70: pro 100 | all 30");
		expect(ours.faults()).toEqual([]);
	});
});

test("a preview lists the discounts by coupon", async () => {
	const ours = await selling();
	const preview = await ours.insist("POST", "/subscriptions/preview", {
		customerId: "acme",
		planId: "pro",
		...applied("all", "usage"),
		billableFeatures: [{ featureId: "calls", quantity: 50 }],
	});
	expect(preview).toMatchObject({
		immediateInvoice: { discount: 30, discounts: [{ amount: 30, currency: "usd", description: "ALL" }] },
		recurringInvoice: {
			total: 110,
			discounts: [
				{ amount: 30, currency: "usd", description: "ALL" },
				{ amount: 10, currency: "usd", description: "USAGE" },
			],
		},
	});
});

test("an explanation states each coupon and its arithmetic", async () => {
	const ours = await selling();
	await ours.buy("pro", applied("all", "usage"));
	await ours.use("calls", 50);
	await ours.advance("2026-05-01T00:00:00Z");
	const invoices = await ours.insist("GET", "/customers/acme/invoices");
	const { steps, discounts } = await ours.insist(
		"GET",
		`/customers/acme/invoices/${invoices[1].invoiceId}/lines/2/explain`,
	);
	expect(discounts).toEqual([
		{ couponId: "usage", amount: 10 },
		{ couponId: "all", amount: 8.57 },
	]);
	expect(steps.find(({ of }: { of: string }) => of === "discount")).toEqual({
		of: "discount",
		text: "usage: 20% of the rest, rounded once; then all: its part of 30, shared over the lines by their rests.",
		arithmetic: "round((50) * 20 / 100, 2) + 8.57",
		value: 18.57,
	});
});

describe("the check finds", () => {
	test.each([
		[
			"another discount of a coupon",
			`UPDATE invoice_lines SET discounts = json_set(discounts, '$[0].amount', '11', '$[1].amount', '7.57') WHERE discount = '18.57'`,
			"rated again",
		],
		[
			"discounts that do not sum to the discount",
			`UPDATE invoice_lines SET discounts = json_set(discounts, '$[0].amount', '11') WHERE discount = '18.57'`,
			"its discounts make another sum",
		],
		[
			"another percentage",
			`UPDATE invoice_lines SET basis = json_set(basis, '$.discounts[0].percentOff', '30') WHERE discount = '18.57'`,
			"discount is 10, rated again it is 15",
		],
		[
			"another share of a fixed amount",
			`UPDATE invoice_lines SET basis = json_set(basis, '$.discounts[0].amount', '20.43') WHERE discount = '21.43'`,
			"rated again",
		],
	])("%s", async (_, statement, finding) => {
		const ours = await selling();
		await ours.buy("pro", applied("all", "usage"));
		await ours.use("calls", 50);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(ours.faults()).toEqual([]);
		writePricesPlain(ours.db.$client);
		ours.db.$client.run(statement);
		expect(ours.faults().join("\n")).toContain(finding);
	});
});
