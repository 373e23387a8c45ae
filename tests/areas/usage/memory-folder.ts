import { afterAll } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];
afterAll(() => {
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/**
 * An empty folder in memory, where the system has one. For tests in which no power fails: what they flush to disk, they
 * flush thousands of times, and would wait for the disk most of their time.
 */
export function memoryFolder(): string {
	const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "tollgate-usage-"));
	folders.push(folder);
	return folder;
}
