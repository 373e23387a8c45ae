import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { renderInvoice } from "../../src/areas/invoices/render";
import { runSimulation } from "../../src/areas/subscriptions/simulations/simulate";
import { runMigration } from "../../src/areas/subscriptions/versions/migrate";
import { CatchUp } from "../../src/clocks/catch-up";
import { openLog } from "../../src/http/log";
import { filePath, openFile } from "../../src/kernel/db";
import { openDoors } from "../../src/kernel/doors";
import { newUuidV7 } from "../../src/kernel/ids";
import { drainTasks } from "../../src/workers/entry";
import { purge } from "../../src/workers/purge";
import { play } from "../contract/scenario";
import { ask } from "../graphql/ask";
import { freshFolder, type World } from "../support/world";
import { crowd } from "./crowd";
import { recordStatements } from "./statements";

const customersCount = 100_000;
const othersCount = 20_000;

/** What stays small however many customers there are: the environments, and the catalogue without its versions. */
const small = new Set([
	"accounts",
	"api_keys",
	"coupons",
	"credit_note_sequences",
	"custom_currencies",
	"environments",
	"features",
	"invoice_sequences",
	"legal_entities",
	"memberships",
	"meters",
	"packages",
	"payment_accounts",
	"products",
	"users",
]);

const tablesOf = (db: Database, file: string): string[] =>
	db
		.query<{ name: string }, []>(
			`SELECT name FROM ${file}.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
		)
		.all()
		.map(({ name }) => name);

/** Every list of GraphQL, sorted and counted; what REST does not ask for. */
async function askGraphql(here: World): Promise<void> {
	const lists = ["products", "features", "plans", "planVersions", "addons", "addonVersions", "coupons"];
	for (const list of [...lists, "customCurrencies", "customers", "subscriptions"]) {
		const page = "edges { node { id } } pageInfo { endCursor } totalCount";
		await ask(here, `{ ${list}(paging: { first: 10 }) { ${page} } }`);
		await ask(here, `{ ${list}(paging: { first: 10 }, filter: { refId: { eq: "acme" } }) { ${page} } }`);
	}
	await ask(here, `{ customers(filter: { email: { eq: "a@acme.test" } }) { edges { node { id } } } }`);
	await ask(here, `{ customers(filter: { billingId: { eq: "cus_1" } }) { edges { node { id } } } }`);
	await ask(here, `{ subscriptions(filter: { status: { eq: ACTIVE } }) { edges { node { id } } totalCount } }`);
	await ask(
		here,
		`{ getCustomerByRefId(input: { customerId: "acme" }) { subscriptions { id plan { id } addons { id } prices { usageLimit } } promotionalEntitlements { status } coupon { id } } }`,
	);
}

async function runTasks({ folder, doors, thread, clock }: World): Promise<void> {
	const log = openLog("silent");
	const db = openFile(folder, "renders");
	const renders = openDoors({ db, clock, newId: newUuidV7, wake: () => {} });
	const limits = { keptMs: 1, bytesMax: 1 };
	await drainTasks(doors, ["SIMULATE_PLAN"], (task) => runSimulation(thread, task), log);
	await drainTasks(doors, ["MIGRATE_SUBSCRIPTIONS"], (task) => runMigration(thread, task), log);
	await drainTasks(doors, ["RENDER_INVOICE"], (task) => renderInvoice({ doors, renders, limits }, task), log);
	await new CatchUp({ ...thread, log }).run();
	await purge(thread);
	db.$client.close();
}

/** Everything that is asked of the service, and the folder that it was asked of. */
async function live(): Promise<World> {
	const { here } = await play();
	const [invoice] = (await here.call("GET", "/customers/acme/invoices?limit=1")).body.data;
	await here.call("POST", `/customers/acme/invoices/${invoice.invoiceId}/pdf/generate`);
	await here.call("POST", "/customers", { body: { id: "once" }, headers: { "idempotency-key": "once" } });
	for (const query of [
		"status=ACTIVE,IN_TRIAL",
		"customerId=acme",
		"pricingType=PAID",
		"createdAt[gt]=2026-01-01T00:00:00Z",
	])
		await here.call("GET", `/subscriptions?${query}`);
	for (const query of ["email=a@acme.test", "name=Acme", "createdAt[lte]=2026-01-01T00:00:00Z"])
		await here.call("GET", `/customers?${query}`);
	await askGraphql(here);
	await runTasks(here);
	await here.advance("P2M");
	return here;
}

// Migrated before: its statements are no statements of the server.
freshFolder();
const recorded = recordStatements();
const here = await live();
recorded.stop();
const asked = [...recorded.seen].filter((sql) => /^\s*(select|with|insert|update|delete)/i.test(sql));

const connections: Database[] = [];
const open = (file: "main" | "usage" | "events" | "renders", attached: readonly ("usage" | "events" | "renders")[]) => {
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
	main = open("main", ["usage", "events", "renders"]);
	const growing = tablesOf(main, "main").filter((name) => !small.has(name));
	crowd(main, new Map(growing.map((name) => [name, name === "customers" ? customersCount : othersCount])));
	large = new Set([...growing, ...["usage", "events", "renders"].flatMap((file) => tablesOf(main, file))]);
	open("usage", ["events"]);
	open("events", []);
	open("renders", []);
});

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
	{ sql: /^SELECT DISTINCT environment_id FROM event_customers$/, why: "once, when the event log is opened" },
	{ sql: /^SELECT \* FROM usage_counters ORDER BY id$/, why: "one row for each way to count, read when it is opened" },
	{
		sql: /^delete from "invoice_renders" where "invoice_renders"."sequence" in/,
		why: "one narrow index row for each PDF that is kept: TOLLGATE_PDF_MIB bounds them",
	},
];

function scansOf(sql: string): string[] {
	const plan = planOf(sql);
	if (!plan) throw new Error(`This statement is of no file: ${sql}`);
	const names = namesIn(sql);
	return plan.filter((line) => names.has(/^SCAN (\w+)/.exec(line)?.[1] ?? ""));
}

// A folder has no statistics; an operator may make some (`ANALYZE`), and SQLite then chooses anew.
test.each(["without", "with"])(
	"no statement of the server reads a large table from end to end, %s statistics",
	(how) => {
		if (how === "with") main.run("ANALYZE main");
		const found = [...asked].flatMap((sql) => {
			const scans = scansOf(sql);
			return scans.length > 0 && !allowed.some((one) => one.sql.test(sql)) ? [`${scans.join("; ")}: ${sql}`] : [];
		});
		expect(asked.length).toBeGreaterThan(300);
		expect(found).toEqual([]);
	},
);

test("what may be deleted is found along an index by everything that refers to it", () => {
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
