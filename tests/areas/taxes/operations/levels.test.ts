import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { flat, perUnit, units, used } from "../../subscriptions/billing";
import { type Shop, shop } from "../shop";

setDefaultTimeout(60_000);

/** Taxes of 1 to 5 percent, all added to prices. */
async function levels(): Promise<Shop> {
	const ours = await shop();
	for (const percent of [1, 2, 3, 4, 5]) await ours.tax(`t${percent}`, `+${percent}`);
	return ours;
}

const ratesOf = (texts: readonly string[]): string[] => texts.map((text) => text.split(": ").slice(1).join(": "));

describe("the taxes of a line are those of the first level that assigns any", () => {
	test("subscription, charge, package, customer, environment", async () => {
		const ours = await levels();
		await ours.settings({ taxes: ["t5"] });
		await ours.plan("bare", [flat({ month: 100 })]);
		await ours.plan("ofplan", [flat({ month: 100 })], { taxes: ["t3"] });
		await ours.plan("ofcharge", [flat({ month: 100 }, { taxes: ["t2"] }), perUnit("seats", { month: 100 })], {
			taxes: ["t3"],
		});
		await ours.customer("taxed", { taxes: ["t4"] });
		for (const id of ["one", "two", "three"]) await ours.customer(id);
		await ours.buy("bare");
		await ours.buy("bare", { customerId: "taxed" });
		await ours.buy("ofplan", { customerId: "one" });
		await ours.buy("ofcharge", { customerId: "two" });
		await ours.buy("ofcharge", { customerId: "three", taxes: ["t1", "t5"] });
		expect(ratesOf(await ours.taxed())).toEqual(["bare 100 | t5 5%: 5"]);
		expect(ratesOf(await ours.taxed("taxed"))).toEqual(["bare 100 | t4 4%: 4"]);
		expect(ratesOf(await ours.taxed("one"))).toEqual(["ofplan 100 | t3 3%: 3"]);
		expect(ratesOf(await ours.taxed("two"))).toEqual(["ofcharge 100 | t2 2%: 2; Seats (ofcharge) 100 | t3 3%: 3"]);
		expect(ratesOf(await ours.taxed("three"))).toEqual([
			"ofcharge 100 | t1 1%: 1 | t5 5%: 5; Seats (ofcharge) 100 | t1 1%: 1 | t5 5%: 5",
		]);
	});

	test("an empty list means no tax, at each level", async () => {
		const ours = await levels();
		await ours.settings({ taxes: ["t5"] });
		await ours.plan("free", [flat({ month: 100 }, { taxes: [] }), perUnit("seats", { month: 100 })]);
		await ours.plan("bare", [flat({ month: 100 })]);
		await ours.customer("untaxed", { taxes: [] });
		await ours.buy("free");
		await ours.buy("bare", { customerId: "untaxed" });
		await ours.customer("own");
		await ours.buy("bare", { customerId: "own", taxes: [] });
		expect(ratesOf(await ours.taxed())).toEqual(["free 100; Seats (free) 100 | t5 5%: 5"]);
		expect(ratesOf(await ours.taxed("untaxed"))).toEqual(["bare 100"]);
		expect(ratesOf(await ours.taxed("own"))).toEqual(["bare 100"]);
	});

	test("a percentage of the subscription replaces them all", async () => {
		const ours = await levels();
		await ours.settings({ taxes: ["t5"] });
		await ours.plan("pro", [flat({ month: 100 }, { taxes: ["t2"] })], { taxes: ["t3"] });
		await ours.buy("pro", { billingInformation: { taxPercentage: 19 } });
		expect(await ours.taxed()).toEqual(["100 - 0 + 19 = 119: pro 100"]);
	});

	test("taxRateIds name the taxes of the subscription", async () => {
		const ours = await levels();
		await ours.plan("pro", [flat({ month: 100 })]);
		const id = await ours.buy("pro", { billingInformation: { taxRateIds: ["t1", "t2"] } });
		expect(ratesOf(await ours.taxed())).toEqual(["pro 100 | t1 1%: 1 | t2 2%: 2"]);
		expect(await ours.insist("GET", `/subscriptions/${id}`)).toMatchObject({ taxes: ["t1", "t2"] });
		await ours.change(id, { taxes: null });
		expect(Object.keys(await ours.insist("GET", `/subscriptions/${id}`))).not.toContain("taxes");
	});

	test("include the paying customer, not the one that subscribes", async () => {
		const ours = await levels();
		await ours.customer("payer", { taxes: ["t4"] });
		await ours.plan("pro", [flat({ month: 100 })]);
		await ours.buy("pro", { payingCustomerId: "payer" });
		expect(ratesOf(await ours.taxed("payer"))).toEqual(["pro 100 | t4 4%: 4"]);
	});
});

