import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { systemActor } from "../../../../../src/areas/access/rules.actors";
import { exportCatalogue } from "../../../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../../../src/areas/catalog/rules.file";
import { viewDifference } from "../../../../../src/areas/catalog/rules.summary";
import { runImport } from "../../../../../src/areas/subscriptions/import/import";
import { previewNextInvoice } from "../../../../../src/areas/subscriptions/preview/next-invoice";
import { type Instant, toIso } from "../../../../../src/kernel/clock";
import { claimTask } from "../../../../../src/tasks/operations";
import { data } from "../../../../graphql/ask";
import { writePricesPlain } from "../../../../support/plain-prices";
import { whilePlanted } from "../../../../support/planted";
import { apply } from "../../../catalog/files";
import { findings } from "../../../pricing/window-cost/findings";
import { draft, simulate, total } from "../../../simulations/simulation";
import { beyond, flat, perUnit, till, used } from "../../billing";

setDefaultTimeout(60_000);

const usd = (amount: number) => ({ amount, currency: "usd" });
const every = (count: number, unit = "MONTH") => ({ chargeInterval: { unit, count } });
const calls = (price: number, interval: object, more: object = {}) => ({
	billingModel: "USAGE_BASED",
	featureId: "calls",
	pricePeriods: [{ billingPeriod: "ANNUALLY", price: usd(price), ...interval, ...more }],
});
const quarter = { unit: "MONTH", count: 3 };

test("REST, GraphQL and the catalogue file carry the interval; the default is not shown", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ year: 12 }), calls(0.5, every(3))]);
	const [fee, usage] = (await ours.insist("GET", "/plans/pro/charges")).toSorted((one: { featureId: string | null }) =>
		one.featureId === null ? -1 : 1,
	);
	expect([fee.chargeInterval, usage.chargeInterval]).toEqual([undefined, quarter]);
	const id = await ours.buy("pro");
	const { prices } = await ours.insist("GET", `/subscriptions/${id}`);
	expect(prices).toContainEqual(expect.objectContaining({ featureId: "calls", chargeInterval: quarter }));
	const { plans } = await data(ours, "{ plans { edges { node { prices { chargeInterval { unit count } } } } } }");
	expect(plans.edges[0].node.prices).toContainEqual({ chargeInterval: quarter });

	const text = writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");
	expect(apply(ours, text).changes).toEqual([]);
	expect(text).toMatch(/chargeInterval:\s+unit: MONTH\s+count: 3/);
	const changed = apply(ours, text.replace(/(chargeInterval:\s+unit: MONTH\s+count:) 3/, "$1 6"));
	expect(viewDifference(changed, true)).toContain("chargeInterval");

	await ours.insist("POST", "/plans", { id: "next", displayName: "Next", productId: "app" });
	const pricing = (interval: object) => ({ refId: "next", pricingType: "PAID", pricingModels: [calls(0.5, interval)] });
	const ask = "mutation ($input: SetPackagePricingInput!) { setPlanPricing(input: $input) { id } }";
	await data(ours, ask, { input: pricing(every(1, "MONTH")) });
	expect(await ours.insist("GET", "/plans/next/charges?version=1")).toMatchObject([
		{ chargeInterval: { unit: "MONTH", count: 1 } },
	]);
	await ours.insist("PATCH", "/plans/next", {
		charges: { pricingType: "PAID", pricingModels: [used("calls", { month: 1 }, every(1))] },
	});
	const [own] = await ours.insist("GET", "/plans/next/charges?version=1");
	expect(own).not.toHaveProperty("chargeInterval");
});

