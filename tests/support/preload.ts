import { afterAll } from "bun:test";
import { rmSync } from "node:fs";
import { testsFolder } from "./folders";
import { endStarted } from "./process";

// The tests' own setting for the whole run: answers are checked against their schemas (kernel/schema.ts, `answer`).
process.env.NODE_ENV = "test";

const clean = (): void => {
	endStarted();
	// The parallel run shares one folder among its files, and scripts/test.ts removes it.
	if (process.env.TOLLGATE_TESTS_FOLDER === undefined) rmSync(testsFolder, { recursive: true, force: true });
};
afterAll(clean);
// The runner runs no handler of "exit"; a signal stops a run that is broken off.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
	process.once(signal, () => {
		clean();
		process.exit(1);
	});
