import { describe, expect, test } from "bun:test";
import {
	billedWorld,
	contractOf,
	contractWorld,
	draftWorld,
	fee,
	items,
	publishPlan,
	year,
} from "../areas/contracts/support";
import type { World } from "../support/world";
import { ask, codes, data, nodes } from "./ask";
import { mutate } from "./mutate";

const contractId = "C-1";
const totalsFields = `contractId externalId subTotal totalDiscount totalTax total currency activationStartDate
	activationEndDate netTerms legalEntityId paymentAccountId items { itemId name subTotal discount tax total }`;
const shape = `refId contractId name poNumber state billingState billingId activationStartDate activationEndDate
	customer { refId } subscriptions { refId } createdAt`;

/** A contract as REST shows it, in GraphQL's words. */
const shownByRest = async ({ call }: World, refId = contractId) => {
	const { data: rest } = (await call("GET", `/contracts/${refId}`)).body;
	const {
		subscriptions,
		customerExternalId,
		id: _,
		externalId: __,
		latestInvoice: ___,
		nextInvoice: ____,
		...same
	} = rest;
	return {
		...same,
		customer: { refId: customerExternalId },
		subscriptions: subscriptions.map(({ subscriptionId }: { subscriptionId: string }) => ({ refId: subscriptionId })),
	};
};
const totalsByRest = async ({ call }: World) => {
	const { data: rest } = (await call("GET", `/contracts/${contractId}/billing/summary`)).body;
	return { ...rest, currency: rest.currency.toUpperCase() };
};

describe("queries", () => {
	test("a contract, its totals and the pricing models are as REST shows them", async () => {
		const here = await billedWorld();
		const { contract, contractSummary, contractPricingModels } = await data(
			here,
			`{ contract(refId: "C-1") { ${shape} } contractSummary(refId: "C-1") { ${totalsFields} }
				contractPricingModels { id name categoryName isPayAsYouGo editableInputs } }`,
		);
		expect(contract).toEqual(await shownByRest(here));
		expect(contractSummary).toEqual(await totalsByRest(here));
		expect(contractPricingModels).toEqual((await here.call("GET", "/contracts/pricing-models")).body.data);
	});

	test("the list: filtered by state, customer and number, and by what belongs to a customer", async () => {
		const here = await draftWorld({ poNumber: "PO-1" });
		const { call, subscribe } = here;
		subscribe({ planId: "platform", id: "sub-other", customerId: "other" });
		const others = contractOf({
			contractId: "C-2",
			customerId: "other",
			subscriptions: [{ existingSubscriptionId: "sub-other" }],
		});
		await call("POST", "/contracts", { body: others });
		await call("POST", "/contracts/C-2/archive");
		const refs = async (filter: string) =>
			nodes<{ refId: string }>(
				(await data(here, `{ contracts(filter: ${filter}) { edges { node { refId } } } }`)).contracts,
			).map(({ refId }) => refId);
		expect(await refs("{}")).toEqual(["C-2", "C-1"]);
		expect(await refs("{ state: { eq: CANCELED } }")).toEqual(["C-2"]);
		expect(await refs("{ state: { in: [ACTIVE, DRAFT] } }")).toEqual(["C-1"]);
		expect(await refs('{ customerId: { eq: "other" } }')).toEqual(["C-2"]);
		expect(await refs('{ customer: { name: { eq: "Acme" } } }')).toEqual(["C-1"]);
		expect(await refs('{ poNumber: { like: "PO-%" } }')).toEqual(["C-1"]);
		const { getCustomerByRefId } = await data(
			here,
			'{ getCustomerByRefId(input: { customerId: "acme" }) { contracts { refId subscriptions { refId } } } }',
		);
		expect(getCustomerByRefId.contracts).toEqual([{ refId: "C-1", subscriptions: [{ refId: "sub-platform" }] }]);
		const theirs = await data(here, "{ contracts { totalCount } }", undefined, { key: here.foreignKey });
		expect(theirs.contracts.totalCount).toBe(0);
	});

	test("an unknown contract has REST's code, and a key without the scope sees none of it", async () => {
		const here = await draftWorld();
		expect(codes(await ask(here, '{ contract(refId: "nothing") { refId } }'))).toEqual(["ContractNotFound"]);
		expect(codes(await ask(here, '{ contractSummary(refId: "nothing") { total } }'))).toEqual(["ContractNotFound"]);
		const key = here.scopedKey("CUSTOMER:READ");
		for (const query of [
			'{ contract(refId: "C-1") { name } }',
			"{ contracts { totalCount } }",
			'{ getCustomerByRefId(input: { customerId: "acme" }) { contracts { name } } }',
		])
			expect(codes(await ask(here, query, undefined, { key }))).toContain("AccessDeniedError");
	});
});

