import type { Database as SqliteFile } from "bun:sqlite";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";
import type { Instant } from "./clock";
import type { ChangedPlaces } from "./storage/epochs";
import { onceHere } from "./storage/failures";

/**
 * The acting identity and its environment. The access area defines the kinds and scopes (areas/access/rules.actors.ts). The environment is
 * that of the key, or of the user's X-ENVIRONMENT-ID.
 */
export interface Actor {
	readonly kind: string;
	/** The id of the key or the user; "system" for the service itself. */
	readonly id: string;
	readonly accountId: string;
	readonly environmentId: string;
	readonly scopes: ReadonlySet<string> | "everything";
}

/** The cause of a work, for the audit log: set by the entry point, or refined later. */
export interface Cause {
	/** The name that people know: an operation of the interface, a field of GraphQL, a command, a due step. */
	operation?: string;
	requestId?: string;
	/** The address of the caller. */
	address?: string;
	/** The acting user, if it is not the work's actor: a user who signs in, or for whom the service acts. */
	actor?: Pick<Actor, "kind" | "id">;
	/** The name of the machine's user who runs a command. */
	operator?: string;
}

export type Database = BunSQLiteDatabase & { readonly $client: SqliteFile };
/** The queries of a transaction: the same for reading, writing and a savepoint. */
export type Transaction = BaseSQLiteDatabase<"sync", void, Record<string, never>>;

/** The cached methods of a prepared statement that reads. */
export interface Asked {
	get(values?: Record<string, unknown>): unknown;
	all(values?: Record<string, unknown>): unknown;
	getQuery(): { readonly sql: string };
}

/** The threads that can be woken once something is committed for them (workers/pool.ts). */
export type WorkerName =
	| "renderer"
	| "importer"
	| "aggregator"
	| "deliverer"
	| "collector"
	| "scheduler"
	| "next-due"
	| "alerts"
	| "credits"
	| "event-credits"
	| "event-budgets"
	| "budget-tree"
	| "spend-thresholds"
	| "entitlement-events";

/** One request or task: one transaction, one instant, one acting identity. */
export interface Work {
	readonly tx: Transaction;
	/** The environment's time: the wall clock, or its test clock. For everything that is sold, billed, counted or shown. */
	readonly now: Instant;
	/**
	 * The machine's time, independent of the environment's clock. For data that protects or runs the machine: the end of keys and sessions,
	 * stored responses, the task queue, stored PDFs.
	 */
	readonly machineNow: Instant;
	readonly actor: Actor;
	readonly cause: Cause;
	/** A UUIDv7: sorts by time, and is the page cursor. Ids come from here so that a simulation can replay them from a seed. */
	newId(): string;
	/** Registers an effect that runs after the commit, such as waking a thread. It never runs after a rollback. */
	afterCommit(effect: () => void): void;
	/**
	 * Registers a step that runs once at the end of the transaction; the first one under a key counts. It emits one event for an object that
	 * may change several times. A step stays registered after a savepoint rolls back, so it reads the state itself.
	 */
	atEnd(key: string, step: () => void): void;
	/** Returns the id that all events of this transaction share. */
	traceId(): string;
	/** Wakes a thread after the commit. The message carries nothing: the table is the queue. */
	wake(worker: WorkerName): void;
	/** Invalidates the cached usage of a customer (its row id) after the commit. */
	usageChanged(customerId: string): void;
	/** Marks a customer (its row id) after the commit, for the followers of all customers' access. */
	accessChanged(customerId: string): void;
	/** Secrets that the response shows once. A stored response omits them (http/responses/idempotency.ts). */
	readonly secrets: string[];
	/**
	 * A statement that is built and prepared once for each connection, for hot paths (a builder costs about 20 µs a call).
	 * `build` must be a constant of its module: its identity is the key.
	 */
	prepared<Statement>(build: (tx: Transaction) => Statement): Statement;
	/** Returns a statement that `prepared` has built, for its cache, without beginning the transaction. Undefined if it has not. */
	built<Statement>(build: (tx: Transaction) => Statement): Statement | undefined;
	/**
	 * The number of commits of the usage totals before the work read anything: if it has not changed, there are no new totals. Undefined
	 * without shared counters.
	 */
	readonly usageCommits: number | undefined;
	/**
	 * Returns a function that tests whether the usage of a customer (its row id) may have changed since this work began, by events or
	 * reports. Usage of other customers rarely makes it true.
	 */
	watchUsage(customerId: string): () => boolean;
	/**
	 * As `prepared`, for a statement that reads data that seldom changes, such as the catalogue: its results are cached until one of its
	 * tables is written (kernel/storage/remembered.ts). Callers must not change the rows.
	 */
	remembered<Statement extends Asked>(build: (tx: Transaction) => Statement): Pick<Statement, "get" | "all">;
	/**
	 * Returns a number for caches of rows that their owner writes through: it changes when another connection has committed, or when writes of
	 * this one were rolled back. A cache is valid while the number is the same.
	 */
	generation(): number;
}

