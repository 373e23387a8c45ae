import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readMetrics } from "../metrics/read";
import { ended, eventually, runTollgate, spawnTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

const [data, to] = [join(parent, "data"), join(parent, "to")];
mkdirSync(to);
const keyFile = join(parent, "key");
writeFileSync(keyFile, "ab".repeat(32));
const settings = {
	...{ TOLLGATE_BACKUP_EVERY: "7d", TOLLGATE_BACKUP_TO: to, TOLLGATE_BACKUP_KEY_FILE: keyFile },
	TOLLGATE_METRICS_PORT: "0",
};

test("a server makes a backup and checks it, survives kill -9 in the middle of the next one, and its backups are restored", async () => {
	const server = await startServer(data, settings);
	await server.call("POST", "/products", { id: "kept", displayName: "Kept" });
	await eventually(async () => server.output().includes("it is sound") || undefined);
	const url = await eventually(async () => /metrics at (http:\S+)"/.exec(server.output())?.[1]);
	const series = readMetrics(await (await fetch(url)).text());
	expect(series.get("tollgate_backup_last_timestamp_seconds")).toBeGreaterThan(Date.now() / 1000 - 600);
	expect(series.get("tollgate_backup_last_check_timestamp_seconds")).toBeGreaterThan(Date.now() / 1000 - 600);
	expect(series.get("tollgate_backup_last_check_findings")).toBe(0);
	expect(series.get("tollgate_backup_failures")).toBe(0);
	expect(series.get('tollgate_thread_up{thread="backups"}')).toBeUndefined();

	// A backup that ends before it is killed is repeated.
	const copies = join(data, "backup.tmp");
	await eventually(async () => {
		const killed = spawnTollgate(data, ["backup", "now"], settings);
		while (killed.exitCode === null && !existsSync(copies)) await Bun.sleep(1);
		killed.kill("SIGKILL");
		await ended(killed);
		return existsSync(copies) || undefined;
	});
	const now = await runTollgate(data, ["backup", "now"], settings);
	expect(now).toMatchObject({ status: 0, output: expect.stringMatching(/^tollgate-\S+ {2}\S+ {2}\d+ bytes/) });
	await server.kill();

	const listed = await runTollgate(data, ["backup", "list"], settings);
	expect(listed.output.trim().split("\n").length).toBeGreaterThanOrEqual(2);
	const verified = await runTollgate(data, ["backup", "verify"], settings);
	expect(verified).toMatchObject({ status: 0, errors: "" });
	const restored = join(parent, "restored");
	expect(await runTollgate(restored, ["restore", "latest"], settings)).toMatchObject({ status: 0, errors: "" });
	const again = await startServer(restored);
	expect((await again.call("GET", "/products")).body.data).toMatchObject([{ id: "kept" }]);
	await again.stop();
	// A sealed file, as it lies there, needs only the key.
	const [sealed = ""] = readdirSync(to).filter((name) => name.endsWith(".sealed"));
	const copied = join(parent, "copied");
	const { status } = await runTollgate(copied, ["restore", join(to, sealed)], settings);
	expect(status).toBe(0);
	expect(readFileSync(join(copied, "secret"), "utf8")).toBe(readFileSync(join(data, "secret"), "utf8"));
	expect(await runTollgate(data, ["backup", "prune"], settings)).toMatchObject({ status: 0, errors: "" });
}, 60_000);

test("a place that is missing does not stop the server: the log and the metrics name the failure", async () => {
	const server = await startServer(join(parent, "other"), { ...settings, TOLLGATE_BACKUP_TO: join(parent, "none") });
	await eventually(async () => server.output().includes("create it or mount its disk") || undefined);
	const url = await eventually(async () => /metrics at (http:\S+)"/.exec(server.output())?.[1]);
	expect(readMetrics(await (await fetch(url)).text()).get("tollgate_backup_failures")).toBe(1);
	expect(await server.stop()).toBe(0);
	const list = await runTollgate(join(parent, "other"), ["backup", "list"], {});
	expect(list).toMatchObject({ status: 2, errors: expect.stringContaining("TOLLGATE_BACKUP_TO") });
	const refused = await runTollgate(join(parent, "new"), ["serve"], { TOLLGATE_BACKUP_EVERY: "1h" });
	expect(refused.errors).toContain("TOLLGATE_BACKUP_TO must be set where another setting TOLLGATE_BACKUP_… is.");
}, 60_000);
