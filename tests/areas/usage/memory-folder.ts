import { onTestFinished } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Returns an empty folder in memory, if the system has one: tests without power failures flush thousands of times, and
 * would mostly wait for the disk.
 */
export function memoryFolder(): string {
	const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "tollgate-usage-"));
	// A shared module's `afterAll` would run after the first file that imports it, and leave all later folders behind.
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
