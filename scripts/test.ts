/**
 * `npm test`: builds the executable, then runs the tests with the arguments given, or all of them. Tests that start the
 * program start the executable. `bun test` alone starts it from the sources.
 */
import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Space that a whole run needs for its data folders. */
const folderBytesMin = 4 * 2 ** 30;

/** In memory where there is space: no test needs its folder after a power cut, and each flush to a disk takes milliseconds. */
function folderOfRun(): string {
	const inMemory = "/dev/shm";
	const isLarge = existsSync(inMemory) && statfsSync(inMemory).bavail * statfsSync(inMemory).bsize >= folderBytesMin;
	return mkdtempSync(join(isLarge ? inMemory : tmpdir(), "tollgate-run-"));
}

const run = (args: readonly string[], environment: object = {}): number =>
	Bun.spawnSync([process.execPath, ...args], {
		stdio: ["ignore", "inherit", "inherit"],
		env: { ...process.env, ...environment },
	}).exitCode ?? 1;

const folder = folderOfRun();
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
		{ TOLLGATE_BINARY: resolve("dist/tollgate"), TOLLGATE_TESTS_FOLDER: folder },
	);
rmSync(folder, { recursive: true, force: true });
