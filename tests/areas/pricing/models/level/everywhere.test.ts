import { expect, setDefaultTimeout, test } from "bun:test";
import { exportCatalogue } from "../../../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../../../src/areas/catalog/rules.file";
import { data } from "../../../../graphql/ask";
import { writePricesPlain } from "../../../../support/plain-prices";
import { whilePlanted } from "../../../../support/planted";
import { apply } from "../../../catalog/files";
import { draft, simulate, total } from "../../../simulations/simulation";
import { flat, till, used } from "../../../subscriptions/billing";
import { findings } from "../../window-cost/findings";
import { measured, setSeats, tiersOf } from "./levels";

setDefaultTimeout(60_000);

const graduated = { ...tiersOf([10, 10], [null, 8]), minimumAmount: 20 };
const byDay = { key: "team", tiersMode: "GRADUATED", prorationMode: "BY_DAY" };

test("GraphQL, the catalogue file, the dry run, a simulation and a preview know measures of levels", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 5 }), used("seats", { month: 1 })]);
	await ours.buy("pro");
	await setSeats(ours, 10, "2026-04-01T00:00:00Z");
	await ours.advance("2026-04-16T00:00:00Z");
	await setSeats(ours, 15, "2026-04-16T00:00:00Z");
	await ours.advance("2026-05-02T00:00:00Z");
	await draft(ours, "pro", flat({ month: 5 }), measured("TIME_WEIGHTED", graduated, byDay));
	expect((await simulate(ours, "pro")).currencyTotals).toEqual([total(20, 125)]);
	const shown = { key: "team", usageMeasure: "TIME_WEIGHTED", prorationMode: "BY_DAY", tiersMode: "GRADUATED" };
	const dryRun = await ours.insist("POST", "/plans/pro/publish?dryRun=true", { migrationType: "ALL_CUSTOMERS" });
	expect(JSON.stringify(dryRun)).toContain('"usageMeasure":"TIME_WEIGHTED"');
	await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	expect(await ours.insist("GET", "/plans/pro/charges?version=2")).toContainEqual(expect.objectContaining(shown));
	const { plans } = await data(ours, "{ plans { edges { node { prices { key usageMeasure prorationMode } } } } }");
	expect(plans.edges[0].node.prices).toContainEqual({
		...{ key: "team", usageMeasure: "TIME_WEIGHTED", prorationMode: "BY_DAY" },
	});
	const text = writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");
	expect(apply(ours, text).changes).toEqual([]);
	const peak = text
		.replace("usageMeasure: TIME_WEIGHTED", "usageMeasure: PEAK")
		.replace(/ +prorationMode: BY_DAY\n/, "");
	expect(apply(ours, peak).changes).toHaveLength(1);
	await ours.customer("next");
	const preview = await ours.insist("POST", "/subscriptions/preview", {
		...{ customerId: "next", planId: "pro", billableFeatures: [{ featureId: "seats", quantity: 15 }] },
	});
	expect(preview.recurringInvoice.total).toBe(5 + 140);
	await ours.insist("POST", "/plans", { id: "copy", displayName: "Copy", productId: "app" });
	await data(ours, "mutation ($input: SetPackagePricingInput!) { setPlanPricing(input: $input) { id } }", {
		input: { refId: "copy", pricingType: "PAID", pricingModels: [measured("TIME_WEIGHTED", graduated, byDay)] },
	});
	expect(await ours.insist("GET", "/plans/copy/charges?version=1")).toEqual([expect.objectContaining(shown)]);
});

test("the price of a country and an override of a subscription keep the measure", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	const inCountry = { billingPeriod: "MONTHLY", billingCountryCode: "DE", price: { amount: 8, currency: "eur" } };
	const price = measured("TIME_WEIGHTED", { price: { amount: 10, currency: "usd" } });
	await ours.plan("pro", [{ ...price, pricePeriods: [...price.pricePeriods, inCountry] }]);
	await ours.buy("pro", {
		billingCountryCode: "DE",
		priceOverrides: [{ featureId: "seats", maximumAmount: 90 }],
	});
	await setSeats(ours, 10, "2026-04-01T00:00:00Z");
	await ours.advance("2026-04-16T00:00:00Z");
	await setSeats(ours, 12, "2026-04-16T00:00:00Z");
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-05-01: 88 = 11 Seats (pro) 88"]);
	await setSeats(ours, 20, "2026-05-01T00:00:00Z");
	await ours.advance("2026-06-01T00:00:00Z");
	expect((await ours.books())[1]).toStartWith("2026-06-01: 90 = ");
	expect(findings(ours)).toEqual([]);
});

test("explanations repeat the levels with their times, and the check finds changed figures", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [measured("TIME_WEIGHTED", graduated, byDay)]);
	const id = await ours.buy("pro");
	await setSeats(ours, 10, "2026-04-01T00:00:00Z");
	await ours.advance("2026-04-11T00:00:00Z");
	await ours.chargeUsage(id);
	await ours.advance("2026-04-16T00:00:00Z");
	await setSeats(ours, 15, "2026-04-16T00:00:00Z");
	await ours.advance("2026-05-01T00:00:00Z");
	const [, { invoiceId, lineItems }] = await ours.insist("GET", "/customers/acme/invoices");
	expect(lineItems).toMatchObject([{ chargeKey: "team", quantity: 9.166666666667, unitPrice: null, amount: 86.67 }]);
	const { steps, usage } = await ours.insist("GET", `/customers/acme/invoices/${invoiceId}/lines/1/explain`);
	expect(usage).toMatchObject({ used: 12.5, billedBefore: 3.333333333333 });
	expect(
		steps.slice(0, 4).map(({ of, arithmetic }: { of: string; arithmetic: string }) => `${of} = ${arithmetic}`),
	).toEqual([
		"units = (10 * 15 + 15 * 15) / 30",
		"cost = (100 * 15 + 140 * 15) / 30",
		"costBilledBefore = 33.333333333333333333333333",
		"amount = round(120, 2) - round(33.333333333333333333333333, 2)",
	]);
	expect(findings(ours)).toEqual([]);
	const { $client } = ours.db;
	writePricesPlain($client);
	for (const statement of [
		"UPDATE invoice_lines SET amount = '87', total = '87' WHERE amount = '86.67'",
		"DELETE FROM invoice_lines WHERE amount = '33.33'",
		"UPDATE charge_periods SET usage_quantity = '121' WHERE usage_quantity = '120'",
		"UPDATE charge_periods SET usage_quantity = '119' WHERE usage_quantity = '120'",
		'UPDATE invoice_lines SET basis = replace(basis, \'"level":"15"\', \'"level":"14"\')',
		"UPDATE invoice_lines SET basis = replace(basis, '\"time\":15', '\"time\":16')",
		'UPDATE invoice_lines SET basis = replace(basis, \'"average":"12.5"\', \'"average":"13"\')',
		'UPDATE invoice_lines SET basis = replace(basis, \'"amount":"8"\', \'"amount":"9"\')',
		"UPDATE invoice_lines SET basis = replace(basis, 'TIME_WEIGHTED', 'PEAK')",
	]) {
		const found = whilePlanted($client, statement, () => findings(ours));
		expect([statement, found.length > 0]).toEqual([statement, true]);
	}
});
