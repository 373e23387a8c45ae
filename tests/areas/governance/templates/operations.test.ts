import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { checkBudgets } from "../../../../src/areas/governance/operations.check";
import { checkCountedReports } from "../../../../src/areas/usage/reports/operations.check-budgets";
import { slowRuns } from "../../../support/runs";
import { must, site } from "../site";

const customer = "/customers/acme";

/** Usage that names an unknown agent creates it below its team, with 4 tokens and 6 credits a month. */
const agents = {
	id: "agent",
	createsEntities: true,
	parentEntityTypeId: "team",
	defaultAssignments: [
		{ featureId: "tokens", usageLimit: 4, cadence: "P1M" },
		{ currencyId: "credits", usageLimit: 6, cadence: "P1M" },
	],
};

async function withTemplates(...types: readonly object[]) {
	const ours = await site();
	const putTypes = (...items: readonly object[]) =>
		ours.call("PUT", `${ours.beta}/entity-types`, { body: { types: items } });
	await must(putTypes(...(types.length > 0 ? types : [agents])));
	await ours.budget({ entityId: "research", usageLimit: 10 });
	const entities = async (query = "") => {
		const { data } = (await must(ours.call("GET", `${customer}/entities?limit=100&entityTypeId=agent${query}`))).body;
		return data.map(({ id }: { id: string }) => id).filter((id: string) => id !== "drafter" && id !== "reviewer");
	};
	const findings = () =>
		ours.transactions.read(ours.actor, (work) => [...checkBudgets(work), ...checkCountedReports(work)]);
	return { ...ours, putTypes, entities, findings };
}

const newcomer = { teamId: "research", agentId: "newcomer" };

describe("creates the entity that usage names", () => {
	test("below the parent that the usage names, and counts the usage at both", async () => {
		const ours = await withTemplates();
		expect((await ours.consume(3, newcomer)).body.data.isGranted).toBe(true);
		expect(await ours.usage()).toEqual({ newcomer: 3, research: 3 });
		const { data } = (await must(ours.call("GET", `${customer}/assignments?entityId=newcomer`))).body;
		expect(data.map(({ id: _, createdAt: __, updatedAt: ___, ...one }: Record<string, unknown>) => one)).toEqual([
			{
				entityId: "newcomer",
				currencyId: "credits",
				parentId: null,
				scopeEntityIds: [],
				usageLimit: 6,
				cadence: "P1M",
			},
			{
				entityId: "newcomer",
				featureId: "tokens",
				parentId: "research",
				scopeEntityIds: [],
				usageLimit: 4,
				cadence: "P1M",
			},
		]);
		expect((await ours.consume(2, newcomer)).body.data.accessDeniedReason).toBe("BudgetExceeded");
		expect((await ours.consume(1, newcomer)).body.data.isGranted).toBe(true);
	});

	test("not if its budgets deny the use; a check answers as the use will", async () => {
		const ours = await withTemplates();
		const check = (amount: number) =>
			ours.check(
				`featureId=tokens&requestedUsage=${amount}&dimensions[agentId]=newcomer&dimensions[teamId]=research&explain=true`,
			);
		const chains = (isGranted: boolean, currentUsage = 0) => [
			[expect.objectContaining({ entityId: "research", currentUsage })],
			[
				{ entityId: "newcomer", scopeEntityIds: [], usageLimit: 4, currentUsage, isGranted },
				expect.objectContaining({ entityId: "research", currentUsage }),
			],
		];
		const denied = await check(5);
		expect(denied).toMatchObject({ isGranted: false, chains: chains(false) });
		expect(denied.explanation.text).toContain("newcomer");
		expect((await ours.consume(5, newcomer)).body.data).toMatchObject({
			...{ isGranted: false, accessDeniedReason: "BudgetExceeded" },
			entitlement: { chains: chains(false) },
		});
		expect(await ours.entities()).toEqual([]);
		expect(await check(4)).toMatchObject({ isGranted: true, chains: chains(true) });
		await must(ours.consume(1, newcomer));
		expect((await check(3)).chains.flat().length).toBe(3);
	});

	test("by a reservation, a report, and the credits of a feature", async () => {
		const ours = await withTemplates();
		const named = (agentId: string) => ({ teamId: "research", agentId });
		expect((await ours.reserve(4, named("reserving"))).body.data.isGranted).toBe(true);
		expect((await ours.reserve(1, named("reserving"))).body.data.isGranted).toBe(false);
		await must(ours.report({ value: 9, dimensions: named("reporting"), createdAt: "2026-01-20T00:00:00Z" }));
		expect((await ours.consume(3, named("painting"), "images")).body.data.isGranted).toBe(true);
		expect((await ours.consume(1, named("painting"), "images")).body.data.isGranted).toBe(false);
		const credits = { customerId: "acme", currencyId: "credits", amount: 2, dimensions: named("direct") };
		await must(ours.call("POST", "/credits/consumption", { body: { ...credits, idempotencyKey: "one" } }));
		expect((await ours.entities()).sort()).toEqual(["direct", "painting", "reporting", "reserving"]);
		expect(await ours.usage()).toMatchObject({ reporting: 9, reserving: 0 });
		expect(await ours.usage("currencyIds=credits")).toEqual({ direct: 2, painting: 6, reporting: 0, reserving: 0 });
		expect(ours.findings()).toEqual([]);
	});

	test("together with its parents", async () => {
		const ours = await withTemplates(agents, {
			id: "team",
			createsEntities: true,
			defaultAssignments: [{ featureId: "tokens", usageLimit: 5, cadence: "P1D" }],
		});
		const of = (agentId: string) => ({ agentId, teamId: "sales" });
		expect((await ours.consume(4, of("one"))).body.data.isGranted).toBe(true);
		expect((await ours.consume(2, of("two"))).body.data.isGranted).toBe(false);
		expect((await ours.consume(1, of("two"))).body.data.isGranted).toBe(true);
		expect(await ours.usage()).toEqual({ one: 4, research: 0, sales: 5, two: 1 });
	});

	test("and the audit log names the caller and the use", async () => {
		const ours = await withTemplates();
		await must(ours.consume(1, newcomer));
		const { data } = (await must(ours.call("GET", "/audit-log?limit=1"))).body;
		expect(data[0].operation).toBe("consume");
		expect(
			data[0].changes.map(({ entityType, action }: Record<string, string>) => `${entityType} ${action}`),
		).toContain("Entity created");
	});
});

