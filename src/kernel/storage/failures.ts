import { SQLiteError } from "bun:sqlite";
import { codeOf } from "../errors";
import { suspect } from "./damage";

/**
 * The disk has failed in a way that the caller must know of. The message is for the caller; what exactly failed is the
 * cause, and for the log.
 */
export class StorageError extends Error {}

/** A file that is needed cannot be read now: it is damaged or missing. The message is for the caller, who may call again. */
export class FileUnreadable extends Error {}

/** A file that is needed is elsewhere, and is being brought here. */
export class FileNotHere extends FileUnreadable {
	constructor(
		message: string,
		/** Resolves when it is here; rejects with `FileUnreadable` when it cannot be brought. */
		readonly arrival: Promise<void>,
		options?: ErrorOptions,
	) {
		super(message, options);
		// Nobody has to wait for it.
		arrival.catch(() => {});
	}
}

/** Where a file is that is needed, it cannot be had now: the storage does not answer, or refuses. It may later. */
export class FileOutOfReach extends FileUnreadable {}

/** Whether the file may be here later by itself: who can wait, waits. */
export const isAwaited = (error: unknown): boolean => error instanceof FileNotHere || error instanceof FileOutOfReach;

/** Our choice: less than a stop waits for what has begun, and than a connection is kept that says nothing. */
const arrivalsMsMax = 8_000;

/**
 * Runs what reads files, and runs it again each time that one has been brought which was not here. What it writes has to be
 * undone when it fails, as that of a transaction is. After some seconds it fails with the last `FileNotHere`: what has come by
 * then stays here, so that a later call gets further.
 */
export function onceHere<T>(body: () => T, withinMs = arrivalsMsMax): T | Promise<Awaited<T>> {
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

/** What a body of work waits for between two of its steps, and what it comes to. */
export type Awaiting<T> = Generator<FileNotHere, T>;

/** Our choice: files that one step waits for; who needs more at once than there is room for would never end. */
const arrivalsMax = 10_000;

/** A step of it, again each time that a file has been brought. */
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

/** Carries it out, however long that takes. Rejects with `FileUnreadable` when a file cannot be brought. */
export async function carriedOutInTime<T>(work: Awaiting<T>): Promise<T> {
	for (;;) {
		const { done, value } = work.next();
		if (done) return value;
		await value.arrival;
	}
}

/** Whether it is here within so many milliseconds. Rejects with `FileUnreadable` when it cannot be brought. */
async function arrives({ arrival }: FileNotHere, withinMs: number): Promise<boolean> {
	const { promise: late, resolve } = Promise.withResolvers<false>();
	const timer = setTimeout(resolve, withinMs, false);
	try {
		return await Promise.race([arrival.then(() => true), late]);
	} finally {
		clearTimeout(timer);
	}
}

/** There is no room, or none for this user. */
export const isDiskFull = (error: unknown): boolean => /^(ENOSPC|EDQUOT|SQLITE_FULL)$/.test(codeOf(error));

/** What a file holds is no database any more, or not all of one. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));

/** The disk is full or gone, what it holds is damaged, or a lock was not to be had: a later call may succeed. */
export const isStorageTrouble = (error: unknown): error is Error =>
	error instanceof StorageError ||
	error instanceof FileUnreadable ||
	(error instanceof SQLiteError && (isDiskFull(error) || isDamage(error) || isOutOfReach(error.code)));

const isOutOfReach = (code = ""): boolean => /^SQLITE_(IOERR|BUSY|LOCKED|READONLY|CANTOPEN)/.test(code);

/**
 * What the caller is told of it; undefined when the disk is not to blame. Where it was not said to be otherwise
 * (`unconfirmedWrite`), the transaction was rolled back.
 */
export function storageMessage(error: unknown): string | undefined {
	if (error instanceof StorageError || error instanceof FileUnreadable) return error.message;
	return isStorageTrouble(error)
		? "The service cannot write now; nothing of this call was kept. Repeat it shortly."
		: undefined;
}

/** What is in a file could not be read, or is no database's any more. */
const isUnreadable = (error: unknown): error is SQLiteError =>
	error instanceof SQLiteError && (isDamage(error) || isIoErrorExceptWrite(error));

/** Reading, syncing, growing or locking a file: anything but writing a block of it. */
const isIoErrorExceptWrite = (error: unknown): boolean => /^SQLITE_IOERR(?!_WRITE$)/.test(codeOf(error));

/** The same failure, with the files that were asked named for the log; anything else as it is. */
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

/** A failed `fsync`, of SQLite's or of our own files. */
export const isFailedSync = (error: unknown): boolean =>
	error instanceof SQLiteError
		? /^SQLITE_IOERR_(DIR_)?FSYNC$/.test(codeOf(error))
		: error instanceof Error && "syscall" in error && /^f(data)?sync$/.test(String(error.syscall));

/**
 * Whether a failed transaction may be on disk all the same. After a failed sync nobody knows what the disk holds: the
 * system forgets what it could not write, so that a second sync would succeed and prove nothing. What else fails at the
 * commit, the growing of the log's index for one, may come after the transaction was written whole. A full disk, or a write
 * that fails, comes before: the record of the commit is not whole, and is passed over at the next start.
 */
export const isUnconfirmed = (error: unknown, isCommitting: boolean): boolean =>
	isFailedSync(error) || (isCommitting && error instanceof SQLiteError && isIoErrorExceptWrite(error));

/** For the call whose commit was not confirmed. */
export const unconfirmedWrite = (cause: unknown): StorageError =>
	new StorageError(
		"Whether this call was carried out is not known: the disk did not confirm it, and the service starts anew. Repeat the call with the same Idempotency-Key; without one, look first whether it was carried out.",
		{ cause },
	);

/** For the calls after it. */
export const endingService = (cause: unknown): StorageError =>
	new StorageError(
		"The service starts anew, since the disk failed; nothing of this call was kept. Repeat it shortly.",
		{ cause },
	);
