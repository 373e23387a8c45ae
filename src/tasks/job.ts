import { DomainError } from "../kernel/errors";
import { isStorageTrouble } from "../kernel/storage/failures";
import type { Transactions, Work } from "../kernel/work";
import type { TimeSlices } from "./time-slices";

/** The context of a job: the writer's transactions and time slices, which it shares with requests and other jobs. */
export interface JobThread {
	readonly transactions: Transactions;
	readonly turns: TimeSlices;
	/** Checked between two turns: when the thread stops, the next run does the rest. */
	readonly isStopping: () => boolean;
}

export interface TurnOutcome<Item> {
	/** The number of items, from the first, that are done or refused. */
	readonly doneCount: number;
	readonly refused: ReadonlyArray<{ readonly item: Item; readonly at: number; readonly refusal: DomainError }>;
	/** The internal error that ended the turn early. It rolls back its item, and nothing before. */
	readonly fault?: { readonly error: unknown };
}

/**
 * Carries out items in order in the caller's transaction until the turn is over, and at least one. Each item has a savepoint of its own: a
 * refused item is rolled back, and the others stay. Throws storage errors, which roll back the transaction.
 */
export function workThrough<Item>(
	work: Work,
	turns: TimeSlices,
	items: readonly Item[],
	carryOut: (item: Item) => void,
): TurnOutcome<Item> {
	const refused: Array<{ item: Item; at: number; refusal: DomainError }> = [];
	let at = 0;
	for (const item of items) {
		try {
			work.tx.transaction(() => carryOut(item));
		} catch (error) {
			if (isStorageTrouble(error)) throw error;
			if (!(error instanceof DomainError)) return { doneCount: at, refused, fault: { error } };
			refused.push({ item, at, refusal: error });
		}
		at += 1;
		if (turns.isOver()) break;
	}
	return { doneCount: at, refused };
}
