import { expect, test } from "bun:test";
import { eq, gt, sql } from "drizzle-orm";
import { blob, customType, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import fc from "fast-check";
import { openFile } from "../../../src/kernel/storage/db";
import { freshFolder } from "../../support/world";

const doubled = customType<{ data: number; driverData: number }>({
	dataType: () => "integer",
	toDriver: (value) => value * 2,
	fromDriver: (value) => value / 2,
});

const things = sqliteTable("things", {
	id: integer().primaryKey({ autoIncrement: true }),
	name: text(),
	facts: text({ mode: "json" }).$type<unknown>(),
	isOpen: integer("is_open", { mode: "boolean" }),
	at: integer({ mode: "timestamp_ms" }),
	half: doubled(),
	share: real(),
	big: blob({ mode: "bigint" }),
});

const parts = sqliteTable("parts", { thingId: integer("thing_id").notNull(), name: text().notNull() });

const { placeholder } = sql;

function connection() {
	const db = openFile(freshFolder(), "main");
	db.$client.run(
		"CREATE TABLE things (id integer PRIMARY KEY AUTOINCREMENT, name text, facts text, is_open integer, at integer, half integer, share real, big blob)",
	);
	db.$client.run("CREATE TABLE parts (thing_id integer NOT NULL, name text NOT NULL)");
	const { id: _, ...columns } = things;
	const names = ["name", "facts", "isOpen", "at", "half", "share", "big"] as const;
	const given = (of: (name: (typeof names)[number]) => unknown) =>
		Object.fromEntries(names.map((name) => [name, of(name)]));
	const insert = () => db.insert(things).values(given((name) => placeholder(name)) as never);
	return {
		db,
		insert: insert().prepare(),
		insertAndReturn: insert().returning().prepare(),
		byId: db
			.select()
			.from(things)
			.where(eq(things.id, placeholder("id")))
			.prepare(),
		expressions: db
			.select({
				name: columns.name,
				times: sql<number>`${things.half} * ${placeholder("factor")}`.mapWith(things.half),
				length: sql<number | null>`length(${things.name})`.as("length"),
				constant: sql<string>`${"constant"}`,
			})
			.from(things)
			.where(gt(things.id, placeholder("id")))
			.orderBy(things.id)
			.limit(placeholder("rowsMax"))
			.prepare(),
		joined: db
			.select({ thing: things, part: parts })
			.from(things)
			.leftJoin(parts, eq(parts.thingId, things.id))
			.where(eq(things.id, placeholder("id")))
			.prepare(),
	};
}

const thing = fc.record({
	name: fc.string({ unit: "grapheme" }),
	facts: fc.jsonValue(),
	isOpen: fc.boolean(),
	at: fc.date({ noInvalidDate: true, min: new Date(0) }),
	half: fc.integer({ min: -1e9, max: 1e9 }),
	share: fc.double({ noNaN: true, noDefaultInfinity: true }),
	big: fc.bigInt({ min: 0n }),
});
const column = fc.constantFrom("name", "facts", "is_open", "at", "half", "share", "big");

test("a repeated execution binds and reads the same values as the first one, which Drizzle does itself", () => {
	const { db, ...queries } = connection();
	const agree = (call: () => unknown): unknown => {
		const later = call();
		expect(later).toEqual(call());
		return later;
	};
	fc.assert(
		fc.property(thing, fc.array(column, { maxLength: 3 }), (row, empty) => {
			const values = { ...row };
			queries.insert.run(values);
			const { id } = queries.insertAndReturn.get(values);
			for (const name of empty) db.$client.run(`UPDATE things SET ${name} = NULL WHERE id >= ?`, [id - 1]);
			// Drizzle builds and runs each of these once.
			const first = db.select().from(things).where(eq(things.id, id)).get();
			const before = db
				.select()
				.from(things)
				.where(eq(things.id, id - 1))
				.get();
			const stored = queries.byId.get({ id });
			expect(stored).toEqual(first);
			expect({ ...before, id }).toEqual(stored as typeof things.$inferSelect);
			agree(() => queries.byId.get({ id }));
			expect(queries.byId.all({ id })).toEqual(stored ? [stored] : []);
			expect(Object.keys(stored ?? {})).toEqual(Object.keys(first ?? {}));
			expect(agree(() => queries.joined.all({ id }))).toEqual([{ thing: stored, part: null }]);
			expect(agree(() => queries.expressions.all({ id: id - 1, factor: 3, rowsMax: 5 }))).toEqual([
				{
					name: first?.name ?? null,
					times: first?.half ? first.half * 3 : (first?.half ?? null),
					length: db.$client
						.query<{ of: number | null }, [number]>("SELECT length(name) AS of FROM things WHERE id = ?")
						.get(id)?.of,
					constant: "constant",
				},
			]);
		}),
		{ numRuns: 100 },
	);
	expect(queries.byId.get({ id: -1 })).toBeUndefined();
	expect(queries.byId.all({ id: -1 })).toEqual([]);
	db.$client.close();
});

test("a missing value is an error in each execution, and nothing is written", () => {
	const { db, byId, insert } = connection();
	const text = 'No value for placeholder "id" was provided';
	for (const _ of [1, 2, 3]) expect(() => byId.get({})).toThrow(text);
	for (const _ of [1, 2, 3]) expect(() => insert.run({ name: "one" })).toThrow('placeholder "facts"');
	expect(db.select().from(things).all()).toEqual([]);
	db.$client.close();
});
