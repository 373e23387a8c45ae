/**
 * `bun run kills [times]`: runs the tests that kill the server with -9 again and again, 20 times by default, until one
 * fails. Each has rounds of its own, on a folder of its own, and looks afterwards for what is lost or there twice.
 */
import { join } from "node:path";
import { $ } from "bun";

const root = join(import.meta.dir, "..");
const times = Number(process.argv[2] ?? 20);
if (!Number.isSafeInteger(times) || times < 1) {
	console.error("How many times? A whole number from 1 on.");
	process.exit(2);
}
for (let round = 1; round <= times; round += 1) {
	const { exitCode, stderr } = await $`${process.execPath} test --timeout 120000 -t "kill -9" tests/binary`
		.cwd(root)
		.quiet()
		.nothrow();
	if (exitCode !== 0) {
		console.error(stderr.toString());
		process.exit(1);
	}
	console.log(`${round} of ${times}: nothing lost, nothing twice`);
}
