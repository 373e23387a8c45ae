import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { schemas } from "../../../../src/files";
import { prepareFiles } from "../../../../src/kernel/storage/db";
import { testsFolder } from "../../../support/folders";

/** A folder as the first release wrote it: the first step of every file. */
function folderOfFirstRelease(): string {
	const folder = mkdtempSync(join(testsFolder, "upgrade-"));
	const { main, events, usage, renders } = schemas;
	prepareFiles(folder, { main: main.slice(0, 1), events, usage, renders });
	return folder;
}

/** Inserts a row with what is given, and something for each other column that must have a value. */
function insertInto(db: Database, table: string, given: Record<string, string | number | null>): void {
	const required = db
		.query<{ name: string; type: string }, [string]>(
			'SELECT name, type FROM pragma_table_info(?) WHERE "notnull" AND dflt_value IS NULL',
		)
		.all(table)
		.map(({ name, type }): [string, string | number] => [name, type === "INTEGER" ? 1 : `${name}-x`]);
	const row = { ...Object.fromEntries(required), ...given };
	const names = Object.keys(row);
	db.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => "?").join()})`).run(
		...Object.values(row),
	);
}

const january = Date.UTC(2026, 0, 31);
const march = Date.UTC(2026, 2, 31);

test("a folder of the first release goes on: what is charged renews where it was billed until, what has an end ends", () => {
	const folder = folderOfFirstRelease();
	const before = new Database(join(folder, "main.db"));
	const e = { environment_id: "e" };
	insertInto(before, "accounts", { id: "a" });
	insertInto(before, "environments", { id: "e", account_id: "a" });
	insertInto(before, "products", { id: "p", ...e });
	insertInto(before, "packages", { id: "plan", product_id: "p", ...e });
	insertInto(before, "package_versions", { id: "v", package_id: "plan", ...e });
	const insert = (id: string, columns: Record<string, string | number | null>) => {
		insertInto(before, "customers", { id, ref_id: id, billing_id: id, ...e });
		insertInto(before, "subscriptions", {
			...{ id, environment_id: "e", ref_id: id, customer_id: id, product_id: "p", plan_id: "plan", version_id: "v" },
			...{ status: "ACTIVE", pricing_type: "PAID", start_at: january, usage_anchor_at: january },
			...{ payment_collection: "NOT_REQUIRED", price_overrides: "[]", metadata: "{}" },
			...{ created_at: january, updated_at: january, ...columns },
		});
	};
	insert("charged", { billed_until: march });
	insert("ending", { billed_until: march, end_at: march - 1 });
	insert("by-contract", { billed_until: march, payment_collection_method: "NONE" });
	insert("free", { pricing_type: "FREE" });
	insert("ended", { status: "CANCELED", billed_until: march });
	before.close();

	prepareFiles(folder, schemas);

	const after = new Database(join(folder, "main.db"));
	const rows = after.query("SELECT ref_id, runs_until, next_due_at FROM subscriptions ORDER BY ref_id").all();
	after.close();
	expect(rows).toEqual([
		{ ref_id: "by-contract", runs_until: null, next_due_at: null },
		{ ref_id: "charged", runs_until: null, next_due_at: march },
		{ ref_id: "ended", runs_until: null, next_due_at: null },
		{ ref_id: "ending", runs_until: march - 1, next_due_at: march - 1 },
		{ ref_id: "free", runs_until: null, next_due_at: null },
	]);
});
