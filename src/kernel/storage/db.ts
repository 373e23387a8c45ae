import { constants, SQLiteError, type SQLQueryBindings, Database as SqliteFile, type Statement } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { Database } from "../work";
import { compileQueries } from "./compiled-queries";
import { folderMode } from "./disk";
import { type Migration, migrateFile, type Upgrade } from "./migrate";
import { shipStatistics } from "./statistics";

/**
 * The files of a data folder. A server has exactly one thread that writes each file (ARCHITECTURE.md, "Threads").
 */
export type FileName = "main" | "events" | "usage" | "renders" | "deliveries";

export const filePath = (folder: string, file: FileName): string => join(folder, `${file}.db`);

/** The time that a writer waits for the lock of another thread. It is far longer than any transaction. */
const busyTimeoutMs = 10_000;

/**
 * The writer checkpoints the write-ahead log after so many pages (4 KiB each, 16 MiB), if no other thread has done it before
 * (checkpoints.ts). Measured: a checkpoint of 64 MiB takes up to 20 ms, in which all writers wait, and a growing log is flushed more slowly
 * than one that is overwritten. With 4 MiB, checkpoints are so frequent that the rate falls by a tenth.
 */
const walPagesMax = 4096;

function open(path: string, synchronous: "FULL" | "OFF" = "FULL"): SqliteFile {
	const sqlite = new StableFile(
		path,
		constants.SQLITE_OPEN_READWRITE | constants.SQLITE_OPEN_CREATE | constants.SQLITE_OPEN_URI,
	);
	// The timeout comes first: switching the journal mode needs a lock.
	sqlite.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
	sqlite.run(`PRAGMA synchronous = ${synchronous}`);
	sqlite.run("PRAGMA journal_mode = WAL");
	sqlite.run("PRAGMA foreign_keys = ON");
	// Deleted and changed data is overwritten if its page is written anyway.
	sqlite.run("PRAGMA secure_delete = FAST");
	sqlite.run(`PRAGMA wal_autocheckpoint = ${walPagesMax}`);
	sqlite.run(`PRAGMA journal_size_limit = ${walPagesMax * 4096}`);
	return sqlite;
}

/** Makes SQLite overwrite deleted data on disk, whole pages too. Otherwise the data stays until its pages are reused. */
export const overwriteDeleted = (sqlite: SqliteFile): void => void sqlite.run("PRAGMA secure_delete = ON");

/** The number of compiled statements of a connection. Each takes some kilobytes. */
const compiledMax = 500;

/**
 * Compiles each statement once: a query that is built for each call has the same text each time, and compiling it takes longer than running
 * it.
 *
 * SQLite also recompiles a statement when a parameter is bound that it compared while choosing an index: 8 to 40 µs for each execution
 * (measured), more than the statement itself takes. It does not look into `+?`, which has the same meaning.
 */
class StableFile extends SqliteFile {
	/** The statements by text, in the order of their last use. */
	readonly #compiled = new Map<string, Statement>();

	override prepare<Row, Params extends SQLQueryBindings | SQLQueryBindings[]>(sql: string, params?: Params) {
		if (params !== undefined) return super.prepare<Row, Params>(withStableParameters(sql), params);
		const known = this.#compiled.get(sql);
		const statement = known ?? super.prepare(withStableParameters(sql));
		this.#compiled.delete(sql);
		this.#compiled.set(sql, statement);
		for (const oldest of this.#compiled.keys()) {
			if (this.#compiled.size <= compiledMax) break;
			// Callers that still hold the statement can use it. It is finalized once nobody holds it.
			this.#compiled.delete(oldest);
		}
		// The caller declares rows and parameters: the same for the same text.
		return statement as ReturnType<typeof SqliteFile.prototype.prepare<Row, Params>>;
	}

	/** Reports a rollback to the listeners, as every other statement. */
	override transaction: SqliteFile["transaction"] = (body) =>
		super.transaction((...given) => {
			try {
				return body(...given);
			} catch (error) {
				tell(this, "ROLLBACK");
				throw error;
			}
		});

	override run<Params extends SQLQueryBindings[]>(sql: string, ...params: Params[]) {
		tell(this, sql);
		return super.run(sql, ...params);
	}

	override exec = this.run;

	override query<Row, Params extends SQLQueryBindings | SQLQueryBindings[]>(sql: string) {
		return super.query<Row, Params>(withStableParameters(sql));
	}
}

/** Matches parameters, and texts and quoted names, which stay unchanged. */
const parameterOrQuoted = /'[^']*'|"[^"]*"|\?/g;

