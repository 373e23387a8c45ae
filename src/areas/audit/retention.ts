import { type Instant, wallClock } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import type { AnchorKeeper } from "./operations.kept-anchor";
import type { Removable } from "./rules.anchor";
import { oldestEntries, removeUntil } from "./store";

const dayMs = 24 * 60 * 60 * 1000;

/** Without a configured age, Tollgate keeps all entries. */
export const keepAllEntries = async (): Promise<Removable> => new Map();

/** Returns the entries that are older than `keepDays`, after the anchor next to main.db allows their removal. */
export const removableEntries = (anchor: AnchorKeeper, keepDays: number | undefined): (() => Promise<Removable>) =>
	keepDays === undefined ? keepAllEntries : () => anchor.allowRemoval((wallClock.now() - keepDays * dayMs) as Instant);

/**
 * Removes up to `rowsMax` of the oldest entries of one chain, no further than `removable` allows. The hash of the last removed
 * entry stays, so that the rest can be verified. Returns the number of removed entries.
 */
export function purgeEntries(work: Work, removable: Removable, rowsMax: number): number {
	for (const [environmentId, sequence] of removable) {
		const old = oldestEntries(work, environmentId, rowsMax).filter((entry) => entry.sequence <= sequence);
		const last = old.at(-1);
		if (!last) continue;
		removeUntil(work, old, last);
		return old.length;
	}
	return 0;
}
