import { beforeAll, describe, expect, test } from "bun:test";
import { getIntrospectionQuery } from "graphql";
import { type World, world } from "../../support/world";
import { ask, codes } from "../ask";

/** Customers of ours, oldest first: `customer-0`, … */
function fill({ db: { $client: client }, clock, environmentId }: World, count: number): void {
	const insert = client.prepare(
		`INSERT INTO customers (id, environment_id, ref_id, billing_id, name, email, integrations, metadata, created_at, updated_at)
		VALUES (?1, ?2, ?3, ?3, ?4, ?5, '[]', '{}', ?6, ?6)`,
	);
	client.run("BEGIN");
	for (let at = 0; at < count; at += 1)
		insert.run(
			Bun.randomUUIDv7("hex", clock.at - count + at),
			environmentId,
			`customer-${at}`,
			`Customer ${at}`,
			`c${at}@example.com`,
			clock.at,
		);
	client.run("COMMIT");
}

interface Statement {
	readonly sql: string;
	readonly rows: number;
}

/** Remembers the statements that read, and how many rows each gave. */
function recording({ db: { $client: client } }: World): Statement[] {
	const statements: Statement[] = [];
	const { prepare } = client;
	// A connection gives the same statement for the same text.
	const known = new WeakSet<object>();
	client.prepare = function recorded(this: typeof client, ...args: Parameters<typeof prepare>) {
		const statement = prepare.apply(this, args);
		if (known.has(statement)) return statement;
		known.add(statement);
		for (const name of ["all", "values"] as const) {
			const read = statement[name];
			Object.assign(statement, {
				[name]: (...values: unknown[]) => {
					const found: unknown = Reflect.apply(read, statement, values);
					statements.push({ sql: args[0], rows: Array.isArray(found) ? found.length : 0 });
					return found;
				},
			});
		}
		return statement;
	} as typeof prepare;
	return statements;
}

const likes = (count: number) => ({ or: Array.from({ length: count }, (_, at) => ({ name: { iLike: `%x${at}%` } })) });

const repeated = (count: number, text: (at: number) => string): string =>
	Array.from({ length: count }, (_, at) => text(at)).join(" ");

const twentyCounts = `query ($f: CustomerFilter) { ${repeated(20, (at) => `a${at}: customers(filter: $f) { totalCount }`)} }`;

/** The most comparisons of the attack: each pattern of a statement with each customer. */
const comparisonsIn = (statements: readonly Statement[], customers: number): number =>
	statements.reduce((sum, { sql }) => sum + (sql.match(/ like \?/g) ?? []).length * customers, 0);

describe("a batch of 25 operations, each with 20 counts of 99 patterns", () => {
	test.each([
		["fifty customers", 50, 1],
		["a thousand customers", 1_000, 0],
		["four thousand customers", 4_000, 0],
	])("among %s compares a bounded number of times, and is refused", async (_, customers, answered) => {
		const ours = world();
		fill(ours, customers);
		const statements = recording(ours);
		const operation = { query: twentyCounts, variables: { f: likes(99) } };
		const { status, body } = await ours.call("POST", "/graphql", { body: Array(25).fill(operation) });
		expect(status).toBe(200);
		expect(body).toHaveLength(25);
		expect(body.filter((answer: object) => "data" in answer)).toHaveLength(answered);
		for (const answer of body.slice(answered)) {
			expect(codes(answer)).toEqual(["BadUserInput"]);
			expect(answer.errors[0].message).toContain(
				answered > 0
					? "more work than one request may take"
					: "narrow them down by 'eq' or 'in' of id, refId, customerId, name, email",
			);
		}
		// 25 × 20 × 99 × 4,000 are 198 million.
		expect(comparisonsIn(statements, customers)).toBeLessThanOrEqual(400_000);
		expect(statements.length).toBeLessThan(1_000);
	});
});