describe("creates nothing", () => {
	test.each([
		["without the dimension of the parent", { agentId: "newcomer" }],
		["if the parent does not exist", { agentId: "newcomer", teamId: "nobody" }],
		["if the id belongs to another type", { agentId: "gpt", teamId: "research" }],
		["if the value is no id", { agentId: "no id", teamId: "research" }],
		["if the value is too long", { agentId: "x".repeat(300), teamId: "research" }],
		["if the type has no template", { model: "newcomer", teamId: "research" }],
	])("%s", async (_, dimensions) => {
		const ours = await withTemplates();
		const before = (await must(ours.call("GET", `${customer}/entities?limit=100`))).body.data.length;
		expect((await ours.consume(1, dimensions)).body.data.isGranted).toBe(true);
		expect((await must(ours.call("GET", `${customer}/entities?limit=100`))).body.data.length).toBe(before);
	});

	test("below an archived parent, or while governance is off", async () => {
		const ours = await withTemplates();
		const setArchived = (verb: string) =>
			must(ours.call("POST", `${customer}/entities/${verb}`, { body: { ids: ["research"] } }));
		await setArchived("archive");
		await must(ours.consume(1, newcomer));
		await setArchived("unarchive");
		await must(ours.call("PATCH", "/environments/current", { body: { governance: false } }));
		await must(ours.consume(1, newcomer));
		await must(ours.call("PATCH", "/environments/current", { body: { governance: true } }));
		expect(await ours.entities()).toEqual([]);
	});

	test("beyond 10,000 entities of a customer, until some are archived", async () => {
		const ours = await withTemplates({ id: "agent", createsEntities: true, defaultAssignments: [] });
		await must(ours.report({ value: 1, dimensions: { agentId: "run-0" } }));
		// The other 9,998, as usage would create them.
		ours.db.$client.run(
			`with recursive n(at) as (select 1 union all select at + 1 from n where at < 9998)
			insert into entities (id, environment_id, customer_id, ref_id, type_id, metadata, is_created, created_at, updated_at)
			select id || at, environment_id, customer_id, 'run-' || at, type_id, metadata, is_created, created_at, updated_at
			from entities, n where ref_id = 'run-0'`,
		);
		const report = (agentId: string) => must(ours.report({ value: 1, dimensions: { agentId } }));
		const exists = async (id: string) => (await ours.call("GET", `${customer}/entities/${id}`)).status === 200;
		for (const id of ["last", "refused"]) await report(id);
		expect([await exists("last"), await exists("refused")]).toEqual([true, false]);
		await must(ours.call("POST", `${customer}/entities/archive`, { body: { ids: ["run-0"] } }));
		for (const id of ["later", "latest"]) await report(id);
		expect([await exists("later"), await exists("latest")]).toEqual([true, false]);
	});
});