/** Returns the work at another instant: a step that was due earlier is carried out at its own time. */
export const workAt = (work: Work, now: Instant): Work => workOf(work, now, work.actor);

/** Returns the work for another actor, to read in another environment. */
export const workIn = (work: Work, actor: Actor): Work => workOf(work, work.now, actor);

const workOf = (work: Work, now: Instant, actor: Actor): Work => ({
	now,
	machineNow: work.machineNow,
	actor,
	cause: work.cause,
	newId: work.newId,
	afterCommit: work.afterCommit,
	atEnd: work.atEnd,
	traceId: work.traceId,
	wake: work.wake,
	usageChanged: work.usageChanged,
	accessChanged: work.accessChanged,
	secrets: work.secrets,
	prepared: work.prepared,
	built: work.built,
	usageCommits: work.usageCommits,
	watchUsage: work.watchUsage,
	remembered: work.remembered,
	generation: work.generation,
	// Read each time: a reading transaction begins with the first query.
	get tx() {
		return work.tx;
	},
});

/**
 * Makes an async body a compile error: the transaction would commit before it has run. Wrappers pass `...sync` through.
 */
export type Sync<T> = [T] extends [never] ? [] : T extends Promise<unknown> ? [bodiesMustBeSynchronous: never] : [];
export type RunTransaction = <T>(actor: Actor, body: (work: Work) => T, ...sync: Sync<T>) => T;

/** The only access to the database. A writer takes the write lock at once, so it never fails half-way on a busy file. */
export interface Transactions {
	readonly read: RunTransaction;
	readonly write: RunTransaction;
	/**
	 * As `write`, for usage only, which is cached only by `work.watchUsage` (`work.usageChanged`). `epoch` does not change, so thousands of
	 * reports a second do not invalidate cached entitlements.
	 */
	readonly writeUsage: RunTransaction;
	/**
	 * Resolves when the writes of this turn of the event loop are on disk, and rejects if they were rolled back: in a group (group.ts), a
	 * write is not committed when its body ends. Call it at once after the write, before the result is reported (`writeDurably`).
	 */
	committed(): Promise<void>;
	/** Returns the environment's time, for code that does not read the database on this thread. */
	now(environmentId: string): Instant;
	/**
	 * Changes whenever the main file changes: at once after a write of this process, within two milliseconds after a write of another one. A
	 * value that is cached under it is never stale.
	 */
	epoch(): number;
	/** As `epoch`, of the attached file with the usage totals, which only the aggregator writes. */
	usageEpoch(): number;
	/**
	 * Returns a function for followers of many customers. Each call returns the places (`placeOf`) of the customers whose usage or access
	 * changed since the last call, on any thread of this process. Some customers share a place.
	 */
	changedPlaces(): ChangedPlaces;
}

interface Durable {
	readonly write: RunTransaction;
	readonly committed: () => Promise<void>;
}

/** Writes, and resolves once the write is on disk. If the write needs a file that is out of reach, it waits for it. */
export async function writeDurably<T>(
	durable: Durable,
	actor: Actor,
	body: (work: Work) => T,
	...sync: Sync<T>
): Promise<T> {
	return await onceHere(() => writeNow(durable, actor, body, ...sync));
}

/** A refusal waits too: its reason may be a write of the same group, which may still be rolled back. */
async function writeNow<T>(
	{ write, committed }: Durable,
	actor: Actor,
	body: (work: Work) => T,
	...sync: Sync<T>
): Promise<T> {
	let outcome: () => T;
	try {
		const result = write(actor, body, ...sync);
		outcome = () => result;
	} catch (error) {
		outcome = () => {
			throw error;
		};
	}
	await committed();
	return outcome();
}
