import { describe, expect, test } from "bun:test";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { leftOut, sections } from "../../../src/areas/privacy/rules.sections";
import { play } from "../../contract/scenario";
import { type World, world } from "../../support/world";
import { site } from "../entitlements/alerts/site";

interface Line {
	readonly export?: { readonly leftOut: Readonly<Record<string, string>>; readonly customerId: string };
	readonly section?: string;
	// biome-ignore lint/suspicious/noExplicitAny: rows as they are kept.
	readonly row?: any;
	readonly end?: { readonly rows: number };
}

async function exported(ours: Pick<World, "call">, customer: string, key?: string): Promise<Line[]> {
	const { status, body } = await ours.call("GET", `/customers/${customer}/export`, key === undefined ? {} : { key });
	expect(status).toBe(200);
	return String(body)
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
}

/** All files of a data folder. */
const modules: object[] = await Promise.all(
	[...new Bun.Glob("**/table*.ts").scanSync("src")].map((file) => import(`../../../src/${file}`)),
);
const tables = modules.flatMap((module) =>
	Object.values(module).flatMap((table) => (is(table, SQLiteTable) ? [getTableConfig(table)] : [])),
);

describe("exported and omitted data", () => {
	test("every table is one of the two", () => {
		// The rows of contracts and those of subscriptions may be in one table, under two scopes.
		const exported = new Set(sections.map(({ table }) => table));
		const known = [...exported, ...Object.keys(leftOut)];
		expect(known.toSorted()).toEqual([...new Set(tables.map(({ name }) => name))].toSorted());
	});

	test("no table with customers in it is said to hold nothing of them", () => {
		const ofCustomers = tables.filter(({ columns }) => columns.some(({ name }) => name === "customer_id"));
		for (const { name } of ofCustomers) expect(leftOut[name] ?? "").not.toContain("nothing of a customer");
	});
});

describe("an export", () => {
	test("holds every row of the customer, and none of another's", async () => {
		const { here } = await play();
		const { db, environmentId } = here;
		const count = (text: string, ...values: string[]) =>
			db.$client.query<{ rows: number }, string[]>(`SELECT count(*) AS rows FROM ${text}`).get(...values)?.rows ?? 0;
		const customers = db.$client
			.query<{ id: string; ref_id: string }, [string]>("SELECT id, ref_id FROM customers WHERE environment_id = ?")
			.all(environmentId);
		const exportedTypes = new Set<string>();
		for (const { id, ref_id } of customers) {
			const lines = await exported(here, encodeURIComponent(ref_id));
			expect(lines.at(-1)?.end?.rows).toBe(lines.length - 2);
			const rows = Map.groupBy(lines.slice(1, -1), ({ section }) => section);
			for (const section of rows.keys()) exportedTypes.add(String(section));
			expect(rows.get("customers")).toMatchObject([{ row: { id, ref_id } }]);
			for (const { name, columns } of tables.filter((table) => sections.some((one) => one.table === table.name))) {
				if (!columns.some((column) => column.name === "customer_id")) continue;
				const found = rows.get(name) ?? [];
				expect([ref_id, name, found.length]).toEqual([ref_id, name, count(`"${name}" WHERE customer_id = ?`, id)]);
				for (const { row } of found) expect(row.customer_id).toBe(id);
			}
		}
		// Tables that belong to the customers' rows.
		const named = new Set(tables.flatMap(({ name, columns }) => columns.map((column) => `${name} ${column.name}`)));
		for (const { table } of sections)
			if (!named.has(`${table} customer_id`) && count(`"${table}"`) > 0) expect(exportedTypes).toContain(table);
	}, 60_000);

	test("tells usage events, and reads tables in pages", async () => {
		const ours = await site();
		const events = Array.from({ length: 250 }, (_, at) => ({
			...{ eventName: "calls", customerId: "acme", idempotencyKey: `e${at}`, dimensions: { n: 1, email: "a@b.c" } },
		}));
		await ours.insist("POST", "/events", { events });
		ours.countUsage();
		const acme = ours.db.$client.query<{ id: string }, []>("SELECT id FROM customers WHERE ref_id = 'acme'").get();
		const insert = ours.db.$client.query(
			"INSERT INTO customer_resources (id, environment_id, customer_id, ref_id, created_at, updated_at) VALUES (?, ?, ?, ?, 0, 0)",
		);
		for (let at = 0; at < 1_201; at += 1) insert.run(crypto.randomUUID(), ours.environmentId, acme?.id ?? "", `r${at}`);
		const lines = await exported(ours, "acme");
		const of = (section: string) => lines.flatMap((line) => (line.section === section ? [line.row] : []));
		expect(new Set(of("events").map(({ idempotencyKey }) => idempotencyKey)).size).toBe(250);
		expect(of("events")[0]).toMatchObject({ customerId: "acme", dimensions: { email: "a@b.c" } });
		expect(new Set(of("customer_resources").map(({ ref_id }) => ref_id)).size).toBe(1_201);
		expect((await exported(ours, "beta")).filter(({ section }) => section === "events")).toEqual([]);
	}, 30_000);

	test("tells nobody what the key may not read, and says so", async () => {
		const ours = world();
		await ours.call("POST", "/customers", { body: { id: "acme", name: "Acme", metadata: { a: "[b" } } });
		const [head, ...rest] = await exported(ours, "acme", ours.scopedKey("CUSTOMER:READ"));
		expect(rest.map(({ section }) => section)).toEqual(["customers", undefined]);
		expect(rest[0]?.row).toMatchObject({ name: "Acme", metadata: { a: "[b" } });
		expect(head?.export?.leftOut).toMatchObject({ invoices: "Requires the scope INVOICE:READ." });
		const status = async (path: string, key = ours.key) => (await ours.call("GET", path, { key })).status;
		expect(await status("/customers/nobody/export")).toBe(404);
		expect(await status("/customers/acme/export", ours.foreignKey)).toBe(404);
		expect(await status("/customers/acme/export", ours.scopedKey("INVOICE:READ"))).toBe(403);
		expect(await status(`/customers/${"x".repeat(300)}/export`)).toBe(400);
	});
});
