import { SQLiteError } from "bun:sqlite";
import { existsSync } from "node:fs";
import { type FileName, filePath, openFile } from "../kernel/storage/db";

/** The operator's next step where a file is missing or damaged. */
const remedies: Readonly<Record<FileName, string>> = {
	main: "Restore a backup into a new folder.",
	events: "Restore a backup into a new folder.",
	usage: "Delete usage.db with its -wal and -shm: the next start counts it again from the log.",
	renders: "Delete renders.db with its -wal and -shm: Tollgate draws PDFs again when they are requested.",
	deliveries: "Restore a backup into a new folder.",
};

/** Checks the pages and indexes of one file by SQLite's own means. Answers a line for each finding, and the remedy. */
export function checkFile(folder: string, file: FileName): string[] {
	if (!existsSync(filePath(folder, file))) return [`${file}.db is missing. ${remedies[file]}`];
	const damage = damageOf(folder, file);
	return damage.length === 0 ? [] : [...damage.map((line) => `${file}.db: ${line}`), `${file}.db: ${remedies[file]}`];
}

function damageOf(folder: string, file: FileName): string[] {
	try {
		return ask<{ integrity_check: string }>(folder, file, "PRAGMA integrity_check")
			.map((row) => row.integrity_check)
			.filter((line) => line !== "ok");
	} catch (error) {
		// Beyond what its own checks can read.
		if (error instanceof SQLiteError) return [error.message];
		throw error;
	}
}

/** Checks that each row which a row of one file names exists. */
export const checkReferences = (folder: string, file: FileName): string[] =>
	ask<{ table: string; parent: string; rows: number }>(
		folder,
		file,
		`SELECT "table", parent, count(*) AS rows FROM pragma_foreign_key_check GROUP BY 1, 2 ORDER BY 1, 2`,
	).map(
		({ table, parent, rows }) =>
			`${file}.db: ${rows === 1 ? "a row" : `${rows} rows`} of ${table} ${rows === 1 ? "names" : "name"} a row of ${parent} that does not exist`,
	);

function ask<Row>(folder: string, file: FileName, sql: string): Row[] {
	const db = openFile(folder, file).$client;
	try {
		return db.query<Row, []>(sql).all();
	} finally {
		db.close();
	}
}
