import { Database } from "bun:sqlite";
import { closeSync, openSync, writeSync } from "node:fs";

/** Overwrites the root pages of a table and of its indexes in a file that no process has open. */
export function damagePages(file: string, table: string): void {
	const db = new Database(file, { readwrite: true });
	db.run("PRAGMA wal_checkpoint(TRUNCATE)");
	const pages = db
		.query<{ rootpage: number }, [string]>("SELECT rootpage FROM sqlite_schema WHERE tbl_name = ? AND rootpage > 0")
		.all(table);
	const size = db.query<{ page_size: number }, []>("PRAGMA page_size").get()?.page_size ?? 0;
	db.close();
	if (pages.length === 0 || size === 0) throw new Error(`${file} has no table '${table}'.`);
	for (const { rootpage } of pages) overwrite(file, (rootpage - 1) * size, size);
}

/** Overwrites so many bytes with something that is no page. */
export function overwrite(file: string, offset: number, bytes: number): void {
	const descriptor = openSync(file, "r+");
	writeSync(descriptor, Buffer.alloc(bytes, 0xa5), 0, bytes, offset);
	closeSync(descriptor);
}
