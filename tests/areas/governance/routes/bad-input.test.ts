import { describe, expect, test } from "bun:test";
import { must, type Site, site } from "../site";

const customer = "/api/v1-beta/customers/acme";

const five = ["a", "b", "c", "d", "e"];

/** The code of each bad request, and a part of its message with the place and the remedy. */
const refused: ReadonlyArray<
	readonly [
		name: string,
		of: (ours: Site) => Promise<unknown> | unknown,
		path: string,
		body: object,
		code: string,
		text: string,
	]
> = [
	[
		"an unknown entity type",
		() => {},
		"/entities",
		{ entities: [{ id: "new", entityTypeId: "none" }] },
		"BadUserInput",
		"body/entities/0/entityTypeId: there is no entity type 'none'",
	],
	[
		"a new entity without a type",
		() => {},
		"/entities",
		{ entities: [{ id: "new" }] },
		"BadUserInput",
		"body/entities/0: entity 'new' is new and needs 'entityTypeId'",
	],
	[
		"another type of an entity",
		() => {},
		"/entities",
		{ entities: [{ id: "drafter", entityTypeId: "team" }] },
		"BadUserInput",
		"the type of entity 'drafter' cannot change",
	],
	["an unknown feature", () => {}, "/assignments", one({ featureId: "none" }), "FeatureNotFound", "'none'"],
	[
		"an unknown currency",
		() => {},
		"/assignments",
		one({ featureId: undefined, currencyId: "none" }),
		"CustomCurrencyNotFound",
		"'none'",
	],
	[
		"an unknown entity",
		() => {},
		"/assignments",
		one({ entityId: "none" }),
		"BadUserInput",
		"body/assignments/0/entityId",
	],
	[
		"an unknown parent",
		() => {},
		"/assignments",
		one({ parentId: "none" }),
		"BadUserInput",
		"body/assignments/0/parentId",
	],
	[
		"a parent without a budget",
		() => {},
		"/assignments",
		one({ parentId: "research" }),
		"BadUserInput",
		"'research' has no budget for the same feature or currency; assign one to it first",
	],
	[
		"an unknown scope entity",
		() => {},
		"/assignments",
		one({ scopeEntityIds: ["none"] }),
		"BadUserInput",
		"body/assignments/0/scopeEntityIds/0",
	],
	[
		"both a feature and a currency",
		() => {},
		"/assignments",
		one({ currencyId: "credits" }),
		"BadUserInput",
		"body/assignments/0: give exactly one of 'featureId' and 'currencyId'",
	],
	["neither", () => {}, "/assignments", one({ featureId: undefined }), "BadUserInput", "give exactly one"],
	[
		"a cycle",
		() => {},
		"/assignments",
		{
			assignments: [one({ parentId: "research" }), one({ entityId: "research", parentId: "drafter" })].flatMap(
				(body) => body.assignments,
			),
		},
		"BadUserInput",
		"would be its own ancestor (drafter → research → drafter)",
	],
	[
		"a fifth level",
		({ call }) =>
			must(
				call("PUT", `${customer}/entities`, { body: { entities: five.map((id) => ({ id, entityTypeId: "team" })) } }),
			),
		"/assignments",
		{ assignments: five.flatMap((entityId, at) => one({ entityId, parentId: five[at - 1] ?? null }).assignments) },
		"BadUserInput",
		"body/assignments/4/parentId: 'e' would be on level 5; a tree has at most 4 levels",
	],
	[
		"moving a node with children",
		(ours) =>
			ours.budget(
				{ entityId: "gpt", usageLimit: 1 },
				{ entityId: "research", usageLimit: 1 },
				{ entityId: "drafter", parentId: "research", usageLimit: 1 },
			),
		"/assignments",
		one({ entityId: "research", parentId: "gpt" }),
		"BadUserInput",
		"'research' has children, and only leaves move; move its children first",
	],
	[
		"a scope that names the entity itself",
		() => {},
		"/assignments",
		one({ scopeEntityIds: ["drafter"] }),
		"BadUserInput",
		"'drafter' is the entity of the budget itself; leave it out",
	],
	[
		"a scope that names an ancestor",
		(ours) => ours.budget({ entityId: "research", usageLimit: 1 }),
		"/assignments",
		one({ parentId: "research", scopeEntityIds: ["research"] }),
		"BadUserInput",
		"'research' is an ancestor of the budget's entity",
	],
	[
		"a scope with two entities of one type",
		() => {},
		"/assignments",
		one({ entityId: "research", scopeEntityIds: ["drafter", "reviewer"] }),
		"BadUserInput",
		"'drafter' and 'reviewer' have the same type",
	],
	...["P1M15D", "P0D", "P", "1M", "PT1S"].map(
		(cadence) =>
			[
				`the cadence ${cadence}`,
				() => {},
				"/assignments",
				one({ cadence }),
				"BadUserInput",
				"body/assignments/0/cadence",
			] as const,
	),
	[
		"a negative limit",
		() => {},
		"/assignments",
		one({ usageLimit: -1 }),
		"BadUserInput",
		"body/assignments/0/usageLimit",
	],
	[
		"a limit with seven places",
		() => {},
		"/assignments",
		one({ usageLimit: 0.1234567 }),
		"BadUserInput",
		"has more than 6 places after the point; round it",
	],
	[
		"a new budget without a limit",
		() => {},
		"/assignments",
		one({ usageLimit: undefined }),
		"BadUserInput",
		"needs 'usageLimit'",
	],
	[
		"a new budget without a cadence",
		() => {},
		"/assignments",
		one({ cadence: undefined }),
		"BadUserInput",
		"needs 'usageLimit'",
	],
	[
		"a feature whose meter does not add up",
		({ call }) =>
			must(
				call("PATCH", "/features/images", {
					body: { meter: { aggregation: { function: "MAX", field: "size" }, filters: [] } },
				}),
			),
		"/assignments",
		one({ featureId: "images" }),
		"UnsupportedFeatureType",
		"body/assignments/0/featureId",
	],
	[
		"an allocated budget without a parent",
		() => {},
		"/assignments",
		one({ allocated: true }),
		"BadUserInput",
		"body/assignments/0/allocated: an allocated budget needs a parent with a budget without a scope",
	],
	[
		"an allocated budget without a limit",
		(ours) => ours.budget({ entityId: "research", usageLimit: 1 }),
		"/assignments",
		one({ allocated: true, parentId: "research", usageLimit: null }),
		"BadUserInput",
		"an allocated budget needs a limit that is not soft",
	],
	[
		"an allocated budget with a scope",
		(ours) => ours.budget({ entityId: "research", usageLimit: 1 }),
		"/assignments",
		one({ allocated: true, parentId: "research", scopeEntityIds: ["gpt"] }),
		"BadUserInput",
		"a budget with a scope cannot be allocated",
	],
	[
		"an allocated budget with another cadence than its parent",
		(ours) => ours.budget({ entityId: "research", usageLimit: 1 }),
		"/assignments",
		one({ allocated: true, parentId: "research", cadence: "P1D" }),
		"BadUserInput",
		"the cadence 'P1D' differs from 'P1M' of the parent",
	],
	[
		"allocated amounts above the parent's limit",
		(ours) =>
			ours.budget(
				{ entityId: "research", usageLimit: 10 },
				{ entityId: "reviewer", parentId: "research", usageLimit: 9.5, allocated: true },
			),
		"/assignments",
		one({ allocated: true, parentId: "research" }),
		"BadUserInput",
		"body/assignments/0/usageLimit: the allocated budgets below 'research' total 10.5, and its limit is 10; raise the limit of 'research', or allocate less",
	],
	[
		"a limit of the parent below the allocated amounts",
		(ours) =>
			ours.budget(
				{ entityId: "research", usageLimit: 10 },
				{ entityId: "reviewer", parentId: "research", usageLimit: 9, allocated: true },
			),
		"/assignments",
		one({ entityId: "research", usageLimit: 8 }),
		"BadUserInput",
		"the allocated budgets below 'research' total 9, and its limit is 8",
	],
	[
		"another cadence of a parent with allocated budgets",
		(ours) =>
			ours.budget(
				{ entityId: "research", usageLimit: 10 },
				{ entityId: "reviewer", parentId: "research", usageLimit: 9, allocated: true },
			),
		"/assignments",
		one({ entityId: "research", usageLimit: 10, cadence: "P1D" }),
		"BadUserInput",
		"allocated budgets below 'research' have the cadence 'P1M'; change them in the same request",
	],
	[
		"an archived entity",
		({ call }) => must(call("POST", `${customer}/entities/archive`, { body: { ids: ["drafter"] } })),
		"/assignments",
		one({}),
		"EntityIsArchivedError",
		"entity 'drafter' is archived; unarchive it first",
	],
	[
		"101 items",
		() => {},
		"/assignments",
		{ assignments: Array.from({ length: 101 }, () => one({}).assignments[0]) },
		"BadUserInput",
		"body/assignments",
	],
	["no item", () => {}, "/assignments", { assignments: [] }, "BadUserInput", "body/assignments"],
	[
		"an item twice",
		() => {},
		"/assignments",
		{ assignments: [...one({}).assignments, ...one({}).assignments] },
		"BadUserInput",
		"body/assignments/1: has the entity, capability and scope of body/assignments/0",
	],
	[
		"another customer's entity",
		async ({ call }) => {
			await must(call("POST", "/customers", { body: { id: "other" } }));
			const entities = [{ id: "theirs", entityTypeId: "team" }];
			await must(call("PUT", "/customers/other/entities", { body: { entities } }));
		},
		"/assignments",
		one({ parentId: "theirs" }),
		"BadUserInput",
		"customer 'acme' has no entity 'theirs'",
	],
];

