import { HttpRefusal } from "../../../http/refusal";
import type { Actor, Transactions } from "../../../kernel/work";
import { outcomeOf } from "./operations";

/** A call to a provider ends within 30 s, and the thread may have to start first. */
const waitMsMax = 40_000;
const pauseMsMin = 10;
const pauseMsMax = 320;
/** Further callers get 503. */
const waitersMax = 200;

let waiting = 0;

interface Waits {
	readonly transactions: Transactions;
	readonly stopping: AbortSignal;
}

/**
 * Polls in short transactions until the collector has made the call. Throws its refusal; 503 if it takes too long, too many callers
 * wait, or the service stops.
 */
export async function waitForCall({ transactions, stopping }: Waits, actor: Actor, callId: string): Promise<void> {
	if (waiting >= waitersMax) throw unknownOutcome();
	waiting += 1;
	try {
		const end = performance.now() + waitMsMax;
		for (let pauseMs = pauseMsMin; performance.now() < end && !stopping.aborted; ) {
			await Bun.sleep(pauseMs);
			if (transactions.read(actor, (work) => outcomeOf(work, callId))) return;
			pauseMs = Math.min(pauseMs * 2, pauseMsMax);
		}
	} finally {
		waiting -= 1;
	}
	throw unknownOutcome();
}

const unknownOutcome = (): HttpRefusal =>
	new HttpRefusal(503, "The payment provider has not answered yet; read the object again shortly to see the outcome.", {
		"Retry-After": "5",
	});
