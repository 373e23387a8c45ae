import { expect, setDefaultTimeout, test } from "bun:test";
import { exportCatalogue } from "../../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../../src/areas/catalog/rules.file";
import { viewDifference } from "../../../../src/areas/catalog/rules.summary";
import { data } from "../../../graphql/ask";
import { writePricesPlain } from "../../../support/plain-prices";
import { whilePlanted } from "../../../support/planted";
import { apply } from "../../catalog/files";
import { draft, simulate, total } from "../../simulations/simulation";
import { beyond, flat, tiered, till, used } from "../../subscriptions/billing";
import { findings } from "./findings";

setDefaultTimeout(60_000);

const calls = (terms: object, more: object = {}) => ({ ...used("calls", { month: 0.5 }, terms), ...more });
const unused = {
	...tiered("tokens", "VOLUME", [
		[10, 1, 7],
		[null, 0.5],
	]),
	chargesFlatPriceUnused: true,
};

test("REST, GraphQL and the catalogue file carry the fields", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const overage = { ...beyond("calls", 10, { month: 1 }), key: "extra" };
	const models = [calls({ minimumAmount: 10, maximumAmount: 40 }, { key: "api" }), unused];
	await ours.plan("pro", models, {
		overagePricingModels: [{ ...overage, pricePeriods: [{ ...overage.pricePeriods[0], maximumAmount: 9 }] }],
	});
	const fields = { key: "api", minimumAmount: 10, maximumAmount: 40 };
	expect(await ours.insist("GET", "/plans/pro/charges")).toEqual([
		expect.objectContaining({ featureId: "tokens", chargesFlatPriceUnused: true }),
		expect.objectContaining(fields),
	]);
	expect(await ours.insist("GET", "/plans/pro/overage-charges")).toEqual([
		expect.objectContaining({ key: "extra", maximumAmount: 9 }),
	]);
	const { plans } = await data(
		ours,
		"{ plans { edges { node { prices { key minimumAmount maximumAmount chargesFlatPriceUnused } } } } }",
	);
	expect(plans.edges[0].node.prices).toContainEqual({ ...fields, chargesFlatPriceUnused: null });
	const text = writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");
	expect(apply(ours, text).changes).toEqual([]);
	const changed = apply(ours, text.replace("maximumAmount: 40", "maximumAmount: 45"));
	expect(viewDifference(changed, true)).toContain("maximumAmount");
	await ours.insist("POST", "/plans", { id: "next", displayName: "Next", productId: "app" });
	await data(ours, "mutation ($input: SetPackagePricingInput!) { setPlanPricing(input: $input) { id } }", {
		input: {
			refId: "next",
			pricingType: "PAID",
			pricingModels: [
				{ ...unused, pricePeriods: unused.pricePeriods.map((one) => ({ ...one, minimumAmount: 3 })), key: "words" },
			],
		},
	});
	const [words] = await ours.insist("GET", "/plans/next/charges?version=1");
	expect(words).toMatchObject({ key: "words", minimumAmount: 3, chargesFlatPriceUnused: true });
});

test("the dry run of a publication, a preview and a simulation know the bounds", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 5 }), calls({})]);
	await ours.buy("pro");
	await ours.use("calls", 200);
	await ours.advance("2026-02-02T00:00:00Z");
	await draft(ours, "pro", flat({ month: 5 }), calls({ minimumAmount: 10, maximumAmount: 40 }, { key: "api" }));
	expect((await simulate(ours, "pro")).currencyTotals).toEqual([total(105, 45)]);
	const dryRun = await ours.insist("POST", "/plans/pro/publish?dryRun=true", { migrationType: "ALL_CUSTOMERS" });
	expect(JSON.stringify(dryRun)).toContain('"key":"api","minimumAmount":10,"maximumAmount":40');
	await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	await ours.customer("next");
	const preview = (quantity: number) =>
		ours.insist("POST", "/subscriptions/preview", {
			...{ customerId: "next", planId: "pro", billableFeatures: [{ featureId: "calls", quantity }] },
		});
	expect((await preview(200)).recurringInvoice.total).toBe(45);
	expect((await preview(4)).recurringInvoice.total).toBe(15);
});

