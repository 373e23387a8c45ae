import type { Instant } from "../../../kernel/clock";

const lookMsMin = 2_000;
const lookMsMax = 10 * 60_000;

/** Returns the time of the next look-up of a page: soon after it was opened, and less often the older it is. */
export const nextLookAt = (openedAt: Instant, now: Instant): Instant =>
	(now + Math.min(lookMsMax, Math.max(lookMsMin, (now - openedAt) / 4))) as Instant;
