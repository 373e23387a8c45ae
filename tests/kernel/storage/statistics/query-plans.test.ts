import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createApp } from "../../../../src/app";
import { keepAllEntries } from "../../../../src/areas/audit/retention";
import { findAgreement } from "../../../../src/areas/contracts/order-form/operations";
import { renderInvoice } from "../../../../src/areas/invoices/render";
import { runSimulation } from "../../../../src/areas/simulations/simulate";
import { runMigration } from "../../../../src/areas/subscriptions/versions/migrate";
import { openLog } from "../../../../src/http/log";
import { newUuidV7 } from "../../../../src/kernel/ids";
import { filePath, openFile } from "../../../../src/kernel/storage/db";
import { openTransactions } from "../../../../src/kernel/storage/transactions";
import { CatchUp } from "../../../../src/scheduler/catch-up";
import { writesBy } from "../../../../src/server/writer-calls";
import { purge } from "../../../../src/workers/jobs/purge";
import { drainTasks } from "../../../../src/workers/task-thread";
import { play } from "../../../contract/scenario";
import { ask, data } from "../../../graphql/ask";
import { type Answer, freshFolder, type World } from "../../../support/world";
import { crowd } from "../../crowd";
import { recordStatements } from "../../statements";

// Plans do not depend on the data (decision 0015): with a hundred times as many rows, each of them is the same.
const customersCount = 1_000;
const othersCount = 200;

/** The tables that stay small however many customers there are: the environments, the catalogue without its versions, and
 * the counts of each of its versions. */
const small = new Set([
	"accounts",
	"api_keys",
	"bank_accounts",
	"coupons",
	"credit_note_sequences",
	"direct_debit_creditors",
	"custom_currencies",
	"dunning_policies",
	"environment_roles",
	"environments",
	"entity_types",
	"features",
	"invitations",
	"invoice_sequences",
	"legal_entities",
	"memberships",
	"meters",
	"packages",
	"password_resets",
	"payment_accounts",
	"products",
	"provider_connections",
	"roles",
	"second_factors",
	"subscription_counts",
	"taxes",
	"users",
	"webhooks",
]);

