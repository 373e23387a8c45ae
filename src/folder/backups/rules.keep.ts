import type { Instant } from "../../kernel/clock";

/** How many backups are kept: the last one of so many hours, days, weeks (from Monday) and months, all in UTC. */
export interface Keep {
	readonly hourly: number;
	readonly daily: number;
	readonly weekly: number;
	readonly monthly: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The first day of 1970 was a Thursday. */
const daysSinceMonday = 3;

/** Returns the number of the hour, day, week or month of an instant. */
const slots: Readonly<Record<keyof Keep, (at: number) => number>> = {
	hourly: (at) => Math.floor(at / hourMs),
	daily: (at) => Math.floor(at / dayMs),
	weekly: (at) => Math.floor((at / dayMs + daysSinceMonday) / 7),
	monthly: (at) => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth(),
};

/**
 * Returns the backups to keep. The newest one is always among them. Backups of the future, which a wrong clock has made, are kept and
 * count for nothing.
 */
export function keptBackups<Backup extends { readonly at: Instant }>(
	backups: readonly Backup[],
	keep: Keep,
	now: Instant,
): Set<Backup> {
	const past = backups.filter(({ at }) => at <= now).toSorted((one, other) => other.at - one.at);
	const kept = new Set([...backups.filter(({ at }) => at > now), ...past.slice(0, 1)]);
	for (const [name, slotOf] of Object.entries(slots)) {
		let left = keep[name as keyof Keep];
		let slot: number | undefined;
		for (const backup of past) {
			if (left === 0) break;
			if (slotOf(backup.at) === slot) continue;
			slot = slotOf(backup.at);
			left -= 1;
			kept.add(backup);
		}
	}
	return kept;
}
