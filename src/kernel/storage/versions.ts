import { getTableName } from "drizzle-orm";
import type { Database } from "../work";
import type { CountedFile, Epochs } from "./epochs";
import { withFilesNamed } from "./failures";
import { mainRevision } from "./table";

/** The delay until a commit of another process, such as the command line, is seen. */
const lookEveryMs = 1;

/**
 * Returns the version of a file for this connection: it changes after a commit of another connection (SQLite's `data_version`). Reading it
 * costs system calls, and a request reads it several times. With shared counters it is read when they have changed, and once a millisecond
 * for other processes; without them, once in each turn of the event loop. StorageError if the file cannot be read.
 */
export function versionOf(db: Database, file: CountedFile, epochs: Epochs | undefined): () => number {
	// Prepared on first use: not every connection has every file attached.
	let statement: ReturnType<typeof prepare> | undefined;
	const prepare = () => db.$client.prepare<{ data_version: number }, []>(`PRAGMA ${file}.data_version`);
	const ask = (): number => {
		try {
			statement ??= prepare();
			return statement.get()?.data_version ?? 0;
		} catch (error) {
			throw withFilesNamed(error, () => [`${file}.db`]);
		}
	};
	if (!epochs) return askedOnceATurn(ask);
	return askedWhenCounted({ ask, count: () => epochs.of(file), isReading: () => db.$client.inTransaction });
}

/**
 * Returns the version of the main file for caches: it changes after any write except usage. If this process has committed usage since the
 * last call, or is doing so, the file's own revision shows whether there was another write. Without a revision, every change counts.
 */
export function revisionOf(db: Database, version: () => number, epochs: Epochs | undefined): () => number {
	if (!epochs) return version;
	let statement: ReturnType<typeof prepare> | undefined;
	const prepare = () => db.$client.prepare<{ count: number }, []>("SELECT count FROM main_revision WHERE id = 1");
	const hasRevisions = keepsRevisions(db);
	let seen: { readonly version: number; readonly usage: number; readonly revision: number | undefined } | undefined;
	let changes = 0;
	return () => {
		const usage = epochs.ofReports();
		// Read before the row: a write in between is seen by the next call.
		const now = version();
		if (now === seen?.version) return changes;
		if (hasRevisions()) statement ??= prepare();
		const revision = statement?.get()?.count;
		const usageNow = epochs.ofReports();
		const wasUsage = usageNow % 2 !== 0 || usageNow !== seen?.usage;
		const isUsageAlone = seen !== undefined && wasUsage && revision === seen.revision;
		if (!isUsageAlone) changes += 1;
		seen = { version: now, usage, revision };
		return changes;
	};
}

/** Counts the changes of the version, and those of the connection itself. */
export function changesOf(version: () => number) {
	let seen: number | undefined;
	let count = 0;
	const changed = (): void => {
		count += 1;
	};
	const now = (): number => {
		const current = version();
		if (current !== seen) count += 1;
		seen = current;
		return count;
	};
	return { now, changed };
}

/** Increments the revision in the transaction that writes. */
export function countsRevisions(db: Database): () => void {
	const hasRevisions = keepsRevisions(db);
	let statement: ReturnType<typeof prepare> | undefined;
	const prepare = () =>
		db.$client.prepare(
			"INSERT INTO main_revision (id, count, commits) VALUES (1, 1, 1) ON CONFLICT (id) DO UPDATE SET count = count + 1, commits = commits + 1",
		);
	return () => {
		if (!hasRevisions()) return;
		statement ??= prepare();
		statement.run();
	};
}

/** Whether the file has a revision: read on first use, since only the main file has one. */
function keepsRevisions(db: Database): () => boolean {
	let keeps: boolean | undefined;
	const table = getTableName(mainRevision);
	return () => {
		keeps ??= db.$client.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = ?").get(table) !== null;
		return keeps;
	};
}

interface Counted {
	readonly ask: () => number;
	readonly count: () => number;
	/** Whether a transaction is open. */
	readonly isReading: () => boolean;
}

function askedWhenCounted({ ask, count, isReading }: Counted): () => number {
	let version = 0;
	let counted: number | undefined;
	let askedAtMs = 0;
	return () => {
		// Read before the version: a change in between is seen by the next call.
		const now = count();
		const nowMs = performance.now();
		if (now === counted && nowMs - askedAtMs < lookEveryMs) return version;
		const asked = ask();
		// An open transaction shows the version of its first read. The counters may be of later commits: the first call after the transaction
		// reads again.
		if (isReading()) return asked;
		counted = now;
		askedAtMs = nowMs;
		version = asked;
		return version;
	};
}

function askedOnceATurn(ask: () => number): () => number {
	let version: number | undefined;
	return () => {
		if (version !== undefined) return version;
		queueMicrotask(() => {
			version = undefined;
		});
		version = ask();
		return version;
	};
}
