import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openFile } from "../../../src/kernel/storage/db";
import type { Database } from "../../../src/kernel/work";
import { freshFolder } from "../../support/world";

describe("the parameters of a statement", () => {
	let db: Database["$client"];
	beforeAll(() => {
		db = openFile(freshFolder(), "main").$client;
		db.run("CREATE TEMP TABLE letters (id INTEGER PRIMARY KEY, letter TEXT, size INTEGER, bytes BLOB)");
		db.run("CREATE INDEX temp.small_letters ON letters (size) WHERE letter = 'a'");
	});
	afterAll(() => db.close());

	test.each(["prepare", "query"] as const)("change no plan once bound (%s): it is made once", (method) => {
		const sql = "SELECT id FROM letters WHERE letter = ? AND size = ?";
		const plan = db[method]<{ detail: string }, [string, number]>(`EXPLAIN QUERY PLAN ${sql}`);
		// With the value seen, SQLite would use the index of that letter, and compile the statement again for it.
		expect(plan.all("a", 1).map(({ detail }) => detail)).toEqual(["SCAN letters"]);
	});

	test("keep their values and types, and the columns' affinity", () => {
		const bytes = new Uint8Array([1, 2]);
		db.prepare("INSERT INTO letters (id, letter, size, bytes) VALUES (?, ?, ?, ?)").run(1, "7", 7, bytes);
		const find = db.prepare<{ id: number }, [string | number | null]>("SELECT id FROM letters WHERE letter IS ?");
		expect([find.all(7).length, find.all("7").length, find.all(null).length]).toEqual([1, 1, 0]);
		const kept = "SELECT typeof(letter) AS letter, typeof(size) AS size, bytes FROM letters WHERE size = ? LIMIT ?";
		expect(db.prepare(kept).all("7", 1)).toEqual([{ letter: "text", size: "integer", bytes }]);
	});

	test("are no question marks of texts and names", () => {
		const row = db.prepare(`SELECT 'what?' AS "why?", 'it''s ?' AS other, ? AS value`).get(2.5);
		expect(row).toEqual({ "why?": "what?", other: "it's ?", value: 2.5 });
	});
});

describe("a statement that is asked for again", () => {
	test("is compiled once, and the oldest of very many are evicted without harm to their users", () => {
		const db = openFile(freshFolder(), "main").$client;
		const first = db.prepare<{ value: number }, [number]>("SELECT ? AS value");
		expect(db.prepare<{ value: number }, [number]>("SELECT ? AS value")).toBe(first);
		for (let at = 0; at < 1000; at += 1) expect(db.prepare(`SELECT ${at} AS value`).get()).toEqual({ value: at });
		expect(db.prepare<{ value: number }, [number]>("SELECT ? AS value")).not.toBe(first);
		expect(first.get(7)).toEqual({ value: 7 });
		db.close();
	});

	test("follows a table that another connection has changed since", () => {
		const folder = freshFolder();
		const [one, other] = [openFile(folder, "main").$client, openFile(folder, "main").$client];
		one.run("CREATE TABLE shelves (id INTEGER)");
		one.run("INSERT INTO shelves VALUES (1)");
		expect(other.prepare("SELECT * FROM shelves").all()).toEqual([{ id: 1 }]);
		one.run("ALTER TABLE shelves ADD COLUMN label TEXT DEFAULT 'new'");
		expect(other.prepare("SELECT id, label FROM shelves").all()).toEqual([{ id: 1, label: "new" }]);
		expect(other.prepare("SELECT * FROM shelves").all()).toEqual([{ id: 1, label: "new" }]);
		one.close();
		other.close();
	});
});
