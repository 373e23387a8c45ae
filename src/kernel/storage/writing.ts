import { assert } from "../errors";
import type { Database, Transaction } from "../work";
import { filesAsked } from "./db";
import { endingService, isUnconfirmed, unconfirmedWrite, withFilesNamed } from "./failures";
import { GroupCommit } from "./group";

interface ConfirmationsOptions {
	readonly db: Database;
	/** Called when the disk did not confirm a commit: the process must end, since only a new start sees what the disk holds. */
	readonly onUnconfirmed?: ((cause: unknown) => void) | undefined;
}

/** Interprets storage errors, and remembers an unconfirmed commit. */
export interface Confirmations {
	/** Throws after an unconfirmed commit: this connection may show data that the disk does not hold. */
	assertConfirmed(): void;
	/** Returns the error for the caller. Ends the service if the disk did not confirm a commit. */
	explain(error: unknown, isCommitting: boolean): unknown;
}

export function confirmations({ db, onUnconfirmed = () => {} }: ConfirmationsOptions): Confirmations {
	let unconfirmed: unknown;
	return {
		assertConfirmed: () => {
			if (unconfirmed !== undefined) throw endingService(unconfirmed);
		},
		explain: (error, isCommitting) => {
			if (!isUnconfirmed(error, isCommitting)) return withFilesNamed(error, () => filesAsked(db.$client));
			if (unconfirmed === undefined) onUnconfirmed(error);
			unconfirmed = error;
			return unconfirmedWrite(error);
		},
	};
}

interface Transacting {
	readonly db: Database;
	readonly disk: Confirmations;
	readonly onCommitted: () => void;
	/** Commits a transaction that contains only usage. */
	readonly commitUsage: <T>(commit: () => T) => T;
	/** Increments the file's revision, in a transaction that writes more than usage. */
	readonly countRevision: () => void;
	/** Called when the writes were rolled back. */
	readonly onUndone: () => void;
	/** Called with the number of writes of a group and the milliseconds of its commit. */
	readonly measure?: ((writes: number, ms: number) => void) | undefined;
}

interface Transact {
	write<T>(body: (tx: Transaction, effects: Array<() => void>) => T, isUsage?: boolean): T;
	committed(): Promise<void>;
}

const settled = Promise.resolve();

function atOnce({ db, disk, onCommitted, commitUsage, countRevision, onUndone }: Transacting): Transact {
	return {
		write: (body, isUsage = false) => {
			const effects: Array<() => void> = [];
			let isCommitting = false;
			// The connection itself, as in groups: Drizzle's transaction object gives nested savepoints the same name, and does not release one
			// that it rolled back, so an outer rollback would stop there.
			const transact = () => {
				if (!isUsage) countRevision();
				const result = body(db, effects);
				isCommitting = true;
				return result;
			};
			const transaction = () => db.transaction(transact, { behavior: "immediate" });
			let result: ReturnType<typeof transact>;
			try {
				result = isUsage ? commitUsage(transaction) : transaction();
			} catch (error) {
				onUndone();
				throw disk.explain(error, isCommitting);
			}
			if (!isUsage) onCommitted();
			for (const effect of effects) effect();
			return result;
		},
		committed: () => settled,
	};
}

function inGroups({ disk, ...committing }: Transacting): Transact {
	const { db } = committing;
	const group = new GroupCommit({ ...committing, explain: disk.explain });
	return {
		write: (body, isUsage) => {
			try {
				return group.write((effects) => body(db, effects), isUsage);
			} catch (error) {
				throw disk.explain(error, false);
			}
		},
		committed: () => group.committed(),
	};
}

const refusing = (): Transact => ({
	write: () => {
		assert(false, "only the writer's thread writes the main file");
	},
	committed: () => settled,
});

/** The ways to write: a transaction for each write, one for all writes of a turn, or none on a thread that only reads (`TransactionsOptions.writes`). */
export const writing = { "at once": atOnce, "in groups": inGroups, never: refusing } as const;
