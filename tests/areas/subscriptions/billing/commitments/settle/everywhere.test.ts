import { expect, setDefaultTimeout, test } from "bun:test";
import { exportCatalogue } from "../../../../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../../../../src/areas/catalog/rules.file";
import { viewDifference } from "../../../../../../src/areas/catalog/rules.summary";
import { data } from "../../../../../graphql/ask";
import { refused } from "../../../../../support/refused";
import { apply } from "../../../../catalog/files";
import { flat, till, used } from "../../../billing";
import { usd } from "../committed";

setDefaultTimeout(60_000);

const api = [flat({ month: 300 }), used("calls", { month: 1 })];
const sent = [
	usd(500, { scope: "ON_DEMAND", interval: { unit: "YEAR", count: 1 } }),
	{ currency: "eur", amount: 45, isTrueUp: false, overageFactor: 1.5 },
];
const shown = [
	{ scope: "ALL", currency: "eur", amount: 45, overageFactor: 1.5, isTrueUp: false },
	{ scope: "ON_DEMAND", currency: "usd", amount: 500, interval: { unit: "MONTH", count: 12 } },
];
const fields = "scope currency amount overageFactor interval { unit count } isTrueUp";

/** GraphQL writes currencies in upper case. */
const inGraphql = (commitments: ReadonlyArray<{ readonly currency: string }>) =>
	commitments.map((one) => ({ ...one, currency: one.currency.toUpperCase() }));
const fromGraphql = { overageFactor: null, interval: null, isTrueUp: null };

test("REST, GraphQL and the catalogue file carry the commitments of a plan, also to its next draft", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("api", api, { commitments: sent });
	expect((await ours.insist("GET", "/plans/api")).commitments).toEqual(shown);
	expect((await ours.insist("POST", "/plans/api/draft")).commitments).toEqual(shown);
	await ours.insist("DELETE", "/plans/api/draft");
	const { plans } = await data(ours, `{ plans { edges { node { commitments { ${fields} } } } } }`);
	expect(plans.edges[0].node.commitments).toEqual(inGraphql(shown).map((one) => ({ ...fromGraphql, ...one })));
	const text = writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");
	expect(text).toContain("commitments:");
	expect(apply(ours, text).changes).toEqual([]);
	const changed = text.replace("amount: 45", "amount: 40");
	expect(viewDifference(apply(ours, changed), true)).toContain("commitments");
});

test("GraphQL sets the commitments of plans and subscriptions; null leaves a subscription those of its plan", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.insist("POST", "/plans", { id: "next", displayName: "Next", productId: "app" });
	await data(ours, "mutation ($input: SetPackagePricingInput!) { setPlanPricing(input: $input) { id } }", {
		input: { refId: "next", pricingType: "PAID", pricingModels: api, commitments: inGraphql([usd(500)]) },
	});
	await ours.insist("POST", "/plans/next/publish", { migrationType: "NEW_CUSTOMERS" });
	const provision = `mutation ($input: ProvisionSubscriptionInput!) {
		provisionSubscription(input: $input) { subscription { refId commitments { ${fields} } } }
	}`;
	const { provisionSubscription } = await data(ours, provision, {
		input: { customerId: "acme", planId: "next", billingPeriod: "MONTHLY", commitments: inGraphql([usd(20)]) },
	});
	const { refId, commitments } = provisionSubscription.subscription;
	expect(commitments).toEqual([{ ...fromGraphql, scope: "ALL", currency: "USD", amount: 20 }]);
	const update = "mutation ($input: UpdateSubscriptionInput!) { updateSubscription(input: $input) { id } }";
	await data(ours, update, { input: { refId, commitments: null } });
	expect((await ours.insist("GET", `/subscriptions/${refId}`)).commitments).toBeUndefined();
	await data(ours, update, { input: { refId, commitments: [] } });
	expect((await ours.insist("GET", `/subscriptions/${refId}`)).commitments).toEqual([]);
});