function one(changes: object) {
	return { assignments: [{ entityId: "drafter", featureId: "tokens", usageLimit: 1, cadence: "P1M", ...changes }] };
}

describe("bad input", () => {
	test.each([...refused])("%s", async (_, prepare, path, body, code, text) => {
		const ours = await site();
		await prepare(ours);
		const answer = await ours.call("PUT", `${customer}${path}`, { body });
		expect(answer.body).toEqual({ code, message: expect.stringContaining(text) });
	});

	test("attribution keys that two types share, three keys, and an unknown parameter of a check", async () => {
		const { call, beta } = await site();
		const put = (type: object) =>
			call("PUT", `${beta}/entity-types`, { body: { types: [{ id: "user", displayName: "User", ...type }] } });
		expect((await put({ attributionKeys: ["teamId"] })).body).toEqual({
			code: "BadUserInput",
			message:
				"body/types/0/attributionKeys: 'teamId' belongs to the entity types 'team' and 'user'; each key identifies one type.",
		});
		expect((await put({ attributionKeys: ["a", "b", "c"] })).status).toBe(400);
		const check = async (query: string) =>
			(await call("GET", `${customer}/entitlements/check?featureId=tokens&${query}`)).body;
		expect((await check("dimension[x]=1")).message).toContain("query/dimension[x]: ");
		expect((await check("color=red")).message).toBe("query/color: unknown parameter; omit it.");
		expect((await check(`dimensions[agentId]=${"x".repeat(10_000)}`)).code).toBe("BadUserInput");
		const long = { amount: 1, dimensions: { agentId: "x".repeat(10_000) } };
		const consumed = await call("POST", "/customers/acme/entitlements/tokens/consume", { body: long });
		expect(consumed.body.message).toContain("body/dimensions/agentId");
	});

	test("a publishable key manages and reads no budgets", async () => {
		const { call, publishableKey: key } = await site();
		for (const path of ["/entity-types", "/customers/acme/entities", "/customers/acme/governance"])
			expect(await call("GET", path, { key })).toMatchObject({ status: 403, body: { code: "IdentityForbidden" } });
	});
});
