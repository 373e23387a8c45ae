import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../kernel/clock";
import { restore } from "../backup";
import { checkFolder } from "../check";
import { folderSecret } from "../secret";
import { withStaging } from "../staging";
import { listBackups, openBackup } from "./open";
import { type Backup, folderIdOf } from "./rules.names";
import type { BackupSettings } from "./settings";
import { assertSpace } from "./space";
import { noteBackupState } from "./state";

/** A restored folder is larger than its compressed backup, seldom by more. */
const expansion = 8;

export interface CheckedBackup {
	readonly backup: Backup;
	readonly findings: readonly string[];
}

/**
 * Restores the newest backup into a scratch folder and checks it as `tollgate check` does. Returns undefined if there is no backup. Throws
 * FolderError if the backup cannot be restored at all.
 */
export async function checkNewest(
	folder: string,
	settings: BackupSettings,
	clock: Clock,
): Promise<CheckedBackup | undefined> {
	const id = folderIdOf(folderSecret(folder));
	const backup = (await listBackups(settings)).whole.findLast((one) => one.folder === id);
	if (!backup) return undefined;
	const begunAt = clock.now();
	return await withStaging(folder, "backup-check", async (staging) => {
		await assertSpace(folder, backup.bytes * (expansion + 2), "the check of a backup");
		const archive = await openBackup(settings, backup, staging);
		const restored = join(staging, "restored");
		await restore(archive, restored);
		rmSync(archive);
		// On this thread, for which nothing waits.
		const { findings } = await checkFolder(restored, { parallelFromBytes: Number.POSITIVE_INFINITY });
		const tookMs = Math.max(0, clock.now() - begunAt);
		noteBackupState(folder, { check: { at: begunAt, name: backup.name, findings: [...findings], tookMs } });
		return { backup, findings };
	});
}
