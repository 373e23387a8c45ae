import { assert } from "../errors";
import type { Database, Transaction } from "../work";
import { filesAsked } from "./db";
import { endingService, isUnconfirmed, unconfirmedWrite, withFilesNamed } from "./failures";
import { GroupCommit } from "./group";

interface ConfirmationsOptions {
	readonly db: Database;
	/** The disk did not confirm a commit: the process has to end, since only a new start sees what the disk holds. */
	readonly onUnconfirmed?: ((cause: unknown) => void) | undefined;
}

/** What a failure of the disk means, and whether there has been one that leaves the service in doubt. */
export interface Confirmations {
	/** After a commit that was not confirmed, what this connection shows need not be what the disk holds. */
	assertConfirmed(): void;
	/** As the caller is told of it; ends the service when the disk did not confirm a commit. */
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
	/** Carries out the commit of what holds nothing but usage. */
	readonly commitUsage: <T>(commit: () => T) => T;
	/** Counts up the file's revision, in the transaction that writes more than usage. */
	readonly countRevision: () => void;
	/** What was written is gone again. */
	readonly onUndone: () => void;
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
			// The connection itself, as in groups: drizzle's own object for a transaction gives each savepoint within the same name,
			// and does not end one that it has gone back to, so that the next one outside of it would go back no further.
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

/** Each write a transaction by itself, or all of a turn one; on a thread that only reads, none (`TransactionsOptions.writes`). */
export const writing = { "at once": atOnce, "in groups": inGroups, never: refusing } as const;
