import type { Database } from "bun:sqlite";
import { unpackText } from "../../src/kernel/storage/packed-text";

const columns = [
	["billing_charges", "terms"],
	["invoice_lines", "basis"],
	["credit_note_lines", "basis"],
] as const;

/** Writes compressed prices as texts, as earlier releases did, so that an edit by hand can look into them in SQL. */
export function writePricesPlain(db: Database): void {
	for (const [table, column] of columns) {
		const rows = db.query<{ id: number; value: Uint8Array }, []>(
			`SELECT rowid AS id, ${column} AS value FROM ${table} WHERE typeof(${column}) = 'blob'`,
		);
		for (const { id, value } of rows.all())
			db.run(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`, [unpackText(value), id]);
	}
}
