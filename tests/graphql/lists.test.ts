import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Instant } from "../../src/kernel/clock";
import { testNow, type World, world } from "../support/world";
import { data } from "./ask";
import { type Filter, inOrder, passes, type Row, type Sort } from "./oracle";

/** Few different values, so that filters hit and sorts tie. */
const names = ["Ann", "ann", "Bob", "a%b", "a_b", "b*c", "", null];
const emails = ["ann@x.test", "bob@x.test", null];

let ours: World;
let rows: Row[];

beforeAll(async () => {
	ours = world();
	for (let at = 0; at < 40; at += 1) {
		// Every three of them share their instant.
		ours.clock.at = (testNow + Math.floor(at / 3) * 60_000) as Instant;
		const customer = { name: names[(at * 5) % 8] ?? null, email: emails[(at * 7) % 3] ?? null };
		const body = { id: `c${String(at).padStart(2, "0")}`, ...customer };
		expect((await ours.call("POST", "/customers", { body })).status).toBe(201);
	}
	await ours.call("POST", "/customers", { body: { id: "gone", name: "Ann" } });
	await ours.call("POST", "/customers/gone/archive");
	await ours.call("POST", "/customers", { key: ours.foreignKey, body: { id: "c00", name: "Ann" } });
	const first = await data(
		ours,
		"{ customers(paging: { first: 100 }) { edges { node { id refId name email billingId createdAt } } } }",
	);
	rows = first.customers.edges.map(({ node }: { node: Row }) => node);
});

test("without arguments: the newest twenty, nothing archived, nothing of the other environment", async () => {
	const { customers } = await data(ours, "{ customers { totalCount edges { cursor node { id refId } } } }");
	expect(customers.totalCount).toBe(40);
	const refs = customers.edges.map(({ node }: { node: { refId: string } }) => node.refId);
	expect(refs).toEqual(Array.from({ length: 20 }, (_, at) => `c${39 - at}`));
	for (const { cursor, node } of customers.edges) expect(cursor).toBe(node.id);
});

const text = (values: readonly (string | null)[]) => {
	const one = fc.constantFrom(...values.filter((value) => value !== null));
	const pattern = fc.constantFrom("%", "a%", "A%", "%b", "a\\%b", "a_b", "_nn", "b*%", "%@x.test", "");
	return fc.oneof(
		...["eq", "neq", "gt", "gte", "lt", "lte"].map((operator) => one.map((operand) => ({ [operator]: operand }))),
		...["in", "notIn"].map((operator) => fc.array(one, { maxLength: 3 }).map((operand) => ({ [operator]: operand }))),
		...["like", "notLike", "iLike", "notILike"].map((operator) => pattern.map((operand) => ({ [operator]: operand }))),
		fc.constantFrom({ is: null }, { isNot: null }, { eq: null }, { neq: null }),
		fc.tuple(one, one).map(([gte, lte]) => ({ gte, lte })),
	);
};

const instant = fc.integer({ min: -1, max: 15 }).map((minutes) => new Date(testNow + minutes * 60_000).toISOString());
const time = fc.oneof(
	...["eq", "neq", "gt", "gte", "lt", "lte"].map((operator) => instant.map((operand) => ({ [operator]: operand }))),
	...["between", "notBetween"].map((operator) =>
		fc.tuple(instant, instant).map(([lower, upper]) => ({ [operator]: { lower, upper } })),
	),
);

const { filter } = fc.letrec<{ filter: Filter; alternatives: Filter[] }>((tie) => ({
	filter: fc.oneof(
		{ maxDepth: 3, depthSize: "small" },
		fc.constant({}),
		text(names).map((name) => ({ name })),
		text(emails).map((email) => ({ email })),
		time.map((createdAt) => ({ createdAt })),
		fc.tuple(text(names), text(emails)).map(([name, email]) => ({ name, email })),
		tie("alternatives").map((and) => ({ and })),
		tie("alternatives").map((or) => ({ or })),
		fc.tuple(tie("alternatives"), text(names)).map(([or, name]) => ({ or, name })),
	),
	alternatives: fc.array(tie("filter"), { maxLength: 3 }),
}));

const sorting: fc.Arbitrary<Sort[]> = fc.array(
	fc.record(
		{
			field: fc.constantFrom("name", "email", "createdAt", "refId"),
			direction: fc.constantFrom("ASC" as const, "DESC" as const),
			nulls: fc.constantFrom("NULLS_FIRST" as const, "NULLS_LAST" as const),
		},
		{ requiredKeys: ["field", "direction"] },
	),
	{ maxLength: 3 },
);

