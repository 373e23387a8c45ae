import { expect, setDefaultTimeout, test } from "bun:test";
import { systemActor } from "../../../../../src/areas/access/rules.actors";
import { runImport } from "../../../../../src/areas/subscriptions/import/import";
import { claimTask } from "../../../../../src/tasks/operations";
import { data } from "../../../../graphql/ask";
import { writePricesPlain } from "../../../../support/plain-prices";
import { whilePlanted } from "../../../../support/planted";
import { segmented, send, variant } from "../../../pricing/models/segment/events";
import { findings } from "../../../pricing/window-cost/findings";
import { flat, type Till, till, used } from "../../billing";

setDefaultTimeout(60_000);

const start = "2026-01-01T00:00:00Z";
const bounded = { percentRate: 1.2, fixedFee: 0.1, minimum: 0.5, maximum: 10 };
const own = (override: object) => ({ priceOverrides: [{ featureId: "calls", ...override }] });

async function importOf(ours: Till, terms: object): Promise<unknown[]> {
	const item = { id: "s", customerId: "acme", planId: "pro", startDate: start, ...terms };
	const { taskId } = await ours.insist("POST", "/subscriptions/import", { subscriptions: [item] });
	const task = ours.transactions.write(systemActor(""), (one) => claimTask(one, ["IMPORT_SUBSCRIPTIONS"]));
	if (task) await runImport(ours.thread, task);
	const { importErrors } = await ours.insist("GET", `/tasks/${taskId}`);
	return importErrors;
}

test("previews, GraphQL, the next invoice and scheduled updates know agreed prices", async () => {
	const ours = await till(start);
	await ours.plan("pro", [flat({ month: 30 }), used("calls", { month: 1 })]);
	const preview = await ours.insist("POST", "/subscriptions/preview", {
		...{ customerId: "acme", planId: "pro", billableFeatures: [{ featureId: "calls", quantity: 2000 }] },
		...own({ transactionPrice: bounded }),
	});
	expect(preview.recurringInvoice.total).toBe(40);
	expect(ours.db.$client.query("SELECT count(*) AS n FROM agreed_prices").get()).toEqual({ n: 0 });
	const { provisionSubscription } = await data(
		ours,
		"mutation ($input: ProvisionSubscriptionInput!) { provisionSubscription(input: $input) { subscription { id refId } } }",
		{ input: { customerId: "acme", planId: "pro", ...own({ transactionPrice: bounded }) } },
	);
	const id = provisionSubscription.subscription.refId;
	await ours.use("calls", 250);
	const { previewNextInvoice } = await data(
		ours,
		`mutation { previewNextInvoice(input: { subscriptionId: "${id}" }) { total { amount } } }`,
	);
	expect(previewNextInvoice.total.amount).toBe(33.1);
	const changes = { ...own({ transactionPrice: { percentRate: 2 } }), effectiveDate: "2026-02-01T00:00:00Z" };
	await ours.change(id, changes);
	await ours.advance("2026-02-01T00:00:00Z");
	await ours.use("calls", 250);
	await ours.advance("2026-03-01T00:00:00Z");
	expect((await ours.books()).map((line) => line.split(" = ")[1])).toEqual([
		"pro 30",
		"Calls (pro) 3.1 + pro 30",
		"pro 30 + Calls (pro) 5",
	]);
	expect(findings(ours)).toEqual([]);
});

test("an import sets agreed prices, and keeps those that are billed", async () => {
	const ours = await till(start);
	await ours.plan("pro", [flat({ month: 30 }), used("calls", { month: 1 })]);
	const agreed = own({ amount: 2, variants: [variant({ model: ["large"] }, 10, { id: "large" })] });
	expect(await importOf(ours, agreed)).toEqual([]);
	await send(ours, 1, { model: "large" });
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await importOf(ours, agreed)).toEqual([]);
	expect(await importOf(ours, { metadata: { kept: "yes" } })).toEqual([]);
	await send(ours, 2, { model: "large" });
	await ours.advance("2026-03-01T00:00:00Z");
	expect((await ours.books()).map((line) => line.split(" = ")[1])).toEqual([
		"pro 30 + Calls (pro): large 10",
		"pro 30 + 2 Calls (pro): large 20",
	]);
	expect(findings(ours)).toEqual([]);
	const [changed] = await importOf(ours, { priceOverrides: [] });
	expect(JSON.stringify(changed)).toContain("change them by PATCH /subscriptions/s");
	const [broken] = await importOf(ours, { id: "t", ...own({ transactionPrice: { percentRate: 1, formula: "n" } }) });
	expect(JSON.stringify(broken)).toContain("exactly one of 'percentRate' and 'formula'");
});

