import type { Database as SqliteFile } from "bun:sqlite";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";
import type { Clock, Instant } from "./clock";
import { filesAsked } from "./db";
import type { NewId } from "./ids";
import { endingService, isUnconfirmed, unconfirmedWrite, withFilesNamed } from "./storage";

/** What a scoped key may be allowed. Source: docs/interface/access.md, Scopes. */
export const scopeResources = [
	"API_KEY",
	"COUPON",
	"CUSTOMER",
	"ENVIRONMENT",
	"EVENT_QUEUE",
	"SUBSCRIPTION",
	"CATALOG",
	"USAGE",
	"CREDIT",
	"INVOICE",
	"CONTRACT",
	"WEBHOOK",
] as const;
export type ScopeResource = (typeof scopeResources)[number];
export type Scope = `${ScopeResource}:${"READ" | "WRITE"}`;

/** Who acts, and where. The environment belongs to the key (or to the user's X-ENVIRONMENT-ID). */
export interface Actor {
	readonly kind: "FULL_ACCESS" | "SCOPED" | "PUBLISHABLE" | "USER" | "SYSTEM";
	/** The key's or the user's id; "system" for what the service does by itself. */
	readonly id: string;
	readonly accountId: string;
	readonly environmentId: string;
	readonly scopes: ReadonlySet<Scope> | "everything";
}

/** The service itself, acting in one environment: tasks, aggregation, the command line. */
export const systemActor = (environmentId: string, accountId = ""): Actor => ({
	kind: "SYSTEM",
	id: "system",
	accountId,
	environmentId,
	scopes: "everything",
});

export type Database = BunSQLiteDatabase & { readonly $client: SqliteFile };
/** What a transaction can be asked: the same for reading, for writing and for a savepoint within. */
export type Transaction = BaseSQLiteDatabase<"sync", void, Record<string, never>>;

/** The threads that can be woken once something is committed for them (workers/pool.ts). */
export type WorkerName = "renderer" | "importer" | "aggregator" | "scheduler";

/** One request or task: one transaction, one instant, one acting identity. */
export interface Work {
	readonly tx: Transaction;
	/** The environment's time: the wall clock, or its test clock. For everything that is sold, billed, counted or shown. */
	readonly now: Instant;
	/**
	 * The machine's time, whatever the environment's clock says. For what protects or runs the machine: the end of keys and
	 * sessions, kept answers, the task queue, kept PDFs.
	 */
	readonly machineNow: Instant;
	readonly actor: Actor;
	/** A UUIDv7: sorts by time, and is the page cursor. Ids come from here so that a simulation can replay them from a seed. */
	newId(): string;
	/** Runs once the data is safe: nudging a worker, waking a delivery. Never runs after a rollback. */
	afterCommit(effect: () => void): void;
	/** After the commit, tells a worker thread to look for work. The message carries nothing: the table is the queue. */
	wake(worker: WorkerName): void;
	/**
	 * A statement that is built and prepared once for each connection, for hot paths (a builder costs about 20 µs a call).
	 * `build` must be a constant of its module: its identity is the key.
	 */
	prepared<Statement>(build: (tx: Transaction) => Statement): Statement;
}

/** The same transaction and actor at another instant: what was due earlier is carried out at its own time. */
export const workAt = (work: Work, now: Instant): Work => ({
	now,
	machineNow: work.machineNow,
	actor: work.actor,
	newId: work.newId,
	afterCommit: work.afterCommit,
	wake: work.wake,
	prepared: work.prepared,
	// Asked for each time: a reading transaction begins with the first look at the database.
	get tx() {
		return work.tx;
	},
});

/**
 * An async body would let the transaction commit before it has run; this makes it a compile error: for a promise it asks
 * for an argument that nobody has. Who wraps a door hands it on.
 */
export type Sync<T> = [T] extends [never] ? [] : T extends Promise<unknown> ? [bodiesMustBeSynchronous: never] : [];
export type Door = <T>(actor: Actor, body: (work: Work) => T, ...sync: Sync<T>) => T;

/** The only two ways to the database. A writer takes the write lock at once, so it never fails half-way on a busy file. */
export interface Doors {
	readonly read: Door;
	readonly write: Door;
	/** The environment's time, for what never comes to the database on this thread. */
	now(environmentId: string): Instant;
	/** Changes whenever the main file has changed, whoever wrote. What is cached under it is never stale. */
	epoch(): string;
	/** As `epoch`, of the attached file with the usage totals, which only the aggregator writes. */
	usageEpoch(): number;
}

export interface DoorsOptions {
	readonly db: Database;
	/** The machine's. */
	readonly clock: Clock;
	/** How the environments whose clock is frozen are read; left out for a file that holds no environments. */
	readonly testClocks?: (db: Database) => ReadClocks;
	readonly newId: NewId;
	readonly wake: (worker: WorkerName) => void;
	/** The disk did not confirm a commit: the process has to end, since only a new start sees what the disk holds. */
	readonly onUnconfirmed?: ((cause: unknown) => void) | undefined;
}

/** The test clocks by environment, as they stand in the open transaction, or now when there is none. */
export type ReadClocks = () => ReadonlyMap<string, Instant>;

