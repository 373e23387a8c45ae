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

const closers: Array<() => void> = [];

/** Calls `close` when the running test file has ended. A file that is still open takes space after its deletion. */
export function atEndOfFile(close: () => void): void {
	closers.push(close);
}

/** Closes what tests have left open, and removes their folders. */
export function removeFolders(): void {
	for (const close of closers.splice(0)) close();
	if (sharedRunFolder === undefined) rmSync(testsFolder, { recursive: true, force: true });
	else
		for (const name of readdirSync(testsFolder))
			if (!name.startsWith(templates)) rmSync(join(testsFolder, name), { recursive: true, force: true });
}
