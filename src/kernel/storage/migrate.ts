import type { Database as SqliteFile } from "bun:sqlite";
import { FolderError } from "../errors";

/** One step of a file's schema, in order. Its SQL is embedded in the executable (drizzle/…/index.ts, generated). */
export interface Migration {
	readonly name: string;
	readonly sql: string;
}

/**
 * Applies what is missing, all in one transaction: a file is at its old version or at the new one, never between.
 * `PRAGMA user_version` counts the steps taken. drizzle-kit writes the steps; Drizzle's own migrator reads a folder at
 * run time, which a single executable does not have, so this applies them (docs/decisions/0002-migrations.md).
 */
export function migrateFile(sqlite: SqliteFile, steps: readonly Migration[]): void {
	const version = (): number =>
		sqlite.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
	if (version() > steps.length)
		throw new FolderError(
			`The data folder was written by a newer Tollgate (schema ${version()}, this one knows ${steps.length}). Start the newer version.`,
		);
	if (version() === steps.length) return;
	withoutForeignKeys(sqlite, () => {
		sqlite
			.transaction(() => {
				// Read again under the write lock: another process may have migrated meanwhile.
				const missing = steps.slice(version());
				if (missing.length === 0) return;
				for (const { sql } of missing)
					for (const statement of sql.split("--> statement-breakpoint")) sqlite.run(statement);
				assertReferences(sqlite);
				sqlite.run(`PRAGMA user_version = ${steps.length}`);
			})
			.immediate();
	});
}

/**
 * A step that rebuilds a table fills a new one, drops the old one and renames. Were foreign keys enforced, the drop would
 * delete the rows that refer to the table, or be refused by them. SQLite ignores the switch inside a transaction, so it is
 * set around it, and the references are checked before the commit (sqlite.org/lang_altertable.html, section 7).
 */
function withoutForeignKeys(sqlite: SqliteFile, body: () => void): void {
	sqlite.run("PRAGMA foreign_keys = OFF");
	try {
		body();
	} finally {
		sqlite.run("PRAGMA foreign_keys = ON");
	}
}

function assertReferences(sqlite: SqliteFile): void {
	const [dangling, ...more] = sqlite.query<{ table: string; parent: string }, []>("PRAGMA foreign_key_check").all();
	if (dangling)
		throw new Error(
			`The data folder cannot be brought to this version: a row of ${dangling.table} names a row of ${dangling.parent} that does not exist (and ${more.length} more). Nothing was changed; run \`tollgate check\` with the version that wrote it.`,
		);
}