describe("mutations", () => {
	const answer = { selection: `{ ${shape} }` };
	const answerTotals = { selection: `{ ${totalsFields} }` };

	test("all steps of a contract, each answered as REST shows it afterwards", async () => {
		const here = await contractWorld();
		await publishPlan(here, "extra", "CUSTOM");
		const step = async (name: string, input: object) => {
			const body = await mutate(here, name, input, answer);
			expect(body.errors).toBeUndefined();
			expect(body.data[name]).toEqual(await shownByRest(here));
			return body.data[name];
		};
		const totals = async (name: string, input: object) => {
			const body = await mutate(here, name, { contractId, ...input }, answerTotals);
			expect(body.errors).toBeUndefined();
			expect(body.data[name]).toEqual(await totalsByRest(here));
			return body.data[name];
		};
		await step("createOneContract", {
			contractId,
			customerId: "acme",
			subscriptions: [
				{ existingSubscriptionId: "sub-platform" },
				{ newSubscription: { refId: "fresh", customerId: "acme", planId: "extra" } },
			],
			...year,
		});
		const updated = await step("updateOneContract", { contractId, name: "New", poNumber: null });
		expect([updated.name, updated.poNumber]).toEqual(["New", null]);
		await step("removeContractSubscription", { contractId, subscriptionId: "fresh" });
		const added = await step("addContractSubscriptions", { contractId, subscriptionIds: ["sub-support"] });
		expect(added.subscriptions).toEqual([{ refId: "sub-platform" }, { refId: "sub-support" }]);
		const lines = { items: [{ ...fee, rows: [{ price: 100 }, { price: 50 }] }, { name: "Other" }], currency: "EUR" };
		expect((await totals("addContractItems", lines)).total).toBe(12 * 150);
		expect((await totals("deleteContractItemRow", { itemRef: "fee", rowIndex: 1 })).total).toBe(1200);
		expect((await totals("updateContractItem", { itemRef: "fee", rows: [{ price: 10 }] })).total).toBe(120);
		await totals("updateContractTerms", { netTerms: 14, currency: "USD" });
		await totals("updateContractSettings", { note: "Thank you." });
		const [, { itemId }] = (await totalsByRest(here)).items;
		expect((await totals("deleteContractItem", { itemRef: itemId })).items).toHaveLength(1);
		await step("publishContract", { contractId });
		await step("amendContract", { contractId, includeCurrentInvoice: false });
		await totals("updateContractTerms", { netTerms: 10 });
		await step("discardContractAmendment", { contractId });
		await step("cancelContractBilling", { contractId });
		expect(codes(await mutate(here, "reopenContractBilling", { contractId }))).toEqual([
			"BillingContractOperationRejected",
		]);
		const archived = await step("archiveContract", { contractId });
		expect(archived).toMatchObject({ state: "CANCELED", billingState: "CANCELED" });
	});

	test.each([
		["updateOneContract", {}],
		["archiveContract", {}],
		["addContractSubscriptions", { subscriptionIds: ["sub-platform"] }],
		["removeContractSubscription", { subscriptionId: "sub-platform" }],
		["addContractItems", { items: [{ name: "Fee" }] }],
		["updateContractItem", { itemRef: "fee", rows: [] }],
		["deleteContractItem", { itemRef: "fee" }],
		["deleteContractItemRow", { itemRef: "fee", rowIndex: 0 }],
		["updateContractTerms", { netTerms: 1 }],
		["updateContractSettings", { note: "x" }],
		["publishContract", {}],
		["amendContract", {}],
		["discardContractAmendment", {}],
		["reopenContractBilling", {}],
		["cancelContractBilling", {}],
	])("%s: ContractNotFound for what is not there, and not without the scope", async (name, input) => {
		const here = await draftWorld();
		expect(codes(await mutate(here, name, { contractId: "nothing", ...input }))).toEqual(["ContractNotFound"]);
		expect(codes(await mutate(here, name, { contractId, ...input }, { key: here.foreignKey }))).toEqual([
			"ContractNotFound",
		]);
		const key = here.scopedKey("CONTRACT:READ");
		expect(codes(await mutate(here, name, { contractId, ...input }, { key }))).toEqual(["AccessDeniedError"]);
	});

	test("refusals of the billing half have their codes here too", async () => {
		const here = await draftWorld();
		expect(codes(await mutate(here, "publishContract", { contractId }))).toEqual(["BillingContractOperationRejected"]);
		expect((await here.call("POST", items, { body: { items: [fee], ...year } })).status).toBe(201);
		expect(codes(await mutate(here, "deleteContractItemRow", { contractId, itemRef: "fee", rowIndex: -1 }))).toEqual([
			"BadUserInput",
		]);
	});
});