describe("the cost of a list", () => {
	const ours = world();
	beforeAll(() => fill(ours, 4_000));
	const list = (args: object, selection: string) =>
		ask(
			ours,
			`query ($f: CustomerFilter, $s: [CustomerSort!], $p: CursorPaging) { customers(filter: $f, sorting: $s, paging: $p) { ${selection} } }`,
			{
				p: { first: 2 },
				...args,
			},
		);
	const edges = "edges { node { refId } } pageInfo { hasNextPage hasPreviousPage }";
	const none = likes(99);
	const newest = { or: [{ name: { iLike: "%9%" } }, ...none.or.slice(1)] };
	const byName = [{ field: "name", direction: "ASC" }];

	test.each([
		["a page of all", {}, edges, ["customer-3999", "customer-3998"]],
		["the number of all", {}, "totalCount", 4_000],
		["a page in another order", { s: byName }, edges, ["customer-0", "customer-1"]],
		[
			"a page that is found among the newest, however much is compared",
			{ f: newest },
			edges,
			["customer-3999", "customer-3998"],
		],
		[
			"rows found by an index, however much else is compared",
			{ f: { ...newest, refId: { eq: "customer-99" } } },
			`${edges} totalCount`,
			["customer-99"],
		],
		[
			"several by their ids",
			{ f: { and: [newest, { refId: { in: ["customer-9", "customer-19"] } }] }, s: byName },
			`${edges} totalCount`,
			["customer-19", "customer-9"],
		],
		["few comparisons with all", { f: { name: { iLike: "%none%" } } }, `${edges} totalCount`, []],
	] as const)("%s is answered", async (_, args, selection, expected) => {
		const { customers } = (await list(args, selection)).data;
		expect(customers.edges?.map(({ node }: { node: { refId: string } }) => node.refId) ?? customers.totalCount).toEqual(
			expected,
		);
	});

	test.each([
		["the number of those that much is compared with", { f: newest }, "totalCount"],
		["a page that is not among the newest", { f: none }, edges],
		["a page in another order of those that much is compared with", { f: newest, s: byName }, edges],
		[
			"what an index would find under 'or'",
			{ f: { or: [{ refId: { eq: "customer-1" } }, ...none.or.slice(1)] } },
			"totalCount",
		],
	])("%s is refused", async (_, args, selection) => {
		const body = await list(args, selection);
		expect(body).not.toHaveProperty("data");
		expect(codes(body)).toEqual(["BadUserInput"]);
		expect(body.errors[0].message).toContain("omit 'sorting' and 'totalCount'");
	});

	test("pages of a list that is looked through piece by piece are complete, both ways", async () => {
		const f = { name: { like: "%7" } };
		const wanted = Array.from({ length: 400 }, (_, at) => `customer-${3_997 - 10 * at}`);
		for (const backward of [false, true]) {
			const seen: string[] = [];
			let cursor: string | undefined;
			for (let goesOn = true; goesOn; ) {
				const p = backward ? { last: 90, before: cursor } : { first: 90, after: cursor };
				const { customers } = (
					await list({ f, p }, `totalCount ${edges.replace("{ hasNextPage", "{ startCursor endCursor hasNextPage")}`)
				).data;
				const ids = customers.edges.map(({ node }: { node: { refId: string } }) => node.refId);
				if (backward) seen.unshift(...ids);
				else seen.push(...ids);
				expect(customers.totalCount).toBe(400);
				const { startCursor, endCursor, hasNextPage, hasPreviousPage } = customers.pageInfo;
				cursor = backward ? startCursor : endCursor;
				goesOn = backward ? hasPreviousPage : hasNextPage;
			}
			expect(seen).toEqual(wanted);
		}
	});

	test("the operations of a batch share it: the first are answered, the others are not", async () => {
		const query = `query ($f: CustomerFilter) { customers(filter: $f) { totalCount } }`;
		const operation = { query, variables: { f: { name: { iLike: "%1%" } } } };
		const { body } = await ours.call("POST", "/graphql", { body: Array(25).fill(operation) });
		const answered = body.map((answer: object) => "data" in answer);
		expect(answered[0]).toBe(true);
		expect(answered.at(-1)).toBe(false);
		expect(answered).toEqual([...answered].sort().reverse());
	});
});

