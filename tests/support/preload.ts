import { afterAll, mock } from "bun:test";
import { removeFolders } from "./folders";
import { endStarted } from "./process";

// The tests' own setting for the whole run: answers are checked against their schemas (kernel/schema.ts, `answer`).
process.env.NODE_ENV = "test";

const clean = (): void => {
	endStarted();
	removeFolders();
};
// At the end of each file in a parallel run, and of the whole run otherwise.
afterAll(
	() => {
		mock.restore();
		clean();
	},
	// A property leaves thousands of folders.
	{ timeout: 60_000 },
);
// The runner runs no handler of "exit"; an interrupted run gets a signal.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
	process.once(signal, () => {
		clean();
		process.exit(1);
	});
