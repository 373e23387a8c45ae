import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { schemas } from "../../../src/files";
import { filePath, openFile, prepareFiles } from "../../../src/kernel/storage/db";
import { freshFolder } from "../../support/world";

const statisticsOf = (folder: string): unknown[] => {
	const db = new Database(filePath(folder, "main"));
	const rows = db.query("SELECT tbl, idx, stat FROM sqlite_stat1 ORDER BY tbl, idx").all();
	db.close();
	return rows;
};

test("SQLite gets the same statistics in every folder, also after an operator has run its own analysis", () => {
	const folder = freshFolder();
	const shipped = statisticsOf(folder);
	expect(shipped).toContainEqual({ tbl: "customers", idx: "customers_ref", stat: "1000000 10000 1" });
	const db = new Database(filePath(folder, "main"));
	db.run("INSERT INTO customer_counts VALUES ('one', 1), ('two', 2)");
	db.run("ANALYZE");
	db.close();
	expect(statisticsOf(folder)).not.toEqual(shipped);
	prepareFiles(folder, schemas);
	expect(statisticsOf(folder)).toEqual(shipped);
});

test("a folder that has its statistics is opened without a write", () => {
	const folder = freshFolder();
	const other = new Database(filePath(folder, "main"));
	const version = () => other.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version;
	const before = version();
	prepareFiles(folder, schemas);
	expect(version()).toBe(before);
	other.close();
});

// Without statistics, both were looked for among all rows of the environment.
test.each([
	["the subscriptions of a customer", "subscriptions", "environment_id = ? AND customer_id = ?", "(customer_id=?)"],
	["customers by their address", "customers", "environment_id = ? AND email = ?", "(environment_id=? AND email=?)"],
])("%s are found by what tells them apart", (_, table, condition, found) => {
	const db = openFile(freshFolder(), "main");
	const plan = db.$client.query<{ detail: string }, [null, null]>(
		`EXPLAIN QUERY PLAN SELECT * FROM ${table} WHERE ${condition} ORDER BY id`,
	);
	expect(plan.all(null, null)[0]?.detail).toEndWith(found);
	db.$client.close();
});
