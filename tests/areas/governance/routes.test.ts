import { describe, expect, test } from "bun:test";
import { must, site } from "./site";

const customer = "/api/v1-beta/customers/acme";

describe("entity types", () => {
	test("an omitted field keeps its value, and an empty description clears it", async () => {
		const { call, beta } = await site();
		const put = (...types: object[]) => must(call("PUT", `${beta}/entity-types`, { body: { types } }));
		await put({ id: "team", description: "Teams" });
		const [kept] = (await put({ id: "team", displayName: "Teams" })).body.data;
		expect(kept).toMatchObject({ displayName: "Teams", description: "Teams", attributionKeys: ["teamId"] });
		expect((await put({ id: "team", description: "" })).body.data[0].description).toBe(null);
		const listed = (await call("GET", `/entity-types?limit=2`)).body;
		expect(listed.data.map(({ id }: { id: string }) => id)).toEqual(["model", "agent"]);
	});
});

describe("entities", () => {
	test("metadata is merged, and an empty value deletes its key", async () => {
		const { call } = await site();
		const put = (entity: object) =>
			must(call("PUT", `${customer}/entities`, { body: { entities: [{ id: "drafter", ...entity }] } }));
		await put({ displayName: "Drafter", metadata: { one: "1", two: "2" } });
		const [after] = (await put({ metadata: { one: "", three: "3" } })).body.data;
		expect(after).toMatchObject({ displayName: "Drafter", metadata: { two: "2", three: "3" }, entityTypeId: "agent" });
		expect((await put({ displayName: null })).body.data[0].displayName).toBe(null);
	});

	test("archived ones leave the lists, and a repeated call changes nothing", async () => {
		const { call } = await site();
		const ids = ["drafter"];
		for (const _ of [1, 2])
			expect((await must(call("POST", `${customer}/entities/archive`, { body: { ids } }))).body).toEqual({
				data: { ids },
			});
		const list = async (query: string) =>
			(await call("GET", `${customer}/entities?entityTypeId=agent${query}`)).body.data.map(
				({ id }: { id: string }) => id,
			);
		expect(await list("")).toEqual(["reviewer"]);
		expect(await list("&includeArchived=true")).toEqual(["reviewer", "drafter"]);
		const entity = async () => (await call("GET", `${customer}/entities/drafter`)).body.data.archivedAt;
		expect(await entity()).toEqual(expect.any(String));
		await must(call("POST", `${customer}/entities/unarchive`, { body: { ids } }));
		expect(await entity()).toBe(null);
	});
});

describe("assignments", () => {
	test("a tree is created in one request, in any order", async () => {
		const ours = await site();
		const { body } = await ours.budget(
			{ entityId: "drafter", parentId: "research", usageLimit: 4.5 },
			{ entityId: "research", usageLimit: null, cadence: "P30D" },
			{ entityId: "drafter", scopeEntityIds: ["gpt"], usageLimit: 0 },
		);
		expect(body.data).toEqual([
			expect.objectContaining({ entityId: "drafter", featureId: "tokens", parentId: "research", usageLimit: 4.5 }),
			expect.objectContaining({ entityId: "research", parentId: null, usageLimit: null, cadence: "P30D" }),
			expect.objectContaining({ parentId: "research", scopeEntityIds: ["gpt"], usageLimit: 0 }),
		]);
		const listed = (await ours.call("GET", `${customer}/assignments?entityId=drafter&featureId=tokens`)).body.data;
		expect(listed.map(({ id }: { id: string }) => id).sort()).toEqual([body.data[0].id, body.data[2].id].sort());
	});

	test("an omitted parent stays, null makes a root, and the order of a scope does not matter", async () => {
		const ours = await site();
		await ours.budget(
			{ entityId: "gpt", usageLimit: 1 },
			{ entityId: "research", parentId: "gpt", scopeEntityIds: ["drafter"], usageLimit: 5 },
		);
		const [kept] = (await ours.budget({ entityId: "research", scopeEntityIds: ["drafter"], usageLimit: 6 })).body.data;
		expect(kept).toMatchObject({ parentId: "gpt", usageLimit: 6, cadence: "P1M" });
		const [root] = (await ours.budget({ entityId: "research", scopeEntityIds: ["drafter"], parentId: null })).body.data;
		expect(root).toMatchObject({ id: kept.id, parentId: null, usageLimit: 6 });
	});

	test("all items are applied, or none", async () => {
		const ours = await site();
		const answer = await ours.put([
			{ entityId: "research", featureId: "tokens", usageLimit: 1, cadence: "P1M" },
			{ entityId: "nobody", featureId: "tokens", usageLimit: 1, cadence: "P1M" },
		]);
		expect(answer.status).toBe(400);
		expect((await ours.call("GET", `${customer}/assignments`)).body.data).toEqual([]);
	});

	test("have a view of the tree: sorted, filtered, searched, in pages", async () => {
		const ours = await site();
		await ours.budget(
			{ entityId: "research", usageLimit: 10 },
			{ entityId: "drafter", parentId: "research", usageLimit: 4 },
			{ entityId: "reviewer", parentId: "research", usageLimit: null },
			{ entityId: "drafter", scopeEntityIds: ["gpt"], usageLimit: 0 },
		);
		await must(ours.report({ value: 3, dimensions: { agentId: "drafter" } }));
		await ours.follow();
		const tree = async (query: string) => (await must(ours.call("GET", `${customer}/governance?${query}`))).body;
		const of = (body: { data: { entityId: string; utilization: number | null }[] }) =>
			body.data.map(({ entityId, utilization }) => [entityId, utilization]);
		const [zero, part, team, unlimited] = [
			["drafter", 1],
			["drafter", 0.75],
			["research", 0.3],
			["reviewer", null],
		] as const;
		const all = [zero, part, team, unlimited].map(([...one]) => one);
		expect(of(await tree("featureIds=tokens"))).toEqual(all);
		expect(of(await tree("featureIds=tokens&order=asc"))).toEqual([team, part, zero, unlimited].map(([...one]) => one));
		expect(of(await tree("featureIds=tokens&minUtilization=0.5&scope=nodeWide"))).toEqual([["drafter", 0.75]]);
		expect(of(await tree("featureIds=tokens&entityIdSearch=RESEA"))).toEqual([["research", 0.3]]);
		expect(of(await tree("featureIds=tokens&entityIdSearch=%25"))).toEqual([]);
		expect(of(await tree("entityTypeIds=team&featureIds=blocks,tokens"))).toEqual([["research", 0.3]]);
		expect((await tree("featureIds=tokens&sortBy=scopeSize&limit=1")).data[0]).toEqual({
			...{ entityId: "drafter", entityTypeId: "agent", displayName: null, featureId: "tokens", parentId: "research" },
			...{
				scopeEntityIds: ["gpt"],
				usageLimit: 0,
				cadence: "P1M",
				currentUsage: 0,
				utilization: 1,
			},
			...{ usagePeriodStart: "2026-01-31T00:00:00.000Z", usagePeriodEnd: "2026-02-28T00:00:00.000Z" },
		});
		const nodes = (await tree("")).data;
		expect(nodes.length).toBe(4);
		expect(nodes[0]).toMatchObject({ cadence: null, usageLimit: null, currentUsage: null, utilization: null });
		const paged: unknown[] = [];
		for (let after = ""; ; ) {
			const page = await tree(`featureIds=tokens&limit=1${after}`);
			paged.push(...of(page));
			if (page.pagination.next === null) break;
			after = `&after=${page.pagination.next}`;
		}
		expect(paged).toEqual(all);
	});
});

