import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { extract } from "tar";
import { schemas } from "../../src/files";
import { copyBeforeUpgrade, endUpgrade, needsUpgrade, removeOldCopy } from "../../src/folder/upgrade-copy";
import type { Instant } from "../../src/kernel/clock";
import { prepareFiles } from "../../src/kernel/storage/db";
import { schemaVersionOf } from "../../src/kernel/storage/migrate";
import { runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
let count = 0;

/** A folder that the release 0.2.0 has written. */
async function olderFolder(): Promise<string> {
	const folder = join(parent, String(++count));
	mkdirSync(folder);
	await extract({ file: join(import.meta.dir, "../upgrades/0.2.0.tar.gz"), cwd: folder });
	return folder;
}

const versionOf = (folder: string) => schemaVersionOf(join(folder, "main.db"));
const copyOf = (folder: string) => join(folder, "before-upgrade");

describe("the copy before an upgrade", () => {
	test("is a whole data folder of the former version; old events are in it", async () => {
		const folder = await olderFolder();
		mkdirSync(join(folder, "archive"));
		writeFileSync(join(folder, "archive", "2026-01-21-1.zst"), "events");
		const before = versionOf(folder);
		const steps: string[] = [];
		await copyBeforeUpgrade({
			folder,
			onCopy: (file, { tookMs }) => void steps.push(`${file} ${tookMs !== undefined}`),
		});
		expect(steps.slice(-2)).toEqual(["main.db false", "main.db true"]);
		prepareFiles(folder, schemas);
		endUpgrade(folder);
		expect(versionOf(copyOf(folder))).toBe(before);
		expect(readFileSync(join(copyOf(folder), "secret"), "utf8")).toBe(readFileSync(join(folder, "secret"), "utf8"));
		expect(readFileSync(join(copyOf(folder), "archive", "2026-01-21-1.zst"), "utf8")).toBe("events");
		expect(existsSync(join(copyOf(folder), "upgrading.txt"))).toBe(false);
	});

	test("stays when the upgrade was killed after its first file, and is made again when nothing was upgraded", async () => {
		const folder = await olderFolder();
		const before = versionOf(folder);
		await copyBeforeUpgrade({ folder });
		writeFileSync(join(copyOf(folder), "old"), "");
		await copyBeforeUpgrade({ folder });
		expect(existsSync(join(copyOf(folder), "old"))).toBe(false);
		prepareFiles(folder, { main: schemas.main });
		expect(needsUpgrade(folder)).toBe(true);
		await copyBeforeUpgrade({ folder });
		expect(versionOf(copyOf(folder))).toBe(before);
	});

	test("leaves the folder at its version when it fails, and says how to go on without it", async () => {
		const folder = await olderFolder();
		const before = versionOf(folder);
		writeFileSync(join(folder, "events.db"), "no database".repeat(1000));
		await expect(copyBeforeUpgrade({ folder })).rejects.toThrow("set TOLLGATE_UPGRADE_COPY=0");
		expect(versionOf(folder)).toBe(before);
		expect(readdirSync(folder).filter((name) => name.startsWith("before-upgrade"))).toEqual([]);
	});

	test("is removed when it is as old as backups may be", async () => {
		const folder = await olderFolder();
		await copyBeforeUpgrade({ folder });
		utimesSync(copyOf(folder), 1_700_000_000, 1_700_000_000);
		const at = (ms: number) => ({ now: () => (1_700_000_000_000 + ms) as Instant });
		expect(removeOldCopy(folder, 1000, at(1000))).toBeUndefined();
		expect(removeOldCopy(folder, 1000, at(1001))).toBe("2023-11-14T22:13:20.000Z");
		expect(existsSync(copyOf(folder))).toBe(false);
	});
});

test("the dry run changes nothing, and the server copies the folder, unless the setting disables it", async () => {
	const [folder, other] = [await olderFolder(), await olderFolder()];
	const before = versionOf(folder);
	const tried = await runTollgate(folder, ["upgrade", "--dry-run"]);
	expect(tried).toMatchObject({ status: 0, errors: "" });
	expect(tried.output).toMatch(/main\.db: schema \d+ to \d+ in \d+ ms\n.*\nsound after the upgrade\n$/s);
	expect(versionOf(folder)).toBe(before);
	expect(readdirSync(folder).filter((name) => /tmp|before/.test(name))).toEqual([]);
	const [server, without] = await Promise.all([
		startServer(folder),
		startServer(other, { TOLLGATE_UPGRADE_COPY: "0" }),
	]);
	expect(server.output()).toContain("copied before the upgrade");
	await Promise.all([server.stop(), without.stop()]);
	expect(versionOf(copyOf(folder))).toBe(before);
	expect(existsSync(copyOf(other))).toBe(false);
	expect((await runTollgate(folder, ["upgrade", "--dry-run"])).errors).toContain("at the schema of this version");
}, 60_000);
