import { expect, setDefaultTimeout, test } from "bun:test";
import { exportCatalogue } from "../../../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../../../src/areas/catalog/rules.file";
import { viewDifference } from "../../../../../src/areas/catalog/rules.summary";
import { data } from "../../../../graphql/ask";
import { writePricesPlain } from "../../../../support/plain-prices";
import { whilePlanted } from "../../../../support/planted";
import { apply } from "../../../catalog/files";
import { draft, simulate, total } from "../../../simulations/simulation";
import { flat, till, used } from "../../../subscriptions/billing";
import { findings } from "../../window-cost/findings";
import { committed, hourly, useAt } from "./committed";

setDefaultTimeout(60_000);

const each = (amount: number) => ({ price: { amount } });

test("GraphQL, the catalogue file, the dry run, a simulation and a preview know commitments", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 5 }), used("calls", { month: 1 })]);
	await ours.buy("pro");
	await ours.use("calls", 3);
	await ours.advance("2026-02-02T00:00:00Z");
	const price = committed({ quantity: 1, overageFactor: 1.5, isTrueUp: false, ...hourly }, each(1), { key: "api" });
	await draft(ours, "pro", flat({ month: 5 }), price);
	expect((await simulate(ours, "pro")).currencyTotals).toEqual([total(8, 9)]);
	const shown = { quantity: 1, overageFactor: 1.5, interval: { unit: "HOUR", count: 1 }, isTrueUp: false };
	const dryRun = await ours.insist("POST", "/plans/pro/publish?dryRun=true", { migrationType: "ALL_CUSTOMERS" });
	expect(JSON.stringify(dryRun)).toContain(`"commitment":${JSON.stringify(shown)}`);
	await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	expect(await ours.insist("GET", "/plans/pro/charges?version=2")).toContainEqual(
		expect.objectContaining({ key: "api", commitment: shown }),
	);
	const { plans } = await data(
		ours,
		"{ plans { edges { node { prices { key commitment { amount quantity overageFactor interval { unit count } isTrueUp } } } } } }",
	);
	expect(plans.edges[0].node.prices).toContainEqual({ key: "api", commitment: { amount: null, ...shown } });
	const text = writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");
	expect(text).toContain("overageFactor: 1.5");
	expect(apply(ours, text).changes).toEqual([]);
	const defaults = text.replace("isTrueUp: false", "isTrueUp: true");
	expect(viewDifference(apply(ours, defaults), true)).toContain("isTrueUp");
	await ours.customer("next");
	const preview = await ours.insist("POST", "/subscriptions/preview", {
		...{ customerId: "next", planId: "pro", billableFeatures: [{ featureId: "calls", quantity: 1460 }] },
	});
	// The catalogue file has changed the price; version 2 of it is a draft. 730 hours of 2, each 1 + 1 × 1.5.
	expect(preview.recurringInvoice.total).toBe(5 + 1825);
	await ours.insist("POST", "/plans", { id: "copy", displayName: "Copy", productId: "app" });
	await data(ours, "mutation ($input: SetPackagePricingInput!) { setPlanPricing(input: $input) { id } }", {
		input: { refId: "copy", pricingType: "PAID", pricingModels: [price] },
	});
	expect(await ours.insist("GET", "/plans/copy/charges?version=1")).toEqual([
		expect.objectContaining({ commitment: shown }),
	]);
});

test("defaults, and an interval that is the billing period, leave no trace", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const whole = { unit: "MONTH", count: 1 };
	await ours.plan("none", [committed({ amount: 0, overageFactor: 1, isTrueUp: true, interval: whole }, each(1))]);
	const [none] = await ours.insist("GET", "/plans/none/charges");
	expect(Object.keys(none)).not.toContain("commitment");
	await ours.plan("some", [committed({ amount: 3, overageFactor: 1, isTrueUp: true, interval: whole }, each(1))]);
	expect((await ours.insist("GET", "/plans/some/charges"))[0].commitment).toEqual({ amount: 3 });
});

