import { expect, setDefaultTimeout, test } from "bun:test";
import { exportCatalogue } from "../../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../../src/areas/catalog/rules.file";
import { viewDifference } from "../../../../src/areas/catalog/rules.summary";
import { data } from "../../../graphql/ask";
import { refused } from "../../../support/refused";
import { apply } from "../../catalog/files";
import { draft } from "../../simulations/simulation";
import { flat, used } from "../../subscriptions/billing";
import { site, usd } from "../../subscriptions/spend-thresholds/site";

setDefaultTimeout(60_000);

const api = [used("calls", { month: 0.1 })];
const both = [...usd(50), { currency: "eur", amount: 45 }];
const sorted = [{ currency: "eur", amount: 45 }, ...usd(50)];

/** GraphQL writes currencies in upper case. */
const inGraphql = (thresholds: typeof both) =>
	thresholds.map(({ currency, amount }) => ({ currency: currency.toUpperCase(), amount }));

test("REST, GraphQL and the catalogue file carry the thresholds of a plan, also to its next draft", async () => {
	const ours = await site();
	await ours.plan("api", api, { spendThresholds: both });
	expect((await ours.insist("GET", "/plans/api")).spendThresholds).toEqual(sorted);
	expect((await ours.insist("POST", "/plans/api/draft")).spendThresholds).toEqual(sorted);
	await ours.insist("DELETE", "/plans/api/draft");
	const { plans } = await data(ours, "{ plans { edges { node { spendThresholds { currency amount } } } } }");
	expect(plans.edges[0].node.spendThresholds).toEqual(inGraphql(sorted));
	const text = writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");
	expect(apply(ours, text).changes).toEqual([]);
	const changed = text.replace("amount: 45", "amount: 40");
	expect(viewDifference(apply(ours, changed), true)).toContain("spendThresholds");
});

test("GraphQL sets the thresholds of plans and subscriptions; null leaves a subscription those of its plan", async () => {
	const ours = await site();
	await ours.insist("POST", "/plans", { id: "next", displayName: "Next", productId: "app" });
	await data(ours, "mutation ($input: SetPackagePricingInput!) { setPlanPricing(input: $input) { id } }", {
		input: { refId: "next", pricingType: "PAID", pricingModels: api, spendThresholds: inGraphql(usd(50)) },
	});
	await ours.insist("POST", "/plans/next/publish", { migrationType: "NEW_CUSTOMERS" });
	const provision = `mutation ($input: ProvisionSubscriptionInput!) {
		provisionSubscription(input: $input) { subscription { refId spendThresholds { currency amount } } }
	}`;
	const { provisionSubscription } = await data(ours, provision, {
		input: { customerId: "acme", planId: "next", billingPeriod: "MONTHLY", spendThresholds: inGraphql(usd(20)) },
	});
	const { refId, spendThresholds } = provisionSubscription.subscription;
	expect(spendThresholds).toEqual(inGraphql(usd(20)));
	const update = "mutation ($input: UpdateSubscriptionInput!) { updateSubscription(input: $input) { id } }";
	await data(ours, update, { input: { refId, spendThresholds: null } });
	expect((await ours.insist("GET", `/subscriptions/${refId}`)).spendThresholds).toBeUndefined();
	await data(ours, update, { input: { refId, spendThresholds: [] } });
	expect((await ours.insist("GET", `/subscriptions/${refId}`)).spendThresholds).toEqual([]);
});

test("the dry run of a publication shows the change, and an import carries thresholds", async () => {
	const ours = await site();
	await ours.plan("api", api, { spendThresholds: usd(50) });
	await draft(ours, "api", ...api);
	const impact = async () =>
		(await ours.insist("POST", "/plans/api/publish?dryRun=true", { migrationType: "ALL_CUSTOMERS" })).impact;
	expect((await impact()).spendThresholds).toEqual({ change: "REMOVED", before: usd(50), after: null });
	await ours.insist("PATCH", "/plans/api", {
		charges: { pricingType: "PAID", pricingModels: api, spendThresholds: usd(50) },
	});
	expect(await impact()).not.toHaveProperty("spendThresholds");
	const subscriptions = [{ id: "old", customerId: "acme", planId: "api", spendThresholds: usd(30) }];
	await ours.insist("POST", "/subscriptions/import", { subscriptions });
	expect(ours.woken).toContain("importer");
});

