import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Migration, migrateFile } from "../../../src/kernel/storage/migrate";
import { ended, eventually, start, temporaryFolder } from "../../support/process";

const shop: Migration = {
	name: "shop",
	sql: [
		"CREATE TABLE customers (id TEXT PRIMARY KEY, name TEXT)",
		"CREATE TABLE invoices (id TEXT PRIMARY KEY, customer_id TEXT NOT NULL REFERENCES customers(id) ON DELETE CASCADE)",
		"CREATE INDEX invoices_customer ON invoices (customer_id)",
	].join(";--> statement-breakpoint\n"),
};

/** As drizzle-kit writes a change that SQLite cannot make in place. */
const rebuild: Migration = {
	name: "rebuild",
	sql: [
		"PRAGMA foreign_keys=OFF",
		"CREATE TABLE __new_customers (id TEXT PRIMARY KEY, name TEXT NOT NULL)",
		"INSERT INTO __new_customers SELECT id, name FROM customers",
		"DROP TABLE customers",
		"ALTER TABLE __new_customers RENAME TO customers",
		"PRAGMA foreign_keys=ON",
	].join(";--> statement-breakpoint\n"),
};

/** A file as a folder has it: foreign keys are enforced, and there are rows that refer to others. */
function filled(path = ":memory:"): Database {
	const sqlite = new Database(path);
	sqlite.run("PRAGMA journal_mode = WAL");
	sqlite.run("PRAGMA foreign_keys = ON");
	sqlite.run("PRAGMA busy_timeout = 10000");
	migrateFile(sqlite, [shop]);
	for (let at = 0; at < 100; at += 1) {
		sqlite.run("INSERT INTO customers VALUES (?, 'Name')", [`c${at}`]);
		sqlite.run("INSERT INTO invoices VALUES (?, ?)", [`i${at}`, `c${at}`]);
	}
	return sqlite;
}

/** A program that migrates a file. */
const migrating = (path: string, steps: readonly Migration[]): string => `
	import { Database } from "bun:sqlite";
	import { migrateFile } from ${JSON.stringify(join(import.meta.dir, "../../../src/kernel/storage/migrate.ts"))};
	const sqlite = new Database(${JSON.stringify(path)});
	sqlite.run("PRAGMA busy_timeout = 10000");
	sqlite.run("PRAGMA foreign_keys = ON");
	migrateFile(sqlite, ${JSON.stringify(steps)});
`;

const answerTo = (sqlite: Database, sql: string): unknown => Object.values(sqlite.query(sql).get() as object)[0];

test("an empty file takes the schema of many steps in one, and the steps after it", () => {
	const sqlite = new Database(":memory:");
	const whole = { name: "b", sql: "nonsense", whole: "CREATE TABLE both (id INTEGER)" };
	migrateFile(sqlite, [{ name: "a", sql: "nonsense" }, whole, { name: "c", sql: "CREATE TABLE later (id INTEGER)" }]);
	expect(sqlite.query("SELECT name FROM sqlite_schema").values()).toEqual([["both"], ["later"]]);
	expect(sqlite.query("PRAGMA user_version").values()).toEqual([[3]]);
});

describe("a migration", () => {
	test("rebuilds a table that others refer to, and keeps every row and every reference", () => {
		const sqlite = filled();
		migrateFile(sqlite, [shop, rebuild]);
		expect(answerTo(sqlite, "SELECT count(*) FROM customers")).toBe(100);
		expect(answerTo(sqlite, "SELECT count(*) FROM invoices JOIN customers ON customers.id = customer_id")).toBe(100);
		expect(answerTo(sqlite, "PRAGMA user_version")).toBe(2);
		// After this, references are enforced again.
		expect(answerTo(sqlite, "PRAGMA foreign_keys")).toBe(1);
		expect(() => sqlite.run("INSERT INTO invoices VALUES ('x', 'nobody')")).toThrow("FOREIGN KEY");
	});

	test("with a dangling reference is refused, and changes nothing", () => {
		const sqlite = filled();
		const losing: Migration = { name: "losing", sql: "DELETE FROM customers WHERE id IN ('c3', 'c4')" };
		expect(() => migrateFile(sqlite, [shop, losing])).toThrow(
			"a row of invoices names a row of customers that does not exist (and 1 more)",
		);
		expect(answerTo(sqlite, "SELECT count(*) FROM customers")).toBe(100);
		expect(answerTo(sqlite, "PRAGMA user_version")).toBe(1);
		expect(answerTo(sqlite, "PRAGMA foreign_keys")).toBe(1);
	});

	test("with a failure in the middle leaves the file as it was", () => {
		const sqlite = filled();
		const failing: Migration = { name: "failing", sql: `${rebuild.sql};--> statement-breakpoint\nSELECT nonsense` };
		expect(() => migrateFile(sqlite, [shop, failing])).toThrow("nonsense");
		expect(answerTo(sqlite, "SELECT count(*) FROM invoices JOIN customers ON customers.id = customer_id")).toBe(100);
		expect(answerTo(sqlite, "PRAGMA user_version")).toBe(1);
	});

	test("is done once by two processes that begin at the same time", async () => {
		const { folder, remove } = temporaryFolder();
		const path = join(folder, "shop.db");
		filled(path).close();
		const program = migrating(path, [shop, rebuild]);
		const runs = [1, 2].map(() => ended(start([process.execPath, "-e", program], {})));
		expect(await Promise.all(runs)).toEqual([1, 2].map(() => ({ status: 0, output: "", errors: "" })));
		const sqlite = new Database(path);
		expect(answerTo(sqlite, "SELECT count(*) FROM invoices JOIN customers ON customers.id = customer_id")).toBe(100);
		expect(answerTo(sqlite, "PRAGMA user_version")).toBe(2);
		sqlite.close();
		remove();
	});

	test("leaves the file as it was when its process is killed, and the next process completes it", async () => {
		const { folder, remove } = temporaryFolder();
		const path = join(folder, "shop.db");
		filled(path).close();
		// More pages than the cache holds, so that unfinished ones are in the log when the process dies; then a step without an end.
		const growing =
			"CREATE TABLE pages AS WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10000) SELECT randomblob(1000) FROM n";
		const endless = "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
		const begun = { name: "long", sql: [rebuild.sql, growing, endless].join(";--> statement-breakpoint\n") };
		const child = start([process.execPath, "-e", migrating(path, [shop, begun])], {});
		await eventually(async () =>
			existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 4_000_000 ? true : undefined,
		);
		child.kill("SIGKILL");
		await child.exited;
		const sqlite = new Database(path);
		expect(answerTo(sqlite, "PRAGMA user_version")).toBe(1);
		expect(sqlite.query("SELECT name FROM sqlite_schema WHERE name IN ('pages', '__new_customers')").all()).toEqual([]);
		migrateFile(sqlite, [shop, rebuild]);
		expect(answerTo(sqlite, "SELECT count(*) FROM invoices JOIN customers ON customers.id = customer_id")).toBe(100);
		expect(answerTo(sqlite, "PRAGMA user_version")).toBe(2);
		expect(answerTo(sqlite, "PRAGMA integrity_check")).toBe("ok");
		sqlite.close();
		remove();
	});

	test("to an older version than the file's is refused", () => {
		const sqlite = filled();
		migrateFile(sqlite, [shop, rebuild]);
		expect(() => migrateFile(sqlite, [shop])).toThrow("a newer Tollgate (schema 2, this one knows 1)");
	});
});
