import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writePricesPlain } from "../../../support/plain-prices";
import { findings } from "../../pricing/window-cost/findings";
import { flat, used } from "../../subscriptions/billing";
import { shop } from "../shop";

setDefaultTimeout(60_000);

/** A shop whose prices include the tax, with a plan that has one charge. */
async function selling(charge: object, percentage = "19", settings: object = {}) {
	const ours = await shop("2026-01-01T00:00:00Z");
	await ours.tax("vat", percentage);
	await ours.settings({ taxes: ["vat"], ...settings });
	await ours.plan("pro", [charge]);
	return { ...ours, id: await ours.buy("pro") };
}

describe("the bounds of usage apply to prices with their included taxes", () => {
	test("the line that charges up to the minimum includes the tax, and late usage consumes what it paid", async () => {
		const ours = await selling(used("calls", { month: 0.5 }, { minimumAmount: 10 }));
		await ours.use("calls", 16);
		await ours.advance("2026-02-01T00:00:00Z");
		await ours.use("calls", 3, "2026-01-31T00:00:00Z");
		await ours.advance("2026-02-15T00:00:00Z");
		await ours.use("calls", 4, "2026-01-31T00:00:00Z");
		await ours.use("calls", 30);
		await ours.advance("2026-03-01T00:00:00Z");
		expect(await ours.taxed()).toEqual([
			"8.4 - 0 + 1.6 = 10: Calls (pro) 6.72 | vat 19%: 1.28; Minimum: Calls (pro) 1.68 | vat 19%: 0.32",
			"13.87 - 0 + 2.63 = 16.5: Calls (pro) 12.61 | vat 19%: 2.39; Calls (pro) 1.26 | vat 19%: 0.24",
		]);
		expect(findings(ours)).toEqual([]);
	});

	test("several bills of one window stop at the maximum together, also with a discount", async () => {
		const ours = await selling(used("calls", { month: 0.05 }, { maximumAmount: 40 }));
		await ours.coupon("ten", { percent: 10 });
		await ours.change(ours.id, { appliedCoupon: { couponId: "ten" } });
		await ours.use("calls", 600);
		await ours.advance("2026-01-20T00:00:00Z");
		await ours.chargeUsage(ours.id);
		await ours.use("calls", 400);
		await ours.advance("2026-02-01T00:00:00Z");
		// 27.00 / 1.19 = 22.69, 30.00 / 1.19 = 25.21; 9.00 / 1.19 = 7.56, 10.00 / 1.19 = 8.40.
		expect(await ours.taxed()).toEqual([
			"25.21 - 2.52 + 4.31 = 27: Calls (pro) 25.21 | vat 19%: 4.31",
			"8.4 - 0.84 + 1.44 = 9: Calls (pro) 8.4 | vat 19%: 1.44",
		]);
		expect(findings(ours)).toEqual([]);
	});

	test.each([
		["LINE", "0.42 - 0 + 0.04 = 0.46: Calls (pro) 0.21 | vat 7%: 0.02; Minimum: Calls (pro) 0.21 | vat 7%: 0.02"],
		["INVOICE", "0.43 - 0 + 0.03 = 0.46: Calls (pro) 0.21 | vat 7%: 0.02; Minimum: Calls (pro) 0.22 | vat 7%: 0.01"],
	])("taxRounding %s", async (taxRounding, expected) => {
		const charge = used("calls", { month: 0.23 }, { minimumAmount: 0.46 });
		const ours = await selling(charge, "7", { taxRounding });
		await ours.use("calls", 1);
		await ours.advance("2026-02-01T00:00:00Z");
		expect(await ours.taxed()).toEqual([expected]);
		expect(findings(ours)).toEqual([]);
	});

	test("the check finds a window that charged another amount than its prices with taxes make", async () => {
		const ours = await selling(used("calls", { month: 0.05 }, { maximumAmount: 40 }));
		await ours.use("calls", 600);
		await ours.advance("2026-02-01T00:00:00Z");
		expect(findings(ours)).toEqual([]);
		writePricesPlain(ours.db.$client);
		ours.db.$client.run(
			`UPDATE charge_periods SET rated = json_set(rated, '$.gross', '31.00') WHERE rated ->> 'gross' = '30'`,
		);
		expect(findings(ours).join("\n")).toContain("31 counts as charged, its terms make 30");
	});
});

test("a trial that bills its usage taxes it like the first period", async () => {
	const ours = await shop();
	await ours.tax("vat", "19");
	await ours.tax("levy", "+5");
	await ours.settings({ taxes: ["vat"], taxRounding: "INVOICE" });
	const defaultTrialConfig = { duration: 14, units: "DAY", billsUsage: true };
	await ours.insist("POST", "/plans", { id: "try", displayName: "try", productId: "app", defaultTrialConfig });
	const pricingModels = [flat({ month: 30 }), { ...used("calls", { month: 0.02 }), taxes: ["vat", "levy"] }];
	await ours.insist("PATCH", "/plans/try", { charges: { pricingType: "PAID", pricingModels } });
	await ours.insist("POST", "/plans/try/publish", { migrationType: "NEW_CUSTOMERS" });
	const id = await ours.buy("try");
	await ours.use("calls", 400);
	await ours.advance("2026-04-09T00:00:00Z");
	const { immediateInvoice } = await ours.insist("POST", `/subscriptions/${id}/trial/end?dryRun=true`);
	await ours.insist("POST", `/subscriptions/${id}/trial/end`);
	// 38.00 / 1.19 = 31.93: the tax of 6.07 is spread as 1.28 and 4.79. The levy is 5 percent of 6.72.
	expect(await ours.taxed()).toEqual([
		"31.93 - 0 + 6.41 = 38.34: Calls (try) 6.72 | vat 19%: 1.28 | levy 5%: 0.34; try 25.21 | vat 19%: 4.79",
	]);
	expect(immediateInvoice).toMatchObject({ subTotal: 31.93, tax: 6.41, total: 38.34 });
	expect(findings(ours)).toEqual([]);
});
