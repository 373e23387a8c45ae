import { SQLiteError } from "bun:sqlite";
import { codeOf } from "../errors";
import { suspect } from "./damage";

/**
 * The disk has failed in a way that the caller must know about. The message is for the caller; the cause is for the log.
 */
export class StorageError extends Error {}

/** A needed file cannot be read: it is damaged or missing. The message is for the caller, who may try again. */
export class FileUnreadable extends Error {}

/** A needed file is in the storage and is being fetched. */
export class FileNotHere extends FileUnreadable {
	constructor(
		message: string,
		/** Resolves when the file is here; rejects with `FileUnreadable` if it cannot be fetched. */
		readonly arrival: Promise<void>,
		options?: ErrorOptions,
	) {
		super(message, options);
		// Callers need not wait for it.
		arrival.catch(() => {});
	}
}

/** More data is needed than one transaction may read on a thread that serves others. It is being read in time slices. */
export class NotYetRead extends FileNotHere {}

/** A needed file is out of reach: the storage does not answer, or refuses. A later try may succeed. */
export class FileOutOfReach extends FileUnreadable {}

/** Whether the file may become available without action, so that a caller can wait. */
export const isAwaited = (error: unknown): boolean => error instanceof FileNotHere || error instanceof FileOutOfReach;

/** Shorter than a stop waits for started work, and than an idle connection stays open. */
const arrivalsMsMax = 8_000;

/**
 * Runs work that reads files, and repeats it each time a missing file has been fetched. A failed run must roll back its writes, as a
 * transaction does. After some seconds it fails with the last `FileNotHere`. Fetched files stay, so that a later call gets further.
 */
export function onceHere<T>(call: () => T, withinMs = arrivalsMsMax): T | Promise<Awaited<T>> {
	const body = () => repeatably(call);
	const goOn = (error: unknown): Promise<Awaited<T>> => {
		if (error instanceof FileNotHere) return onceArrived(body, error, performance.now() + withinMs);
		throw error;
	};
	try {
		const result = body();
		return result instanceof Promise ? result.catch(goOn) : result;
	} catch (error) {
		return goOn(error);
	}
}

let isRepeated = false;

/** Whether the running code is repeated if it throws `FileNotHere`. False after an `await`. */
export const canBeRepeated = (): boolean => isRepeated;

/** Runs code that the caller repeats later if it throws `FileNotHere`. */
export function repeatably<T>(body: () => T): T {
	const before = isRepeated;
	isRepeated = true;
	try {
		return body();
	} finally {
		isRepeated = before;
	}
}

async function onceArrived<T>(body: () => T, first: FileNotHere, end: number): Promise<Awaited<T>> {
	for (let missing = first; ; ) {
		const leftMs = end - performance.now();
		if (leftMs <= 0 || !(await arrives(missing, leftMs))) throw missing;
		try {
			return await body();
		} catch (error) {
			if (!(error instanceof FileNotHere)) throw error;
			missing = error;
		}
	}
}

/** Work in steps: it yields the files that it waits for, and returns its result. */
export type Awaiting<T> = Generator<FileNotHere, T>;

/** The number of files that one step waits for. A step that needs more than the cache holds would never end. */
const arrivalsMax = 10_000;

/** Runs a step, and repeats it each time a file has been fetched. */
export function* step<T>(body: () => T): Awaiting<T> {
	for (let arrivals = 0; ; arrivals += 1) {
		try {
			return body();
		} catch (error) {
			if (!(error instanceof FileNotHere) || arrivals === arrivalsMax) throw error;
			yield error;
		}
	}
}

/** Carries out work, however long it takes. Rejects with `FileUnreadable` if a file cannot be fetched. */
export async function carriedOutInTime<T>(work: Awaiting<T>): Promise<T> {
	for (;;) {
		const { done, value } = work.next();
		if (done) return value;
		await value.arrival;
	}
}

