import { and, asc, count, eq, isNull, sum } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import { lastAtOf } from "../blocks/event-block";
import { eventArchives, eventBlocks } from "../table.events";

/** Work of the archive that is pending. */
interface ArchiveLag {
	/** By how many seconds the first block of the log is older than blocks are kept there; 0 if it is not, or if none is archived. */
	readonly lateSeconds: number;
	/** Whole files that are in the data folder only, and their bytes. */
	readonly files: number;
	readonly bytes: number;
}

/** Reads the first block of the log and the rows of its files. `keepMs`: how long blocks stay in the log; undefined: forever. */
export function archiveLag({ tx, machineNow }: Work, keepMs: number | undefined): ArchiveLag {
	const { firstEvent, firstAt, events, later } = eventBlocks;
	const first = tx.select({ firstAt, events, later }).from(eventBlocks).orderBy(asc(firstEvent)).limit(1).get();
	const waiting = tx
		.select({ files: count(), bytes: sum(eventArchives.bytes).mapWith(Number) })
		.from(eventArchives)
		.where(and(eq(eventArchives.isWhole, true), isNull(eventArchives.storedIn)))
		.get();
	const lateMs = first === undefined || keepMs === undefined ? 0 : machineNow - lastAtOf(first) - keepMs;
	return { lateSeconds: Math.max(0, lateMs) / 1000, files: waiting?.files ?? 0, bytes: waiting?.bytes ?? 0 };
}
