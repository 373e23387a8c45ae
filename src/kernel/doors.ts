import type { Clock, Instant } from "./clock";
import { filesAsked } from "./db";
import type { NewId } from "./ids";
import { endingService, isUnconfirmed, unconfirmedWrite, withFilesNamed } from "./storage";
import type { Actor, Database, Door, Doors, Sync, Transaction, Work, WorkerName } from "./work";

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
	const prepared = keepStatements();
	const rememberedClocks = rememberClocks(readClocks, mainVersion, () => writes);
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
			// Asked for each time: the transaction must have begun, whether or not the statement is known.
			prepared: (build) => prepared(build, tx()),
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

/** Remembered as everything is that the epoch keeps: a check of access looks at two numbers. */
function rememberClocks(readClocks: ReadClocks, versionNow: () => number, writesNow: () => number): ReadClocks {
	let frozen = noClocks;
	let frozenVersion: number | undefined;
	let frozenWrites = 0;
	return () => {
		const [version, writes] = [versionNow(), writesNow()];
		if (version === frozenVersion && writes === frozenWrites) return frozen;
		frozen = readClocks();
		frozenVersion = version;
		frozenWrites = writes;
		return frozen;
	};
}

/** Of one connection: each is built once. */
function keepStatements() {
	const statements = new Map<unknown, unknown>();
	return <Statement>(build: (tx: Transaction) => Statement, tx: Transaction): Statement => {
		if (!statements.has(build)) statements.set(build, build(tx));
		return statements.get(build) as Statement;
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
