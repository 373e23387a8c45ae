import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { extract } from "tar";
import { schemaVersionOf } from "../../src/kernel/storage/migrate";
import { ended, eventually, runTollgate, spawnTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

/** A folder that the release 0.2.0 has written. */
async function olderFolder(name: string): Promise<string> {
	const folder = join(parent, name);
	mkdirSync(folder);
	await extract({ file: join(import.meta.dir, "../upgrades/0.2.0.tar.gz"), cwd: folder });
	return folder;
}

/** Returns a port that nobody uses. */
function freePort(): number {
	const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
	const { port = 0 } = server;
	server.stop(true);
	return port;
}

test("probes are answered during an upgrade, which a kill interrupts without harm", async () => {
	const folder = await olderFolder("probes");
	const before = schemaVersionOf(join(folder, "main.db"));
	// While another connection writes, the upgrade waits.
	const main = new Database(join(folder, "main.db"));
	main.run("BEGIN IMMEDIATE");
	const port = freePort();
	const child = spawnTollgate(folder, ["serve"], { TOLLGATE_PORT: String(port) });
	const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
	const readiness = () =>
		eventually(async () => {
			const answer = await get("/readyz");
			const body = await answer?.json();
			return body?.message?.includes("main.db, from schema") ? { status: answer?.status, body } : undefined;
		});
	expect(await readiness()).toEqual({
		status: 503,
		body: {
			status: "not ready",
			missing: ["upgrade"],
			message: expect.stringMatching(
				/^Tollgate upgrades its data folder: main\.db, from schema 42 to \d+, for \d+ s\.$/,
			),
		},
	});
	const alive = await get("/healthz");
	expect([alive?.status, await alive?.json()]).toEqual([200, { status: "ok" }]);
	const other = await get("/api/v1/customers");
	expect([other?.status, other?.headers.get("retry-after"), await other?.json()]).toEqual([
		503,
		"5",
		{ message: expect.stringContaining("upgrades its data folder"), code: null },
	]);
	child.kill("SIGKILL");
	await child.exited;
	main.run("ROLLBACK");
	main.close();
	expect(schemaVersionOf(join(folder, "main.db"))).toBe(before);
	const server = await startServer(folder);
	expect(server.output()).toMatch(
		/"step":"1 of \d+","name":"0042_usage-on-charges","msg":"upgrading the schema: a step"/,
	);
	await server.stop();
	expect(existsSync(join(folder, "before-upgrade", "main.db"))).toBe(true);
	expect((await runTollgate(folder, ["check"])).status).toBe(0);
}, 60_000);

test("a signal ends an upgrade at once, and an upgrade that fails ends the start with its reason", async () => {
	const folder = await olderFolder("failing");
	writeFileSync(join(folder, "events.db"), "no database".repeat(1000));
	const port = String(freePort());
	const failed = await runTollgate(folder, ["serve"], { TOLLGATE_PORT: port });
	expect(failed.status).toBe(1);
	expect(failed.errors).toContain("To upgrade without a copy, set TOLLGATE_UPGRADE_COPY=0");
	const damaged = await runTollgate(folder, ["serve"], { TOLLGATE_PORT: port, TOLLGATE_UPGRADE_COPY: "0" });
	expect(damaged).toMatchObject({ status: 1, errors: expect.stringContaining("`tollgate check` says which") });

	const waiting = await olderFolder("waiting");
	const main = new Database(join(waiting, "main.db"));
	main.run("BEGIN IMMEDIATE");
	const child = spawnTollgate(waiting, ["serve"], { TOLLGATE_PORT: port });
	await eventually(async () => {
		const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
		return (await answer?.text())?.includes("main.db, from") || undefined;
	});
	const signaledAtMs = performance.now();
	child.kill("SIGTERM");
	expect((await ended(child)).status).toBe(1);
	expect(performance.now() - signaledAtMs).toBeLessThan(5000);
	main.close();
}, 60_000);