test("rows that have an index of their own are not looked for among all of the environment", async () => {
	const ours = world();
	const statements = recording(ours);
	const filters = [
		'customerId: { eq: "a" }',
		'customer: { refId: { in: ["a", "b"] } }',
		'planId: { eq: "pro" }, customerId: { eq: "a" }',
	];
	for (const filter of filters)
		await ask(
			ours,
			`{ subscriptions(filter: { ${filter}, status: { eq: ACTIVE } }) { totalCount edges { node { refId } } } }`,
		);
	const plans = statements
		.filter(({ sql }) => sql.includes('from "subscriptions"'))
		.flatMap(({ sql }) =>
			ours.db.$client
				.query<{ detail: string }, null[]>(`EXPLAIN QUERY PLAN ${sql}`)
				.all(...Array<null>((sql.match(/\?/g) ?? []).length).fill(null)),
		)
		.map(({ detail }) => detail)
		.filter((detail) => /(SCAN|SEARCH) subscriptions/.test(detail));
	expect(plans.length).toBeGreaterThanOrEqual(9);
	expect(plans.filter((detail) => !detail.includes("(customer_id=?"))).toEqual([]);
});

test("the lists inside the objects of a page share one limit of rows", async () => {
	const ours = world();
	fill(ours, 2_100);
	const coupon = {
		name: "C",
		description: null,
		percentOff: 10,
		amountsOff: null,
		durationInMonths: null,
		metadata: {},
	};
	for (let at = 0; at < 21; at += 1)
		expect((await ours.call("POST", "/coupons", { body: { id: `c${at}`, ...coupon } })).status).toBe(201);
	const perCoupon = (count: number) =>
		ours.db.$client.run(
			`UPDATE customers SET coupon_id = (SELECT id FROM coupons WHERE ref_id = 'c' || (CAST(substr(customers.ref_id, 10) AS INTEGER) % 21))
			WHERE CAST(substr(customers.ref_id, 10) AS INTEGER) < ${21 * count}`,
		);
	const query = "{ coupons(paging: { first: 100 }) { edges { node { customers { refId } } } } }";
	perCoupon(20);
	const { coupons } = (await ask(ours, query)).data;
	expect(coupons.edges.map(({ node }: { node: { customers: object[] } }) => node.customers.length)).toEqual(
		Array(21).fill(20),
	);
	expect(coupons.edges.at(-1).node.customers.slice(0, 2)).toEqual([
		{ refId: "customer-399" },
		{ refId: "customer-378" },
	]);
	perCoupon(100);
	const body = await ask(ours, query);
	expect(body).not.toHaveProperty("data");
	expect(codes(body)).toEqual(["BadUserInput"]);
});

