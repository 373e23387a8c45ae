/** `bun run check`: types, format and lint, import rules, unused code. Runs all, then fails if one has failed. */
const checks: Record<string, string[]> = {
	types: ["tsc", "--noEmit"],
	lint: ["biome", "ci", "--error-on-warnings", "--colors=off", "--max-diagnostics=20"],
	imports: ["depcruise", "--config", ".dependency-cruiser.mjs", "src", "tests"],
	unused: ["knip"],
};

let failed = 0;
for (const [name, [command = "", ...args]] of Object.entries(checks)) {
	const { exitCode } = Bun.spawnSync([process.execPath, "--bun", `node_modules/.bin/${command}`, ...args], {
		stdio: ["ignore", "inherit", "inherit"],
	});
	console.log(`${exitCode === 0 ? "ok    " : "FAILED"} ${name}`);
	if (exitCode !== 0) failed += 1;
}
process.exitCode = failed === 0 ? 0 : 1;
