import { constants, SQLiteError, Database as SqliteFile } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { FolderError } from "../errors";

/** One step of a file's schema, in order. Its SQL is embedded in the executable (drizzle/…/index.ts, generated). */
export interface Migration {
	readonly name: string;
	readonly sql: string;
	/** Moves values that SQL cannot read, after the statements of the step. A new folder has none. */
	readonly move?: (sqlite: SqliteFile) => void;
	/** The whole schema after this step. A new folder applies it in one step. */
	readonly whole?: string;
}

/** Returns the error for a folder that a newer version has upgraded. */
export const newerSchema = (version: number, known: number): FolderError =>
	new FolderError(
		`The data folder was written by a newer Tollgate (schema ${version}, this one knows ${known}): use the newer version.`,
	);

/** How long a reader waits for the recovery of a write-ahead log by another process. */
const busyTimeoutMs = 10_000;

/**
 * Reads the schema version of a file and changes nothing. SQLite makes files next to a database that it opens, so this opens a
 * database without a write-ahead log as a file that nobody changes. Undefined where there is no file, or none that can be read.
 */
export function schemaVersionOf(path: string): number | undefined {
	if (!existsSync(path)) return undefined;
	const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
	try {
		using sqlite = new SqliteFile(
			`${pathToFileURL(path).href}?${hasLog ? "mode=ro" : "immutable=1"}`,
			constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
		);
		sqlite.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
		return versionIn(sqlite);
	} catch (error) {
		if (error instanceof SQLiteError) return undefined;
		throw error;
	}
}

const versionIn = (sqlite: SqliteFile): number =>
	sqlite.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;

/** An upgrade of a file's schema: it begins, one of its steps begins, or it has ended after `tookMs`. */
export interface Upgrade {
	readonly from: number;
	readonly to: number;
	/** The step that begins, as "3 of 14", with its name. */
	readonly step?: string;
	readonly name?: string;
	readonly tookMs?: number;
}

/**
 * Applies the missing steps in one transaction: a file is at its old version or at the new one, never between. `PRAGMA user_version` counts
 * the applied steps. drizzle-kit writes the steps. Drizzle's own migrator reads a folder at run time, which a single executable does not
 * have (docs/decisions/0002-migrations.md).
 */
export function migrateFile(
	sqlite: SqliteFile,
	steps: readonly Migration[],
	onUpgrade: (upgrade: Upgrade) => void = () => {},
): void {
	const from = versionIn(sqlite);
	const to = steps.length;
	if (from > to) throw newerSchema(from, to);
	if (from === to) return;
	// Creating a file is not an upgrade.
	const report = from === 0 ? () => {} : onUpgrade;
	report({ from, to });
	const startMs = performance.now();
	applyMissing(sqlite, steps, (name, at) => report({ from, to, step: `${at} of ${to - from}`, name }));
	report({ from, to, tookMs: Math.round(performance.now() - startMs) });
}

function applyMissing(
	sqlite: SqliteFile,
	steps: readonly Migration[],
	onStep: (name: string, at: number) => void,
): void {
	withoutForeignKeys(sqlite, () => {
		sqlite
			.transaction(() => {
				// Read again under the write lock: another process may have migrated meanwhile.
				const missing = missingIn(steps, versionIn(sqlite));
				if (missing.length === 0) return;
				for (const [at, { name, sql, move }] of missing.entries()) {
					onStep(name, at + 1);
					for (const statement of sql.split("--> statement-breakpoint")) sqlite.run(statement);
					move?.(sqlite);
				}
				assertReferences(sqlite);
				sqlite.run(`PRAGMA user_version = ${steps.length}`);
			})
			.immediate();
	});
}

function missingIn(steps: readonly Migration[], version: number): Pick<Migration, "name" | "sql" | "move">[] {
	const last = version === 0 ? steps.findLastIndex(({ whole }) => whole !== undefined) : -1;
	const whole = steps[last]?.whole;
	const rest = steps.slice(whole === undefined ? version : last + 1);
	return whole === undefined ? rest : [{ name: "whole", sql: whole }, ...rest];
}

/**
 * Runs a migration without foreign keys. A step that rebuilds a table fills a new one, drops the old one and renames. With foreign keys, the
 * drop would delete the rows that refer to the table, or fail. SQLite ignores the switch inside a transaction, so it is set around it, and
 * references are checked before the commit (sqlite.org/lang_altertable.html, section 7).
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
