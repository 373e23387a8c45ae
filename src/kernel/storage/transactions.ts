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
import { Remembered, underEpoch } from "./remembered";
import { countsRevisions, revisionOf, versionOf } from "./versions";
import { type Confirmations, confirmations, writing } from "./writing";

export interface TransactionsOptions {
	readonly db: Database;
	/** The machine's. */
	readonly clock: Clock;
	/** How the environments whose clock is frozen are read; left out for a file that holds no environments. */
	readonly testClocks?: (db: Database) => ReadClocks;
	/** By what the works of this connection come about, where nobody says it better: the command that runs. */
	readonly cause?: Cause | undefined;
	/** Writes down what each write has changed, at its end (areas/audit); left out for files that the audit log does not follow. */
	readonly recorder?: (db: Database) => (work: Work) => void;
	readonly newId: NewId;
	readonly wake: (worker: WorkerName) => void;
	/** The disk did not confirm a commit: the process has to end, since only a new start sees what the disk holds. */
	readonly onUnconfirmed?: ((cause: unknown) => void) | undefined;
	/** Something was committed, usage alone included. */
	readonly onCommitted?: (() => void) | undefined;
	/** Shared with the other threads of a server; left out where there are none. */
	readonly epochs?: Epochs | undefined;
	/**
	 * `at once`: each write is a transaction by itself. `in groups`: all of a turn share one, on the one thread of a server
	 * that writes the file. `never`: on the others.
	 */
	readonly writes?: keyof typeof writing;
}

/** The test clocks by environment, as they stand in the open transaction, or now when there is none. */
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
	});
	let recorded: ((work: Work) => void) | undefined;
	/** Made before the first write begins its transaction: a connection that only reads needs none of its triggers. */
	const recording = (): ((work: Work) => void) => {
		recorded ??= recorder(db);
		return recorded;
	};
	/** The clock is read under the lock: what is written is never dated before a clock that has been advanced. */
	const write: RunTransaction = <T>(actor: Actor, body: (work: Work) => T, ..._: Sync<T>): T => {
		disk.assertConfirmed();
		const record = recording();
		// What is read while a write is under way has an epoch of its own: it may still be rolled back.
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

/** Without shared counters any change may be anybody's. */
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

/** What is done before the transaction ends, by key, in the order in which it was first said. */
type LastSteps = Map<string, () => void>;

/** A step may say what another one has to do: a map walks on to what is put into it meanwhile. */
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
	/** Whether the usage of a customer has changed since this was called. */
	readonly watchUsage: (customerId: string) => () => boolean;
}

const always = (): boolean => true;

function workOpener(
	{ clock, newId, wake, epochs, cause }: TransactionsOptions,
	{ remembered, changed, watchUsage }: OfConnection,
): OpenWork {
	const statements = keepStatements();
	return (actor, effects, tx, clocks, steps) => {
		const machineNow = clock.now();
		const usageCommits = epochs?.of("usage");
		let hasLooked = false;
		let trace: string | undefined;
		const answering = (build: (tx: Transaction) => Asked, within: Transaction): Asked => {
			if (!hasLooked) remembered.look();
			hasLooked = true;
			return remembered.statement(build, within);
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
			// Asked for each time: the transaction must have begun, whether or not the statement is known.
			prepared: (build) => statements.prepared(build, tx()),
			built: statements.built,
			usageCommits,
			watchUsage: (customerId) => {
				const hasChanged = watchUsage(customerId);
				// The transaction shows the file as it was when it was first read. A commit since then is not in it, and is counted already.
				return epochs?.of("usage") === usageCommits ? hasChanged : always;
			},
			remembered: <Statement extends Asked>(build: (tx: Transaction) => Statement) =>
				// It answers what the statement does.
				answering(build, tx()) as Pick<Statement, "get" | "all">,
		};
	};
}

/** The transaction begins with the first look at the database: what a cache answers needs none. */
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
			// A file that cannot be read may refuse the commit too; left open, the transaction would show old data for ever.
			if (begun && db.$client.inTransaction) rollback.run();
			throw withFilesNamed(error, () => filesAsked(db.$client));
		}
		for (const effect of effects) effect();
		return result;
	};
}

/** Counts up whenever the version is another, or the connection itself has changed something. */
function changesOf(version: () => number) {
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

/** Of one connection: each is built once. */
function keepStatements() {
	const statements = new Map<unknown, unknown>();
	return {
		prepared: <Statement>(build: (tx: Transaction) => Statement, tx: Transaction): Statement => {
			if (!statements.has(build)) statements.set(build, build(tx));
			return statements.get(build) as Statement;
		},
		built: <Statement>(build: (tx: Transaction) => Statement): Statement | undefined =>
			statements.get(build) as Statement | undefined,
	};
}
