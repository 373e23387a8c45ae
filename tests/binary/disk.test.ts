import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listEnvironments } from "../../src/areas/access/operations";
import { systemActor } from "../../src/areas/access/rules.actors";
import { openFolder } from "../../src/files";
import { enqueueTask } from "../../src/tasks/operations";
import { canFailCalls } from "../support/failing-calls";
import { eventually, failing, type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
let count = 0;
const fresh = () => join(parent, String(++count));

/** Numbers of the system's errors. */
const [ioError, noSpace] = [5, 28];

const product = { id: "product", displayName: "Product" };

/** With an `Idempotency-Key`, as a careful caller sends it. */
const post = (server: RunningServer, path: string, body: unknown) =>
	server.call("POST", path, body, undefined, { "idempotency-key": "the-only-one" });

const products = async (server: RunningServer): Promise<string[]> => {
	const { body } = await server.call("GET", "/products");
	return body.data.map(({ id }: { id: string }) => id);
};

/** Resolves when a process has written nothing for half a second: on a busy machine a start takes a while. */
async function quiet(pid: number): Promise<void> {
	const written = () => Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "latin1"))?.[1]);
	for (let before = -1; before !== written(); ) {
		before = written();
		await Bun.sleep(500);
	}
}

/**
 * Lets the calls fail in a server that runs on a sound folder. Another server has made the folder: what a first start writes
 * is folded into its files by then. It has answered a call, for which it has loaded all its code, and nothing but the test
 * writes when the calls fail.
 */
async function failingServer(
	calls: string,
	before: (server: RunningServer) => Promise<unknown> = async () => {},
	lastCall: (server: RunningServer) => Promise<unknown> = async () => {},
) {
	const folder = fresh();
	const first = await startServer(folder);
	await before(first);
	await first.stop();
	const server = await startServer(folder, failing(calls));
	expect((await server.call("GET", "/features")).status).toBe(200);
	await quiet(server.pid);
	await lastCall(server);
	await server.failCalls();
	return { folder, server };
}

// The Linux kernel's system call filter makes the calls fail. Other systems have no such filter.
describe.skipIf(!canFailCalls)("a disk that fails", () => {
	test("at a sync of main.db: the caller learns that the outcome is unknown, and the process ends", async () => {
		const { folder, server } = await failingServer(`fsync,fdatasync=${ioError}`);
		const answer = await post(server, "/products", product);
		expect(answer.status).toBe(503);
		expect(answer.headers.get("retry-after")).toBe("5");
		expect(answer.body).toEqual({ message: expect.stringContaining("is not known"), code: null });
		expect(answer.body.message).toContain("same Idempotency-Key");
		expect(await server.ended).toBe(1);
		expect(server.output()).toContain("the disk did not confirm a write: ending at once");

		// Whatever the disk holds: repeating the call is right, and it is carried out once.
		const again = await startServer(folder);
		expect((await post(again, "/products", product)).status).toBe(201);
		expect(await products(again)).toEqual(["product"]);
		await again.stop();
		expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
	}, 60_000);

	test("at a sync of events.db: likewise, and the events count once", async () => {
		const event = { eventName: "call", customerId: "customer", idempotencyKey: "1" };
		const { folder, server } = await failingServer(`fsync,fdatasync=${ioError}`, (healthy) =>
			healthy.call("POST", "/customers", { id: "customer" }),
		);
		const answer = await server.call("POST", "/events", { events: [event] });
		expect(answer.status).toBe(503);
		expect(answer.body.message).toContain("is not known");
		expect(await server.ended).toBe(1);
		expect(server.output()).toContain("the disk did not confirm a write: ending at once");

		const again = await startServer(folder);
		expect((await again.call("POST", "/events", { events: [event] })).status).toBe(200);
		await again.stop();
		expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
	}, 60_000);

	test.each([
		["that is full", noSpace],
		["that cannot be written", ioError],
	])(
		"%s: 503, the server goes on reading, and nothing of the call is there after a kill",
		async (_, error) => {
			const { folder, server } = await failingServer(`pwrite64=${error}`);
			const answer = await post(server, "/products", product);
			expect(answer).toMatchObject({ status: 503, body: { code: null } });
			expect((await server.call("POST", "/events", { events: [] })).status).toBeGreaterThanOrEqual(400);
			expect(await products(server)).toEqual([]);
			await server.kill();
			const again = await startServer(folder);
			expect(await products(again)).toEqual([]);
			await again.stop();
		},
		60_000,
	);

	test("at a sync of a thread that works off tasks: the whole process ends, and the task is still to be done", async () => {
		const { folder, server } = await failingServer(`fsync,fdatasync=${ioError}`);
		// From this process, whose calls do not fail: the server looks into the queue and its thread claims the task.
		const { db, transactions } = openFolder(folder);
		const environment = transactions.read(systemActor(""), listEnvironments)[0]?.id ?? "";
		transactions.write(systemActor(environment), (work) => enqueueTask(work, { type: "RENDER_INVOICE", payload: {} }));
		expect(await server.ended).toBe(1);
		expect(server.output()).toContain("the disk did not confirm a write: ending at once");
		const tasks = db.$client.query<{ status: string; ended_at: number | null }, []>(
			"SELECT status, ended_at FROM tasks",
		);
		expect(tasks.all()).toEqual([{ status: expect.stringMatching(/^(PENDING|IN_PROGRESS)$/), ended_at: null }]);
		db.$client.close();
	}, 60_000);

	test("with an unreadable file: 503, and the log names the file", async () => {
		const { server } = await failingServer(`pread64=${ioError}`);
		const answer = await server.call("GET", "/coupons");
		expect(answer.status).toBe(503);
		expect(answer.headers.get("retry-after")).toBe("5");
		expect(answer.body).toEqual({ message: expect.stringContaining("could not be read"), code: null });
		// The page of the table may fail as "malformed"; nothing else on the disk can be read either.
		expect(server.output()).toMatch(/main\.db[a-z. ]* could not be read \(SQLITE_/);
		expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
		await server.kill();
	}, 60_000);

	test("with an unreadable file just after a write: 503 too, before a route is found", async () => {
		const { server } = await failingServer(`pread64=${ioError}`, undefined, (started) =>
			post(started, "/products", product),
		);
		const answer = await server.call("GET", "/coupons");
		expect(answer).toMatchObject({ status: 503, body: { message: expect.stringContaining("could not be read") } });
		expect(answer.headers.get("retry-after")).toBe("5");
		await eventually(async () => server.output().includes('"storage failed"') || undefined);
		expect(server.output()).not.toContain('"internal error"');
		await server.kill();
	}, 60_000);
});