test("an override commits one subscription, and the next invoice shows the commitment", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [committed({ amount: 10 }, each(1), { key: "api" })]);
	const id = await ours.buy("pro", { priceOverrides: [{ key: "api", commitment: { amount: 30, overageFactor: 2 } }] });
	await ours.use("calls", 35);
	expect((await ours.insist("GET", `/subscriptions/${id}`)).prices).toEqual([
		expect.objectContaining({ commitment: { amount: 30, overageFactor: 2 } }),
	]);
	const { previewNextInvoice } = await data(
		ours,
		`mutation { previewNextInvoice(input: { subscriptionId: "${id}" }) { total { amount } } }`,
	);
	expect(previewNextInvoice.total.amount).toBe(40);
	await ours.advance("2026-02-01T00:00:00Z");
	await ours.change(id, { priceOverrides: [{ featureId: "calls", commitment: null }] });
	await ours.use("calls", 2);
	await ours.advance("2026-03-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-02-01: 40 = 35 Calls (pro) 40", "2026-03-01: 2 = 2 Calls (pro) 2"]);
	expect(findings(ours)).toEqual([]);
	for (const [override, message] of [
		[{ key: "api", commitment: { amount: 1, quantity: 1 } }, "exactly one"],
		[{ key: "api", commitment: { amount: 1, interval: { unit: "YEAR", count: 1 } } }, "longer than the billing period"],
	] as const) {
		const { status, body } = await ours.call("PATCH", `/subscriptions/${id}`, { body: { priceOverrides: [override] } });
		expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
	}
});

test("explanations repeat the windows, and the check finds changed figures", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const price = committed({ quantity: 10, overageFactor: 1.5, ...hourly }, each(2), { key: "api" });
	await ours.plan("pro", [price]);
	const id = await ours.buy("pro");
	await useAt(ours, 4, "2026-01-01T00:30:00Z");
	await ours.advance("2026-01-01T01:00:00Z");
	await ours.chargeUsage(id);
	await useAt(ours, 16, "2026-01-01T01:30:00Z");
	await ours.advance("2026-01-01T02:30:00Z");
	await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
	const [, { invoiceId, lineItems }] = await ours.insist("GET", "/customers/acme/invoices");
	expect(lineItems).toMatchObject([{ chargeKey: "api", quantity: 16, unitPrice: null, amount: 48 }]);
	const { steps, usage } = await ours.insist("GET", `/customers/acme/invoices/${invoiceId}/lines/1/explain`);
	expect(usage).toMatchObject({ used: 20, billedBefore: 4 });
	expect(
		steps.slice(0, 4).map(({ of, arithmetic }: { of: string; arithmetic: string }) => `${of} = ${arithmetic}`),
	).toEqual([
		"units = 20",
		"cost = max(8, 20) + max(8 - 20, 0) * (1.5 - 1) + max(32, 20) + max(32 - 20, 0) * (1.5 - 1) + max(0, 20 * 1800000 / 3600000) + max(0 - 20 * 1800000 / 3600000, 0) * (1.5 - 1)",
		"costBilledBefore = 20",
		"amount = round(68, 2) - round(20, 2)",
	]);
	expect(findings(ours)).toEqual([]);
	const { $client } = ours.db;
	writePricesPlain($client);
	for (const statement of [
		"UPDATE invoice_lines SET amount = '49', total = '49' WHERE amount = '48'",
		"DELETE FROM invoice_lines WHERE amount = '20'",
		"UPDATE charge_periods SET usage_quantity = '69' WHERE usage_quantity = '68'",
		"UPDATE charge_periods SET usage_quantity = '67' WHERE usage_quantity = '68'",
		"UPDATE charge_periods SET usage_state = '{}' WHERE usage_quantity = '68'",
		`UPDATE charge_periods SET usage_state = replace(usage_state, '"isEnded":true,', '') WHERE usage_quantity = '68'`,
		'UPDATE invoice_lines SET basis = replace(basis, \'"cost":"32"\', \'"cost":"30"\')',
		"UPDATE invoice_lines SET basis = replace(basis, '\"partMs\":1800000', '\"partMs\":1900000')",
		'UPDATE invoice_lines SET basis = replace(basis, \'"overageFactor":"1.5"\', \'"overageFactor":"2"\')',
		'UPDATE invoice_lines SET basis = replace(basis, \'"quantity":"10"\', \'"quantity":"11"\')',
	]) {
		const found = whilePlanted($client, statement, () => findings(ours));
		expect([statement, found.length > 0]).toEqual([statement, true]);
	}
});
