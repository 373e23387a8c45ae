import type { Instant } from "../../kernel/clock";

/** Tollgate sends a message up to this many times in a row before it waits. */
export const immediateAttempts = 3;

/** Pauses after a failed attempt. The last attempt is about three days after the first. */
const pausesMs = [0, 0, 30, 120, 600, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600, 24 * 3600, 24 * 3600].map(
	(seconds) => seconds * 1000,
);

/** A pause is up to a fifth longer, so that messages that failed together are not retried together. */
const jitter = 0.2;

/** Returns the time of the next attempt, or null if the delivery has failed for good. `random` is between 0 and 1. */
export function nextAttemptAt(attempts: number, now: Instant, random: number): Instant | null {
	const pause = pausesMs[attempts - 1];
	return pause === undefined ? null : ((now + Math.round(pause * (1 + jitter * random))) as Instant);
}

/** Tollgate disables an endpoint that has failed for this long. It is longer than the retries of one delivery. */
export const failingMsMax = 5 * 24 * 60 * 60 * 1000;
