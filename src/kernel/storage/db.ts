import { constants, SQLiteError, type SQLQueryBindings, Database as SqliteFile, type Statement } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { Database } from "../work";
import { folderMode, syncToDisk } from "./disk";
import { type Migration, migrateFile, type Upgrade } from "./migrate";
import { shipStatistics } from "./statistics";

/**
 * The files of a data folder. Each has exactly one thread that writes what grows fast (the ingester, the aggregator,
 * the renderer); the main file takes short transactions from several. See ARCHITECTURE.md, "Threads and files".
 */
export type FileName = "main" | "events" | "usage" | "renders" | "deliveries";

export const filePath = (folder: string, file: FileName): string => join(folder, `${file}.db`);

/** How long a writer waits for the lock of another thread before it fails. Our choice: far above any transaction of ours. */
const busyTimeoutMs = 10_000;

/**
 * The WAL is folded back after so many pages (4 KiB each, 16 MiB), by whoever writes it, where no other thread has done it before
 * (checkpoints.ts). As measured: of 64 MiB it takes up to 20 ms, in which all who write wait, and a log that grows is flushed more
 * slowly than one that is written over; with 4 MiB it is done so often that a tenth fewer are served.
 */
const walPagesMax = 4096;

function open(path: string, synchronous: "FULL" | "OFF" = "FULL"): SqliteFile {
	const sqlite = new StableFile(
		path,
		constants.SQLITE_OPEN_READWRITE | constants.SQLITE_OPEN_CREATE | constants.SQLITE_OPEN_URI,
	);
	// The timeout comes first: switching the journal mode already needs a lock.
	sqlite.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
	sqlite.run(`PRAGMA synchronous = ${synchronous}`);
	sqlite.run("PRAGMA journal_mode = WAL");
	sqlite.run("PRAGMA foreign_keys = ON");
	// What was deleted or changed is overwritten where its page is written anyway.
	sqlite.run("PRAGMA secure_delete = FAST");
	sqlite.run(`PRAGMA wal_autocheckpoint = ${walPagesMax}`);
	sqlite.run(`PRAGMA journal_size_limit = ${walPagesMax * 4096}`);
	return sqlite;
}

/** From now on what is deleted is overwritten on the disk, whole pages too; else it stays there until they are used again. */
export const overwriteDeleted = (sqlite: SqliteFile): void => void sqlite.run("PRAGMA secure_delete = ON");

/** Our choice: how many statements a connection keeps ready. Each takes some kilobytes. */
const compiledMax = 500;

/**
 * Compiles each statement once: a query that is built anew for each call has the same text as the last time, and to compile
 * it takes longer than to run it.
 *
 * And SQLite compiles a statement anew whenever a parameter is bound that it has compared with something while it chose an index:
 * 8 to 40 µs for each execution of a prepared statement, as measured, more than the statement itself takes. It does not look
 * into `+?`, which means the same.
 */
class StableFile extends SqliteFile {
	/** In the order of their last use. */
	readonly #compiled = new Map<string, Statement>();

	override prepare<Row, Params extends SQLQueryBindings | SQLQueryBindings[]>(sql: string, params?: Params) {
		if (params !== undefined) return super.prepare<Row, Params>(withStableParameters(sql), params);
		const known = this.#compiled.get(sql);
		const statement = known ?? super.prepare(withStableParameters(sql));
		this.#compiled.delete(sql);
		this.#compiled.set(sql, statement);
		for (const oldest of this.#compiled.keys()) {
			if (this.#compiled.size <= compiledMax) break;
			// Whoever still has it may go on with it; it is given back when nobody does.
			this.#compiled.delete(oldest);
		}
		// What its rows and parameters are is said by who asks: the same for the same text.
		return statement as ReturnType<typeof SqliteFile.prototype.prepare<Row, Params>>;
	}

	/** Whoever listens hears that it is undone, as of everything else. */
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

/** Texts and quoted names stay as they are. */
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
		migrate(file, open(path), steps, (upgrade) => onUpgrade(basename(path), upgrade));
	}
}

/**
 * Creates the files of a folder that is being filled. It flushes each file once, at its end: if the machine stops before, the next
 * start fills the folder again (folder/fill.ts).
 */
export function createFiles(folder: string, migrations: Schemas): void {
	mkdirSync(folder, { recursive: true, mode: folderMode });
	for (const [file, steps] of Object.entries(migrations)) {
		const path = filePath(folder, file as FileName);
		migrate(file, open(path, "OFF"), steps);
		syncToDisk(path);
	}
}

function migrate(
	file: string,
	sqlite: SqliteFile,
	steps: readonly Migration[],
	onUpgrade?: (upgrade: Upgrade) => void,
) {
	try {
		migrateFile(sqlite, steps, onUpgrade);
		if (file === "main") shipStatistics(sqlite);
	} finally {
		sqlite.close();
	}
}

/**
 * A connection to one file for writing, with others attached for reading only: their tables answer under their own
 * names in the same transaction, so that a decision reads the catalogue and the totals by one `work.tx`.
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
	return drizzle(sqlite, { logger: { logQuery } });
}

interface Queries {
	/** What a connection was asked last, as Drizzle wrote it. */
	last: string;
	readonly listeners: Array<(sql: string) => void>;
}

const queriesOf = new WeakMap<SqliteFile, Queries>();

function tell(sqlite: SqliteFile, sql: string): void {
	for (const listener of queriesOf.get(sqlite)?.listeners ?? []) listener(sql);
}

/** Hears of each query of a connection before it is carried out. */
export const listen = (sqlite: SqliteFile, listener: (sql: string) => void): void =>
	void queriesOf.get(sqlite)?.listeners.push(listener);

/** The files whose tables the last query names: where one of several attached files fails, SQLite does not say which. */
export function filesAsked(sqlite: SqliteFile): string[] {
	const files = sqlite.query<{ name: string; file: string }, []>("PRAGMA database_list").all();
	const sql = queriesOf.get(sqlite)?.last ?? "";
	const asked = files.filter(({ name }) => tablesOf(sqlite, name)?.some((table) => sql.includes(`"${table}"`)) ?? true);
	return (asked.length > 0 ? asked : files).map(({ file }) => basename(file));
}

/** Undefined where not even the list of the tables can be read. */
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
