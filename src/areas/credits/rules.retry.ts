import type { Instant } from "../../kernel/clock";
import { addUnits } from "../../kernel/period";

/** Our choices, in minutes. */
const pauseMin = 1;
const pauseMax = 60;

/** When what has failed is tried again: after as long as it has waited already, within bounds. So the pauses double. */
export function retryAfter(dueAt: Instant, now: Instant): Instant {
	const waited = Math.ceil((now - dueAt) / 60_000);
	return addUnits(now, "minutes", Math.min(Math.max(waited, pauseMin), pauseMax));
}