test("a dry run of a publication, a simulation and the preview of the next invoice know the interval", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const bounded = (count: number) => calls(0.5, every(count), { minimumAmount: 30 });
	await ours.plan("pro", [flat({ year: 12 }), calls(0.5, every(1))]);
	const id = await ours.buy("pro");
	await ours.use("calls", 100);
	await ours.advance("2026-02-02T00:00:00Z");
	await ours.use("calls", 10);
	const next = ours.transactions.write(ours.actor, (work) => previewNextInvoice(work, id));
	expect([toIso(next?.invoice.issuedAt ?? (0 as Instant)), next?.invoice.total]).toEqual([
		"2026-03-01T00:00:00.000Z",
		"5",
	]);
	await ours.advance("2027-01-02T00:00:00Z");
	await draft(ours, "pro", flat({ year: 12 }), bounded(3));
	// Windows: 55.00, and three true-ups of 30.00.
	expect((await simulate(ours, "pro")).currencyTotals).toEqual([total(67, 157)]);
	const dryRun = await ours.insist("POST", "/plans/pro/publish?dryRun=true", { migrationType: "ALL_CUSTOMERS" });
	expect(JSON.stringify(dryRun)).toContain('"chargeInterval":{"unit":"MONTH","count":3}');
});

test("an import bills the windows that end after it", async () => {
	const ours = await till("2026-05-10T00:00:00Z");
	await ours.plan("pro", [flat({ year: 12 }), calls(0.5, every(3))]);
	await ours.insist("POST", "/subscriptions/import", {
		subscriptions: [
			{
				id: "moved",
				customerId: "acme",
				planId: "pro",
				startDate: "2026-02-15T00:00:00.000Z",
				billingPeriod: "ANNUALLY",
			},
		],
	});
	const task = ours.transactions.write(systemActor(""), (work) => claimTask(work, ["IMPORT_SUBSCRIPTIONS"]));
	if (task) await runImport(ours.thread, task);
	await ours.advance("2026-05-11T00:00:00Z");
	await ours.use("calls", 10);
	await ours.advance("2026-05-16T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-05-15: 5 = 10 Calls (pro) 5"]);
	expect(findings(ours)).toEqual([]);
});

test("each line explains its figures, and the check finds a changed interval", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ year: 12 }), calls(0.5, every(3))]);
	await ours.buy("pro");
	await ours.use("calls", 16);
	await ours.advance("2026-04-02T00:00:00Z");
	await ours.use("calls", 4);
	await ours.advance("2026-07-02T00:00:00Z");
	const { invoiceId } = (await ours.insist("GET", "/customers/acme/invoices")).at(-1);
	const { steps } = await ours.insist("GET", `/customers/acme/invoices/${invoiceId}/lines/1/explain`);
	expect(JSON.stringify(steps)).toContain("0.5 * 4");

	const plant = (statement: string): string[] => whilePlanted(ours.db.$client, statement, () => findings(ours));
	writePricesPlain(ours.db.$client);
	expect(findings(ours)).toEqual([]);
	const usage = "charge_id IN (SELECT id FROM billing_charges WHERE key LIKE 'usage/%')";
	for (const statement of [
		'UPDATE billing_charges SET interval = \'{"unit":"MONTH","count":1}\' WHERE key LIKE \'usage/%\'',
		'UPDATE invoice_lines SET basis = replace(basis, \'"chargeInterval":"QUARTERLY"\', \'"chargeInterval":"MONTHLY"\')',
		`UPDATE charge_periods SET ends_at = ends_at + 86400000 WHERE ${usage}`,
		`UPDATE charge_periods SET starts_at = starts_at - 86400000 WHERE ${usage}`,
		`DELETE FROM invoice_lines WHERE basis LIKE '%chargeInterval%'`,
	])
		expect([statement, plant(statement).length > 0]).toEqual([statement, true]);
});

