/**
 * `bun run bench`: the speed of Tollgate on this machine, next to ceilings measured in the same run, as a table for the README.
 * Takes some minutes; `bun run bench checks start` measures these parts only. Builds the executable when there is none.
 *
 * BENCH_CUSTOMERS, BENCH_SUBSCRIPTIONS, BENCH_HOUR_EVENTS, BENCH_REBUILD_EVENTS, BENCH_STORED_EVENTS,
 * BENCH_STORED_CUSTOMERS, BENCH_ENTITIES, BENCH_CREDIT_ENTRIES, BENCH_CREDIT_GRANTS, BENCH_EVENT_CHARGES_SECONDS, BENCH_VARIANT_EVENTS,
 * BENCH_LEVEL_CHANGES, BENCH_TRANSACTIONS, BENCH_WINDOW_SUBSCRIPTIONS, BENCH_WINDOW_HOURS and BENCH_SHARED_SUBSCRIPTIONS make the parts smaller or larger.
 */
import { existsSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { $ } from "bun";

const root = join(import.meta.dir, "../..");
const binary = join(root, "dist/tollgate");
if (!existsSync(binary)) await $`${process.execPath} scripts/build.ts`.cwd(root);
process.env.TOLLGATE_BINARY = binary;
// Read only now: they start the program that is named here.
const { parts } = await import("./parts");
const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts);
const unknown = chosen.find((name) => !(name in parts));
if (unknown !== undefined) {
	console.error(`There is no part '${unknown}'; there are ${Object.keys(parts).join(", ")}.`);
	process.exit(2);
}

// Other load on the machine affects every figure.
console.log(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)} before the run\n`);
console.log("| Work | Measured | Ceiling, same run | Ratio | Goal |\n|---|---|---|---|---|");
for (const name of chosen)
	for (const { work, here, ceiling = "", ratio, goal = "" } of (await parts[name]?.()) ?? [])
		console.log(`| ${[work, here, ceiling, ratio?.toFixed(2) ?? "", goal].join(" | ")} |`);
process.exit(0);
