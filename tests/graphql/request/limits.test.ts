import { describe, expect, test } from "bun:test";
import { world } from "../../support/world";
import { ask, codes } from "../ask";

const repeat = (times: number, text: (at: number) => string): string =>
	Array.from({ length: times }, (_, at) => text(at)).join(" ");

/** A chain of plans and base plans, `depth` levels deep in all. */
const chain = (depth: number): string => {
	// products, edges and node are three levels, the leaf is the last one.
	const between = depth - 4;
	return `{ plans { edges { node { ${"basePlan { ".repeat(between)} refId ${"}".repeat(between)} } } } }`;
};

/** Each fragment spreads the next one twice under aliases: 2^n fields if written out. */
const bomb = (size: number): string =>
	`{ plans { edges { node { ...F0 } } } } ${repeat(size, (at) => `fragment F${at} on Plan { a: basePlan { ...F${at + 1} } b: basePlan { ...F${at + 1} } }`)} fragment F${size} on Plan { refId }`;

/** Some five hundred tokens for each of `times` root fields. */
const values = (times: number): string =>
	`{ ${repeat(times, (at) => `c${at}: customers(filter: { name: { in: [${'"x" '.repeat(490)}] } }) { totalCount }`)} }`;

/** Some 140 selections for each of `times` root fields, none of them twice in one object. */
const wide = (times: number): string => {
	const own =
		"id refId displayName description billingId status versionNumber isLatest pricingType environmentId createdAt updatedAt";
	const plan = `${`${own} basePlan { `.repeat(10)}${own}${" }".repeat(10)}`;
	return `{ ${repeat(times, (at) => `p${at}: plans(paging: { first: 1 }) { edges { node { ${plan} } } }`)} }`;
};

/** Lists inside lists inside lists: some 300 objects for each customer, by the estimate. */
const ofAddon = "prices { price { amount } feature { refId } } entitlements { feature { refId } }";
const heavy = `subscriptions { plan { compatibleAddons { ${ofAddon} } } addons { addon { ${ofAddon} } } }`;

const cases: readonly (readonly [name: string, within: string, beyond: string, says: string])[] = [
	["depth", chain(15), chain(16), "15 levels"],
	["aliases", `{ ${repeat(19, (at) => `p${at}: __typename`)} }`, bomb(8), "50 aliases"],
	[
		"aliases inside one object",
		`{ products { ${repeat(50, (at) => `c${at}: totalCount`)} } }`,
		`{ products { ${repeat(51, (at) => `c${at}: totalCount`)} } }`,
		"50 aliases",
	],
	[
		"root fields",
		`{ ${repeat(20, (at) => `t${at}: __typename`)} }`,
		`{ ${repeat(21, (at) => `t${at}: __typename`)} }`,
		"20 fields",
	],
	["tokens", values(7), values(9), "4000 tokens"],
	["selections", wide(13), wide(15), "2000 fields"],
	[
		"rows",
		"{ customers(paging: { first: 100 }) { edges { node { subscriptions { addons { addon { refId } } } } } } }",
		`{ customers(paging: { first: 100 }) { edges { node { ${heavy} } } } }`,
		"too many objects",
	],
];

describe("limits of one operation", () => {
	const ours = world();
	for (const [name, within, beyond, says] of cases)
		test(name, async () => {
			expect(await ask(ours, within)).not.toHaveProperty("errors");
			const body = await ask(ours, beyond);
			expect(body).not.toHaveProperty("data");
			expect(codes(body)).toEqual(["BadUserInput"]);
			expect(body.errors[0].message).toContain(says);
		});

	test("page sizes from variables count as those in the text", async () => {
		const query = `query ($p: CursorPaging) { customers(paging: $p) { edges { node {
			${heavy} } } } }`;
		expect(await ask(ours, query, { p: { first: 10 } })).not.toHaveProperty("errors");
		expect(codes(await ask(ours, query, { p: { first: 100 } }))).toEqual(["BadUserInput"]);
		expect(
			codes(await ask(ours, query.replace("$p: C", "$q: Int, $p: C").replace("$p)", "{ last: $q })"), { q: 100 })),
		).toEqual(["BadUserInput"]);
	});

	test("the operations of a batch share the rows", async () => {
		const query =
			"{ customers(paging: { first: 100 }) { edges { node { subscriptions { addons { addon { refId } } } } } } }";
		const batch = Array.from({ length: 25 }, () => ({ query }));
		const { body } = await ours.call("POST", "/graphql", { body: batch });
		const refused = body.filter((answer: object) => "errors" in answer);
		expect(body).toHaveLength(25);
		expect(refused.length).toBeGreaterThan(0);
		expect(refused.length).toBeLessThan(25);
		for (const answer of refused) expect(codes(answer)).toEqual(["BadUserInput"]);
	});

	test("documents that nest as deep as the tokens allow are answered or refused, and break nothing", async () => {
		const nests = [
			`{ customers { ${"... { ".repeat(1300)} totalCount ${"} ".repeat(1300)} } }`,
			`{ customers(filter: ${"[".repeat(1900)}${"]".repeat(1900)}) { totalCount } }`,
			`{ customers(filter: ${"{ and: ".repeat(900)} {} ${"}".repeat(900)}) { totalCount } }`,
			`query ($x: ${"[".repeat(1900)}Int${"]".repeat(1900)}) { customers { totalCount } }`,
		];
		for (const query of nests) {
			const body = await ask(ours, query);
			expect(codes(body).filter((code) => code !== "BadUserInput")).toEqual([]);
			expect(body.errors ? (body.data?.customers ?? null) : body.data.customers.totalCount).toBe(
				body.errors ? null : 0,
			);
		}
	});

	test("circles of fragments end, and are refused", async () => {
		const circles = [
			"{ plans { edges { node { ...A } } } } fragment A on Plan { ...B } fragment B on Plan { ...A }",
			"{ plans { edges { node { ...A } } } } fragment A on Plan { basePlan { ...A } }",
		];
		for (const query of circles) {
			const body = await ask(ours, query);
			expect(body).not.toHaveProperty("data");
			expect(new Set(codes(body))).toEqual(new Set(["BadUserInput"]));
		}
	});

	test("a document that was answered before is measured again with its new variables", async () => {
		const query = `query ($p: CursorPaging) { customers(paging: $p) { edges { node { ${heavy} } } } }`;
		expect(await ask(ours, query, { p: { first: 1 } })).not.toHaveProperty("errors");
		expect(codes(await ask(ours, query, { p: { first: 100 } }))).toEqual(["BadUserInput"]);
		expect(await ask(ours, query, { p: { first: 1 } })).not.toHaveProperty("errors");
	});
});

describe("limits of a list's arguments", () => {
	const ours = world();
	const nested = (levels: number): object => (levels === 0 ? { refId: { eq: "x" } } : { and: [nested(levels - 1)] });
	const refused: readonly (readonly [string, object, string])[] = [
		["no rows", { paging: { first: 0 } }, "1 to 100"],
		["more than a page", { paging: { first: 101 } }, "1 to 100"],
		["fewer than none", { paging: { last: -1 } }, "1 to 100"],
		["both directions", { paging: { first: 1, last: 1 } }, "not with both"],
		["a size against its cursor", { paging: { first: 1, before: "x" } }, "not with both"],
		["an unknown cursor", { paging: { after: "x" } }, "unknown"],
		["an unknown cursor backward", { paging: { before: "x" } }, "unknown"],
		["six sort fields", { sorting: Array(6).fill({ field: "name", direction: "ASC" }) }, "at most 5"],
		["a deep filter", { filter: nested(10) }, "10 levels"],
		["many conditions", { filter: { or: Array(101).fill({ name: { eq: "x" } }) } }, "100 conditions"],
		["many values", { filter: { name: { in: Array(501).fill("x") } } }, "500 values"],
		["a long pattern", { filter: { name: { like: "x".repeat(256) } } }, "255 characters"],
		["null where a value is due", { filter: { name: { gt: null } } }, "is: null"],
		["'is: true' of a text", { filter: { name: { is: true } } }, "takes null"],
	];
	const query = `query ($filter: CustomerFilter, $sorting: [CustomerSort!], $paging: CursorPaging) {
		customers(filter: $filter, sorting: $sorting, paging: $paging) { totalCount } }`;
	for (const [name, variables, says] of refused)
		test(`${name} is refused`, async () => {
			const body = await ask(ours, query, variables as Record<string, unknown>);
			expect(body.data).toEqual({ customers: null });
			expect(codes(body)).toEqual(["BadUserInput"]);
			expect(body.errors[0].message).toContain(says);
		});

	test("up to the limits everything is taken", async () => {
		const variables = {
			filter: {
				and: [nested(8), { or: Array(98).fill({ name: { eq: "x" } }) }, { name: { in: Array(500).fill("x") } }],
			},
			sorting: Array(5).fill({ field: "name", direction: "ASC" }),
			paging: { first: 100 },
		};
		expect(await ask(ours, query, variables)).toEqual({ data: { customers: { totalCount: 0 } } });
	});
});
