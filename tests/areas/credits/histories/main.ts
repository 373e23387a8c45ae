/** `bun run histories [count] [--seed n]`: random histories of wallets, each compared with an independent calculation after each act. */
import { existsSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { assert, property } from "fast-check";

// Set before the import of the code that reads it: these files need not survive a power failure.
if (existsSync("/dev/shm")) process.env.TMPDIR = "/dev/shm";
const { testsFolder } = await import("../../../support/folders");
const { ground } = await import("../ground");
const { histories } = await import("./random");
const { compareChain, live } = await import("./run");
const { expectRebuilt } = await import("../verification/rebuilt");
process.on("exit", () => rmSync(testsFolder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

const { values, positionals } = parseArgs({
	options: { seed: { type: "string", default: "1" } },
	allowPositionals: true,
});
const count = Number(positionals[0] ?? 10_000);
const seed = Number(values.seed);
/** Each part uses a separate file. */
const partMax = 500;
for (let lived = 0; lived < count; ) {
	const one = ground();
	const part = Math.min(partMax, count - lived);
	assert(
		property(histories, (history) => live(one, history)),
		{ numRuns: part, seed: seed + lived },
	);
	compareChain(one);
	expectRebuilt(one);
	one.db.$client.close();
	rmSync(one.folder, { recursive: true, force: true });
	lived += part;
	process.stdout.write(`${lived} histories\n`);
}