const noClocks: ReadonlyMap<string, Instant> = new Map();

export function openDoors({
	db,
	clock,
	testClocks = () => () => noClocks,
	newId,
	wake,
	onUnconfirmed = () => {},
}: DoorsOptions): Doors {
	let writes = 0;
	let unconfirmed: unknown;
	const readClocks = testClocks(db);
	const mainVersion = versionOf(db, "main");
	const usageVersion = versionOf(db, "usage");
	const statements = new Map<unknown, unknown>();
	let frozen = noClocks;
	let frozenVersion: number | undefined;
	let frozenWrites = 0;
	/** Remembered as everything is that the epoch keeps: a check of access looks at two numbers. */
	const rememberedClocks = (): ReadonlyMap<string, Instant> => {
		const version = mainVersion();
		if (version === frozenVersion && writes === frozenWrites) return frozen;
		frozen = readClocks();
		frozenVersion = version;
		frozenWrites = writes;
		return frozen;
	};
	const workOf = (
		actor: Actor,
		effects: Array<() => void>,
		tx: () => Transaction,
		clocks: ReadonlyMap<string, Instant>,
	): Work => {
		const machineNow = clock.now();
		return {
			actor,
			newId,
			now: clocks.get(actor.environmentId) ?? machineNow,
			machineNow,
			afterCommit: (effect) => effects.push(effect),
			wake: (worker) => effects.push(() => wake(worker)),
			get tx() {
				return tx();
			},
			prepared: <Statement>(build: (tx: Transaction) => Statement): Statement => {
				// Asked for each time: the transaction must have begun, whether or not the statement is known.
				const within = tx();
				if (!statements.has(build)) statements.set(build, build(within));
				return statements.get(build) as Statement;
			},
		};
	};

	const begin = db.$client.prepare("BEGIN");
	const commit = db.$client.prepare("COMMIT");
	const rollback = db.$client.prepare("ROLLBACK");
	/** After a commit that was not confirmed, what this connection shows need not be what the disk holds. */
	const assertConfirmed = (): void => {
		if (unconfirmed !== undefined) throw endingService(unconfirmed);
	};
	/** The transaction begins with the first look at the database: what a cache answers needs none. */
	const read: Door = <T>(actor: Actor, body: (work: Work) => T, ..._: Sync<T>): T => {
		assertConfirmed();
		const effects: Array<() => void> = [];
		let begun = false;
		const tx = () => {
			if (!begun && !db.$client.inTransaction) {
				begin.run();
				begun = true;
			}
			return db;
		};
		let result: T;
		try {
			result = body(workOf(actor, effects, tx, rememberedClocks()));
			if (begun) commit.run();
		} catch (error) {
			// A file that cannot be read may refuse the commit too; left open, the transaction would show old data for ever.
			if (begun && db.$client.inTransaction) rollback.run();
			throw withFilesNamed(error, () => filesAsked(db.$client));
		}
		for (const effect of effects) effect();
		return result;
	};

	/** Takes the write lock at once, so that it never fails half-way on a busy file. */
	const write: Door = <T>(actor: Actor, body: (work: Work) => T, ..._: Sync<T>): T => {
		assertConfirmed();
		const effects: Array<() => void> = [];
		let isCommitting = false;
		// The clock is read under the lock: what is written is never dated before a clock that has been advanced.
		const transact = (tx: Transaction): T => {
			const result = body(workOf(actor, effects, () => tx, readClocks()));
			isCommitting = true;
			return result;
		};
		let result: T;
		try {
			result = writing(() => db.transaction(transact, { behavior: "immediate" }));
		} catch (error) {
			if (!isUnconfirmed(error, isCommitting)) throw withFilesNamed(error, () => filesAsked(db.$client));
			unconfirmed = error;
			onUnconfirmed(error);
			throw unconfirmedWrite(error);
		}
		for (const effect of effects) effect();
		return result;
	};

	/** What is read while a write is under way has an epoch of its own: it may still be rolled back. */
	const writing = <T>(run: () => T): T => {
		writes += 1;
		try {
			return run();
		} finally {
			writes += 1;
		}
	};
	return {
		read,
		write,
		now: (environmentId) => rememberedClocks().get(environmentId) ?? clock.now(),
		epoch: () => `${mainVersion()}.${writes}`,
		usageEpoch: usageVersion,
	};
}

/**
 * A file's `data_version`: another number after any other connection has committed. Asked once for each turn of the event
 * loop, since a request asks several times; what is read under a version that is a moment old is read again under the next.
 */
function versionOf(db: Database, file: string): () => number {
	// Prepared when first asked for: not every connection has every file attached.
	let statement: ReturnType<typeof prepare> | undefined;
	const prepare = () => db.$client.prepare<{ data_version: number }, []>(`PRAGMA ${file}.data_version`);
	let version: number | undefined;
	return () => {
		if (version !== undefined) return version;
		statement ??= prepare();
		queueMicrotask(() => {
			version = undefined;
		});
		version = statement.get()?.data_version ?? 0;
		return version;
	};
}
