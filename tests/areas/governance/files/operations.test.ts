import { expect, test } from "bun:test";
import fc from "fast-check";
import { diffBudgets, inFileOrder } from "../../../../src/areas/governance/files/rules";
import type { FileBudget } from "../../../../src/areas/governance/files/schema";
import { must, type Site, site } from "../site";

const path = "/customers/acme/budgets";
const tokens = { featureId: "tokens", cadence: "P1M" };
const exported = async ({ call }: Site) => (await must(call("GET", path))).body.data;
const plan = (ours: Site, budgets: readonly object[]) => ours.call("POST", `${path}/plan`, { body: { budgets } });
const apply = (ours: Site, budgets: readonly object[]) => ours.call("POST", `${path}/apply`, { body: { budgets } });

/** A team's budget, an agent's below it, and one with a scope. */
async function tree() {
	const ours = await site();
	await ours.budget(
		{ entityId: "research", usageLimit: 10 },
		{ entityId: "drafter", parentId: "research", usageLimit: 4, allocated: true },
		{ entityId: "drafter", scopeEntityIds: ["gpt"], usageLimit: null, hasSoftLimit: true },
		{ entityId: "reviewer", currencyId: "credits", usageLimit: 0.5, cadence: "LIFETIME" },
	);
	return ours;
}

const whole = [
	{
		entityId: "drafter",
		...tokens,
		parentId: "research",
		scopeEntityIds: ["gpt"],
		usageLimit: null,
		hasSoftLimit: true,
	},
	{ entityId: "drafter", ...tokens, parentId: "research", usageLimit: 4, allocated: true },
	{ entityId: "research", ...tokens, usageLimit: 10 },
	{ entityId: "reviewer", currencyId: "credits", usageLimit: 0.5, cadence: "LIFETIME" },
];

test("an export is sorted and without defaults, and applying it changes nothing", async () => {
	const ours = await tree();
	expect((await exported(ours)).budgets).toEqual(whole);
	const changes = ours.db.$client.query("SELECT * FROM budget_assignments").all();
	expect((await must(apply(ours, whole))).body.data).toEqual({ changes: [], kept: [] });
	expect(ours.db.$client.query("SELECT * FROM budget_assignments").all()).toEqual(changes);
});

test("a file creates and changes budgets, and the plan has the same difference without a trace", async () => {
	const ours = await tree();
	const wanted = [
		{ entityId: "reviewer", ...tokens, parentId: "research", usageLimit: 3 },
		{ entityId: "research", ...tokens, usageLimit: 20.0 },
		{ entityId: "drafter", ...tokens, parentId: "research", usageLimit: 4, allocated: true },
	];
	const difference = {
		changes: [
			{
				...{ action: "add", index: 0, entityId: "reviewer", featureId: "tokens", scopeEntityIds: [] },
				fields: [
					{ name: "parentId", after: "research" },
					{ name: "usageLimit", after: 3 },
					{ name: "cadence", after: "P1M" },
					{ name: "hasSoftLimit", after: false },
					{ name: "allocated", after: false },
				],
			},
			{
				...{ action: "change", index: 1, entityId: "research", featureId: "tokens", scopeEntityIds: [] },
				fields: [{ name: "usageLimit", before: 10, after: 20 }],
			},
		],
		kept: [
			{ entityId: "drafter", featureId: "tokens", scopeEntityIds: ["gpt"] },
			{ entityId: "reviewer", currencyId: "credits", scopeEntityIds: [] },
		],
	};
	expect((await must(plan(ours, wanted))).body.data).toEqual(difference);
	expect((await exported(ours)).budgets).toEqual(whole);
	expect((await must(apply(ours, wanted))).body.data).toEqual(difference);
	expect((await exported(ours)).budgets).toHaveLength(5);
	expect((await must(apply(ours, wanted))).body.data.changes).toEqual([]);
	const [entry] = (await ours.call("GET", "/audit-log?limit=1")).body.data;
	expect(JSON.stringify(entry)).toContain("usageLimit");
});

test("an omitted field has its default: a budget without a parent becomes a root", async () => {
	const ours = await tree();
	const root = { entityId: "drafter", ...tokens, usageLimit: 4 };
	const scoped = { entityId: "drafter", ...tokens, usageLimit: null, scopeEntityIds: ["gpt"] };
	await must(apply(ours, [root, scoped]));
	expect((await exported(ours)).budgets.slice(0, 2)).toEqual([scoped, root]);
});

test("a refused file changes nothing, and the message has the place in the file", async () => {
	const ours = await tree();
	const good = { entityId: "research", ...tokens, usageLimit: 99 };
	for (const [bad, message] of [
		[{ entityId: "none", ...tokens, usageLimit: 1 }, "body/budgets/1/entityId: customer 'acme' has no entity 'none'"],
		[{ entityId: "reviewer", ...tokens, usageLimit: 1, cadence: "P0D" }, "body/budgets/1/cadence"],
		[good, "body/budgets/1: has the entity, capability and scope of body/budgets/0"],
		[{ entityId: "reviewer", ...tokens, parentId: "research", usageLimit: 99, allocated: true }, "total 103"],
		[{ entityId: "reviewer", ...tokens }, "usageLimit"],
		[{ entityId: "reviewer", ...tokens, usageLimit: 1, limit: 2 }, "limit"],
	] as const)
		for (const call of [plan, apply]) {
			const { status, body } = await call(ours, [good, bad]);
			expect([status, body.code]).toEqual([400, "BadUserInput"]);
			expect(body.message).toContain(message);
		}
	const many = Array.from({ length: 1_001 }, () => good);
	expect((await apply(ours, many)).status).toBe(400);
	expect((await exported(ours)).budgets).toEqual(whole);
});

test("budgets of archived entities are not in the file", async () => {
	const ours = await tree();
	await must(ours.call("POST", "/customers/acme/entities/archive", { body: { ids: ["reviewer"] } }));
	expect((await exported(ours)).budgets).toEqual(whole.slice(0, 3));
	expect(
		(
			await plan(
				ours,
				whole.map((one) => ({ ...one, usageLimit: 1, hasSoftLimit: false })),
			)
		).body.code,
	).toBe("EntityIsArchivedError");
});

const budgets = fc.uniqueArray(
	fc.record({
		...{ entityId: fc.constantFrom("a", "b", "c"), featureId: fc.constantFrom("x", "y") },
		scopeEntityIds: fc.subarray(["m", "n"]),
		usageLimit: fc.option(fc.nat(9), { nil: null }),
		...{ cadence: fc.constantFrom("P1M", "P1D"), allocated: fc.boolean() },
	}),
	{ selector: ({ entityId, featureId, scopeEntityIds }) => `${entityId} ${featureId} ${scopeEntityIds}` },
);

test("the difference between equal lists is empty in any order, and applying it to one list gives the other", () => {
	fc.assert(
		fc.property(budgets, budgets, (current: FileBudget[], wanted: FileBudget[]) => {
			expect(diffBudgets(current, inFileOrder(current)).changes).toEqual([]);
			const { changes, kept } = diffBudgets(current, wanted);
			const untouched = wanted.filter((_, at) => !changes.some(({ index }) => index === at));
			for (const one of untouched) expect(inFileOrder(current)).toContainEqual(inFileOrder([one])[0] as FileBudget);
			expect(kept.length).toBe(
				current.length - (wanted.length - changes.filter(({ action }) => action === "add").length),
			);
		}),
	);
});