test("an update takes tiers and blocks", async () => {
	const ours = await till(start);
	await ours.plan("pro", [used("calls", { month: 1 })]);
	const id = await ours.buy("pro");
	const usd = (amount: number) => ({ amount, currency: "usd" });
	const tiers = [{ upTo: 10, unitPrice: usd(5) }, { unitPrice: usd(1) }];
	await ours.change(id, own({ tiers }));
	await ours.use("calls", 12);
	await ours.advance("2026-02-01T00:00:00Z");
	await ours.change(id, own({ amount: 7, blockSize: 10 }));
	await ours.use("calls", 12);
	await ours.advance("2026-03-01T00:00:00Z");
	expect((await ours.books()).map((line) => line.split(" ")[1])).toEqual(["52", "14"]);
});

test("migrations, a pause and phases keep agreed prices; late usage has the price of its window", async () => {
	const ours = await till(start);
	await ours.plan("pro", [used("calls", { month: 1 })]);
	const id = await ours.buy("pro", {
		...own({ transactionPrice: { percentRate: 10 } }),
		phases: [{ id: "half", duration: { unit: "MONTH", count: 1 }, percentOff: 50 }],
	});
	await ours.use("calls", 100);
	await ours.advance("2026-02-01T00:00:00Z");
	await ours.insist("POST", "/plans/pro/draft");
	await ours.insist("PATCH", "/plans/pro", {
		charges: { pricingType: "PAID", pricingModels: [used("calls", { month: 3 })] },
	});
	await ours.insist("POST", "/plans/pro/publish", { migrationType: "ALL_CUSTOMERS" });
	await ours.use("calls", 100);
	await ours.advance("2026-03-01T00:00:00Z");
	await ours.use("calls", 100);
	await ours.advance("2026-03-06T00:00:00Z");
	await ours.insist("POST", `/subscriptions/${id}/pause`);
	await ours.advance("2026-03-11T00:00:00Z");
	await ours.insist("POST", `/subscriptions/${id}/resume`);
	await ours.use("calls", 40, "2026-02-20T00:00:00Z");
	await ours.advance("2026-05-01T00:00:00Z");
	expect((await ours.books()).map((line) => line.split(" = ")[1])).toEqual([
		"Calls (pro), half 5",
		"Calls (pro) 10",
		"Calls (pro) 10",
		"Calls (pro) 4",
	]);
	expect(findings(ours)).toEqual([]);
});

test("the check finds changed figures of agreed prices", async () => {
	const ours = await till(start);
	await ours.plan("pro", [used("calls", { month: 1 }), used("tokens", { month: 1 })]);
	await ours.buy("pro", own({ transactionPrice: bounded }));
	for (const value of [20, 250, 2000]) await ours.use("calls", value);
	await ours.advance("2026-02-01T00:00:00Z");
	expect(findings(ours)).toEqual([]);
	const { $client } = ours.db;
	writePricesPlain($client);
	for (const statement of [
		"UPDATE invoice_lines SET amount = '13.5', total = '13.5' WHERE amount = '13.6'",
		"DELETE FROM invoice_lines WHERE amount = '13.6'",
		"UPDATE charge_periods SET usage_quantity = '13.5'",
		'UPDATE invoice_lines SET basis = replace(basis, \'"fixedFee":"0.1"\', \'"fixedFee":"0.2"\')',
		'UPDATE billing_charges SET terms = replace(terms, \'"fixedFee":"0.1"\', \'"fixedFee":"0.2"\')',
	]) {
		const found = whilePlanted($client, statement, () => findings(ours));
		expect([statement, found.length > 0]).toEqual([statement, true]);
	}
});

test("amounts of a plan's segments in another currency than the agreed price are refused", async () => {
	const ours = await till(start);
	await ours.plan("pro", [segmented(2, [variant({ model: ["large"] }, 10)])]);
	const { status, body } = await ours.call("POST", "/subscriptions", {
		body: { customerId: "acme", planId: "pro", ...own({ amount: 1, currency: "eur" }) },
	});
	expect([status, body.code, body.message]).toEqual([400, "InvalidArgumentError", expect.stringContaining("variants")]);
});
