import { getTableName } from "drizzle-orm";
import type { Database } from "../work";
import type { CountedFile, Epochs } from "./epochs";
import { mainRevision } from "./table";

/** Our choice: how soon a commit of another process is seen, such as the command line's. */
const lookEveryMs = 1;

/**
 * A file's version as this connection sees it: another number after any other connection has committed (SQLite's
 * `data_version`). To ask costs system calls, and a request asks several times. With the shared counters it is asked when
 * those have changed, and for what other processes do once a millisecond; without them once for each turn of the event loop.
 */
export function versionOf(db: Database, file: CountedFile, epochs: Epochs | undefined): () => number {
	// Prepared when first asked for: not every connection has every file attached.
	let statement: ReturnType<typeof prepare> | undefined;
	const prepare = () => db.$client.prepare<{ data_version: number }, []>(`PRAGMA ${file}.data_version`);
	const ask = (): number => {
		statement ??= prepare();
		return statement.get()?.data_version ?? 0;
	};
	if (!epochs) return askedOnceATurn(ask);
	return askedWhenCounted({ ask, count: () => epochs.of(file), isReading: () => db.$client.inTransaction });
}

/**
 * The version of the main file as far as things are remembered of it: another number after anything but usage has been
 * written. Where usage of this process has been committed since the last look, or is just now, the file's own revision tells whether that was
 * all; without, every change counts, whoever made it.
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
		// Asked for before the row: what is written meanwhile is asked for again.
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

/** Counts up the revision, in the transaction that writes. */
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

/** Whether the file is one that keeps them: looked at when first asked for, since not every file is the main one. */
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
		// Looked at before the version: what is counted meanwhile is asked for again.
		const now = count();
		const nowMs = performance.now();
		if (now === counted && nowMs - askedAtMs < lookEveryMs) return version;
		const asked = ask();
		// An open transaction shows the version that the file had when it was first read. The counts may be of later commits: the
		// first call after the transaction asks again.
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
