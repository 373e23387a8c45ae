import { expect } from "bun:test";
import { systemActor } from "../../src/areas/access/rules.actors";
import { checkAuditLog } from "../../src/areas/audit/operations.check";
import type { ChangeText } from "../../src/areas/audit/rules.entry";
import { auditedTable } from "../../src/areas/audit/rules.tables";
import { packId, unpackId } from "../../src/kernel/storage/packed-id";
import { unpackText } from "../../src/kernel/storage/packed-text";
import type { World } from "./world";

type Values = Map<string, unknown>;

interface StoredEntry {
	readonly id: string;
	readonly operation: string;
	readonly request_id: string | null;
	readonly actor_id: string;
	readonly changes: string;
	readonly changes_count: number;
}

export const entriesOf = ({ db }: Pick<World, "db">): StoredEntry[] =>
	db.$client
		.query<StoredEntry, []>("SELECT * FROM audit_entries ORDER BY rowid")
		.all()
		.map((entry) => ({
			...entry,
			request_id: entry.request_id && unpackId(entry.request_id),
			changes: unpackText(entry.changes),
		}));

/** The rows that all entries make, carried out one after the other over nothing: by type and id, what is not null by field. */
function replayed({ db }: Pick<World, "db">): Map<string, Values> {
	const rows = new Map<string, Values>();
	const personal = db.$client.query<{ position: number; fields: string }, [string | Uint8Array]>(
		"SELECT position, fields FROM audit_personal WHERE entry_id = ?",
	);
	for (const { id, changes, changes_count: count } of entriesOf({ db })) {
		const list: ChangeText[] = JSON.parse(changes);
		expect(list).toHaveLength(count);
		const apart = new Map(
			personal.all(packId(id)).map(({ position, fields }) => [position, JSON.parse(unpackText(fields))]),
		);
		list.forEach(({ entityType, entityId, action, fields }: ChangeText, at: number) => {
			const key = `${entityType} ${entityId}`;
			const row: Values = rows.get(key) ?? new Map();
			if (rows.has(key) === (action === "created")) throw new Error(`entry ${id}: ${key} is ${action}`);
			for (const [name, change] of Object.entries({ ...fields, ...apart.get(at) })) {
				const { before, after } = change as { before?: unknown; after?: unknown };
				// Masked fields say nothing of their values.
				if (before !== "[secret]" && row.get(name) !== before)
					throw new Error(`entry ${id}: ${key}.${name} was ${row.get(name)}, not ${before}`);
				if (after === undefined) row.delete(name);
				else row.set(name, after);
			}
			if (action === "deleted") rows.delete(key);
			else rows.set(key, row);
		});
	}
	return rows;
}

/** The followed tables' rows as they stand, in the same form. */
function standing({ db }: Pick<World, "db">): Map<string, Values> {
	const rows = new Map<string, Values>();
	const tables = db.$client
		.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
		.all();
	for (const { name } of tables) {
		const columns = db.$client
			.query<{ name: string; type: string; pk: number }, []>(`PRAGMA table_info('${name}')`)
			.all();
		const table = auditedTable(name, columns);
		if (!table) continue;
		for (const row of db.$client
			.query<Record<string, unknown>, []>(`SELECT ${table.key.includes("rowid") ? "rowid, " : ""}* FROM "${name}"`)
			.all()) {
			const values: Values = new Map();
			for (const column of table.columns) {
				const value = row[column.name];
				const field = column.name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
				if (value !== null) values.set(field, column.isSecret ? "[secret]" : value);
			}
			rows.set(`${table.entityType} ${table.key.map((column) => row[column]).join("/")}`, values);
		}
	}
	return rows;
}

const plain = (rows: Map<string, Values>) =>
	[...rows].map(([key, values]) => [key, Object.fromEntries([...values].sort())]).sort();

/** Checks that every change has an entry, that no entry names a change that did not happen, and that the chain holds. */
export function expectWholeLog(world: Pick<World, "db" | "transactions">): void {
	expect(plain(replayed(world))).toEqual(plain(standing(world)));
	expect(world.transactions.read(systemActor(""), checkAuditLog)).toEqual([]);
}
