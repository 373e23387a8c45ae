import type { Instant } from "../../kernel/clock";
import { addMinutes } from "../../kernel/period";

/** In minutes. */
const pauseMin = 1;
const pauseMax = 60;

/** Returns when to retry a failed step: after the time that it has already waited, within bounds. So the pauses double. */
export function retryAfter(dueAt: Instant, now: Instant): Instant {
	const waited = Math.ceil((now - dueAt) / 60_000);
	return addMinutes(now, Math.min(Math.max(waited, pauseMin), pauseMax));
}