describe("an interval is refused without a trace", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.insist("POST", "/plans", { id: "pro", displayName: "Pro", productId: "app" });
	const year = { year: 1 };
	const of = (model: ReturnType<typeof flat> | ReturnType<typeof perUnit>, interval: object) => ({
		...model,
		pricePeriods: model.pricePeriods.map((one) => ({ ...one, ...interval })),
	});
	const credits = {
		billingModel: "USAGE_BASED",
		currencyId: "gold",
		pricePeriods: of(flat(year), every(1)).pricePeriods,
	};

	const { pricePeriods: monthly, ...limited } = beyond("calls", 5, { month: 1 });
	const longOverage = { ...limited, pricePeriods: monthly.map((one) => ({ ...one, ...every(3) })) };

	test.each([
		["days within months", [calls(1, every(7, "DAY"))], {}, "BadUserInput", "WEEKLY and the billing period ANNUALLY"],
		["five months of twelve", [calls(1, every(5))], {}, "BadUserInput", "billing period ANNUALLY"],
		["more than ten years", [used("calls", { month: 1 }, every(121))], {}, "BadUserInput", "ten years"],
		[
			"overage for longer than the period",
			[flat(year)],
			{ overagePricingModels: [longOverage] },
			"UnsupportedParameter",
			"overage is billed once",
		],
		[
			"a monthly price that would share the windows of a quarterly one",
			[
				{ ...used("calls", { month: 1 }), key: "a" },
				{ ...of(used("calls", { month: 1 }), { billingPeriod: "QUARTERLY" }), key: "b" },
			],
			{},
			"BadUserInput",
			"share the windows of charges.pricingModels[1]",
		],
		["a fee", [of(flat(year), every(1))], {}, "UnsupportedParameter", "only usage and overage"],
		["units", [of(perUnit("seats", year), every(1))], {}, "UnsupportedParameter", "only usage and overage"],
		["a contract", [calls(1, every(1))], { pricingType: "CUSTOM" }, "UnsupportedParameter", "a contract bills"],
		[
			"overage of credits",
			[flat(year)],
			{ overagePricingModels: [credits] },
			"UnsupportedParameter",
			"overage of credits",
		],
		["the year itself", [calls(1, every(1, "YEAR"))], {}, "BadUserInput", "is ANNUALLY"],
		["no interval", [calls(1, every(0))], {}, "BadUserInput", "chargeInterval"],
		[
			"quarters of usage that resets each month",
			[{ ...calls(1, every(3)), resetPeriod: "MONTH" }],
			{},
			"InvalidEntitlementResetPeriod",
			"counted by the months",
		],
	] as const)("%s", async (_, pricingModels, more, code, message) => {
		const { status, body } = await ours.call("PATCH", "/plans/pro", {
			body: { charges: { pricingType: "PAID", pricingModels, ...more } },
		});
		expect([status, body.code, body.message]).toEqual([400, code, expect.stringContaining(message)]);
		expect(await ours.insist("GET", "/plans/pro/charges?version=1")).toEqual([]);
	});

	test("a published version", async () => {
		await ours.plan("sold", [flat(year), calls(1, every(3))]);
		const { status, body } = await ours.call("PATCH", "/plans/sold", {
			body: { charges: { pricingType: "PAID", pricingModels: [calls(1, every(1))] } },
		});
		expect([status, body.code]).toEqual([400, "CannotEditPackageInNonDraftMode"]);
	});

	test("a monthly price next to a quarterly one is accepted with an interval of its own", async () => {
		const quarterly = { billingPeriod: "QUARTERLY" };
		const both = [
			{ ...of(used("calls", { month: 1 }), { ...quarterly, ...every(1) }), key: "a" },
			{ ...of(used("calls", { month: 1 }), quarterly), key: "b" },
		];
		const charges = { pricingType: "PAID", pricingModels: both };
		expect((await ours.call("PATCH", "/plans/pro", { body: { charges } })).status).toBe(200);
	});

	test("overage beyond a limit is accepted", async () => {
		const overage = { ...beyond("calls", 5, { year: 1 }) };
		const { status } = await ours.call("PATCH", "/plans/pro", {
			body: {
				charges: {
					pricingType: "PAID",
					pricingModels: [flat(year)],
					overagePricingModels: [
						{ ...overage, pricePeriods: overage.pricePeriods.map((one) => ({ ...one, ...every(3) })) },
					],
				},
			},
		});
		expect(status).toBe(200);
	});
});
