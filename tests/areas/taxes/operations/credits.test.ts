import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { checkContractBills } from "../../../../src/areas/contracts/billing/operations.check-cycles";
import { checkRates } from "../../../../src/areas/invoices/check/operations.rates";
import { checkSubscriptionBills } from "../../../../src/areas/subscriptions/billing/check/operations";
import { flat, perUnit, units, used } from "../../subscriptions/billing";
import { type Shop, shop, textOf } from "../shop";

setDefaultTimeout(60_000);

const faults = ({ transactions, actor }: Shop): string[] =>
	transactions.read(actor, (work) => [
		...checkRates(work),
		...checkSubscriptionBills(work),
		...checkContractBills(work),
	]);

const notes = async (ours: Shop): Promise<string[]> =>
	(await ours.insist("GET", "/customers/acme/credit-notes?limit=100")).reverse().map(textOf);

/** Three lines of 0.33 at 7 percent, which an invoice rounds together. */
async function three(): Promise<Shop & { id: string }> {
	const ours = await shop();
	await ours.tax("vat", "+7");
	await ours.settings({ taxes: ["vat"], taxRounding: "INVOICE" });
	await ours.plan("pro", [flat({ month: 0.33 })]);
	for (const id of ["one", "two"]) await ours.addon(id, flat({ month: 0.33 }));
	const id = await ours.buy("pro", { addons: ["one", "two"].map((addon) => ({ id: addon, quantity: 1 })) });
	return { ...ours, id };
}

describe("a credit reverses the very taxes of its charge", () => {
	test("whole, of charges that were rounded for their invoice", async () => {
		const ours = await three();
		await ours.settings({ taxRounding: "LINE", taxes: null });
		await ours.cancel(ours.id, { cancellationTime: "IMMEDIATE", prorate: true });
		expect(await ours.taxed()).toEqual([
			"0.99 - 0 + 0.07 = 1.06: pro 0.33 | vat 7%: 0.03; one 0.33 | vat 7%: 0.02; two 0.33 | vat 7%: 0.02",
		]);
		expect(await notes(ours)).toEqual([
			"0.99 - 0 + 0.07 = 1.06: Unused time: pro 0.33 | vat 7%: 0.03; Unused time: one 0.33 | vat 7%: 0.02; Unused time: two 0.33 | vat 7%: 0.02",
		]);
		expect(faults(ours)).toEqual([]);
	});

	test("one line after the other", async () => {
		const ours = await three();
		const addons = (...ids: string[]) => ({ addons: ids.map((id) => ({ id, quantity: 1 })) });
		await ours.change(ours.id, addons("two"));
		await ours.change(ours.id, addons());
		await ours.cancel(ours.id, { cancellationTime: "IMMEDIATE", prorate: true });
		const taxes = (await notes(ours)).map((text) => text.split(":")[0]);
		expect(taxes).toEqual(["0.33 - 0 + 0.02 = 0.35", "0.33 - 0 + 0.02 = 0.35", "0.33 - 0 + 0.03 = 0.36"]);
		expect(faults(ours)).toEqual([]);
	});

	test("included taxes, in part and mid-cycle", async () => {
		const ours = await shop();
		await ours.tax("vat", "19");
		await ours.settings({ taxes: ["vat"] });
		await ours.plan("pro", [flat({ month: 119 }), perUnit("seats", { month: 11.9 })]);
		const id = await ours.buy("pro", units("seats", 2));
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(id, units("seats", 3));
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.taxed()).toEqual([
			"120 - 0 + 22.8 = 142.8: pro 100 | vat 19%: 19; Seats (pro) 20 | vat 19%: 3.8",
			"5 - 0 + 0.95 = 5.95: Unused time: Seats (pro) -10 | vat 19%: -1.9; Seats (pro) 15 | vat 19%: 2.85",
			"130 - 0 + 24.7 = 154.7: pro 100 | vat 19%: 19; Seats (pro) 30 | vat 19%: 5.7",
		]);
		expect(faults(ours)).toEqual([]);
	});

	test("credit notes by hand: the whole, a part, and the rest", async () => {
		const ours = await shop();
		await ours.tax("gst", "5");
		await ours.tax("pst", "7");
		await ours.settings({ taxes: ["gst", "pst"] });
		await ours.plan("pro", [flat({ month: 9.99 })]);
		await ours.buy("pro");
		const [{ invoiceId }] = await ours.insist("GET", "/customers/acme/invoices");
		const path = `/customers/acme/invoices/${invoiceId}/credit-note`;
		await ours.insist("POST", path, { amount: 3.33 });
		await ours.insist("POST", path, {});
		expect(await notes(ours)).toEqual([
			"2.97 - 0 + 0.36 = 3.33: pro 2.97 | gst 5%: 0.15 | pst 7%: 0.21",
			"5.95 - 0 + 0.71 = 6.66: pro 8.92 | gst 5%: 0.45 | pst 7%: 0.62; Already credited by CN-000001 -2.97 | gst 5%: -0.15 | pst 7%: -0.21",
		]);
	});
});

describe("every bill has the taxes", () => {
	test("usage, overage of a minimum spend, and late usage", async () => {
		const ours = await shop();
		await ours.tax("vat", "+20");
		await ours.tax("reduced", "+10");
		await ours.settings({ taxes: ["vat"] });
		await ours.plan("pro", [{ ...used("calls", { month: 1 }), taxes: ["reduced"] }], {
			minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 50, currency: "usd" } }],
		});
		await ours.buy("pro");
		await ours.use("calls", 80);
		await ours.advance("2026-05-01T00:00:00Z");
		await ours.use("calls", 5, "2026-04-20T00:00:00Z");
		await ours.advance("2026-06-01T00:00:00Z");
		expect(await ours.taxed()).toEqual([
			"50 - 0 + 10 = 60: Minimum spend 50 | vat 20%: 10",
			"80 - 0 + 8 = 88: Minimum spend 50 | vat 20%: 10; Calls (pro) 80 | reduced 10%: 8; Covered by the minimum spend -50 | vat 20%: -10",
			"55 - 0 + 10.5 = 65.5: Minimum spend 50 | vat 20%: 10; Calls (pro) 5 | reduced 10%: 0.5",
		]);
		expect(faults(ours)).toEqual([]);
	});

	test("previews, updates and the next invoice", async () => {
		const ours = await shop();
		await ours.tax("vat", "19");
		await ours.settings({ taxes: ["vat"] });
		await ours.plan("pro", [flat({ month: 119 })]);
		const preview = await ours.insist("POST", "/subscriptions/preview", { customerId: "acme", planId: "pro" });
		expect(preview.immediateInvoice).toMatchObject({ subTotal: 100, tax: 19, total: 119 });
		expect(preview.recurringInvoice).toMatchObject({ subTotal: 100, tax: 19, total: 119 });
		const id = await ours.buy("pro");
		expect((await ours.call("GET", `/subscriptions/${id}/next-invoice`)).body).toMatchObject({});
	});
});
