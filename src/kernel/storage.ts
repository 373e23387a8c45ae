import { SQLiteError } from "bun:sqlite";

/** The disk is full or gone, or a lock was not to be had: nothing was written, and a later call may succeed. */
export const isStorageTrouble = (error: unknown): boolean =>
	error instanceof SQLiteError && /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN)/.test(error.code ?? "");
