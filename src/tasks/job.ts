import { DomainError } from "../kernel/errors";
import { isStorageTrouble } from "../kernel/storage/failures";
import type { Transactions, Work } from "../kernel/work";
import type { TimeSlices } from "./time-slices";

/** What the body of a job works with: the thread that writes, which it shares with requests and with other jobs. */
export interface JobThread {
	readonly transactions: Transactions;
	readonly turns: TimeSlices;
	/** Asked between two turns: when the thread is to stop, the rest is left for the next run. */
	readonly isStopping: () => boolean;
}

export interface TurnOutcome<Item> {
	/** How many of the items, from the first on, are carried out or refused. */
	readonly doneCount: number;
	readonly refused: ReadonlyArray<{ readonly item: Item; readonly at: number; readonly refusal: DomainError }>;
	/** What ended the turn early: a failure of ours. It undoes the item in which it happened, and nothing before that. */
	readonly fault?: { readonly error: unknown };
}

/**
 * Carries out items one after the other in the caller's transaction until the turn is over, but one at least. Each has a
 * savepoint of its own: what a refused one had begun is undone, what the others did stays. Trouble of the disk is thrown,
 * and nothing is kept.
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