test("uses of created entities are decided and counted as those of entities that existed before", async () => {
	const use = fc.record({
		amount: fc.integer({ min: 1, max: 5 }),
		agentId: fc.constantFrom("a1", "a2", "a3"),
		feature: fc.constantFrom("tokens", "images"),
		isReserved: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(use, { minLength: 1, maxLength: 12 }), async (uses) => {
			const [created, existing] = [await withTemplates(), await withTemplates()];
			const ids = ["a1", "a2", "a3"];
			const entities = ids.map((id) => ({ id, entityTypeId: "agent" }));
			await must(existing.call("PUT", `${customer}/entities`, { body: { entities } }));
			await existing.budget(
				...ids.map((entityId) => ({ entityId, parentId: "research", usageLimit: 4 })),
				...ids.map((entityId) => ({ entityId, currencyId: "credits", usageLimit: 6 })),
			);
			for (const { amount, agentId, feature, isReserved } of uses) {
				const dimensions = { agentId, teamId: "research" };
				const [one, other] = await Promise.all(
					[created, existing].map(async (ours) => {
						const { body } = isReserved
							? await ours.reserve(amount, dimensions)
							: await ours.consume(amount, dimensions, feature);
						return [body.data.isGranted, body.data.accessDeniedReason, body.data.entitlement.chains];
					}),
				);
				expect(one).toEqual(other);
			}
			const used = async (ours: typeof created, query: string) =>
				Object.entries(await ours.usage(query)).filter(([, usage]) => usage > 0);
			for (const query of ["featureIds=tokens", "currencyIds=credits"])
				expect(await used(created, query)).toEqual(await used(existing, query));
			expect(created.findings()).toEqual([]);
		}),
		slowRuns(6),
	);
}, 30_000);

describe("the template of a type", () => {
	test("is shown if it is set, keeps its omitted fields, and is cleared", async () => {
		const ours = await withTemplates();
		const { data } = (await must(ours.call("GET", `${ours.beta}/entity-types`))).body;
		expect(data.find(({ id }: { id: string }) => id === "agent")).toMatchObject({
			...{ attributionKeys: ["agentId", "userId"], createsEntities: true, parentEntityTypeId: "team" },
			defaultAssignments: agents.defaultAssignments,
		});
		const keys = ["id", "displayName", "description", "attributionKeys", "createdAt", "updatedAt"];
		expect(Object.keys(data.find(({ id }: { id: string }) => id === "team"))).toEqual(keys);
		const change = async (item: object) => (await must(ours.putTypes({ id: "agent", ...item }))).body.data[0];
		expect(await change({ displayName: "Bot" })).toMatchObject(agents);
		const cleared = { createsEntities: false, parentEntityTypeId: null, defaultAssignments: [] };
		expect(Object.keys(await change(cleared))).toEqual(keys);
		await must(ours.consume(1, newcomer));
		expect(await ours.entities()).toEqual([]);
	});

	const budget = { featureId: "tokens", usageLimit: 1, cadence: "P1M" };
	const defaults = (...items: readonly object[]) => [{ id: "agent", defaultAssignments: items }];
	test.each([
		[
			"an unknown parent",
			[{ id: "agent", parentEntityTypeId: "none" }],
			"BadUserInput",
			"body/types/0/parentEntityTypeId: there is no entity type 'none'",
		],
		["a cycle", [{ id: "team", parentEntityTypeId: "agent" }], "BadUserInput", "'team' would be below itself"],
		[
			"itself as the parent",
			[{ id: "team", parentEntityTypeId: "team" }],
			"BadUserInput",
			"body/types/0/parentEntityTypeId: 'team' would be below itself",
		],
		[
			"a fifth level",
			["a", "b", "c"].map((id, at, all) => ({
				id,
				displayName: id,
				attributionKeys: [id],
				parentEntityTypeId: all[at - 1] ?? "agent",
			})),
			"BadUserInput",
			"'c' would be on level 5",
		],
		[
			"created entities without a key",
			[{ id: "x", displayName: "X", attributionKeys: [], createsEntities: true }],
			"BadUserInput",
			"'x' has no attribution keys",
		],
		["a parent without a key", [{ id: "team", attributionKeys: [] }], "BadUserInput", "'team' has no attribution keys"],
		[
			"both capabilities",
			defaults({ ...budget, currencyId: "credits" }),
			"BadUserInput",
			"body/types/0/defaultAssignments/0: give exactly one",
		],
		["an unknown feature", defaults({ ...budget, featureId: "none" }), "FeatureNotFound", "'none'"],
		["a feature twice", defaults(budget, budget), "BadUserInput", "body/types/0/defaultAssignments/1"],
		[
			"a duration of two units",
			defaults({ ...budget, cadence: "P1M15D" }),
			"BadUserInput",
			"'P1M15D' is no ISO 8601 duration",
		],
		[
			"a limit that is too precise",
			defaults({ ...budget, usageLimit: 0.0000001 }),
			"BadUserInput",
			"more than 6 places",
		],
		["a negative limit", defaults({ ...budget, usageLimit: -1 }), "BadUserInput", "usageLimit"],
		["no limit", defaults({ featureId: "tokens", cadence: "P1M" }), "BadUserInput", "usageLimit"],
		["eleven budgets", defaults(...Array.from({ length: 11 }, () => budget)), "BadUserInput", "defaultAssignments"],
	])("is refused with %s", async (_, types, code, text) => {
		const ours = await withTemplates();
		const { status, body } = await ours.putTypes(...types);
		expect(status).toBeGreaterThanOrEqual(400);
		expect(body.code).toBe(code);
		expect(body.message).toContain(text);
	});
});
