import { afterAll, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { command, eventually, runTollgate, start, temporaryFolder, testKey } from "../support/process";
import { spawned } from "../support/spawned";

const { folder: parent, remove } = temporaryFolder();
const sockets: Socket[] = [];
afterAll(() => {
	for (const socket of sockets) socket.destroy();
	remove();
});

const limited = (descriptors: number, ...args: readonly string[]) => [
	"sh",
	"-c",
	`ulimit -n ${descriptors} && exec "$@"`,
	"sh",
	...command,
	...args,
];

/** A connection that never says anything. */
const silent = (url: string): Promise<void> => {
	const { promise, resolve } = Promise.withResolvers<void>();
	const socket = connect(Number(new URL(url).port), "127.0.0.1", resolve);
	// Closed by the server, or refused while it closes others: both are what is tested.
	socket.on("error", () => resolve());
	sockets.push(socket);
	return promise;
};

describe("with 256 descriptors", () => {
	test("600 silent connections end nothing: the server answers, and its threads work", async () => {
		const folder = join(parent, "few");
		const server = await spawned(limited(256, "serve"), folder);
		try {
			const call = async (method: string, path: string, body?: unknown) => {
				const answer = await fetch(`${server.url}/api/v1${path}`, {
					method,
					headers: { "x-api-key": testKey, "content-type": "application/json" },
					...(body !== undefined && { body: JSON.stringify(body) }),
					signal: AbortSignal.timeout(2000),
				});
				return (await answer.json()) as { data: { taskId: string; status: string } };
			};
			/** As a client does whose connection was closed, or refused for a moment. */
			const retried = (method: string, path: string, body?: unknown) =>
				eventually(() => call(method, path, body).catch(() => undefined));

			await Promise.all(Array.from({ length: 600 }, () => silent(server.url)));
			const ready = () =>
				fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(1000) }).then(
					({ status }) => (status === 200 ? true : undefined),
					() => undefined,
				);
			expect(await eventually(ready)).toBe(true);
			await retried("POST", "/customers", { id: "customer" });
			const { data } = await retried("POST", "/subscriptions/import", {
				subscriptions: [{ id: "one", customerId: "customer", planId: "none" }],
			});
			await eventually(async () =>
				(await retried("GET", `/tasks/${data.taskId}`)).data.status === "FAILED" ? true : undefined,
			);
			expect(server.child.exitCode).toBeNull();
		} finally {
			server.child.kill("SIGTERM");
		}
		expect(await server.child.exited).toBe(0);
		expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
	}, 60_000);
});

test("with fewer than the files need, the start is refused with the remedy", async () => {
	const child = start(limited(64, "serve"), { TOLLGATE_PORT: "0", TOLLGATE_DATA_DIR: join(parent, "none") });
	expect(await new Response(child.stderr).text()).toContain("may open 64 files and connections; let it have at least");
	expect(await child.exited).toBe(1);
});
