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
import { segmented, send, variant } from "./events";

setDefaultTimeout(60_000);

const tiers = [{ upTo: 10, unitPrice: { amount: 3, currency: "usd" } }, { unitPrice: { amount: 2, currency: "usd" } }];
const variants = [
	variant({ model: ["large", "huge"], region: ["eu"] }, 12, { id: "large-eu" }),
	{ match: { model: ["large"] }, tiers },
	variant({ region: ["*"] }, 5, { blockSize: 10 }),
];
const calls = segmented(2, variants, {
	...{ key: "api", groupBy: ["team"], tiersMode: "GRADUATED" },
	period: { price: undefined, tiers, minimumAmount: 20 },
});

test("GraphQL, the catalogue file, the dry run, a simulation and a preview know variants and groups", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 5 }), used("calls", { month: 1 })]);
	await ours.buy("pro");
	await send(ours, 3, { model: "large", region: "eu", team: "red" });
	await send(ours, 4, { model: "large", region: "us", team: "blue" });
	await send(ours, 11, { region: "eu" });
	await ours.advance("2026-02-02T00:00:00Z");
	await draft(ours, "pro", flat({ month: 5 }), calls);
	await ours.use("tokens", 1);
	expect((await simulate(ours, "pro")).currencyTotals).toEqual([total(23, 5 + 36 + 12 + 10)]);
	const shown = {
		key: "api",
		groupBy: ["team"],
		variants: [
			{ id: "large-eu", match: { model: ["large", "huge"], region: ["eu"] }, price: { amount: 12, currency: "usd" } },
			{ id: "variant-2", match: { model: ["large"] }, tiers: [tiers[0], { ...tiers[1], upTo: null }] },
			{ id: "variant-3", match: { region: ["*"] }, price: { amount: 5, currency: "usd" }, blockSize: 10 },
		],
	};
	const dryRun = await ours.insist("POST", "/plans/pro/publish?dryRun=true", { migrationType: "ALL_CUSTOMERS" });
	expect(JSON.stringify(dryRun)).toContain('"groupBy":["team"]');
	await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	const charges = await ours.insist("GET", "/plans/pro/charges?version=2");
	expect(charges).toContainEqual(expect.objectContaining(shown));
	const { plans } = await data(
		ours,
		`{ plans { edges { node { prices { key groupBy variants { id match blockSize price { amount currency }
			tiers { upTo unitPrice { amount } } } } } } } }`,
	);
	expect(plans.edges[0].node.prices).toContainEqual({
		...{ key: "api", groupBy: ["team"] },
		variants: expect.arrayContaining([
			expect.objectContaining({
				id: "large-eu",
				match: shown.variants[0]?.match,
				price: { amount: 12, currency: "USD" },
			}),
			expect.objectContaining({ id: "variant-3", blockSize: 10, tiers: null }),
		]),
	});
	const text = writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");
	expect(apply(ours, text).changes).toEqual([]);
	expect(apply(ours, text.replace("blockSize: 10", "blockSize: 20")).changes).toHaveLength(1);
	await ours.customer("next");
	const preview = await ours.insist("POST", "/subscriptions/preview", {
		...{ customerId: "next", planId: "pro", billableFeatures: [{ featureId: "calls", quantity: 11 }] },
	});
	expect(preview.recurringInvoice.total).toBe(5 + 32);
	await ours.insist("POST", "/plans", { id: "copy", displayName: "Copy", productId: "app" });
	const namedByGraphql = {
		...calls,
		pricePeriods: calls.pricePeriods.map((period) => ({
			...period,
			variants: variants.map((one) => ("id" in one ? { ...one, refId: one.id, id: undefined } : one)),
		})),
	};
	await data(ours, "mutation ($input: SetPackagePricingInput!) { setPlanPricing(input: $input) { id } }", {
		input: { refId: "copy", pricingType: "PAID", pricingModels: [namedByGraphql] },
	});
	expect(await ours.insist("GET", "/plans/copy/charges?version=1")).toEqual([expect.objectContaining(shown)]);
});

