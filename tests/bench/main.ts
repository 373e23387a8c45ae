/**
 * `bun run bench`: what Tollgate does on this machine, as ratios to a ceiling measured in the same run, so that a slow or
 * shared machine tells the same. Takes about a minute; builds the executable when there is none.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { $ } from "bun";
import { measureChecks } from "./checks";
import { measureIngest } from "./ingest";
import { measureLag } from "./lag";
import { measureLife } from "./life";
import { measurePlans } from "./plans";
import { measureRenders } from "./renders";
import { measureStart } from "./start";

const root = join(import.meta.dir, "../..");
const binary = join(root, "dist/tollgate");
if (!existsSync(binary)) await $`${process.execPath} scripts/build.ts`.cwd(root);
process.env.TOLLGATE_BINARY = binary;

const sections = [measureIngest, measureLag, measureChecks, measureRenders, measurePlans, measureLife, measureStart];
for (const measure of sections) {
	for (const { name, value, ratio, aim } of await measure())
		console.log(
			[
				name.padEnd(52),
				value.padStart(22),
				ratio === undefined ? "" : ratio.toFixed(2).padStart(7),
				aim ? `(aim ${aim})` : "",
			].join(" "),
		);
}
process.exit(0);
