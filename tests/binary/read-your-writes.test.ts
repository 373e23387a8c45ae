import { expect, test } from "bun:test";
import { readYourWrites } from "../read-your-writes/run";
import { startServer, temporaryFolder } from "../support/process";

/** `bun run read-your-writes` does the same for a minute each. */
const seconds = 3;

test.each([1, 2])(
	"a read after an acknowledged write shows it, under mixed load on %i HTTP thread(s)",
	async (threads) => {
		const { folder, remove } = temporaryFolder();
		const server = await startServer(folder, { TOLLGATE_HTTP_THREADS: String(threads) });
		const { writes, reads, stale } = await readYourWrites(server, seconds);
		await server.stop();
		remove();
		expect(stale).toEqual([]);
		expect(writes).toBeGreaterThan(0);
		expect(reads).toBeGreaterThan(writes);
	},
	120_000,
);