describe("other limits of a request", () => {
	const ours = world();
	const refused = async (body: unknown, says: string) => {
		const answer = (await ours.call("POST", "/graphql", { body })).body;
		const last = Array.isArray(answer) ? answer.at(-1) : answer;
		expect(last).not.toHaveProperty("data");
		expect(codes(last)).toEqual(["BadUserInput"]);
		expect(last.errors[0].message).toContain(says);
	};
	const whole = getIntrospectionQuery({
		descriptions: true,
		specifiedByUrl: true,
		directiveIsRepeatable: true,
		schemaDescription: true,
		inputValueDeprecation: true,
		oneOf: true,
	});

	test("the whole schema, once", async () => {
		expect(await ask(ours, whole)).not.toHaveProperty("errors");
		await refused([{ query: whole }, { query: whole }], "the schema");
		await refused(
			{
				query: `{ ${repeated(19, (at) => `s${at}: __schema { types { name fields { name args { name type { name } } } } }`)} }`,
			},
			"the schema",
		);
	});

	test("limits the values in its variables, all operations together", async () => {
		const query = "query ($f: CustomerFilter) { customers(filter: $f) { totalCount } }";
		const variables = { f: { refId: { in: Array(25_000).fill("x") } } };
		await refused({ query, variables }, "20000 values");
		const few = { f: { refId: { in: Array(400).fill("x") } } };
		expect(await ask(ours, query, few)).not.toHaveProperty("errors");
		const unused = { rest: Array(1_000).fill(0) };
		const answer = (await ours.call("POST", "/graphql", { body: Array(21).fill({ query, variables: unused }) })).body;
		expect(codes(answer)).toEqual(["BadUserInput"]);
	});

	test("reads that go through all that somebody has, a few of them", async () => {
		const impacts = (count: number) =>
			`{ ${repeated(count, (at) => `i${at}: planPublishImpact(input: { refId: "pro", migrationType: ALL_CUSTOMERS }) { subscriptionsCount }`)} }`;
		expect(codes(await ask(ours, impacts(2)))).toEqual(["PlanNotFound", "PlanNotFound"]);
		await refused({ query: impacts(19) }, "more work than one request may take");
		const access = `{ entitlementsState(query: { customerId: "acme" }) { accessDeniedReason } }`;
		expect(await ask(ours, access)).not.toHaveProperty("errors");
		await refused(
			Array(25).fill({ query: `{ ${repeated(19, (at) => `e${at}: ${access.slice(2, -2)}`)} }` }),
			"more work",
		);
	});

	test("limits the fields, all operations together", async () => {
		const name = (at: number) => `f${at}: refId`;
		const query = `{ ${repeated(19, (at) => `c${at}: coupons { edges { node { refId name id status type description source billingId createdAt updatedAt } } }`)} }`;
		expect(await ask(ours, query)).not.toHaveProperty("errors");
		expect(await ask(ours, `{ coupons { edges { node { ${repeated(50, name)} } } } }`)).not.toHaveProperty("errors");
		await refused(Array(25).fill({ query }), "4000 fields");
	});

	test("limits how often one place has the same field", async () => {
		const fragments = (count: number) =>
			`{ coupons { edges { node { ${repeated(count, () => "... on Coupon { customers { refId } }")} } } } }`;
		expect(await ask(ours, fragments(50))).not.toHaveProperty("errors");
		await refused({ query: fragments(200) }, "too often in one place");
	});
});

describe("others are served in between", () => {
	/** Answers in which turn of the event loop, counted from the call, each of the resolvers ran. */
	const turnsOf = async (...bodies: readonly object[]): Promise<number[]> => {
		const ours = world();
		await ask(ours, "{ __typename }");
		let rootField = 0;
		let isOver = false;
		const count = () => {
			rootField += 1;
			if (!isOver) setImmediate(count);
		};
		setImmediate(count);
		const turns = new Set<number>();
		const { read, write } = ours.transactions;
		Object.assign(ours.services.transactions, {
			read: (...args: Parameters<typeof read>) => {
				turns.add(rootField);
				return read(...args);
			},
			write: (...args: Parameters<typeof write>) => {
				turns.add(rootField);
				return write(...args);
			},
		});
		await Promise.all(bodies.map((body) => ours.call("POST", "/graphql", { body })));
		isOver = true;
		return [...turns];
	};

	test("each operation of a batch has a turn of its own", async () => {
		const turns = await turnsOf(Array(10).fill({ query: "{ products { totalCount } }" }));
		expect(turns.length).toBeGreaterThanOrEqual(10);
	});

	test("between the requests that come at once, too", async () => {
		const query = (at: number) => ({ query: `query Q${at} { products { totalCount } }` });
		const turns = await turnsOf(...Array.from({ length: 10 }, (_, at) => query(at)));
		expect(turns.length).toBeGreaterThanOrEqual(10);
	});

	test("between the fields of a mutation, too", async () => {
		const product = (at: number) => `p${at}: createOneProduct(input: { refId: "p${at}", displayName: "P" }) { refId }`;
		const turns = await turnsOf({ query: `mutation { ${repeated(10, product)} }` });
		expect(turns.length).toBeGreaterThanOrEqual(10);
	});
});
