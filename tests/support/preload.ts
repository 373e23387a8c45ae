import { afterAll } from "bun:test";
import { rmSync } from "node:fs";
import { testsFolder } from "./folders";
import { endStarted } from "./process";

// The tests' own setting for the whole run: answers are checked against their schemas (kernel/schema.ts, `answer`).
process.env.NODE_ENV = "test";

const clean = (): void => {
	endStarted();
	rmSync(testsFolder, { recursive: true, force: true });
};
afterAll(clean);
// The runner runs no handler of "exit"; an interrupted run gets a signal.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
	process.once(signal, () => {
		clean();
		process.exit(1);
	});
