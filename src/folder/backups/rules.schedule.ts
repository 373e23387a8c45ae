import type { Instant } from "../../kernel/clock";

/** A backup is restored and checked after this time. After findings, the next one is checked sooner. */
const checkEveryMs = 7 * 86_400_000;
const checkAgainMs = 86_400_000;

/** The pause after a failure, twice as long after each further one. */
const pauseMsMin = 60_000;
const pauseMsMax = 3_600_000;

/**
 * Returns in how many milliseconds the next backup is due. Backups are due at multiples of `everyMs` (UTC). A server that did not run then
 * makes one at its start. A clock that was set back makes one too.
 */
export function untilBackupMs(last: Instant | undefined, everyMs: number, now: Instant): number {
	const slot = Math.floor(now / everyMs);
	if (last === undefined || Math.floor(last / everyMs) !== slot) return 0;
	return (slot + 1) * everyMs - now;
}

/** The last time that a backup was restored and checked. */
interface LastCheck {
	readonly at: Instant;
	readonly findings: readonly string[];
}

export function untilCheckMs(last: LastCheck | undefined, now: Instant): number {
	if (last === undefined || last.at > now) return 0;
	return Math.max(0, last.at + (last.findings.length > 0 ? checkAgainMs : checkEveryMs) - now);
}

/** Returns the pause after so many failures in a row. */
export const pauseAfterMs = (failures: number): number => Math.min(pauseMsMax, pauseMsMin * 2 ** (failures - 1));
