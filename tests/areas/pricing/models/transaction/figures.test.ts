import { expect, setDefaultTimeout, test } from "bun:test";
import { exportCatalogue } from "../../../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../../../src/areas/catalog/rules.file";
import { data } from "../../../../graphql/ask";
import { writePricesPlain } from "../../../../support/plain-prices";
import { whilePlanted } from "../../../../support/planted";
import { apply } from "../../../catalog/files";
import { draft, simulate, total } from "../../../simulations/simulation";
import { flat, type Till, till, used } from "../../../subscriptions/billing";
import { findings } from "../../window-cost/findings";

setDefaultTimeout(60_000);

const transactions = (transactionPrice: object, more: object = {}) => ({
	billingModel: "USAGE_BASED",
	featureId: "calls",
	pricePeriods: [{ billingPeriod: "MONTHLY", transactionPrice, ...more }],
});
const bounded = { percentRate: 1.2, fixedFee: 0.1, minimum: 0.5, maximum: 10, currency: "usd" };

async function billed(transactionPrice: object, values: readonly number[]): Promise<Till> {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [transactions(transactionPrice)]);
	await ours.buy("pro");
	for (const [at, value] of values.entries()) await ours.use("calls", value, `2026-01-01T0${at}:00:00Z`);
	await ours.advance("2026-02-01T00:00:00Z");
	return ours;
}

test.each([
	["bounds", bounded, [20, 250, 2000], "3 Calls (pro) 13.6"],
	["one free transaction", { ...bounded, freeTransactions: 1 }, [20, 250, 2000], "3 Calls (pro) 13.1"],
	[
		"a free amount",
		{ percentRate: 1.2, fixedFee: 0.1, freeAmount: 100, currency: "usd" },
		[20, 250],
		"2 Calls (pro) 2.14",
	],
	["an amount reached exactly", { percentRate: 10, freeAmount: 30, currency: "usd" }, [10, 20, 5], "3 Calls (pro) 0.5"],
	[
		"the first allowance ends both",
		{ percentRate: 10, freeTransactions: 1, freeAmount: 100, currency: "usd" },
		[10, 20],
		"2 Calls (pro) 2",
	],
	["the value 0", { percentRate: 10, fixedFee: 0.3, currency: "usd" }, [0, -5], "Calls (pro) 0.3"],
] as const)("2.10: percentages with %s", async (_, price, values, line) => {
	const ours = await billed(price, values);
	expect(await ours.books()).toEqual([`2026-02-01: ${line.split(" ").at(-1)} = ${line}`]);
	expect(findings(ours)).toEqual([]);
});

test("2.10: a value that is missing, or a text, costs nothing, and the explanation says so", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [transactions(bounded)]);
	await ours.buy("pro");
	const send = (idempotencyKey: string, dimensions: object) =>
		ours.insist("POST", "/events", {
			events: [
				{ eventName: "calls", customerId: "acme", idempotencyKey, dimensions, timestamp: "2026-01-02T00:00:00Z" },
			],
		});
	await send("a", {});
	await send("b", { n: "much" });
	await ours.use("calls", 250);
	await ours.advance("2026-02-01T00:00:00Z");
	const [{ invoiceId }] = await ours.insist("GET", "/customers/acme/invoices");
	const { steps } = await ours.insist("GET", `/customers/acme/invoices/${invoiceId}/lines/1/explain`);
	expect(steps.slice(0, 3)).toEqual([
		expect.objectContaining({
			of: "units",
			text: expect.stringContaining("without 2 whose value is missing"),
			value: 1,
		}),
		expect.objectContaining({ of: "cost", arithmetic: "250 * 1.2 / 100 + 0.1 * 1", value: 3.1 }),
		expect.objectContaining({ of: "amount", value: 3.1 }),
	]);
});

