import { expect, setDefaultTimeout, test } from "bun:test";
import { findings } from "../../../../pricing/window-cost/findings";
import { flat, till, used } from "../../../billing";
import { sold, usd, useAt } from "../committed";

setDefaultTimeout(60_000);

const neutral = [
	["none", []],
	["an amount of 0", [usd(0)]],
	["a factor of 1 without a true-up", [usd(500, { overageFactor: 1, isTrueUp: false })]],
	["another currency", [{ currency: "eur", amount: 500 }]],
	["an amount that the charges reach", [usd(420, { overageFactor: 1 })]],
] as const;

test.each(neutral)("a commitment that has no effect leaves the invoices as they are: %s", async (_, commitments) => {
	const ours = await sold(commitments);
	await ours.use("calls", 120);
	await ours.advance("2026-05-01T00:00:00Z");
	await ours.use("calls", 7, "2026-04-20T00:00:00Z");
	await ours.advance("2026-05-02T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-04-01: 300 = pro 300", "2026-05-01: 420 = pro 300 + 120 Calls (pro) 120"]);
	expect(findings(ours)).toEqual([]);
});

test("commitments of both scopes: what usage alone owes counts towards the other", async () => {
	const ours = await sold([usd(500), usd(150, { scope: "ON_DEMAND" })]);
	await ours.use("calls", 120);
	await ours.advance("2026-05-01T00:00:00Z");
	await ours.use("calls", 40, "2026-04-20T00:00:00Z");
	await ours.advance("2026-06-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-04-01: 300 = pro 300",
		"2026-05-01: 500 = pro 300 + 120 Calls (pro) 120 + Commitment 30 + Commitment 50",
		// 40 consume 30 of usage alone, and the remaining 10 the other.
		"2026-06-01: 500 = pro 300 + Commitment 150 + Commitment 50 + 40 Calls (pro) 40 + Covered by the commitment -30 + Covered by the commitment -10",
	]);
	expect(findings(ours)).toEqual([]);
});

test("a subscription's own commitments replace those of its version as a whole, until a plan change", async () => {
	const ours = await sold([usd(500)], { body: { commitments: [usd(350, { scope: "ON_DEMAND" })] } });
	await ours.plan("max", [flat({ month: 600 })]);
	await ours.advance("2026-05-01T00:00:00Z");
	expect((await ours.books()).at(-1)).toBe("2026-05-01: 650 = pro 300 + Commitment 350");
	expect((await ours.insist("GET", `/subscriptions/${ours.id}`)).commitments).toEqual([
		{ scope: "ON_DEMAND", currency: "usd", amount: 350 },
	]);
	const id = await ours.buy("max");
	expect((await ours.insist("GET", `/subscriptions/${id}`)).commitments).toBeUndefined();
	await ours.advance("2026-06-01T00:00:00Z");
	expect((await ours.books()).at(-1)).toBe("2026-06-01: 600 = max 600");
	expect(findings(ours)).toEqual([]);
});

test("prices that include a tax count with it, and the shortfall includes it too", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.insist("POST", "/taxes", { id: "vat", displayName: "VAT", percentage: 19, isInclusive: true });
	await ours.plan("pro", [flat({ month: 300 }), used("calls", { month: 1 })], {
		commitments: [usd(500)],
		taxes: ["vat"],
	});
	await ours.buy("pro");
	await ours.use("calls", 81);
	await ours.advance("2026-05-01T00:00:00Z");
	const invoice = (await ours.insist("GET", "/customers/acme/invoices?limit=10")).at(-1);
	// 300.00, 81.00 and 119.00 with tax.
	expect(invoice.lineItems.map(({ amount }: { amount: number }) => amount)).toEqual([252.1, 68.07, 100]);
	expect(invoice.total).toBe(500);
	await ours.use("calls", 119, "2026-04-20T00:00:00Z");
	await ours.advance("2026-06-01T00:00:00Z");
	const next = (await ours.insist("GET", "/customers/acme/invoices?limit=10")).at(-1);
	expect(next.total).toBe(500);
	expect(findings(ours)).toEqual([]);
});

test("a migration changes the commitment for the rest of the window", async () => {
	const ours = await sold([usd(500)]);
	await ours.insist("POST", "/plans/pro/draft");
	const pricingModels = [flat({ month: 300 }), used("calls", { month: 1 })];
	await ours.insist("PATCH", "/plans/pro", {
		charges: { pricingType: "PAID", pricingModels, commitments: [usd(800)] },
	});
	const impact = await ours.insist("POST", "/plans/pro/publish?dryRun=true", { migrationType: "ALL_CUSTOMERS" });
	expect(impact.impact.commitments).toEqual({
		change: "CHANGED",
		before: [{ scope: "ALL", currency: "usd", amount: 500 }],
		after: [{ scope: "ALL", currency: "usd", amount: 800 }],
	});
	await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	await ours.advance("2026-04-16T00:00:00Z");
	await ours.insist("POST", `/subscriptions/${ours.id}/migrate`, { subscriptionMigrationTime: "IMMEDIATE" });
	await ours.advance("2026-05-01T00:00:00Z");
	expect((await ours.books()).at(-1)).toBe("2026-05-01: 650 = pro 300 + Commitment 350");
	expect(findings(ours)).toEqual([]);
});

test("the preview of a subscription, the next invoice, and the explanation have the commitment", async () => {
	const ours = await sold([usd(500, { overageFactor: 1.5 })]);
	const preview = await ours.insist("POST", "/subscriptions/preview", {
		customerId: "acme",
		planId: "pro",
		billableFeatures: [{ featureId: "calls", quantity: 120 }],
	});
	expect(preview.recurringInvoice.total).toBe(500);
	await useAt(ours, 120, "2026-04-10T00:00:00Z");
	await ours.advance("2026-05-01T00:00:00Z");
	const invoice = (await ours.insist("GET", "/customers/acme/invoices?limit=10")).at(-1);
	const lines = `/customers/acme/invoices/${invoice.invoiceId}/lines`;
	const { steps } = await ours.insist("GET", `${lines}/3/explain`);
	expect(steps.slice(0, 2)).toMatchObject([
		{ of: "cost", arithmetic: "round(500, 2)", value: 500 },
		{ of: "amount", arithmetic: "max(500 - 420, 0)", value: 80 },
	]);
	await ours.use("calls", 100, "2026-04-20T00:00:00Z");
	await ours.advance("2026-06-01T00:00:00Z");
	const next = (await ours.insist("GET", "/customers/acme/invoices?limit=10")).at(-1);
	const explained = await ours.insist(
		"GET",
		`/customers/acme/invoices/${next.invoiceId}/lines/${next.lineItems.length}/explain`,
	);
	expect(explained.steps[1]).toMatchObject({ arithmetic: "round(max(520 - 500, 0) * (1.5 - 1), 2)", value: 10 });
});
