import type { Work } from "../../../../kernel/work";
import { isPricedInCredits } from "../../../packages/operations";
import type { Acknowledged } from "../../../usage/operations.acknowledged";
import { readCursor } from "./store";

export interface Uncharged {
	/** The number of acknowledged events and cancellations that the credits do not follow yet. */
	readonly count: number;
	/** The last customer of the current step whose events are charged. It grows while `count` stays the same. */
	readonly customerTo: number;
}

/**
 * Returns what the job has yet to charge; nothing in an environment whose events cost no credits. Excludes failed events, which the job
 * retries.
 */
export function unchargedOf(work: Work, { event, cancellation }: Acknowledged): Uncharged {
	const cursor = isPricedInCredits(work) ? readCursor(work) : undefined;
	if (!cursor) return { count: 0, customerTo: 0 };
	const { takenTo, canceledTo, customerTo } = cursor;
	return { count: Math.max(0, event - takenTo) + Math.max(0, cancellation - canceledTo), customerTo };
}