test("2.11: the amount comes from the event by a formula", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [transactions({ formula: "provider_cost * 1.2", currency: "usd" })]);
	await ours.buy("pro");
	const events = [0.0134, 0.0271, 1.5, -3].map((provider_cost, at) => ({
		...{ eventName: "calls", customerId: "acme", idempotencyKey: `p${at}` },
		...{ dimensions: { provider_cost, n: 1 }, timestamp: "2026-01-02T00:00:00Z" },
	}));
	await ours.insist("POST", "/events", { events });
	await ours.use("tokens", 1);
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-02-01: 1.85 = 4 Calls (pro) 1.85"]);
	expect(findings(ours)).toEqual([]);
});

test("interim bills, late and canceled transactions make the same sum as one bill", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [transactions({ ...bounded, freeTransactions: 1 }, { maximumAmount: 25 })]);
	const id = await ours.buy("pro");
	await ours.use("calls", 2000, "2026-01-01T10:00:00Z");
	const taken = await ours.use("calls", 250, "2026-01-01T11:00:00Z");
	await ours.advance("2026-01-10T00:00:00Z");
	await ours.chargeUsage(id);
	// The earlier transaction becomes the free one.
	await ours.use("calls", 20, "2026-01-01T09:00:00Z");
	await ours.advance("2026-02-01T00:00:00Z");
	await ours.use("calls", 5000, "2026-01-20T00:00:00Z");
	await ours.cancelEvents(taken);
	await ours.use("calls", 5000, "2026-01-21T00:00:00Z");
	await ours.advance("2026-03-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-01-10: 3.1 = 2 Calls (pro) 3.1",
		expect.stringMatching(/^2026-02-01: 10 = /),
		// 10 + 10 + 10 are 30, at most 25, of which 13.10 are billed.
		expect.stringMatching(/^2026-03-01: 11.9 = /),
	]);
	expect(findings(ours)).toEqual([]);
});

test("GraphQL, the catalogue file, the dry run, a simulation and a preview know the price", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 5 }), used("calls", { month: 0.01 })]);
	await ours.buy("pro");
	for (const value of [20, 250, 2000]) await ours.use("calls", value);
	await ours.advance("2026-02-02T00:00:00Z");
	await draft(ours, "pro", flat({ month: 5 }), transactions(bounded));
	await ours.use("tokens", 1);
	expect((await simulate(ours, "pro")).currencyTotals).toEqual([total(27.7, 18.6)]);
	const dryRun = await ours.insist("POST", "/plans/pro/publish?dryRun=true", { migrationType: "ALL_CUSTOMERS" });
	expect(JSON.stringify(dryRun)).toContain('"percentRate":1.2');
	await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	const { plans } = await data(
		ours,
		"{ plans { edges { node { prices { transactionPrice { percentRate fixedFee minimum maximum currency } } } } } }",
	);
	expect(plans.edges[0].node.prices).toContainEqual({ transactionPrice: { ...bounded, currency: "USD" } });
	const text = writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");
	expect(apply(ours, text).changes).toEqual([]);
	expect(apply(ours, text.replace("percentRate: 1.2", "percentRate: 1.3")).changes).toHaveLength(1);
	await ours.customer("next");
	const preview = await ours.insist("POST", "/subscriptions/preview", {
		...{ customerId: "next", planId: "pro", billableFeatures: [{ featureId: "calls", quantity: 250 }] },
	});
	expect(preview.recurringInvoice.total).toBe(5 + 0.1 + 250 * 0.013);
});

test("the check finds a changed count of transactions", async () => {
	const ours = await billed(bounded, [20, 250, 2000]);
	expect(findings(ours)).toEqual([]);
	const { $client } = ours.db;
	writePricesPlain($client);
	for (const statement of [
		"UPDATE charge_periods SET usage_quantity = '12'",
		"UPDATE invoice_lines SET amount = '13.5', total = '13.5'",
		'UPDATE invoice_lines SET basis = replace(basis, \'"percentRate":"1.2"\', \'"percentRate":"1.1"\')',
	]) {
		const found = whilePlanted($client, statement, () => findings(ours));
		expect([statement, found.length > 0]).toEqual([statement, true]);
	}
});