const tablesOf = (db: Database, file: string): string[] =>
	db
		.query<{ name: string }, []>(
			`SELECT name FROM ${file}.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
		)
		.all()
		.map(({ name }) => name);

type Json = Answer["body"];

/** Every list of REST with every filter that its route declares, each alone and with another page. */
async function askRest(here: World): Promise<void> {
	const { paths } = await createApp(here.services)
		.handle(new Request("http://localhost/openapi.json"))
		.then((answer) => answer.json());
	const names: Readonly<Record<string, string>> = {
		customerId: "acme",
		invoiceId: "none",
		planId: "pro",
		addonId: "extra",
	};
	for (const [path, { get }] of Object.entries<Json>(paths)) {
		const parameters: Json[] = get?.parameters ?? [];
		const queried = parameters.filter((one) => one.in === "query");
		if (!queried.some(({ name }) => name === "limit")) continue;
		const at = path
			.replace("/customers/{id}", "/customers/acme")
			.replace(/\{(\w+)\}/g, (_, name) => names[name] ?? "none");
		const required = queried.filter((one) => one.required);
		for (const { name, schema } of queried) {
			const asked = new Map([...required, { name, schema }].map((one) => [one.name, sampleOf(one.name, one.schema)]));
			await here.call("GET", `${at}?${new URLSearchParams([...asked])}`);
		}
	}
}

function sampleOf(name: string, { type, format, enum: values, items }: Json): string {
	const known: Readonly<Record<string, string>> = { customerId: "acme", planId: "pro", currencyId: "gold" };
	if (known[name] !== undefined) return known[name];
	if (values || items?.enum) return (values ?? items.enum)[0];
	if (format === "date-time") return "2026-01-01T00:00:00Z";
	if (format === "uuid") return "01a00000-0000-7000-8000-000000000000";
	return type === "integer" || type === "number" ? "10" : "sample";
}

/** Ledger reads with several filters use other indexes than those with one. */
async function askCredits(here: World): Promise<void> {
	const narrowed = ["", "&currencyId=gold", "&resourceId=", "&currencyId=gold&resourceId=site"];
	const after = (await here.call("GET", "/credits/ledger?customerId=acme&limit=1")).body.pagination.next;
	expect(after).not.toBeNull();
	for (const wallets of narrowed) {
		for (const types of ["", "&eventType=CREDITS_CONSUMED", "&eventType=CREDITS_EXPIRED,CREDITS_GRANTED"])
			for (const page of ["", `&after=${after}`, `&before=${after}`])
				await here.call("GET", `/credits/ledger?customerId=acme&limit=1${wallets}${types}${page}`);
		for (const groups of ["", "&groupBy=model"])
			await here.call("GET", `/credits/usage?customerId=acme${wallets}${groups}`);
		await here.call("GET", `/credits/balances?customerId=acme${wallets}`);
	}
}

/** The same by GraphQL, whose lists of credits take no filter. */
async function askCreditsByGraphql(here: World): Promise<void> {
	const page = "edges { node { id } } pageInfo { hasNextPage hasPreviousPage } totalCount";
	for (const wallets of ["", `, currencyId: "gold"`, `, currencyId: "gold", resourceId: "site"`]) {
		for (const paging of ["first: 1", "last: 1"])
			for (const types of ["", ", eventTypes: [CREDITS_CONSUMED]", ", eventTypes: [CREDITS_EXPIRED]"])
				await data(
					here,
					`{ creditsLedger(input: { customerId: "acme", paging: { ${paging} }${wallets}${types} }) { ${page} } }`,
				);
		await data(here, `{ creditGrants(input: { customerId: "acme"${wallets} }) { ${page} } }`);
		await data(here, `{ creditUsage(input: { customerId: "acme"${wallets} }) { series { totalCredits } } }`);
	}
	await data(here, `{ creditBalanceSummary(input: { customerId: "acme", currencyId: "gold" }) { currentBalance } }`);
}

/** Every list of GraphQL: counted, filtered and sorted by each of its fields. */
async function askGraphql(here: World): Promise<void> {
	const { __schema: schema } = await data(here, introspection);
	const types = new Map<string, Json>(schema.types.map((type: Json) => [type.name, type]));
	for (const { name: list, args } of schema.queryType.fields) {
		const argument = (name: string) => args.find((one: Json) => one.name === name)?.type;
		if (!argument("sorting")) continue;
		const page = "edges { node { id } } pageInfo { endCursor hasNextPage } totalCount";
		const first = await data(here, `{ ${list}(paging: { first: 1 }) { ${page} } }`);
		const cursor = JSON.stringify(first[list].pageInfo.endCursor);
		await ask(here, `{ ${list}(paging: { first: 1, after: ${cursor} }) { ${page} } }`);
		for (const { name } of types.get(argument("sorting").ofType.ofType.name.replace(/Sort$/, "SortFields"))
			?.enumValues ?? [])
			for (const direction of ["ASC", "DESC"])
				await ask(
					here,
					`{ ${list}(paging: { first: 1, after: ${cursor} }, sorting: [{ field: ${name}, direction: ${direction} }]) { ${page} } }`,
				);
		for (const { name, type } of types.get(argument("filter").name)?.inputFields ?? [])
			for (const filter of filtersOf(name, type.name, types))
				await ask(here, `{ ${list}(filter: ${filter}) { ${page} } }`);
	}
	await ask(
		here,
		`{ getCustomerByRefId(input: { customerId: "acme" }) { subscriptions { id plan { id } addons { id } prices { usageLimit } } promotionalEntitlements { status } coupon { id } } }`,
	);
}

const introspection = `{ __schema { queryType { fields { name args { name type { name ofType { ofType { name } } } } } }
	types { name enumValues { name } inputFields { name type { name } } } } }`;

/** The field's own comparison, or, of a relation, each field of the other list. */
function filtersOf(name: string, type: string, types: ReadonlyMap<string, Json>): string[] {
	if (name === "and" || name === "or" || type === null) return [];
	if (/^Date/.test(type)) return [`{ ${name}: { gt: "2026-01-01T00:00:00Z" } }`];
	if (/^(Number|Int)/.test(type)) return [`{ ${name}: { gt: 1 } }`];
	if (/^Boolean/.test(type)) return [`{ ${name}: { is: true } }`];
	if (/^String/.test(type)) return [`{ ${name}: { eq: "acme" } }`, `{ ${name}: { iLike: "%ac%" } }`];
	const values = types.get(type.replace(/FilterComparison$/, ""))?.enumValues;
	if (values) return [`{ ${name}: { eq: ${values[0].name} } }`];
	return (types.get(type)?.inputFields ?? []).flatMap((field: Json) =>
		/FieldComparison$|FilterComparison$/.test(`${field.type.name}`)
			? filtersOf(field.name, field.type.name, types).map((inner) => `{ ${name}: ${inner} }`)
			: [],
	);
}

async function runTasks({ folder, transactions, thread, clock }: World): Promise<void> {
	const log = openLog("silent");
	const db = openFile(folder, "renders");
	const renders = openTransactions({ db, clock, newId: newUuidV7, wake: () => {} });
	const limits = { keptMs: 1, bytesMax: 1 };
	await drainTasks(transactions, ["SIMULATE_PLAN"], (task) => runSimulation(thread, task), log);
	await drainTasks(transactions, ["MIGRATE_SUBSCRIPTIONS"], (task) => runMigration(thread, task), log);
	await drainTasks(
		transactions,
		["RENDER_INVOICE"],
		(task) =>
			renderInvoice({ transactions, renders, limits, write: writesBy(transactions), agreementOf: findAgreement }, task),
		log,
	);
	await new CatchUp({ ...thread, log }).run();
	await purge(thread, { webhooksKeepDays: 30, removableEntries: keepAllEntries });
	db.$client.close();
}

/** Everything that is asked of the service but GraphQL, and the folder that it was asked of. */
async function live(): Promise<World> {
	const { here } = await play();
	const [invoice] = (await here.call("GET", "/customers/acme/invoices?limit=1")).body.data;
	await here.call("POST", `/customers/acme/invoices/${invoice.invoiceId}/pdf/generate`);
	await here.call("POST", "/customers", { body: { id: "once" }, headers: { "idempotency-key": "once" } });
	await askRest(here);
	await askCredits(here);
	await runTasks(here);
	await here.advance("P2M");
	return here;
}

// Migrated before: its statements are no statements of the server.
freshFolder();
const recorded = recordStatements();
const here = await live();
recorded.stop();
const recordedOfGraphql = recordStatements();
await askGraphql(here);
await askCreditsByGraphql(here);
recordedOfGraphql.stop();
const isStatement = (sql: string) => /^\s*(select|with|insert|update|delete)/i.test(sql);
const asked = [...recorded.seen].filter(isStatement);
const askedOfGraphql = [...recordedOfGraphql.seen].filter(isStatement);

const connections: Database[] = [];
type Attached = "usage" | "events" | "renders" | "deliveries";
const open = (file: "main" | Attached, attached: readonly Attached[]) => {
	const db = new Database(filePath(here.folder, file));
	for (const other of attached) db.run(`ATTACH '${filePath(here.folder, other)}' AS ${other}`);
	connections.push(db);
	return db;
};
afterAll(() => {
	for (const db of connections) db.close();
});

let main: Database;
let large: Set<string>;
beforeAll(() => {
	main = open("main", ["usage", "events", "renders", "deliveries"]);
	const growing = tablesOf(main, "main").filter((name) => !small.has(name));
	crowd(main, new Map(growing.map((name) => [name, name === "customers" ? customersCount : othersCount])));
	large = new Set([
		...growing,
		...["usage", "events", "renders", "deliveries"].flatMap((file) => tablesOf(main, file)),
	]);
	open("usage", ["events"]);
	open("events", []);
	open("renders", []);
	open("deliveries", []);
}, 60_000);

/** How SQLite carries a statement out, a line for each table; undefined where it is of no file of a folder. */
function planOf(sql: string): string[] | undefined {
	for (const db of connections)
		try {
			const explained = db.prepare<{ detail: string }, null[]>(`EXPLAIN QUERY PLAN ${sql}`);
			return explained.all(...Array<null>(explained.paramsCount).fill(null)).map(({ detail }) => detail);
		} catch {
			// Another file's.
		}
	return undefined;
}

/** The tables by their names in a statement. */
function namesIn(sql: string): Map<string, string> {
	const names = new Map([...large].map((name) => [name, name]));
	for (const [, table = "", alias = ""] of sql.matchAll(/"?(\w+)"? (?:as )?"?(\w+)"?/gi))
		if (large.has(table)) names.set(alias, table);
	return names;
}

/** Statements that may read a table whole, and why. */
const allowed: ReadonlyArray<{ readonly sql: RegExp; readonly why: string }> = [
	{
		sql: /^select "position", "recorded_at" from "outbox_events" order by "outbox_events"."position" asc limit/,
		why: "the first rows of the table, by its key",
	},
	{ sql: /temp\.audit_notes/, why: "what one transaction has changed: empty otherwise" },
	{ sql: /^SELECT DISTINCT environment_id FROM event_customers$/, why: "once, when the event log is opened" },
	{ sql: /^SELECT \* FROM usage_counters ORDER BY id$/, why: "one row for each way to count, read when it is opened" },
	{
		sql: /^select "sequence", "hash" from "credit_entries" order by "credit_entries"."sequence" desc limit/,
		why: "the last row of the table, by its key",
	},
	{
		sql: /^select "meter_id", "state", "counted_to" from "usage_counters" where/,
		why: "one row for each way to count, as many as there are meters; before a due step of a test clock",
	},
	{
		sql: /^select "id" from "event_customers" order by "event_customers"."id" desc limit/,
		why: "the last row of the table, by its key",
	},
	{
		sql: /^DELETE FROM event_replaced_objects WHERE name = /,
		why: "one row for each object that an erasure replaced, until no backup needs it",
	},
	{
		sql: /^DELETE FROM usage_events_by_hour_next/,
		why: "a piece of an index that nobody uses any more, as many rows as are deleted at once",
	},
	{
		sql: /^delete from "invoice_renders" where "invoice_renders"."sequence" in/,
		why: "one narrow index row for each PDF that is kept: TOLLGATE_PDF_MIB bounds them",
	},
];

/** The lines of a plan that read a large table, with its name. */
function readsOf(plan: readonly string[], sql: string): Array<{ readonly line: string; readonly table: string }> {
	const names = namesIn(sql);
	return plan.flatMap((line) => {
		const table = names.get(/^(?:SCAN|SEARCH) (\w+)/.exec(line)?.[1] ?? "");
		return table === undefined ? [] : { line, table };
	});
}

function plansOf(statements: readonly string[]) {
	return statements
		.filter((sql) => !allowed.some((one) => one.sql.test(sql)))
		.map((sql) => {
			const plan = planOf(sql);
			if (!plan) throw new Error(`This statement is of no file: ${sql}`);
			return { sql, plan, reads: readsOf(plan, sql) };
		});
}

test("no statement of the server reads a large table from end to end", () => {
	expect(asked.length).toBeGreaterThan(300);
	expect(askedOfGraphql.length).toBeGreaterThan(100);
	const found = plansOf([...asked, ...askedOfGraphql]).flatMap(({ sql, reads }) =>
		reads.filter(({ line }) => line.startsWith("SCAN")).map(({ line }) => `${line}: ${sql}`),
	);
	expect(found).toEqual([]);
});

/** Among those, statements that may look at all rows of an environment, and why. */
const allowedInEnvironment: ReadonlyArray<{ readonly sql: RegExp; readonly why: string }> = [
	{ sql: /^select "number" from "audit_chains"|FROM audit_chains /, why: "an environment has one row of it" },
	{ sql: /"price_terms" is not null/, why: "its index holds the charges with such terms only" },
	{ sql: /from "agreed_prices"/, why: "a feature has at most a hundred of them, and each of them is counted" },
	{ sql: /"package_versions"."phases" is not null/, why: "its index holds the versions with phases only" },
	{ sql: /"problem" is not null/, why: "its index holds the rows with a problem only" },
	{
		sql: /CASE\s+WHEN "archived_at" IS NOT NULL THEN 'CANCELED'/,
		why: "contracts are negotiated one by one: they stay few",
	},
];

/** Conditions of a list that its order does not answer: rows that do not meet them are skipped. */
const conditionsLeft = (sql: string, table: string): string =>
	[...(/where (.*?)( order by|$)/s.exec(sql)?.[1]?.matchAll(new RegExp(`"${table}"\\."(\\w+)"`, "g")) ?? [])]
		.map(([, column = ""]) => column)
		.filter((column) => !["environment_id", "id", "serial", "archived_at"].includes(column))
		.join(", ");

// GraphQL's own are left out: they look at no more rows than the request's budget pays for.
test("no statement looks for its rows among all of an environment's", () => {
	const found = plansOf(asked).flatMap(({ sql, plan, reads }) => {
		if (allowedInEnvironment.some((one) => one.sql.test(sql))) return [];
		const isFirstInOrder = / limit /i.test(sql) && !plan.some((line) => line.includes("TEMP B-TREE"));
		return reads
			.filter(({ line }) => /\(environment_id=\?( AND id[<>]\?)?\)$/.test(line))
			.filter(({ table }) => !/select min\("/.test(sql) && !(isFirstInOrder && conditionsLeft(sql, table) === ""))
			.map(({ line, table }) => `${line}: ${conditionsLeft(sql, table)} ${sql}`);
	});
	expect(found).toEqual([]);
});

test("subscriptions that ended and are not updated yet are found by their own index, whatever the other filters", () => {
	const ofOverdue = /where \(?\(?"subscriptions"\."environment_id" = \+?\? and "subscriptions"\."runs_until" <= /;
	const found = [...asked, ...askedOfGraphql].filter((sql) => ofOverdue.test(sql));
	expect(found.length).toBeGreaterThan(3);
	for (const sql of found) expect(`${planOf(sql)?.join("; ")}: ${sql}`).toContain("INDEX subscriptions_ends (");
});

test("every reference to a deletable row is found along an index", () => {
	const deletable = new Set(asked.map((sql) => /^\s*delete from "?(\w+)/i.exec(sql)?.[1] ?? ""));
	expect(deletable).toContain("package_versions");
	const missing = tablesOf(main, "main").flatMap((table) => {
		const indexed = main
			.query<{ name: string }, []>(`SELECT name FROM pragma_index_list('${table}')`)
			.all()
			.map(({ name }) => main.query<{ name: string }, []>(`PRAGMA index_info("${name}")`).get()?.name);
		return main
			.query<{ table: string; from: string }, []>(`PRAGMA foreign_key_list("${table}")`)
			.all()
			.filter((reference) => deletable.has(reference.table) && !indexed.includes(reference.from))
			.map(({ from }) => `${table}.${from}`);
	});
	expect(missing).toEqual([]);
});
