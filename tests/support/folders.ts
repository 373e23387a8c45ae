import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const givenFolder = process.env.TOLLGATE_TESTS_FOLDER;
if (givenFolder !== undefined) mkdirSync(givenFolder, { recursive: true });

/**
 * The folder that contains every data folder of a test run. `npm test` names it, and removes it after the run. Without
 * a name it is a new one, which preload.ts removes.
 */
export const testsFolder = givenFolder ?? mkdtempSync(join(tmpdir(), "tollgate-tests-"));
