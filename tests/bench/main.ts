/**
 * `bun run bench`: what Tollgate does on this machine, beside ceilings measured in the same run, as a table for the README.
 * Takes some minutes; `bun run bench checks start` measures these parts only. Builds the executable when there is none.
 *
 * BENCH_CUSTOMERS, BENCH_SUBSCRIPTIONS and BENCH_HOUR_EVENTS make the parts smaller or larger.
 */
import { existsSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { $ } from "bun";
import { measureChecks } from "./checks";
import { measureHour } from "./hour";
import { measureIngest } from "./ingest";
import { measureLag } from "./lag";
import { measurePlans } from "./plans";
import { measureRenders } from "./renders";
import type { Row } from "./row";
import { measureStart } from "./start";
import { measureWaits } from "./waits";
import { measureWrites } from "./writes";

const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
	ingest: measureIngest,
	checks: measureChecks,
	lag: measureLag,
	hour: measureHour,
	writes: measureWrites,
	waits: measureWaits,
	renders: measureRenders,
	plans: measurePlans,
	start: measureStart,
};

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts);
const unknown = chosen.find((name) => !(name in parts));
if (unknown !== undefined) {
	console.error(`There is no part '${unknown}'; there are ${Object.keys(parts).join(", ")}.`);
	process.exit(2);
}
const root = join(import.meta.dir, "../..");
const binary = join(root, "dist/tollgate");
if (!existsSync(binary)) await $`${process.execPath} scripts/build.ts`.cwd(root);
process.env.TOLLGATE_BINARY = binary;

// What the machine does beside us weighs on every figure.
console.log(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)} before the run\n`);
console.log("| Work | Measured | Ceiling, same run | Ratio | Goal |\n|---|---|---|---|---|");
for (const name of chosen)
	for (const { work, here, ceiling = "", ratio, goal = "" } of (await parts[name]?.()) ?? [])
		console.log(`| ${[work, here, ceiling, ratio?.toFixed(2) ?? "", goal].join(" | ")} |`);
process.exit(0);
