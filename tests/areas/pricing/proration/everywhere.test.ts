import { expect, setDefaultTimeout, test } from "bun:test";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { exportCatalogue } from "../../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../../src/areas/catalog/rules.file";
import { viewDifference } from "../../../../src/areas/catalog/rules.summary";
import { runImport } from "../../../../src/areas/subscriptions/import/import";
import { claimTask } from "../../../../src/tasks/operations";
import { data } from "../../../graphql/ask";
import { apply } from "../../catalog/files";
import { flat, perUnit, type Till, till, units, used } from "../../subscriptions/billing";

setDefaultTimeout(60_000);

/** The plan `pro` with a fee by day, which refunds nothing, and seats by months of thirty days. */
async function shop(): Promise<Till> {
	const ours = await till("2026-02-11T12:00:00Z");
	await ours.insist("PATCH", "/environments/current", { billingAnchor: "START_OF_THE_MONTH" });
	await ours.plan(
		"pro",
		[flat({ month: 100 }, { prorationMode: "BY_DAY", refundsUnusedTime: false }), perUnit("seats", { month: 10 })],
		{ prorationMode: "THIRTY_DAY_MONTH", minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 5 } }] },
	);
	return ours;
}

test("REST shows the terms of prices, plan and environment, and leaves defaults out", async () => {
	const ours = await shop();
	expect(await ours.insist("GET", "/environments/current")).toMatchObject({ prorationMode: "BY_TIME" });
	expect(await ours.insist("GET", "/plans/pro")).toMatchObject({ prorationMode: "THIRTY_DAY_MONTH" });
	const charges = await ours.insist("GET", "/plans/pro/charges");
	const stated = charges.map(({ billingModel, prorationMode, refundsUnusedTime }: Record<string, unknown>) => [
		billingModel,
		prorationMode,
		refundsUnusedTime,
	]);
	expect(stated).toEqual(
		expect.arrayContaining([
			["FLAT_FEE", "BY_DAY", false],
			["PER_UNIT", undefined, undefined],
		]),
	);
});

test("a preview and a provision charge the same parts, and the minimum spend follows the plan", async () => {
	const ours = await shop();
	const body = { customerId: "acme", planId: "pro", ...units("seats", 3) };
	const preview = await ours.insist("POST", "/subscriptions/preview", body);
	await ours.insist("POST", "/subscriptions", body);
	expect(await ours.books()).toEqual(["2026-02-11T12:00: 87.62 = pro 64.29 + 3 Seats (pro) 20 + Minimum spend 3.33"]);
	expect(preview.immediateInvoice.total).toBe(87.62);
	await ours.customer("other");
	const none = await ours.insist("POST", "/subscriptions/preview", {
		...body,
		customerId: "other",
		prorationMode: "NONE",
	});
	expect(none.immediateInvoice.total).toBe(64.29 + 30 + 5);
});

test("an explanation counts days, and the price of added units", async () => {
	const ours = await shop();
	const id = await ours.buy("pro", { ...units("seats", 3), prorationMode: "NONE" });
	await ours.change(id, units("seats", 5));
	const invoices = await ours.insist("GET", "/customers/acme/invoices?limit=100");
	const explained = async (nth: number, line: number) =>
		(await ours.insist("GET", `/customers/acme/invoices/${invoices[nth].invoiceId}/lines/${line}/explain`)).steps.slice(
			0,
			3,
		);
	expect(await explained(0, 1)).toMatchObject([
		{ arithmetic: "100 * 1", value: 100 },
		{ text: "The charge: the part of the period, in days, rounded once.", arithmetic: "round(100 * 18 / 28, 2)" },
		{ of: "discount" },
	]);
	expect(await explained(1, 1)).toMatchObject([
		{ of: "cost", arithmetic: "10 * 5", value: 50 },
		{ of: "costBilledBefore", arithmetic: "10 * 3", value: 30 },
		{ of: "amount", arithmetic: "round(20, 2)", value: 20 },
	]);
});

test("GraphQL sets and shows every level", async () => {
	const ours = await shop();
	const { plans } = await data(
		ours,
		"{ plans { edges { node { prorationMode prices { billingModel prorationMode refundsUnusedTime } } } } }",
	);
	expect(plans.edges[0].node.prorationMode).toBe("THIRTY_DAY_MONTH");
	expect(plans.edges[0].node.prices).toEqual(
		expect.arrayContaining([{ billingModel: "FLAT_FEE", prorationMode: "BY_DAY", refundsUnusedTime: false }]),
	);
	const { provisionSubscription } = await data(
		ours,
		"mutation ($input: ProvisionSubscriptionInput!) { provisionSubscription(input: $input) { subscription { id refId prorationMode } } }",
		{ input: { customerId: "acme", planId: "pro", unitQuantity: 1, prorationMode: "NONE" } },
	);
	const { refId, prorationMode } = provisionSubscription.subscription;
	expect(prorationMode).toBe("NONE");
	const { updateSubscription } = await data(
		ours,
		"mutation ($input: UpdateSubscriptionInput!) { updateSubscription(input: $input) { prorationMode } }",
		{ input: { subscriptionId: refId, prorationMode: null } },
	);
	expect(updateSubscription).toEqual({ prorationMode: null });
	const { updateOneEnvironment } = await data(
		ours,
		"mutation { updateOneEnvironment(input: { prorationMode: BY_DAY }) { prorationMode } }",
	);
	expect(updateOneEnvironment).toEqual({ prorationMode: "BY_DAY" });
});

