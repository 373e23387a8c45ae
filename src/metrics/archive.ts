import { archiveLag } from "../areas/usage/archive/operations.lag";
import { type Figure, figure } from "../kernel/metrics/meter";
import type { Work } from "../kernel/work";

/** Returns how far the archive and the bucket are behind. `keepMs`: how long events stay in the log; undefined: forever. */
export function figuresOfArchive(work: Work, keepMs: number | undefined): Figure[] {
	const { lateSeconds, files, bytes } = archiveLag(work, keepMs);
	return [
		figure("tollgate_archive_late_seconds", {}, lateSeconds),
		figure("tollgate_archive_files_waiting", {}, files),
		figure("tollgate_archive_bytes_waiting", {}, bytes),
	];
}
