import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The folder of the whole run, which scripts/test.ts makes and removes: a worker of it runs many files. */
const folderOfRun = process.env.TOLLGATE_TESTS_FOLDER;
if (folderOfRun !== undefined) mkdirSync(folderOfRun, { recursive: true });

/** Contains every data folder of this process. */
export const testsFolder = mkdtempSync(join(folderOfRun ?? tmpdir(), "tollgate-tests-"));

const templates = "template-";

/** A folder that other test files of this process copy too. */
export const templateFolder = (): string => mkdtempSync(join(testsFolder, templates));

const closers: Array<() => void> = [];

/** Calls `close` when the running test file has ended. A file that is still open takes space after its deletion. */
export function atEndOfFile(close: () => void): void {
	closers.push(close);
}

/** Closes what tests have left open, and removes their folders. */
export function removeFolders(): void {
	for (const close of closers.splice(0)) close();
	if (folderOfRun === undefined) rmSync(testsFolder, { recursive: true, force: true });
	else
		for (const name of readdirSync(testsFolder))
			if (!name.startsWith(templates)) rmSync(join(testsFolder, name), { recursive: true, force: true });
}
