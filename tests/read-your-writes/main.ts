/**
 * `bun run read-your-writes [seconds]`: ten clients write to customers of their own and read each write back on every HTTP
 * thread, a minute with one thread and a minute with two by default. The exit status is 1 if a read was older than an
 * acknowledged write. TOLLGATE_BINARY names an executable; without it the sources run.
 */
import { startServer, temporaryFolder } from "../support/process";
import { readYourWrites } from "./run";

const seconds = Number(process.argv[2] ?? 60);
if (!(seconds > 0)) {
	console.error("How many seconds? A number above zero.");
	process.exit(2);
}
let isStale = false;
for (const threads of [1, 2]) {
	const { folder, remove } = temporaryFolder();
	const server = await startServer(folder, { TOLLGATE_HTTP_THREADS: String(threads) });
	const { writes, reads, stale } = await readYourWrites(server, seconds);
	await server.stop();
	remove();
	console.log(`${threads} HTTP thread(s): ${writes} writes, ${reads} reads, ${stale.length} of them stale`);
	for (const one of stale.slice(0, 20)) console.log(`  ${one}`);
	isStale ||= stale.length > 0;
}
process.exit(isStale ? 1 : 0);
