import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Every data folder of a test run lies in here; the whole is thrown away when the run ends (preload.ts). */
export const testsFolder = mkdtempSync(join(tmpdir(), "tollgate-tests-"));
