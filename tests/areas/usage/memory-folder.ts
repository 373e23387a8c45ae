import { onTestFinished } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * An empty folder in memory, where the system has one. For tests in which no power fails: what they flush to disk, they
 * flush thousands of times, and would wait for the disk most of their time.
 */
export function memoryFolder(): string {
	const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "tollgate-usage-"));
	// A shared module's `afterAll` would run after the first file that imports it, and all later folders would stay.
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