test("a migration brings the thresholds of the new version, which are compared with the usage so far", async () => {
	const ours = await site();
	await ours.plan("api", [flat({ month: 1 }), ...api]);
	const id = await ours.buy("api");
	await ours.advance("2026-04-10T00:00:00Z");
	await ours.use("calls", 600, "2026-04-09T00:00:00Z");
	await draft(ours, "api", flat({ month: 1 }), ...api);
	await ours.insist("PATCH", "/plans/api", {
		charges: { pricingType: "PAID", pricingModels: [flat({ month: 1 }), ...api], spendThresholds: usd(50) },
	});
	await ours.insist("POST", "/plans/api/publish", { migrationType: "NEW_CUSTOMERS" });
	await ours.insist("POST", `/subscriptions/${id}/migrate`, { subscriptionMigrationTime: "IMMEDIATE" });
	await ours.noticed();
	expect((await ours.books()).at(-1)).toBe("2026-04-10: 60 = 600 Calls (api) 60");
});

const refusals = [
	["two in one currency", { spendThresholds: [...usd(5), ...usd(6)] }, "BadUserInput", "spendThresholds/1"],
	["an amount of 0", { spendThresholds: usd(0) }, "BadUserInput", "greater than 0"],
	["no currency", { spendThresholds: [{ amount: 5 }] }, "BadUserInput", "currency"],
] as const;

test.each(refusals)("a provision, an update and a plan refuse %s, and change nothing", async (_, body, code, text) => {
	const ours = await site();
	await ours.plan("api", api);
	const id = await ours.buy("api", { spendThresholds: usd(9) });
	await ours.customer("beta");
	await refused(ours, "POST", "/subscriptions", { customerId: "beta", planId: "api", ...body }, [code, text]);
	await refused(ours, "PATCH", `/subscriptions/${id}`, body, [code, text]);
	await ours.insist("POST", "/plans", { id: "next", displayName: "Next", productId: "app" });
	await refused(ours, "PATCH", "/plans/next", { charges: { pricingType: "PAID", pricingModels: api, ...body } }, [
		code,
		text,
	]);
	expect((await ours.insist("GET", `/subscriptions/${id}`)).spendThresholds).toEqual(usd(9));
	expect(await ours.insist("GET", "/subscriptions?customerId=beta")).toEqual([]);
});

test("addons, free plans and plans of contracts have no thresholds", async () => {
	const ours = await site();
	await ours.plan("free", []);
	const spendThresholds = usd(5);
	await refused(ours, "POST", "/subscriptions", { customerId: "acme", planId: "free", spendThresholds }, [
		"UnsupportedParameter",
		"a FREE plan charges nothing",
	]);
	await ours.insist("POST", "/plans", { id: "next", displayName: "Next", productId: "app" });
	await ours.insist("POST", "/addons", { id: "more", displayName: "More", productId: "app" });
	for (const [path, pricingType, code] of [
		["/plans/next", "FREE", "BadUserInput"],
		["/plans/next", "CUSTOM", "UnsupportedParameter"],
		["/addons/more", "PAID", "BadUserInput"],
	] as const)
		await refused(ours, "PATCH", path, { charges: { pricingType, spendThresholds } }, [
			code,
			"charges.spendThresholds",
		]);
	await ours.plan("api", api);
	const billed = { customerId: "acme", planId: "api", paymentCollectionMethod: "NONE", spendThresholds };
	await refused(ours, "POST", "/subscriptions", billed, ["UnsupportedParameter", "a contract bills"]);
});
