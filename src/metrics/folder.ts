import { statfs } from "node:fs/promises";
import { basename } from "node:path";
import { type BackupState, readBackupState } from "../folder/backups/state";
import { type LastCheck, readLastCheck } from "../folder/last-check";
import { type Figure, figure } from "../kernel/metrics/meter";
import { type FileName, filePath } from "../kernel/storage/db";

const files = ["main", "events", "usage", "renders", "deliveries"] as const satisfies readonly FileName[];

/** Returns the sizes of the files of a data folder, the free space of its disk, and the record of its backups. */
export async function figuresOfFolder(folder: string): Promise<Figure[]> {
	const { bavail, bsize } = await statfs(folder);
	const paths = files.map((file) => filePath(folder, file)).flatMap((path) => [path, `${path}-wal`]);
	const sizes = await Promise.all(paths.map((path) => sizeOf(path)));
	return [
		figure("tollgate_disk_free_bytes", {}, bavail * bsize),
		...paths.map((path, at) => figure("tollgate_file_bytes", { file: basename(path) }, sizes[at] ?? 0)),
		...figuresOfBackups(readBackupState(folder)),
		...figuresOfCheck(readLastCheck(folder)),
	];
}

/** A folder without scheduled backups has no figures of them. */
function figuresOfBackups({ backup, check, failure }: BackupState): Figure[] {
	return [
		...(backup
			? [
					figure("tollgate_backup_last_timestamp_seconds", {}, backup.at / 1000),
					figure("tollgate_backup_last_duration_seconds", {}, backup.tookMs / 1000),
					figure("tollgate_backup_last_bytes", {}, backup.bytes),
				]
			: []),
		...(check
			? [
					figure("tollgate_backup_last_check_timestamp_seconds", {}, check.at / 1000),
					figure("tollgate_backup_last_check_findings", {}, check.findings.length),
				]
			: []),
		...(backup || failure ? [figure("tollgate_backup_failures", {}, failure?.times ?? 0)] : []),
	];
}

const figuresOfCheck = (check: LastCheck | undefined): Figure[] =>
	check
		? [
				figure("tollgate_check_last_timestamp_seconds", {}, check.at / 1000),
				figure("tollgate_check_last_findings", {}, check.findings),
			]
		: [];

/** A write-ahead log exists only while its file is open. */
const sizeOf = async (path: string): Promise<number> => ((await Bun.file(path).exists()) ? Bun.file(path).size : 0);