test("lines name the charge, the variant and the group, explanations repeat their figures, and the check finds changed ones", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const price = segmented(2, [variant({ model: ["large"] }, 3, { id: "large" })], {
		...{ key: "api", groupBy: ["team"] },
		period: { maximumAmount: 50 },
	});
	await ours.plan("pro", [price]);
	await ours.buy("pro");
	await send(ours, 16, { model: "large", team: "red" });
	await send(ours, 4, { model: "small", team: "blue" });
	await ours.advance("2026-02-01T00:00:00Z");
	const [{ invoiceId, lineItems }] = await ours.insist("GET", "/customers/acme/invoices");
	expect(lineItems).toMatchObject([
		{ chargeKey: "api", variantId: "large", dimensions: { team: "red" }, quantity: 16, unitPrice: 3, amount: 48 },
		{ chargeKey: "api", dimensions: { team: "blue" }, quantity: 4, unitPrice: 2, amount: 8 },
		{ description: "Maximum: Calls (pro)", amount: -6 },
	]);
	const explained = async (line: number) =>
		ours.insist("GET", `/customers/acme/invoices/${invoiceId}/lines/${line}/explain`);
	const steps = async (line: number) =>
		(await explained(line)).steps.map(
			({ of, arithmetic }: { of: string; arithmetic: string }) => `${of} = ${arithmetic}`,
		);
	expect(await explained(1)).toMatchObject({ chargeKey: "api", variantId: "large", dimensions: { team: "red" } });
	expect((await steps(1)).slice(0, 3)).toEqual(["units = max(16, 0)", "cost = 3 * 16", "amount = round(48, 2)"]);
	expect((await steps(3))[0]).toBe("amount = round(min(56, 50), 2) - round(min(0, 50), 2) - (56 - 0)");
	expect(findings(ours)).toEqual([]);
	const { $client } = ours.db;
	writePricesPlain($client);
	for (const statement of [
		"UPDATE invoice_lines SET amount = '9', total = '9' WHERE amount = '8'",
		"DELETE FROM invoice_lines WHERE amount = '8'",
		"DELETE FROM invoice_lines WHERE amount = '-6'",
		"UPDATE charge_periods SET usage_quantity = '57'",
		"UPDATE charge_periods SET usage_state = '{}'",
		'UPDATE charge_periods SET usage_state = replace(usage_state, \'"quantity":"16"\', \'"quantity":"15"\')',
		'UPDATE invoice_lines SET basis = replace(basis, \'"team":"red"\', \'"team":"green"\')',
		'UPDATE invoice_lines SET basis = replace(basis, \'"amount":"3"\', \'"amount":"4"\')',
	]) {
		const found = whilePlanted($client, statement, () => findings(ours));
		expect([statement, found.length > 0]).toEqual([statement, true]);
	}
});

test("reported usage goes to the variant of its dimensions", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.insist("POST", "/features", {
		...{ id: "jobs", displayName: "Jobs", featureType: "NUMBER", meterType: "INCREMENTAL" },
		...{ featureUnits: "job", featureUnitsPlural: "jobs" },
	});
	await ours.plan("pro", [{ ...segmented(1, [variant({ size: ["5"] }, 4)]), featureId: "jobs" }]);
	await ours.buy("pro");
	for (const [value, dimensions] of [
		[2, { size: 5 }],
		[3, { size: "5" }],
		[4, {}],
	] as const)
		await ours.insist("POST", "/usage", {
			usages: [{ customerId: "acme", featureId: "jobs", value, dimensions, updateBehavior: "DELTA" }],
		});
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-02-01: 24 = 5 Jobs (pro): variant-1 20 + 4 Jobs (pro) 4"]);
	expect(findings(ours)).toEqual([]);
});

test("beyond 1,000 groups one line shows all of them with their number", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [segmented(0.004, [], { groupBy: ["user"] })]);
	const id = await ours.buy("pro");
	const batch = (from: number, to: number) =>
		Array.from({ length: to - from }, (_, at) => ({
			...{ eventName: "calls", customerId: "acme", idempotencyKey: `g${from + at}` },
			...{ dimensions: { n: 2, user: `u${from + at}` }, timestamp: "2026-01-02T00:00:00Z" },
		}));
	await ours.insist("POST", "/events", { events: batch(0, 600) });
	await ours.use("tokens", 0);
	await ours.advance("2026-01-10T00:00:00Z");
	await ours.chargeUsage(id);
	await ours.insist("POST", "/events", { events: batch(600, 1001) });
	await ours.use("tokens", 0);
	await ours.advance("2026-02-01T00:00:00Z");
	const [first, second] = await ours.books();
	// Each of 600 lines rounds 0.008; then one line rounds 1001 times 0.008.
	expect(first).toStartWith("2026-01-10: 6 = ");
	expect(second).toBe("2026-02-01: 2.01 = 1001 All groups: Calls (pro): 1001 2.01");
	expect(findings(ours)).toEqual([]);
});
