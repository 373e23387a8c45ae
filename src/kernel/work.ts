import type { Database as SqliteFile } from "bun:sqlite";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";
import type { Instant } from "./clock";
import type { ChangedPlaces } from "./storage/epochs";
import { onceHere } from "./storage/failures";

/**
 * Who acts, and where. Which kinds there are, and which scopes, is the access area's to say (areas/access/rules.actors.ts);
 * the environment belongs to the key (or to the user's X-ENVIRONMENT-ID).
 */
export interface Actor {
	readonly kind: string;
	/** The key's or the user's id; "system" for what the service does by itself. */
	readonly id: string;
	readonly accountId: string;
	readonly environmentId: string;
	readonly scopes: ReadonlySet<string> | "everything";
}

/** By what a work came about, for the audit log: said by the way in, or by who knows it better as it goes. */
export interface Cause {
	/** As people know it: an operation of the interface, a field of GraphQL, a command, a step of what falls due. */
	operation?: string;
	requestId?: string;
	/** Where the request came from. */
	address?: string;
	/** Who acts, where it is not the work's actor: a user who signs in, or for whom the service does something. */
	actor?: Pick<Actor, "kind" | "id">;
	/** Who runs a command: the name of the machine's user. */
	operator?: string;
}

export type Database = BunSQLiteDatabase & { readonly $client: SqliteFile };
/** What a transaction can be asked: the same for reading, for writing and for a savepoint within. */
export type Transaction = BaseSQLiteDatabase<"sync", void, Record<string, never>>;

/** A prepared statement that reads, as far as it is remembered. */
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
	| "scheduler"
	| "alerts"
	| "credits"
	| "event-credits"
	| "entitlement-events";

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
	readonly cause: Cause;
	/** A UUIDv7: sorts by time, and is the page cursor. Ids come from here so that a simulation can replay them from a seed. */
	newId(): string;
	/** Runs once the data is safe: nudging a worker, waking a delivery. Never runs after a rollback. */
	afterCommit(effect: () => void): void;
	/**
	 * Runs once before the transaction ends, within it, as whoever was first to say it under this key: for what is told of a thing
	 * that may change several times meanwhile. What a savepoint has undone may be said all the same: the step looks itself.
	 */
	atEnd(key: string, step: () => void): void;
	/** One id for all that is told of this transaction. */
	traceId(): string;
	/** After the commit, tells a worker thread to look for work. The message carries nothing: the table is the queue. */
	wake(worker: WorkerName): void;
	/** After the commit, what is remembered of the usage of this customer (its row id) is asked for again. */
	usageChanged(customerId: string): void;
	/** After the commit, who follows what all customers may do looks at this one (its row id) first. */
	accessChanged(customerId: string): void;
	/** What was made here and is shown in the answer, this once: whoever keeps the answer leaves it out (http/responses/idempotency.ts). */
	readonly secrets: string[];
	/**
	 * A statement that is built and prepared once for each connection, for hot paths (a builder costs about 20 µs a call).
	 * `build` must be a constant of its module: its identity is the key.
	 */
	prepared<Statement>(build: (tx: Transaction) => Statement): Statement;
	/** What `prepared` has built before, for what it remembers: the transaction does not begin. Undefined where it has not. */
	built<Statement>(build: (tx: Transaction) => Statement): Statement | undefined;
	/**
	 * How often the totals of usage had been committed before the work looked at anything: where it is the same, nothing new can
	 * be read of them. Undefined where no counters are shared.
	 */
	readonly usageCommits: number | undefined;
	/**
	 * Answers, as often as it is asked, whether the usage of a customer (its row id) may have changed since this work began; reports of
	 * usage count too. Other customers' usage rarely makes it true.
	 */
	watchUsage(customerId: string): () => boolean;
	/**
	 * As `prepared`, for a statement that reads what seldom changes, such as the catalogue: what it has answered is remembered
	 * until one of its tables is written (kernel/storage/remembered.ts). Nobody changes the rows that it answers.
	 */
	remembered<Statement extends Asked>(build: (tx: Transaction) => Statement): Pick<Statement, "get" | "all">;
}

/** The same transaction and actor at another instant: what was due earlier is carried out at its own time. */
export const workAt = (work: Work, now: Instant): Work => workOf(work, now, work.actor);

/** The same transaction at the same instant for another actor: to read in another environment. */
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
	// Asked for each time: a reading transaction begins with the first look at the database.
	get tx() {
		return work.tx;
	},
});

/**
 * An async body would let the transaction commit before it has run; this makes it a compile error: for a promise it asks
 * for an argument that nobody has. Who wraps one hands it on.
 */
export type Sync<T> = [T] extends [never] ? [] : T extends Promise<unknown> ? [bodiesMustBeSynchronous: never] : [];
export type RunTransaction = <T>(actor: Actor, body: (work: Work) => T, ...sync: Sync<T>) => T;

/** The only two ways to the database. A writer takes the write lock at once, so it never fails half-way on a busy file. */
export interface Transactions {
	readonly read: RunTransaction;
	readonly write: RunTransaction;
	/**
	 * As `write`, for usage alone, of which nothing is remembered but by `work.watchUsage` (`work.usageChanged`): `epoch` stays as it
	 * is, so that thousands of reports a second make nobody forget what customers are entitled to.
	 */
	readonly writeUsage: RunTransaction;
	/**
	 * Resolves when what this turn of the event loop has written is on disk, and rejects when nothing of it was kept: where
	 * many share one transaction (group.ts), a write is no more than begun when its body ends. To be asked for at once after
	 * the write, before anybody is told of it (`writeDurably`).
	 */
	committed(): Promise<void>;
	/** The environment's time, for what never comes to the database on this thread. */
	now(environmentId: string): Instant;
	/**
	 * Changes whenever the main file has changed: at once when a thread of this process has written, within a millisecond or
	 * two when another process has. What is cached under it is never stale.
	 */
	epoch(): number;
	/** As `epoch`, of the attached file with the usage totals, which only the aggregator writes. */
	usageEpoch(): number;
	/**
	 * For who follows many customers: answers, each time it is asked, the places (`placeOf`) of those whose usage or access has
	 * changed since it was asked last, by any thread of this process. Some share a place.
	 */
	changedPlaces(): ChangedPlaces;
}

interface Durable {
	readonly write: RunTransaction;
	readonly committed: () => Promise<void>;
}

/** As `write`, and answers once it is on disk; what has to wait for a file is written once that is here. */
export async function writeDurably<T>(
	durable: Durable,
	actor: Actor,
	body: (work: Work) => T,
	...sync: Sync<T>
): Promise<T> {
	return await onceHere(() => writeNow(durable, actor, body, ...sync));
}

/** What is refused waits as well: it may have been refused for what others of the group have written, of which nothing is true before their commit. */
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
