import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { canFailCalls } from "../support/failing-calls";
import { failing, type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
let count = 0;
const fresh = () => join(parent, String(++count));

const create = (server: RunningServer, id: string) => server.call("POST", "/customers", { id });

/** The caller's ids of all customers, in as many pages as it takes. */
async function customers(server: RunningServer): Promise<string[]> {
	const ids: string[] = [];
	for (let after = ""; ; ) {
		const { body } = await server.call("GET", `/customers?limit=100${after && `&after=${after}`}`);
		ids.push(...body.data.map(({ id }: { id: string }) => id));
		if (body.pagination.next === null) return ids;
		after = body.pagination.next;
	}
}

describe("many who write at once", () => {
	test("are all served, and who is refused among them hurts nobody", async () => {
		const server = await startServer(fresh());
		// Every second one asks for what the one before it has just made.
		const answers = await Promise.all(
			Array.from({ length: 128 }, (_, at) => create(server, `c${Math.floor(at / 2)}`).then(({ status }) => status)),
		);
		expect([201, 409].map((status) => answers.filter((one) => one === status).length)).toEqual([64, 64]);
		expect((await customers(server)).sort()).toEqual(Array.from({ length: 64 }, (_, at) => `c${at}`).sort());
		await server.stop();
	}, 60_000);

	test("kill -9 under load: what was acknowledged is there, and nothing twice", async () => {
		const folder = fresh();
		const acknowledged = new Set<string>();
		let next = 0;
		for (let round = 0; round < 3; round += 1) {
			const server = await startServer(folder, { TOLLGATE_HTTP_THREADS: "2" });
			const before = acknowledged.size;
			const senders = Array.from({ length: 16 }, async () => {
				try {
					for (;;) {
						next += 1;
						const id = `c${next}`;
						if ((await create(server, id)).status === 201) acknowledged.add(id);
					}
				} catch {
					// The server died while it was answering: whether this one was made is not known.
				}
			});
			while (acknowledged.size < before + 50) await Bun.sleep(5);
			await server.kill();
			await Promise.all(senders);
		}
		const server = await startServer(folder);
		const there = await customers(server);
		expect(new Set(there).size).toBe(there.length);
		expect([...acknowledged].filter((id) => !there.includes(id))).toEqual([]);
		await server.stop();
		expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
	}, 90_000);
});

// The Linux kernel's system call filter makes the calls fail. Other systems have no such filter.
describe.skipIf(!canFailCalls)("a disk that is full", () => {
	test("when a group is committed: 503 to all of it, and nothing of it is there after a kill", async () => {
		const folder = fresh();
		const noSpace = 28;
		const server = await startServer(folder, failing(`pwrite64=${noSpace}`));
		await create(server, "before");
		await server.failCalls();
		const answers = await Promise.all(Array.from({ length: 48 }, (_, at) => create(server, `c${at}`)));
		for (const { status, body } of answers)
			expect({ status, body }).toEqual({
				status: 503,
				body: { message: expect.stringContaining("nothing of this call was kept"), code: null },
			});
		expect(await customers(server)).toEqual(["before"]);
		await server.kill();
		const again = await startServer(folder);
		expect(await customers(again)).toEqual(["before"]);
		await again.stop();
	}, 60_000);
});