const usdOnce = usd(5);
const refusals = [
	["two of one currency and scope", { commitments: [usdOnce, usd(6)] }, "BadUserInput", "commitments/1"],
	["a negative amount", { commitments: [usd(-1)] }, "BadUserInput", "amount"],
	["an amount that is no number", { commitments: [{ currency: "usd", amount: "much" }] }, "BadUserInput", "amount"],
	["no currency", { commitments: [{ amount: 5 }] }, "BadUserInput", "currency"],
	["an unknown scope", { commitments: [usd(5, { scope: "FEES" })] }, "BadUserInput", "scope"],
	["an unknown key", { commitments: [usd(5, { quantity: 3 })] }, "BadUserInput", "quantity"],
	["a factor below 1", { commitments: [usd(5, { overageFactor: 0.5 })] }, "BadUserInput", "overageFactor"],
	[
		"windows of an hour",
		{ commitments: [usd(5, { interval: { unit: "HOUR", count: 1 } })] },
		"UnsupportedParameter",
		"windows of an hour",
	],
	[
		"windows that are no whole number of billing periods",
		{ commitments: [usd(5, { interval: { unit: "DAY", count: 30 } })] },
		"UnsupportedParameter",
		"no whole number of billing periods",
	],
	[
		"windows of more than ten years",
		{ commitments: [usd(5, { interval: { unit: "YEAR", count: 11 } })] },
		"BadUserInput",
		"longer than ten years",
	],
] as const;

test.each(refusals)("a provision, an update and a plan refuse %s, and change nothing", async (_, body, code, text) => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("api", api);
	const id = await ours.buy("api", { commitments: [usd(9)] });
	await ours.customer("beta");
	await refused(ours, "POST", "/subscriptions", { customerId: "beta", planId: "api", ...body }, [code, text]);
	await refused(ours, "PATCH", `/subscriptions/${id}`, body, [code, text]);
	await ours.insist("POST", "/plans", { id: "next", displayName: "Next", productId: "app" });
	await refused(ours, "PATCH", "/plans/next", { charges: { pricingType: "PAID", pricingModels: api, ...body } }, [
		code,
		text,
	]);
	expect((await ours.insist("GET", `/subscriptions/${id}`)).commitments).toEqual([{ scope: "ALL", ...usd(9) }]);
	expect(await ours.insist("GET", "/subscriptions?customerId=beta")).toEqual([]);
});

test("addons, free plans, plans of contracts, and minimum spends have no commitments", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("free", []);
	const commitments = [usd(5)];
	await refused(ours, "POST", "/subscriptions", { customerId: "acme", planId: "free", commitments }, [
		"UnsupportedParameter",
		"a FREE plan charges nothing",
	]);
	await ours.insist("POST", "/plans", { id: "next", displayName: "Next", productId: "app" });
	await ours.insist("POST", "/addons", { id: "more", displayName: "More", productId: "app" });
	const minimum = { billingModel: "MINIMUM_SPEND", pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount: 9 } }] };
	for (const [path, charges, code] of [
		["/plans/next", { pricingType: "FREE" }, "BadUserInput"],
		["/plans/next", { pricingType: "CUSTOM" }, "UnsupportedParameter"],
		["/plans/next", { pricingType: "PAID", pricingModels: [...api, minimum] }, "BadUserInput"],
		["/addons/more", { pricingType: "PAID", pricingModels: [flat({ month: 3 })] }, "BadUserInput"],
	] as const)
		await refused(ours, "PATCH", path, { charges: { ...charges, commitments } }, [code, "charges.commitments"]);
	const quarterly = used("calls", { month: 1 }, { chargeInterval: { unit: "MONTH", count: 3 } });
	await refused(
		ours,
		"PATCH",
		"/plans/next",
		{ charges: { pricingType: "PAID", pricingModels: [flat({ month: 3 }), quarterly], commitments } },
		["UnsupportedParameter", "shorter than the 'chargeInterval'"],
	);
	await ours.plan("api", api);
	const body = { customerId: "acme", planId: "api", commitments };
	await refused(ours, "POST", "/subscriptions", { ...body, paymentCollectionMethod: "NONE" }, [
		"UnsupportedParameter",
		"a contract bills",
	]);
	await refused(ours, "POST", "/subscriptions", { ...body, minimumSpend: { amount: 7 } }, [
		"InvalidArgumentError",
		"a minimum spend is one too",
	]);
});
