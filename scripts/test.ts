/**
 * `npm test`: builds the executable, then runs the tests with the arguments given, or all of them. Tests that start the
 * program start the executable. `bun test` alone starts it from the sources.
 */
import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { makeRunFolder } from "../tests/support/run-folder";

const run = (args: readonly string[], environment: object = {}): number =>
	Bun.spawnSync([process.execPath, ...args], {
		stdio: ["ignore", "inherit", "inherit"],
		env: { ...process.env, ...environment },
	}).exitCode ?? 1;

/**
 * The engine of the servers and commands that tests start. Most end within seconds, and a sixth of their processor time goes to
 * optimizations of code that does not run long enough to gain from them.
 */
const ofServers = { BUN_JSC_numberOfGCMarkers: "1", BUN_JSC_useDFGJIT: "0" };

const folder = makeRunFolder();
process.exitCode =
	run(["scripts/build.ts"], { NODE_ENV: "production" }) ||
	run(
		[
			"test",
			// One more than there are cores: some tests wait for a process or a clock.
			`--parallel=${availableParallelism() + 1}`,
			// The files of a worker share its modules, which take half a second to load.
			"--no-isolate",
			"--only-failures",
			...["--timeout", "30000"],
			...process.argv.slice(2),
		],
		{
			...{ TOLLGATE_BINARY: resolve("dist/tollgate"), TOLLGATE_TESTS_FOLDER: folder },
			// Measured: 8 % less processor time. All cores are busy, and little code runs long enough to gain from the last optimization.
			...{ BUN_JSC_numberOfGCMarkers: "1", BUN_JSC_useFTLJIT: "0" },
			TOLLGATE_TESTS_ENGINE: JSON.stringify(ofServers),
		},
	);
rmSync(folder, { recursive: true, force: true });