describe("an environment with governance off", () => {
	test("refuses the operations before it looks up the customer, and budgets neither limit nor count", async () => {
		const ours = await site();
		await ours.budget({ entityId: "drafter", usageLimit: 1 });
		const turn = (governance: boolean) => must(ours.call("PATCH", "/environments/current", { body: { governance } }));
		expect((await turn(false)).body.data.governance).toBe(false);
		const calls: ReadonlyArray<readonly [string, string, object?]> = [
			["GET", "/entity-types"],
			["PUT", "/entity-types", { types: [{ id: "x" }] }],
			["GET", "/customers/none/entities"],
			["PUT", "/customers/none/entities", { entities: [{ id: "x" }] }],
			["GET", "/customers/none/entities/x"],
			["POST", "/customers/none/entities/archive", { ids: ["x"] }],
			["POST", "/customers/none/entities/unarchive", { ids: ["x"] }],
			["GET", "/customers/none/assignments"],
			["PUT", "/customers/none/assignments", { assignments: [{ entityId: "x" }] }],
			["GET", "/customers/none/governance"],
		];
		for (const prefix of ["/api/v1", "/api/v1-beta"])
			for (const [method, path, body] of calls)
				expect(await ours.call(method, `${prefix}${path}`, body ? { body } : {})).toMatchObject({
					status: 403,
					body: { code: "GovernanceNotEnabled" },
				});
		expect((await ours.consume(5, { agentId: "drafter" })).body.data.isGranted).toBe(true);
		await turn(true);
		expect(await ours.usage()).toEqual({ drafter: 0 });
	});
});

test("another environment sees nothing, and its customers' entities are its own", async () => {
	const ours = await site();
	await ours.budget({ entityId: "drafter", usageLimit: 1 });
	const key = ours.foreignKey;
	expect((await ours.call("GET", "/entity-types", { key })).body.data).toEqual([]);
	for (const path of ["entities", "entities/drafter", "assignments", "governance"])
		expect((await ours.call("GET", `/customers/acme/${path}`, { key })).body.code).toBe("CustomerNotFound");
	await must(ours.call("POST", "/customers", { key, body: { id: "acme" } }));
	for (const path of ["entities", "assignments", "governance"])
		expect((await ours.call("GET", `/customers/acme/${path}`, { key })).body.data).toEqual([]);
	expect((await ours.call("GET", "/customers/acme/entities/drafter", { key })).status).toBe(404);
	const entities = [{ id: "drafter", entityTypeId: "agent" }];
	expect((await ours.call("PUT", "/customers/acme/entities", { key, body: { entities } })).status).toBe(400);
});