test("an override bounds the price of one subscription, by its key or feature", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 1 }), calls({ minimumAmount: 10, maximumAmount: 40 }, { key: "api" })]);
	const id = await ours.buy("pro", { priceOverrides: [{ key: "api", minimumAmount: null, maximumAmount: 30 }] });
	await ours.advance("2026-02-01T00:00:00Z");
	await ours.change(id, { priceOverrides: [{ featureId: "calls", minimumAmount: 6 }] });
	await ours.use("calls", 100);
	await ours.advance("2026-03-01T00:00:00Z");
	await ours.advance("2026-04-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-01-01: 1 = pro 1",
		"2026-02-01: 1 = pro 1",
		"2026-03-01: 41 = pro 1 + 100 Calls (pro) 40",
		"2026-04-01: 7 = pro 1 + Minimum: Calls (pro) 6",
	]);
	expect(findings(ours)).toEqual([]);
	for (const [override, message] of [
		[{ key: "api", minimumAmount: 50 }, "is above"],
		[{ baseCharge: true, maximumAmount: 5 }, "bound the cost of usage"],
		[{ key: "nothing", maximumAmount: 5 }, "the charge 'nothing'"],
	] as const) {
		const { status, body } = await ours.call("PATCH", `/subscriptions/${id}`, { body: { priceOverrides: [override] } });
		expect([status >= 400, body.message]).toEqual([true, expect.stringContaining(message)]);
	}
});

test("overage is bounded within the window of its limit, also where the price changes midway", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const overage = beyond("calls", 10, { month: 1 });
	const bounded = (terms: object) => ({
		overagePricingModels: [{ ...overage, pricePeriods: [{ ...overage.pricePeriods[0], ...terms }] }],
	});
	await ours.plan("pro", [flat({ month: 5 })], bounded({ minimumAmount: 6.2, maximumAmount: 20 }));
	const id = await ours.buy("pro");
	await ours.use("calls", 12);
	await ours.advance("2026-02-01T00:00:00Z");
	await ours.use("calls", 50);
	await ours.advance("2026-03-01T00:00:00Z");
	await ours.use("calls", 11);
	await ours.advance("2026-03-16T12:00:00Z");
	await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
	expect(await ours.books()).toEqual([
		"2026-01-01: 5 = pro 5",
		"2026-02-01: 11.2 = pro 5 + 2 Calls (pro) 2 + Minimum: Calls (pro) 4.2",
		"2026-03-01: 25 = pro 5 + 40 Calls (pro) 20",
		"2026-03-16T12:00: 0.6 = Unused time: pro -2.5 + Calls (pro) 1 + Minimum: Calls (pro) 2.1",
	]);
	expect(findings(ours)).toEqual([]);
});

test("each line explains its figures, and the check finds a changed one", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [calls({ minimumAmount: 10, maximumAmount: 40 })]);
	await ours.buy("pro");
	await ours.use("calls", 16);
	await ours.advance("2026-02-01T00:00:00Z");
	const [{ invoiceId }] = await ours.insist("GET", "/customers/acme/invoices");
	const steps = async (line: number) =>
		(await ours.insist("GET", `/customers/acme/invoices/${invoiceId}/lines/${line}/explain`)).steps.map(
			({ of, arithmetic }: { of: string; arithmetic: string }) => `${of} = ${arithmetic}`,
		);
	expect((await steps(1)).slice(0, 3)).toEqual([
		"units = max(16, 0)",
		"cost = min(0.5 * 16, 40)",
		"amount = round(8, 2)",
	]);
	expect((await steps(2)).slice(2, 3)).toEqual(["amount = max(round(10, 2) - 8, 0)"]);

	const plant = (statement: string): string[] => whilePlanted(ours.db.$client, statement, () => findings(ours));
	writePricesPlain(ours.db.$client);
	expect(findings(ours)).toEqual([]);
	for (const statement of [
		"UPDATE invoice_lines SET amount = '3', total = '3' WHERE kind = 'MinimumSpendCharge'",
		"DELETE FROM invoice_lines WHERE kind = 'MinimumSpendCharge'",
		"UPDATE charge_periods SET usage_state = '{}'",
		'UPDATE charge_periods SET usage_state = \'{"minimums":["12"]}\'',
		'UPDATE invoice_lines SET basis = replace(basis, \'"maximumAmount":"40"\', \'"maximumAmount":"4"\')',
	])
		expect([statement, plant(statement).length > 0]).toEqual([statement, true]);
});
