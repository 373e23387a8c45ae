/**
 * `npm test`: builds the executable, then runs the tests with the arguments given, or all of them. Tests that start the
 * program start the executable. `bun test` alone starts it from the sources.
 */
import { resolve } from "node:path";

const run = (args: readonly string[], environment: object = {}): number =>
	Bun.spawnSync([process.execPath, ...args], {
		stdio: ["ignore", "inherit", "inherit"],
		env: { ...process.env, ...environment },
	}).exitCode ?? 1;

process.exitCode =
	run(["scripts/build.ts"], { NODE_ENV: "production" }) ||
	run(["test", "--parallel", "--only-failures", "--timeout", "30000", ...process.argv.slice(2)], {
		TOLLGATE_BINARY: resolve("dist/tollgate"),
	});
