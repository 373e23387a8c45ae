import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
let count = 0;
const fresh = () => join(parent, String(++count));

describe("a start that fails", () => {
	test("on a port that is taken ends by itself, says so, and holds the folder no more", async () => {
		const first = await startServer(fresh());
		try {
			const folder = fresh();
			const port = new URL(first.url).port;
			const failed = await runTollgate(folder, ["serve"], { TOLLGATE_PORT: port });
			expect(failed.status).toBe(1);
			expect(failed.errors).toBe(
				`tollgate: Cannot listen on 127.0.0.1:${port} (EADDRINUSE): another process uses it: stop that one, or set TOLLGATE_PORT (0 picks a free one).\n`,
			);
			// What it had begun was ended in order: the next start finds everything as it should be.
			const second = await startServer(folder);
			expect((await second.call("GET", "/products")).status).toBe(200);
			expect(await second.stop()).toBe(0);
		} finally {
			await first.stop();
		}
	});

	test.each(["203.0.113.1", "nowhere.invalid"])("on the address %p, which the machine has not", async (host) => {
		const failed = await runTollgate(fresh(), ["serve"], { TOLLGATE_HOST: host });
		expect(failed.status).toBe(1);
		expect(failed.errors).toMatch(/^tollgate: Cannot listen on .*: set TOLLGATE_HOST to .*\n$/);
	});
});