/** Whether a file arrives within a time in milliseconds. Rejects with `FileUnreadable` if it cannot be fetched. */
async function arrives({ arrival }: FileNotHere, withinMs: number): Promise<boolean> {
	const { promise: late, resolve } = Promise.withResolvers<false>();
	const timer = setTimeout(resolve, withinMs, false);
	try {
		return await Promise.race([arrival.then(() => true), late]);
	} finally {
		clearTimeout(timer);
	}
}

/** Whether the disk, or the quota of this user, is full. */
export const isDiskFull = (error: unknown): boolean => /^(ENOSPC|EDQUOT|SQLITE_FULL)$/.test(codeOf(error));

/** Whether a file is no longer a complete database. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));

/** Whether an error is of the storage: the disk is full or gone, a file is damaged, or a lock was not available. A later call may succeed. */
export const isStorageTrouble = (error: unknown): error is Error =>
	error instanceof StorageError ||
	error instanceof FileUnreadable ||
	(error instanceof SQLiteError && (isDiskFull(error) || isDamage(error) || isOutOfReach(error.code)));

const isOutOfReach = (code = ""): boolean => /^SQLITE_(IOERR|BUSY|LOCKED|READONLY|CANTOPEN)/.test(code);

/**
 * Returns the message for the caller; undefined if the storage is not the cause. Unless the message says otherwise (`unconfirmedWrite`), the
 * transaction was rolled back.
 */
export function storageMessage(error: unknown): string | undefined {
	if (error instanceof StorageError || error instanceof FileUnreadable) return error.message;
	return isStorageTrouble(error)
		? "The service cannot write now; nothing of this call was kept. Repeat it shortly."
		: undefined;
}

/** Whether data of a file could not be read, or the file is no longer a database. */
const isUnreadable = (error: unknown): error is SQLiteError =>
	error instanceof SQLiteError && (isDamage(error) || isIoErrorExceptWrite(error));

/** The failures of reading, syncing, growing or locking a file: anything but writing a block. */
const isIoErrorExceptWrite = (error: unknown): boolean => /^SQLITE_IOERR(?!_WRITE$)/.test(codeOf(error));

/** Returns a storage error with the names of the files that were read, for the log; other errors unchanged. */
export function withFilesNamed(error: unknown, filesAsked: () => readonly string[]): unknown {
	if (!isUnreadable(error)) return error;
	const names = filesAsked();
	if (isDamage(error)) suspect(names);
	const files = names.join(" or ");
	const cause = new Error(`${files} could not be read (${error.code}); 'tollgate check' says what is damaged`, {
		cause: error,
	});
	return new StorageError("A file of the data folder could not be read; the operator finds its name in the log.", {
		cause,
	});
}

/** Whether a sync failed, of SQLite's files or of other files of Tollgate. */
export const isFailedSync = (error: unknown): boolean =>
	error instanceof SQLiteError
		? /^SQLITE_IOERR_(DIR_)?FSYNC$/.test(codeOf(error))
		: error instanceof Error && "syscall" in error && /^f(data)?sync$/.test(String(error.syscall));

/**
 * Whether a failed transaction may still be on disk. After a failed sync the content of the disk is unknown: the system drops data that it
 * could not write, so a second sync would succeed and prove nothing. Other failures at the commit, such as growing the log's index, may
 * follow the complete write of the transaction. A full disk, or a failed write, precedes it: the commit record is incomplete, and the next
 * start skips it.
 */
export const isUnconfirmed = (error: unknown, isCommitting: boolean): boolean =>
	isFailedSync(error) || (isCommitting && error instanceof SQLiteError && isIoErrorExceptWrite(error));

/** The message for the call whose commit was not confirmed. */
export const unconfirmedWrite = (cause: unknown): StorageError =>
	new StorageError(
		"Whether this call was carried out is not known: the disk did not confirm it, and the service restarts. Repeat the call with the same Idempotency-Key. Without a key, first check whether it was carried out.",
		{ cause },
	);

/** The message for later calls. */
export const endingService = (cause: unknown): StorageError =>
	new StorageError("The service restarts because the disk failed; nothing of this call was kept. Repeat it shortly.", {
		cause,
	});