const withStableParameters = (sql: string): string =>
	sql.replace(parameterOrQuoted, (found) => (found === "?" ? "+?" : found));

/** Receives the beginning and the end of the upgrade of a file, by the file's name. */
export type OnUpgrade = (file: string, upgrade: Upgrade) => void;

type Schemas = Readonly<Partial<Record<FileName, readonly Migration[]>>>;

/**
 * Creates the folder, readable by its owner only, and upgrades the given files to the newest migration. The main file has many
 * tables and many access paths, so it gets statistics.
 */
export function prepareFiles(folder: string, migrations: Schemas, onUpgrade: OnUpgrade = () => {}): void {
	mkdirSync(folder, { recursive: true, mode: folderMode });
	for (const [file, steps] of Object.entries(migrations)) {
		const path = filePath(folder, file as FileName);
		const sqlite = open(path);
		try {
			migrate(file, sqlite, steps, (upgrade) => onUpgrade(basename(path), upgrade));
		} finally {
			sqlite.close();
		}
	}
}

/**
 * Creates the files of a folder that is being filled. It flushes each file once, at its end: if the machine stops before, the next
 * start fills the folder again (folder/fill.ts).
 */
export function createFiles(folder: string, migrations: Schemas): void {
	mkdirSync(folder, { recursive: true, mode: folderMode });
	for (const [file, steps] of Object.entries(migrations)) {
		const sqlite = open(filePath(folder, file as FileName), "OFF");
		try {
			migrate(file, sqlite, steps);
			// The checkpoint flushes the log, then the file.
			sqlite.run("PRAGMA synchronous = FULL");
			sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
		} finally {
			sqlite.close();
		}
	}
}

function migrate(
	file: string,
	sqlite: SqliteFile,
	steps: readonly Migration[],
	onUpgrade?: (upgrade: Upgrade) => void,
) {
	migrateFile(sqlite, steps, onUpgrade);
	if (file === "main") shipStatistics(sqlite);
}

/**
 * Opens a connection to one file for writing, with others attached read-only. Their tables have their own names in the same transaction, so
 * that a decision reads the catalogue and the totals with one `work.tx`.
 */
export function openFile(
	folder: string,
	file: FileName,
	readAlso: ReadonlyArray<Exclude<FileName, "main">> = [],
): Database {
	const sqlite = open(filePath(folder, file));
	for (const other of readAlso) sqlite.run(`ATTACH 'file:${filePath(folder, other)}?mode=ro' AS ${other}`);
	const queries: Queries = { last: "", listeners: [] };
	queriesOf.set(sqlite, queries);
	const logQuery = (sql: string): void => {
		queries.last = sql;
		tell(sqlite, sql);
	};
	compileQueries();
	return drizzle(sqlite, { logger: { logQuery } });
}

interface Queries {
	/** The last query of a connection, as Drizzle wrote it. */
	last: string;
	readonly listeners: Array<(sql: string) => void>;
}

const queriesOf = new WeakMap<SqliteFile, Queries>();

function tell(sqlite: SqliteFile, sql: string): void {
	for (const listener of queriesOf.get(sqlite)?.listeners ?? []) listener(sql);
}

/** Registers a listener for each query of a connection, called before the query runs. */
export const listen = (sqlite: SqliteFile, listener: (sql: string) => void): void =>
	void queriesOf.get(sqlite)?.listeners.push(listener);

/** Returns the files whose tables the last query names: SQLite does not report which of several attached files failed. */
export function filesAsked(sqlite: SqliteFile): string[] {
	const files = sqlite.query<{ name: string; file: string }, []>("PRAGMA database_list").all();
	const sql = queriesOf.get(sqlite)?.last ?? "";
	const asked = files.filter(({ name }) => tablesOf(sqlite, name)?.some((table) => sql.includes(`"${table}"`)) ?? true);
	return (asked.length > 0 ? asked : files).map(({ file }) => basename(file));
}

/** Returns the tables of an attached file; undefined if their list cannot be read. */
function tablesOf(sqlite: SqliteFile, attached: string): string[] | undefined {
	try {
		return sqlite
			.query<{ name: string }, []>(`SELECT name FROM ${attached}.sqlite_master WHERE type = 'table'`)
			.all()
			.map(({ name }) => name);
	} catch (error) {
		if (error instanceof SQLiteError) return undefined;
		throw error;
	}
}
