import { expect, test } from "bun:test";
import fc from "fast-check";
import { must, type Site, site } from "../site";

type Query = Readonly<Record<string, string | number>>;

interface Node {
	readonly entityId: string;
	readonly scopeEntityIds: string[];
	readonly utilization: number | null;
	readonly currentUsage: number | null;
	readonly usageLimit: number | null;
}

const pageOf = async ({ call }: Site, query: Query) =>
	(
		await must(
			call(
				"GET",
				`/customers/acme/governance?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, `${v}`]))}`,
			),
		)
	).body as { data: Node[]; pagination: { next: string | null } };

/** All pages together. */
async function treeOf(ours: Site, query: Query): Promise<Node[]> {
	const found: Node[] = [];
	for (let after: Query = {}; ; ) {
		const { data, pagination } = await pageOf(ours, { ...query, ...after });
		found.push(...data);
		if (pagination.next === null) return found;
		after = { after: pagination.next };
	}
}

/** Budgets of tokens and blocks with random limits and usage. */
async function grown() {
	const ours = await site();
	const agents = Array.from({ length: 30 }, (_, at) => `agent-${at}`);
	await must(
		ours.call("PUT", "/customers/acme/entities", {
			body: { entities: agents.map((id) => ({ id, entityTypeId: "agent" })) },
		}),
	);
	const limits = [null, 0, 4, 5, 8, 20];
	await ours.budget(
		...agents.map((entityId, at) => ({ entityId, usageLimit: limits[at % limits.length] ?? null })),
		...agents.slice(0, 9).map((entityId) => ({ entityId, scopeEntityIds: ["gpt"], usageLimit: 3 })),
		...agents.slice(0, 9).map((entityId) => ({ entityId, featureId: "blocks", usageLimit: 7 })),
	);
	const usages = agents.map((agentId, at) => ({ value: (at * 7) % 11, dimensions: { agentId, model: "gpt" } }));
	await must(ours.report(...usages));
	await must(ours.report(...usages.map((one) => ({ ...one, featureId: "blocks" }))));
	await ours.follow();
	return ours;
}

const sorts = ["utilization", "currentUsage", "usageLimit", "scopeSize", "id", "createdAt"] as const;

const sortedValue = (node: Node, sortBy: (typeof sorts)[number]): string | number | null => {
	if (sortBy === "scopeSize") return node.scopeEntityIds.length;
	if (sortBy === "id") return node.entityId;
	return sortBy === "createdAt" ? 0 : node[sortBy];
};

test("pages of any size show each budget once, in each order, with null values last", async () => {
	const ours = await grown();
	const all = await treeOf(ours, { featureIds: "tokens,blocks", limit: 100 });
	expect(all.length).toBe(48);
	const key = (node: Node) => JSON.stringify(node);
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(...sorts),
			fc.constantFrom("asc", "desc"),
			fc.integer({ min: 1, max: 60 }),
			async (sortBy, order, limit) => {
				const found = await treeOf(ours, { featureIds: "tokens,blocks", sortBy, order, limit });
				expect(found.map(key).sort()).toEqual(all.map(key).sort());
				const values = found.map((node) => sortedValue(node, sortBy));
				const known = values.filter((value) => value !== null);
				expect(values.slice(known.length).every((value) => value === null)).toBe(true);
				const sorted = known.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
				expect(known).toEqual(order === "asc" ? sorted : sorted.reverse());
			},
		),
		{ numRuns: 40 },
	);
});

test("the usage of an ended window leaves the order, and later usage of the next one enters it", async () => {
	const ours = await grown();
	await ours.advance("P40D");
	await ours.follow();
	const before = await treeOf(ours, { featureIds: "tokens", limit: 100 });
	expect(new Set(before.map(({ utilization }) => utilization))).toEqual(new Set([1, 0, null]));
	await must(ours.report({ value: 3, dimensions: { agentId: "agent-2" } }));
	await ours.follow();
	const [first, ...others] = (await treeOf(ours, { featureIds: "tokens", limit: 100 })).filter(
		({ currentUsage }) => currentUsage !== 0,
	);
	expect([first?.entityId, first?.utilization, others]).toEqual(["agent-2", 0.75, []]);
});

test("a page of a rare match continues with a next page", async () => {
	const ours = await grown();
	const many = Array.from({ length: 1_100 }, (_, at) => `many-${at}`);
	for (let at = 0; at < many.length; at += 100) {
		const part = many.slice(at, at + 100);
		const entities = part.map((id) => ({ id, entityTypeId: "agent" }));
		await must(ours.call("PUT", "/customers/acme/entities", { body: { entities } }));
		await ours.budget(...part.map((entityId) => ({ entityId, usageLimit: 1 })));
	}
	const query = { featureIds: "tokens", sortBy: "createdAt", order: "desc", entityIdSearch: "AGENT-29" };
	const first = await pageOf(ours, query);
	expect([first.data, first.pagination.next === null]).toEqual([[], false]);
	expect((await treeOf(ours, query)).map(({ entityId }) => entityId)).toEqual(["agent-29"]);
});
