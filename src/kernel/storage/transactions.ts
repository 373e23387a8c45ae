import type { Clock, Instant } from "../clock";
import type { NewId } from "../ids";
import type {
	Actor,
	Asked,
	Cause,
	Database,
	RunTransaction,
	Sync,
	Transaction,
	Transactions,
	Work,
	WorkerName,
} from "../work";
import { suspect } from "./damage";
import { filesAsked, listen } from "./db";
import type { ChangedPlaces, Epochs } from "./epochs";
import { isDamage, withFilesNamed } from "./failures";
import { keepStatements, type StatementBuilder } from "./kept-statements";
import { Remembered, underEpoch } from "./remembered";
import { changesOf, countsRevisions, revisionOf, versionOf } from "./versions";
import { type Confirmations, confirmations, writing } from "./writing";

export interface TransactionsOptions {
	readonly db: Database;
	/** The machine's clock. */
	readonly clock: Clock;
	/** Reads the frozen clocks of environments; omitted for a file without environments. */
	readonly testClocks?: (db: Database) => ReadClocks;
	/** The default cause of the works of this connection: the command that runs. */
	readonly cause?: Cause | undefined;
	/** Records the changes of each write at its end (areas/audit); omitted for files that the audit log does not follow. */
	readonly recorder?: (db: Database) => (work: Work) => void;
	readonly newId: NewId;
	readonly wake: (worker: WorkerName) => void;
	/** Called when the disk did not confirm a commit: the process must end, since only a new start sees what the disk holds. */
	readonly onUnconfirmed?: ((cause: unknown) => void) | undefined;
	/** Called after each commit, also of usage only. */
	readonly onCommitted?: (() => void) | undefined;
	/** Called with the number of writes of a group and the milliseconds of its commit. */
	readonly measure?: ((writes: number, ms: number) => void) | undefined;
	/** Builds the statements of the connection. Without it, each builder is called. */
	readonly statementBuilder?: StatementBuilder | undefined;
	/** Shared with the other threads of a server; omitted if there are none. */
	readonly epochs?: Epochs | undefined;
	/**
	 * `at once`: each write is a transaction of its own. `in groups`: all writes of a turn share one, on the thread of a server that writes
	 * the file. `never`: on other threads.
	 */
	readonly writes?: keyof typeof writing;
}

/** Returns the test clocks by environment, in the open transaction if there is one. */
export type ReadClocks = () => ReadonlyMap<string, Instant>;

const noClocks: ReadonlyMap<string, Instant> = new Map();

export function openTransactions(options: TransactionsOptions): Transactions {
	const {
		db,
		clock,
		testClocks = () => () => noClocks,
		recorder = () => () => {},
		epochs,
		writes = "at once",
	} = options;
	const mainVersion = versionOf(db, "main", epochs);
	const revision = revisionOf(db, mainVersion, epochs);
	const usageEpoch = versionOf(db, "usage", epochs);
	const epoch = changesOf(revision);
	const readClocks = testClocks(db);
	const rememberedClocks = underEpoch(epoch.now, readClocks);
	const disk = confirmations(options);
	const remembered = rememberedBy(db);
	const reported = { count: 0 };
	const changed = (id: string): void => {
		reported.count += 1;
		epochs?.counted([id]);
	};
	const usageVersion = (): number => usageEpoch() + mainVersion() + reported.count;
	const watchUsage = (customerId: string) => epochs?.watchUsage(customerId) ?? watch(usageVersion);
	const open = workOpener(options, { remembered, changed, watchUsage });
	const transact = writing[writes]({
		db,
		disk,
		onCommitted: () => {
			remembered.ended(true);
			epochs?.committed("main");
			options.onCommitted?.();
		},
		commitUsage: (commit) => {
			const result = epochs ? epochs.reporting(commit) : commit();
			remembered.ended(true);
			options.onCommitted?.();
			return result;
		},
		countRevision: countsRevisions(db),
		onUndone: () => {
			remembered.ended(false);
			epoch.changed();
		},
		measure: options.measure,
	});
	let recorded: ((work: Work) => void) | undefined;
	/** Made before the first write begins its transaction: a connection that only reads needs none of its triggers. */
	const recording = (): ((work: Work) => void) => {
		recorded ??= recorder(db);
		return recorded;
	};
	/** Reads the clock under the lock: a write is never dated before a clock that has been advanced. */
	const write: RunTransaction = <T>(actor: Actor, body: (work: Work) => T, ..._: Sync<T>): T => {
		disk.assertConfirmed();
		const record = recording();
		// Values that are read during a write have an epoch of their own: the write may still be rolled back.
		epoch.changed();
		try {
			return transact.write((tx, effects) => {
				const steps: LastSteps = new Map();
				const work = open(actor, effects, () => tx, readClocks(), steps);
				const result = body(work);
				carryOut(steps);
				record(work);
				return result;
			});
		} catch (error) {
			remembered.undone();
			if (isDamage(error)) suspect(filesAsked(db.$client));
			throw error;
		} finally {
			epoch.changed();
		}
	};
	const writeUsage: RunTransaction = <T>(actor: Actor, body: (work: Work) => T, ..._: Sync<T>): T => {
		disk.assertConfirmed();
		const record = recording();
		try {
			return transact.write((tx, effects) => {
				const steps: LastSteps = new Map();
				const work = open(actor, effects, () => tx, rememberedClocks(), steps);
				const result = body(work);
				carryOut(steps);
				record(work);
				return result;
			}, true);
		} catch (error) {
			remembered.undone();
			if (isDamage(error)) suspect(filesAsked(db.$client));
			throw error;
		}
	};
	return {
		read: reader(options, disk, (actor, effects, tx) => open(actor, effects, tx, rememberedClocks())),
		write,
		writeUsage,
		committed: transact.committed,
		now: (environmentId) => rememberedClocks().get(environmentId) ?? clock.now(),
		epoch: epoch.now,
		usageEpoch,
		changedPlaces: () => epochs?.changedPlaces() ?? anybody(usageVersion),
	};
}

