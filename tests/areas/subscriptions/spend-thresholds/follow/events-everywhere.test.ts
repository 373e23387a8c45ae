import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { exportCatalogue } from "../../../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../../../src/areas/catalog/rules.file";
import { viewDifference } from "../../../../../src/areas/catalog/rules.summary";
import { data } from "../../../../graphql/ask";
import { apply } from "../../../catalog/files";
import { draft, simulate, total } from "../../../simulations/simulation";
import { beyond, flat, perUnit, tiered, till, used } from "../../billing";

setDefaultTimeout(60_000);

const timed = (eventInvoicing?: string) => ({
	paymentTime: "AT_EVENT",
	...(eventInvoicing !== undefined && { eventInvoicing }),
});
const calls = (more: object = {}, terms: object = {}) => ({ ...used("calls", { month: 0.5 }, terms), ...more });

describe("a price that each event charges", () => {
	test("is in REST, GraphQL and the catalogue file", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [calls(timed("PERIOD_END"))]);
		const [usage] = await ours.insist("GET", "/plans/pro/charges");
		expect(usage).toMatchObject(timed("PERIOD_END"));
		const id = await ours.buy("pro");
		const { prices } = await ours.insist("GET", `/subscriptions/${id}`);
		expect(prices).toMatchObject([{ featureId: "calls", ...timed("PERIOD_END") }]);
		const { plans } = await data(ours, "{ plans { edges { node { prices { paymentTime eventInvoicing } } } } }");
		expect(plans.edges[0].node.prices).toEqual([timed("PERIOD_END")]);

		const text = writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");
		expect(apply(ours, text).changes).toEqual([]);
		expect(text).toMatch(/paymentTime: AT_EVENT\s+eventInvoicing: PERIOD_END/);
		const changed = apply(ours, text.replace("eventInvoicing: PERIOD_END", "eventInvoicing: EACH_EVENT"));
		expect(viewDifference(changed, true)).toContain("eventInvoicing");
		const now = writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");
		expect(now).toContain("paymentTime: AT_EVENT");
		expect(now).not.toContain("eventInvoicing");

		await ours.insist("POST", "/plans", { id: "next", displayName: "Next", productId: "app" });
		const ask = "mutation ($input: SetPackagePricingInput!) { setPlanPricing(input: $input) { id } }";
		const input = { refId: "next", pricingType: "PAID", pricingModels: [calls(timed())] };
		await data(ours, ask, { input });
		const [next] = await ours.insist("GET", "/plans/next/charges?version=1");
		expect(next).toMatchObject(timed("EACH_EVENT"));
	});

	test("shows in the dry run of a publication, and costs the same in a simulation", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 12 }), calls()]);
		await ours.buy("pro");
		await ours.use("calls", 10);
		await ours.advance("2026-02-02T00:00:00Z");
		await draft(ours, "pro", flat({ month: 12 }), calls(timed()));
		expect((await simulate(ours, "pro")).currencyTotals).toEqual([total(17, 17)]);
		const dryRun = await ours.insist("POST", "/plans/pro/publish?dryRun=true", { migrationType: "ALL_CUSTOMERS" });
		expect(JSON.stringify(dryRun)).toContain('"paymentTime":"AT_EVENT","eventInvoicing":"EACH_EVENT"');
	});

	test("is refused by an override that adds what only the end of a window settles", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [calls(timed())]);
		const id = await ours.buy("pro");
		for (const [field, value] of Object.entries({ minimumAmount: 5, commitment: { amount: 5 } })) {
			const priceOverrides = [{ featureId: "calls", [field]: value }];
			const { status, body } = await ours.call("PATCH", `/subscriptions/${id}`, { body: { priceOverrides } });
			expect([status, body.code]).toEqual([400, "UnsupportedParameter"]);
			expect(body.message).toContain(field);
		}
		await ours.change(id, { priceOverrides: [{ featureId: "calls", maximumAmount: 5 }] });
	});
});

