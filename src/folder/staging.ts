import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lockFolder } from "../kernel/storage/lock";

/** The purpose is in the name of the temporary folder, and in the refusal of another process that has the same one. */
type StagingPurpose = "backup" | "check" | "sealed-backup" | "backup-check" | "opened-backup" | "upgrade";

/**
 * Makes a temporary folder within the data folder while `body` runs, on the disk that has space for the data. One process at a time
 * owns it. The next process deletes what a killed one left, after `onLeft` has read it.
 */
export async function withStaging<T>(
	folder: string,
	purpose: StagingPurpose,
	body: (staging: string) => Promise<T> | T,
	onLeft: (staging: string) => void = () => {},
): Promise<T> {
	const staging = join(folder, `${purpose}.tmp`);
	const unlock = lockFolder(staging, `Another ${purpose} of the data folder '${folder}' is under way; wait for it.`);
	try {
		onLeft(staging);
		for (const name of readdirSync(staging).filter((one) => !one.startsWith("lock.db")))
			rmSync(join(staging, name), { recursive: true });
		return await body(staging);
	} finally {
		rmSync(staging, { recursive: true, force: true });
		unlock();
	}
}
