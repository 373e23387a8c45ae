import type { Database as SqliteFile } from "bun:sqlite";
import { FolderError } from "./errors";

/** One step of a file's schema, in order. Its SQL is embedded in the executable (drizzle/…/index.ts, generated). */
export interface Migration {
	readonly name: string;
	readonly sql: string;
}

/**
 * Applies what is missing, all in one transaction: a file is at its old version or at the new one, never between.
 * `PRAGMA user_version` counts the steps taken. drizzle-kit writes the steps; Drizzle's own migrator reads a folder at
 * run time, which a single executable does not have, so this applies them (docs/decisions/0002).
 */
export function migrateFile(sqlite: SqliteFile, steps: readonly Migration[]): void {
	const version = (): number =>
		sqlite.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
	if (version() > steps.length)
		throw new FolderError(
			`The data folder was written by a newer Tollgate (schema ${version()}, this one knows ${steps.length}). Start the newer version.`,
		);
	if (version() === steps.length) return;
	sqlite
		.transaction(() => {
			// Read again under the write lock: another process may have migrated meanwhile.
			for (const { sql } of steps.slice(version())) {
				for (const statement of sql.split("--> statement-breakpoint")) sqlite.run(statement);
			}
			sqlite.run(`PRAGMA user_version = ${steps.length}`);
		})
		.immediate();
}