describe("the payment time AT_EVENT is refused without a trace for", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const feature = async (id: string, meter?: object) => {
		await ours.insist("POST", "/features", {
			...{ id, displayName: id, featureType: "NUMBER", meterType: id === "level" ? "FLUCTUATING" : "INCREMENTAL" },
		});
		if (meter) await ours.insist("PATCH", `/features/${id}`, { meter });
	};
	const filters = [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "load" }] }];
	await feature("level");
	await feature("pages");
	await feature("load", { aggregation: { function: "AVG", field: "n" }, filters });
	await ours.insist("POST", "/plans", { id: "pro", displayName: "Pro", productId: "app" });
	const variants = [{ match: { region: ["eu"] }, price: { amount: 1, currency: "usd" } }];

	test.each([
		["a fee", [{ ...flat({ month: 1 }), ...timed() }], {}, "UnsupportedParameter", "FLAT_FEE has no events"],
		["units", [{ ...perUnit("seats", { month: 1 }), ...timed() }], {}, "UnsupportedParameter", "PER_UNIT has no"],
		["a contract", [calls(timed())], { pricingType: "CUSTOM" }, "UnsupportedParameter", "a contract bills"],
		[
			"volume tiers",
			[{ ...tiered("calls", "VOLUME", [[null, 1]]), ...timed() }],
			{},
			"UnsupportedParameter",
			"use 'tiersMode' GRADUATED",
		],
		[
			"a level over time",
			[{ ...used("level", { month: 1 }), usageMeasure: "TIME_WEIGHTED", ...timed() }],
			{},
			"UnsupportedParameter",
			"TIME_WEIGHTED charges a level",
		],
		[
			"the highest level",
			[{ ...used("level", { month: 1 }), usageMeasure: "PEAK", ...timed() }],
			{},
			"UnsupportedParameter",
			"PEAK charges a level",
		],
		[
			"an unused flat price",
			[{ ...tiered("calls", "GRADUATED", [[null, 1, 5]]), chargesFlatPriceUnused: true, ...timed() }],
			{},
			"UnsupportedParameter",
			"without events",
		],
		["a commitment", [calls(timed(), { commitment: { amount: 5 } })], {}, "UnsupportedParameter", "'commitment'"],
		["a minimum", [calls(timed(), { minimumAmount: 5 })], {}, "UnsupportedParameter", "'minimumAmount'"],
		["variants", [calls(timed(), { variants })], {}, "UnsupportedParameter", "variant or group"],
		["groups", [calls({ groupBy: ["region"], ...timed() })], {}, "UnsupportedParameter", "variant or group"],
		["an average", [{ ...used("load", { month: 1 }), ...timed() }], {}, "UnsupportedParameter", "is AVG"],
		[
			"reported usage",
			[{ ...used("pages", { month: 1 }), ...timed() }],
			{},
			"MeterMustBeAssociatedToMeteredFeature",
			"'pages' has none",
		],
		[
			"overage",
			[flat({ month: 1 })],
			{ overagePricingModels: [{ ...beyond("calls", 5, { month: 1 }), ...timed() }] },
			"BadUserInput",
			"paymentTime",
		],
		[
			"the prices of a phase",
			[flat({ month: 1 })],
			{
				phases: [{ id: "start", duration: { unit: "MONTH", count: 1 }, charges: { pricingModels: [calls(timed())] } }],
			},
			"UnsupportedParameter",
			"none of a phase",
		],
		["an unknown time", [calls({ paymentTime: "AT_NOON" })], {}, "BadUserInput", "paymentTime"],
		["an unknown invoicing", [calls(timed("NEVER"))], {}, "BadUserInput", "eventInvoicing"],
		["invoicing alone", [calls({ eventInvoicing: "EACH_EVENT" })], {}, "UnsupportedParameter", "set 'paymentTime'"],
		[
			"invoicing in arrears",
			[calls({ paymentTime: "IN_ARREARS", eventInvoicing: "PERIOD_END" })],
			{},
			"UnsupportedParameter",
			"set 'paymentTime'",
		],
	] as const)("%s", async (_, pricingModels, more, code, message) => {
		const { status, body } = await ours.call("PATCH", "/plans/pro", {
			body: { charges: { pricingType: "PAID", pricingModels, ...more } },
		});
		expect([status, body.code, body.message]).toEqual([400, code, expect.stringContaining(message)]);
		expect(await ours.insist("GET", "/plans/pro/charges?version=1")).toEqual([]);
	});
});