/** Without shared counters, any change may be of this customer. */
function watch(version: () => number): () => boolean {
	const before = version();
	return () => version() !== before;
}

function anybody(version: () => number): ChangedPlaces {
	let seen = version();
	return () => {
		const before = seen;
		seen = version();
		return { isAll: seen !== before, places: [] };
	};
}

type OpenWork = (
	actor: Actor,
	effects: Array<() => void>,
	tx: () => Transaction,
	clocks: ReadonlyMap<string, Instant>,
	steps?: LastSteps,
) => Work;

/** The steps at the end of the transaction, by key, in the order in which they were registered. */
type LastSteps = Map<string, () => void>;

/** Runs the steps. A step may register another one: iterating a map includes entries that are added meanwhile. */
function carryOut(steps: LastSteps): void {
	for (const step of steps.values()) step();
}

function rememberedBy({ $client }: Database): Remembered {
	const version = $client.prepare<{ data_version: number }, []>("PRAGMA main.data_version");
	const remembered = new Remembered(() => version.get()?.data_version ?? 0);
	listen($client, (sql) => remembered.heard(sql));
	return remembered;
}

interface OfConnection {
	readonly remembered: Remembered;
	readonly changed: (id: string) => void;
	/** Returns a function that tests whether the usage of a customer has changed since this call. */
	readonly watchUsage: (customerId: string) => () => boolean;
}

const always = (): boolean => true;

function workOpener(
	{ db, clock, newId, wake, epochs, cause, statementBuilder }: TransactionsOptions,
	{ remembered, changed, watchUsage }: OfConnection,
): OpenWork {
	const statements = keepStatements(statementBuilder?.(db));
	return (actor, effects, tx, clocks, steps) => {
		const machineNow = clock.now();
		const usageCommits = epochs?.of("usage");
		let hasLooked = false;
		let trace: string | undefined;
		// The transaction must have begun: it is the argument.
		const look = (within: Transaction): Transaction => {
			if (!hasLooked) remembered.look();
			hasLooked = true;
			return within;
		};
		return {
			actor,
			cause: { ...cause },
			newId,
			now: clocks.get(actor.environmentId) ?? machineNow,
			machineNow,
			afterCommit: (effect) => effects.push(effect),
			atEnd: (key, step) => {
				if (steps && !steps.has(key)) steps.set(key, step);
			},
			traceId: () => {
				trace ??= newId();
				return trace;
			},
			wake: (worker) => effects.push(() => wake(worker)),
			usageChanged: (customerId) => effects.push(() => changed(customerId)),
			accessChanged: (id) => effects.push(() => changed(id)),
			secrets: [],
			get tx() {
				return tx();
			},
			// Read each time: the transaction must have begun, also for a known statement.
			prepared: (build) => statements.prepared(build, tx()),
			built: statements.built,
			usageCommits,
			watchUsage: (customerId) => {
				const hasChanged = watchUsage(customerId);
				// The transaction shows the file as of its first read. A later commit is not in it, and is counted already.
				return epochs?.of("usage") === usageCommits ? hasChanged : always;
			},
			remembered: <Statement extends Asked>(build: (tx: Transaction) => Statement) => {
				const within = look(tx());
				// It has the results of the statement.
				return remembered.statement(build, () => statements.prepared(build, within)) as Pick<Statement, "get" | "all">;
			},
			generation: () => {
				look(tx());
				return remembered.generation();
			},
		};
	};
}

/** Begins the transaction with the first query: a result from a cache needs none. */
function reader(
	{ db }: TransactionsOptions,
	{ assertConfirmed }: Confirmations,
	open: (actor: Actor, effects: Array<() => void>, tx: () => Transaction) => Work,
): RunTransaction {
	const begin = db.$client.prepare("BEGIN");
	const commit = db.$client.prepare("COMMIT");
	const rollback = db.$client.prepare("ROLLBACK");
	return <T>(actor: Actor, body: (work: Work) => T, ..._: Sync<T>): T => {
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
			result = body(open(actor, effects, tx));
			if (begun) commit.run();
		} catch (error) {
			// An unreadable file may refuse the commit too. An open transaction would show old data forever.
			if (begun && db.$client.inTransaction) rollback.run();
			throw withFilesNamed(error, () => filesAsked(db.$client));
		}
		for (const effect of effects) effect();
		return result;
	};
}
