import { existsSync, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Space that a whole run needs for its data folders. */
const bytesMin = 4 * 2 ** 30;

const memory = "/dev/shm";

function isLarge(folder: string): boolean {
	const { bavail, bsize } = statfsSync(folder);
	return bavail * bsize >= bytesMin;
}

/**
 * Makes the folder for all data folders of a test run. It lies in memory where there is space: no test needs its data after a power
 * failure, and each flush to a disk takes milliseconds.
 */
export const makeRunFolder = (): string =>
	mkdtempSync(join(existsSync(memory) && isLarge(memory) ? memory : tmpdir(), "tollgate-tests-"));
