import { expect, test } from "bun:test";
import { ask, codes } from "../../../graphql/ask";
import { mutate } from "../../../graphql/mutate";
import { must, site } from "../site";

const selection =
	"{ changes { action index entityId featureId scopeEntityIds fields { name before after } } kept { entityId } }";
const tokens = { featureId: "tokens", cadence: "P1M" };

test("GraphQL exports, plans and applies a file of budgets as the REST routes do", async () => {
	const ours = await site();
	await ours.budget({ entityId: "research", usageLimit: 10 }, { entityId: "reviewer", usageLimit: null });
	const file = async () => {
		const fields = "budgets { entityId featureId currencyId parentId scopeEntityIds usageLimit cadence hasSoftLimit }";
		return (await ask(ours, `{ governanceBudgetFile(input: { customerId: "acme" }) { ${fields} } }`)).data
			.governanceBudgetFile.budgets;
	};
	const rest = async () => (await must(ours.call("GET", "/customers/acme/budgets"))).body.data.budgets;
	const asRest = (budgets: readonly object[]) =>
		budgets.map((one) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null)));
	const limits = (budgets: ReadonlyArray<{ usageLimit: number | null }>) => budgets.map(({ usageLimit }) => usageLimit);
	expect(limits(await file())).toEqual(limits(await rest()));

	const input = {
		customerId: "acme",
		budgets: [
			{ entityId: "research", ...tokens, usageLimit: 20 },
			{ entityId: "drafter", ...tokens, parentId: "research", usageLimit: 3 },
		],
	};
	const changes = [
		{
			...{ action: "change", index: 0, entityId: "research", featureId: "tokens", scopeEntityIds: [] },
			fields: [{ name: "usageLimit", before: 10, after: 20 }],
		},
		{
			...{ action: "add", index: 1, entityId: "drafter", featureId: "tokens", scopeEntityIds: [] },
			fields: [
				{ name: "parentId", before: null, after: "research" },
				{ name: "usageLimit", before: null, after: 3 },
				{ name: "cadence", before: null, after: "P1M" },
				{ name: "hasSoftLimit", before: null, after: false },
				{ name: "allocated", before: null, after: false },
			],
		},
	];
	const before = await rest();
	const planned = await mutate(ours, "planGovernanceBudgetFile", input, { selection });
	expect(planned.data.planGovernanceBudgetFile).toEqual({ changes, kept: [{ entityId: "reviewer" }] });
	expect(await rest()).toEqual(before);
	const applied = await mutate(ours, "applyGovernanceBudgetFile", input, { selection });
	expect(applied.data.applyGovernanceBudgetFile).toEqual(planned.data.planGovernanceBudgetFile);
	expect(asRest(await file())).toMatchObject(asRest(await rest()));
	const again = await mutate(ours, "applyGovernanceBudgetFile", input, { selection });
	expect(again.data.applyGovernanceBudgetFile.changes).toEqual([]);
});

test.each([
	[{ customerId: "nobody", budgets: [] }, "CustomerNotFound"],
	[{ budgets: [{ entityId: "unknown", ...tokens, usageLimit: 1 }] }, "BadUserInput"],
	[{ budgets: [{ entityId: "drafter", ...tokens, featureId: "none", usageLimit: 1 }] }, "FeatureNotFound"],
	[{ budgets: [{ entityId: "drafter", ...tokens, usageLimit: -1 }] }, "BadUserInput"],
])("GraphQL refuses a file as the REST routes do: %j", async (input, code) => {
	const ours = await site();
	for (const field of ["planGovernanceBudgetFile", "applyGovernanceBudgetFile"])
		expect(codes(await mutate(ours, field, { customerId: "acme", ...input }, { selection }))).toEqual([code]);
});