const query = `query ($filter: CustomerFilter, $sorting: [CustomerSort!], $paging: CursorPaging) {
	customers(filter: $filter, sorting: $sorting, paging: $paging) {
		totalCount
		pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
		edges { cursor node { id } }
	}
}`;

interface Page {
	readonly totalCount: number;
	readonly pageInfo: Readonly<Record<string, unknown>>;
	readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
}

const read = async (variables: object): Promise<Page> =>
	(await data(ours, query, variables as Record<string, unknown>)).customers;

/** The expected page info, given the whole list and the page's position in it. */
const pageOf = (expected: readonly Row[], from: number, to: number) => {
	const ids = expected.slice(from, to).map(({ id }) => `${id}`);
	return {
		totalCount: expected.length,
		pageInfo: {
			hasNextPage: to < expected.length,
			hasPreviousPage: from > 0,
			startCursor: ids[0] ?? null,
			endCursor: ids.at(-1) ?? null,
		},
		edges: ids.map((id) => ({ cursor: id, node: { id } })),
	};
};

describe("against an oracle", () => {
	test("filters, sorting and paging forward and backward agree with the whole list in memory", async () => {
		await fc.assert(
			fc.asyncProperty(filter, sorting, fc.integer({ min: 1, max: 50 }), async (given, sorted, size) => {
				const expected = inOrder(
					rows.filter((row) => passes(row, given)),
					sorted,
				);
				const common = { filter: given, ...(sorted.length > 0 && { sorting: sorted }) };
				let after: string | undefined;
				for (let from = 0; from === 0 || from < expected.length; from += size) {
					const page = await read({ ...common, paging: { first: size, ...(after && { after }) } });
					expect(page).toEqual(pageOf(expected, from, Math.min(from + size, expected.length)));
					after = page.edges.at(-1)?.cursor;
				}
				let before: string | undefined;
				for (let to = expected.length; to === expected.length || to > 0; to -= size) {
					const page = await read({ ...common, paging: { last: size, ...(before && { before }) } });
					expect(page).toEqual(pageOf(expected, Math.max(to - size, 0), to));
					before = page.edges[0]?.cursor;
				}
			}),
			{ numRuns: 60 },
		);
	});

	test("a cursor whose row the filter leaves out still has its place in the order", async () => {
		await fc.assert(
			fc.asyncProperty(filter, sorting, fc.nat({ max: 39 }), fc.boolean(), async (given, sorted, at, backward) => {
				const all = inOrder(rows, sorted);
				const beyond = backward ? all.slice(0, at) : all.slice(at + 1);
				const found = beyond.filter((row) => passes(row, given));
				const expected = (backward ? found.slice(-5) : found.slice(0, 5)).map(({ id }) => `${id}`);
				const cursor = all[at]?.id;
				const { edges, pageInfo } = await read({
					filter: given,
					sorting: sorted,
					paging: backward ? { last: 5, before: cursor } : { first: 5, after: cursor },
				});
				expect(edges.map((edge) => edge.cursor)).toEqual(expected);
				// Looking on: what lies beyond the page. Looking back: whatever else the list has on the cursor's side.
				const rest = rows.filter((row) => passes(row, given)).length - found.length;
				expect(backward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage).toBe(found.length > 5);
				expect(backward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage).toBe(rest > 0);
			}),
			{ numRuns: 60 },
		);
	});
});

test("a cursor alone takes twenty", async () => {
	const ids = rows.map(({ id }) => `${id}`);
	expect((await read({ paging: { after: ids[4] } })).edges.map(({ cursor }) => cursor)).toEqual(ids.slice(5, 25));
	expect((await read({ paging: { before: ids[30] } })).edges.map(({ cursor }) => cursor)).toEqual(ids.slice(10, 30));
});

test("another environment's rows are no cursors here, and are not counted", async () => {
	const key = ours.foreignKey;
	const theirs = (await data(ours, query, {}, { key })).customers;
	expect(theirs.totalCount).toBe(1);
	const body = { query, variables: { paging: { after: theirs.edges[0].cursor } } };
	const answer = (await ours.call("POST", "/graphql", { body })).body;
	expect(answer.data).toEqual({ customers: null });
	expect(answer.errors[0].message).toContain("unknown");
});
