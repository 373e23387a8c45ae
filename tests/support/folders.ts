import { onTestFinished } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeRunFolder } from "./run-folder";

/** The folder of a parallel run, which scripts/test.ts makes and removes. Each of its workers runs many files. */
const sharedRunFolder = process.env.TOLLGATE_TESTS_FOLDER;

/** Contains every data folder of this process. */
export const testsFolder =
	sharedRunFolder === undefined ? makeRunFolder() : mkdtempSync(join(sharedRunFolder, "worker-"));

const templates = "template-";

/** A folder that other test files of this process copy too. */
export const templateFolder = (): string => mkdtempSync(join(testsFolder, templates));

/** Returns an empty folder, which is removed when the test ends: a property makes thousands of them. */
export function folderOfTest(): string {
	const folder = mkdtempSync(join(testsFolder, "test-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** A file of a data folder, or what has one open. */
interface Closable {
	close(): void;
}

const open: Array<WeakRef<Closable>> = [];

/** Closes it when the running test file has ended, unless it was collected before. A deleted file takes space while it is open. */
export function closeAtEndOfFile(file: Closable): void {
	open.push(new WeakRef(file));
}

/** The engine does not count the memory of SQLite's connections, which their objects hold until they are collected. */
const residentBytesMax = 2 ** 30;

/** Closes what tests have left open, and removes their folders. */
export function removeFolders(): void {
	for (const file of open.splice(0)) file.deref()?.close();
	if (process.memoryUsage.rss() > residentBytesMax) Bun.gc(true);
	if (sharedRunFolder === undefined) rmSync(testsFolder, { recursive: true, force: true });
	else
		for (const name of readdirSync(testsFolder))
			if (!name.startsWith(templates)) rmSync(join(testsFolder, name), { recursive: true, force: true });
}