describe("a tax exemption", () => {
	test("removes taxes, and leaves a percentage", async () => {
		const ours = await levels();
		await ours.settings({ taxes: ["t5"] });
		await ours.plan("pro", [flat({ month: 100 }, { taxes: ["t2"] })]);
		await ours.insist("PATCH", "/customers/acme/invoicing", { taxExemption: "EXEMPT" });
		await ours.customer("other");
		await ours.insist("PATCH", "/customers/other/invoicing", { taxExemption: "REVERSE_CHARGE" });
		await ours.buy("pro");
		await ours.buy("pro", { customerId: "other", billingInformation: { taxPercentage: 7 } });
		expect(await ours.taxed()).toEqual(["100 - 0 + 0 = 100: pro 100"]);
		expect(await ours.taxed("other")).toEqual(["100 - 0 + 7 = 107: pro 100"]);
	});

	test("costs as much as leaving the taxes out", async () => {
		const books = async (isExempt: boolean) => {
			const ours = await levels();
			const models = [flat({ month: 30 }), perUnit("seats", { month: 3 }), used("calls", { month: 0.5 })];
			if (isExempt) {
				await ours.settings({ taxes: ["t5"], taxRounding: "INVOICE" });
				await ours.insist("PATCH", "/customers/acme/invoicing", { taxExemption: "EXEMPT" });
			}
			await ours.plan("pro", models, isExempt ? { taxes: ["t1", "t2"] } : {});
			const id = await ours.buy("pro", units("seats", 2));
			await ours.use("calls", 7);
			await ours.advance("2026-04-16T00:00:00Z");
			await ours.change(id, units("seats", 5));
			await ours.advance("2026-05-10T00:00:00Z");
			await ours.cancel(id, { cancellationTime: "IMMEDIATE", prorate: true });
			return ours.books();
		};
		expect(await books(true)).toEqual(await books(false));
	});
});

describe("a later change", () => {
	test("leaves what was charged if the environment's taxes change, and applies from the next period on", async () => {
		const ours = await levels();
		await ours.settings({ taxes: ["t5"] });
		await ours.plan("pro", [flat({ month: 30 }), perUnit("seats", { month: 10 })]);
		const id = await ours.buy("pro", units("seats", 1));
		await ours.settings({ taxes: ["t1"] });
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(id, units("seats", 2));
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.taxed()).toEqual([
			"40 - 0 + 2 = 42: pro 30 | t5 5%: 1.5; Seats (pro) 10 | t5 5%: 0.5",
			"5 - 0 + -0.75 = 4.25: Unused time: pro -15 | t5 5%: -0.75; Unused time: Seats (pro) -5 | t5 5%: -0.25; pro 15 | t1 1%: 0.15; Seats (pro) 10 | t1 1%: 0.1",
			"50 - 0 + 0.5 = 50.5: pro 30 | t1 1%: 0.3; Seats (pro) 20 | t1 1%: 0.2",
		]);
	});

	test("applies from the next period on if the subscription's taxes change", async () => {
		const ours = await levels();
		await ours.plan("pro", [flat({ month: 100 })]);
		const id = await ours.buy("pro", { taxes: ["t1"] });
		await ours.change(id, { taxes: ["t2"] });
		await ours.advance("2026-05-01T00:00:00Z");
		await ours.change(id, { billingInformation: { taxPercentage: 10 } });
		await ours.advance("2026-06-01T00:00:00Z");
		expect(await ours.taxed()).toEqual([
			"100 - 0 + 1 = 101: pro 100 | t1 1%: 1",
			"100 - 0 + 2 = 102: pro 100 | t2 2%: 2",
			"100 - 0 + 10 = 110: pro 100",
		]);
		expect(Object.keys(await ours.insist("GET", `/subscriptions/${id}`))).not.toContain("taxes");
	});
});