test("the catalogue file states the terms, names changed ones, and applies to nothing new", async () => {
	const ours = await shop();
	const text = writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");
	expect(text).toContain("prorationMode: THIRTY_DAY_MONTH");
	expect(text).toContain("refundsUnusedTime: false");
	expect(apply(ours, text).changes).toEqual([]);
	const changed = viewDifference(apply(ours, text.replace("THIRTY_DAY_MONTH", "NONE")), true);
	expect(changed).toContain("charges.prorationMode");
});

test("a trial publication shows the new mode of each price", async () => {
	const ours = await shop();
	await ours.insist("POST", "/plans/pro/draft");
	await ours.insist("PATCH", "/plans/pro", {
		charges: {
			pricingType: "PAID",
			prorationMode: "NONE",
			pricingModels: [flat({ month: 100 }), perUnit("seats", { month: 10 })],
		},
	});
	const dryRun = await ours.insist("POST", "/plans/pro/publish?dryRun=true", { migrationType: "NEW_CUSTOMERS" });
	const modes = dryRun.impact.charges.map(({ before, after }: Record<string, { prorationMode?: string } | null>) => [
		before?.prorationMode,
		after?.prorationMode,
	]);
	expect(modes).toEqual([
		["BY_DAY", "NONE"],
		["THIRTY_DAY_MONTH", "NONE"],
		["THIRTY_DAY_MONTH", undefined],
	]);
});

test("an import keeps its mode for later changes", async () => {
	const ours = await shop();
	const { taskId } = await ours.insist("POST", "/subscriptions/import", {
		subscriptions: [
			{
				id: "moved",
				customerId: "acme",
				planId: "pro",
				startDate: "2026-01-01T00:00:00Z",
				prorationMode: "NONE",
				charges: [{ id: "seats", quantity: 3, type: "FEATURE" }],
			},
		],
	});
	const task = ours.transactions.write(systemActor(""), (work) => claimTask(work, ["IMPORT_SUBSCRIPTIONS"]));
	if (!task) throw new Error("the import is queued");
	await runImport(ours.thread, task);
	expect(await ours.insist("GET", `/tasks/${taskId}`)).toMatchObject({ status: "COMPLETED" });
	await ours.change("moved", units("seats", 5));
	expect(await ours.books()).toEqual(["2026-02-11T12:00: 20 = 2 Seats (pro) 20"]);
});

test("a plan that replaces another keeps the customer's mode", async () => {
	const ours = await shop();
	await ours.plan("max", [flat({ month: 300 })]);
	await ours.buy("pro", { ...units("seats", 1), prorationMode: "NONE" });
	const id = await ours.buy("max");
	expect(await ours.insist("GET", `/subscriptions/${id}`)).toMatchObject({ prorationMode: "NONE" });
	expect((await ours.books()).at(-1)).toBe("2026-02-11T12:00: 300 = max 300");
});

const model = (more: object) => ({ charges: { pricingType: "PAID", pricingModels: [more] } });

test.each([
	["USAGE_BASED", model({ ...used("calls", { month: 1 }), prorationMode: "BY_DAY" }), "UnsupportedParameter", "[0]"],
	["USAGE_BASED", model({ ...used("calls", { month: 1 }), refundsUnusedTime: true }), "UnsupportedParameter", "[0]"],
	[
		"ONE_OFF",
		model(flat({ month: 1 }, { billingCadence: "ONE_OFF", prorationMode: "NONE" })),
		"UnsupportedParameter",
		"[0]",
	],
	[
		"ONE_OFF",
		model(flat({ month: 1 }, { billingCadence: "ONE_OFF", refundsUnusedTime: false })),
		"UnsupportedParameter",
		"[0]",
	],
	["CUSTOM", { charges: { pricingType: "CUSTOM", prorationMode: "NONE" } }, "UnsupportedParameter", "contract"],
	["FREE", { charges: { pricingType: "FREE", prorationMode: "NONE" } }, "BadUserInput", "FREE"],
	["an unknown mode", model(flat({ month: 1 }, { prorationMode: "BY_HOUR" })), "BadUserInput", "prorationMode"],
	["null", { charges: { pricingType: "PAID", prorationMode: null } }, "BadUserInput", "prorationMode"],
] as const)("a draft refuses a mode for %s and stays as it was", async (_, body, code, place) => {
	const ours = await till("2026-02-11T12:00:00Z");
	await ours.insist("POST", "/plans", { id: "pro", displayName: "pro", productId: "app" });
	const answer = await ours.call("PATCH", "/plans/pro", { body });
	expect([answer.status, answer.body.code]).toEqual([400, code]);
	expect(answer.body.message).toContain(place);
	expect(await ours.insist("GET", "/plans/pro/charges")).toEqual([]);
});

test("a published version refuses a change of its mode", async () => {
	const ours = await shop();
	const answer = await ours.call("PATCH", "/plans/pro", { body: model(flat({ month: 1 }, { prorationMode: "NONE" })) });
	expect(answer.body.code).toBe("CannotEditPackageInNonDraftMode");
});

test.each([
	["a free plan", "free", {}, "FREE"],
	[
		"a subscription that a contract bills",
		"pro",
		{ ...units("seats", 1), paymentCollectionMethod: "NONE" },
		"contract",
	],
] as const)("%s refuses a mode", async (_, planId, more, place) => {
	const ours = await shop();
	await ours.plan("free", []);
	const answer = await ours.call("POST", "/subscriptions", {
		body: { customerId: "acme", planId, ...more, prorationMode: "NONE" },
	});
	expect([answer.status, answer.body.code]).toEqual([400, "UnsupportedParameter"]);
	expect(answer.body.message).toContain(place);
	expect(await ours.insist("GET", "/subscriptions")).toEqual([]);
	const id = await ours.buy(planId, more);
	const change = await ours.call("PATCH", `/subscriptions/${id}`, { body: { prorationMode: "BY_DAY" } });
	expect(change.body.code).toBe("UnsupportedParameter");
});
