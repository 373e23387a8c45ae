import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { flat } from "../../subscriptions/billing";
import { shop } from "../shop";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

describe("each tax of a line is rounded half up on the discounted net", () => {
	test("two exclusive taxes", async () => {
		const ours = await shop();
		await ours.tax("state", "+6.25");
		await ours.tax("city", "+2.5");
		await ours.settings({ taxes: ["state", "city"] });
		await ours.plan("pro", [flat({ month: 99.99 })]);
		await ours.buy("pro");
		expect(await ours.taxed()).toEqual(["99.99 - 0 + 8.75 = 108.74: pro 99.99 | state 6.25%: 6.25 | city 2.5%: 2.5"]);
	});

	test("an included tax", async () => {
		const ours = await shop();
		await ours.tax("vat", "4");
		await ours.settings({ taxes: ["vat"] });
		await ours.plan("pro", [flat({ month: 2.99 })]);
		await ours.buy("pro");
		expect(await ours.taxed()).toEqual(["2.88 - 0 + 0.11 = 2.99: pro 2.88 | vat 4%: 0.11"]);
	});

	test("two included taxes share the extracted tax by largest remainder", async () => {
		const ours = await shop();
		await ours.tax("gst", "5");
		await ours.tax("pst", "7");
		await ours.settings({ taxes: ["gst", "pst"] });
		await ours.plan("pro", [flat({ month: 9.99 })]);
		await ours.buy("pro");
		expect(await ours.taxed()).toEqual(["8.92 - 0 + 1.07 = 9.99: pro 8.92 | gst 5%: 0.45 | pst 7%: 0.62"]);
	});

	test("an included tax with a discount: subTotal and discount are shown net", async () => {
		const ours = await shop();
		await ours.tax("vat", "19");
		await ours.settings({ taxes: ["vat"] });
		await ours.coupon("ten", { percent: 10 });
		await ours.plan("pro", [flat({ month: 119 })]);
		await ours.buy("pro", { appliedCoupon: { couponId: "ten" } });
		expect(await ours.taxed()).toEqual(["100 - 10 + 17.1 = 107.1: pro 100 | vat 19%: 17.1"]);
	});

	test("an included and an exclusive tax: the included one is extracted first", async () => {
		const ours = await shop();
		await ours.tax("vat", "19");
		await ours.tax("levy", "+5");
		await ours.settings({ taxes: ["levy", "vat"] });
		await ours.plan("pro", [flat({ month: 119 })]);
		await ours.buy("pro");
		expect(await ours.taxed()).toEqual(["100 - 0 + 24 = 124: pro 100 | levy 5%: 5 | vat 19%: 19"]);
	});
});

describe("taxRounding", () => {
	const three = async (rounding: "LINE" | "INVOICE") => {
		const ours = await shop();
		await ours.tax("vat", "+7");
		await ours.settings({ taxes: ["vat"], taxRounding: rounding });
		await ours.plan("pro", [flat({ month: 0.33 })]);
		for (const id of ["one", "two"]) await ours.addon(id, flat({ month: 0.33 }));
		await ours.buy("pro", { addons: ["one", "two"].map((id) => ({ id, quantity: 1 })) });
		return ours;
	};

	test("LINE rounds the tax of each line", async () => {
		expect(await (await three("LINE")).taxed()).toEqual([
			"0.99 - 0 + 0.06 = 1.05: pro 0.33 | vat 7%: 0.02; one 0.33 | vat 7%: 0.02; two 0.33 | vat 7%: 0.02",
		]);
	});

	test("INVOICE rounds each tax once, and spreads it over the lines", async () => {
		const ours = await three("INVOICE");
		expect(await ours.taxed()).toEqual([
			"0.99 - 0 + 0.07 = 1.06: pro 0.33 | vat 7%: 0.03; one 0.33 | vat 7%: 0.02; two 0.33 | vat 7%: 0.02",
		]);
		expect(await ours.insist("GET", "/environments/current")).toMatchObject({ taxRounding: "INVOICE", taxes: ["vat"] });
	});
});
