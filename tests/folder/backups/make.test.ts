import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkNewest } from "../../../src/folder/backups/check";
import { makeBackup, pruneBackups } from "../../../src/folder/backups/make";
import { findBackup, listBackups, verifyBackup } from "../../../src/folder/backups/open";
import { BackupSchedule } from "../../../src/folder/backups/schedule";
import type { BackupSettings } from "../../../src/folder/backups/settings";
import { assertSpace } from "../../../src/folder/backups/space";
import { readBackupState } from "../../../src/folder/backups/state";
import { openLog } from "../../../src/http/log";
import type { Instant } from "../../../src/kernel/clock";
import { FolderError } from "../../../src/kernel/errors";
import { version } from "../../../src/version";
import { type ObjectServer, objectServer } from "../../support/object-server";
import { temporaryFolder } from "../../support/process";
import { folderSecret, preparedWorld } from "../../support/world";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
const servers: ObjectServer[] = [];
afterEach(async () => {
	for (const server of servers.splice(0)) await server.stop();
});

let data = "";
beforeAll(async () => {
	const ours = await preparedWorld("backups", (fresh) =>
		fresh.call("POST", "/products", { body: { id: "kept", displayName: "Kept" } }),
	);
	data = ours.folder;
	writeFileSync(join(data, "secret"), folderSecret);
});
afterEach(() => rmSync(join(data, "backups.json"), { force: true }));

const clock = { at: Date.parse("2026-11-28T10:00:00Z") as Instant, now: () => clock.at };
let count = 0;
const fresh = () => join(parent, String(++count));
const key = "ab".repeat(32);
const keep = { hourly: 2, daily: 0, weekly: 0, monthly: 0 };

function inFolder(): BackupSettings & { readonly path: string } {
	const path = fresh();
	mkdirSync(path);
	return { everyMs: 3_600_000, keep, key, to: { kind: "folder", path }, path };
}

function inBucket() {
	const server = objectServer();
	servers.push(server);
	const { bucket, endpoint, credentials } = server;
	const storage = { bucket, endpoint, region: "us-east-1", prefix: "backups/", ...credentials };
	return {
		server,
		settings: { everyMs: 3_600_000, keep, key, to: { kind: "bucket", storage } } satisfies BackupSettings,
	};
}

/** Advances the clock, and makes a backup. */
const later = (settings: BackupSettings, minutes = 61) => {
	clock.at = (clock.at + minutes * 60_000) as Instant;
	return makeBackup(data, settings, clock);
};

const namesIn = async (settings: BackupSettings) => (await listBackups(settings)).whole.map(({ name }) => name);

/** The time and the version in the archive. */
const madeHere = { at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), by: version };

/** Verifies a backup in a new folder. */
async function verified(settings: BackupSettings, name: string) {
	const scratch = fresh();
	mkdirSync(scratch);
	return await verifyBackup(settings, await findBackup(settings, name), scratch);
}

describe("a backup in a folder", () => {
	test("is sealed, found by its name, sound, and leaves nothing in the data folder except its record", async () => {
		const settings = inFolder();
		const { name, bytes } = await later(settings);
		expect(name).toMatch(/^tollgate-[0-9a-f]{8}-20261128T\d{6}Z$/);
		expect(readdirSync(settings.path).toSorted()).toEqual([`${name}.sealed`, `${name}.verified.json`]);
		const file = readFileSync(join(settings.path, `${name}.sealed`));
		expect(file.length).toBe(bytes);
		expect(file.includes("manifest.json")).toBe(false);
		expect((await verified(settings, "latest")).made).toEqual(madeHere);
		expect(readdirSync(data).filter((one) => one.endsWith(".tmp"))).toEqual([]);
		expect(readBackupState(data).backup).toMatchObject({ name, bytes, at: clock.at });
	});

	test("does not count without its note, as after a kill, and is removed a day later", async () => {
		const settings = inFolder();
		const { name } = await later(settings);
		rmSync(join(settings.path, `${name}.verified.json`));
		writeFileSync(join(settings.path, "notes.txt"), "of the owner");
		expect(await namesIn(settings)).toEqual([]);
		const next = await later(settings);
		await pruneBackups(data, settings, clock);
		expect(existsSync(join(settings.path, `${name}.sealed`))).toBe(true);
		await later(settings, 25 * 60);
		await pruneBackups(data, settings, clock);
		expect(existsSync(join(settings.path, `${name}.sealed`))).toBe(false);
		expect(existsSync(join(settings.path, "notes.txt"))).toBe(true);
		expect(await namesIn(settings)).toContain(next.name);
	});

	test("keeps and lists those of another data folder; `latest` is then refused", async () => {
		const settings = inFolder();
		const other = "tollgate-00000000-20200101T000000Z";
		for (const end of [".sealed", ".verified.json"]) writeFileSync(join(settings.path, `${other}${end}`), "{}");
		for (let time = 0; time < 3; time += 1) await later(settings);
		const own = (await namesIn(settings)).slice(1);
		expect((await pruneBackups(data, settings, clock)).map(({ name }) => name)).toEqual(own.slice(0, 1));
		expect(await namesIn(settings)).toEqual([other, ...own.slice(1)]);
		await expect(findBackup(settings, "latest")).rejects.toThrow("backups of several data folders");
		await expect(findBackup(settings, "none")).rejects.toThrow("`tollgate backup list` names them");
	});

	test("is refused when it was changed, cut short or exchanged, and with another key", async () => {
		const settings = inFolder();
		const { name } = await later(settings);
		await expect(verified({ ...settings, key: "cd".repeat(32) }, name)).rejects.toThrow("another key");
		const path = join(settings.path, `${name}.sealed`);
		const file = readFileSync(path);
		for (const wrong of [file.subarray(0, -1), Buffer.concat([file, Buffer.from("x")]), Buffer.alloc(file.length)]) {
			writeFileSync(path, wrong);
			await expect(verified(settings, name)).rejects.toThrow("it is damaged. Use another backup");
		}
		writeFileSync(path, file);
		writeFileSync(join(settings.path, `${name}.verified.json`), "{");
		await expect(verified(settings, name)).rejects.toThrow("no sound");
	});

	test("names a missing folder, and makes none: its disk may not be mounted", async () => {
		const settings = inFolder();
		rmSync(settings.path, { recursive: true });
		await expect(later(settings)).rejects.toThrow("create it or mount its disk");
		expect(existsSync(settings.path)).toBe(false);
	});

	test("is refused before it could fill the disk of the data folder", async () => {
		const refusal = await assertSpace(data, 2 ** 50, "a backup").catch((error: unknown) => error);
		expect(refusal).toBeInstanceOf(FolderError);
		expect(String(refusal)).toMatch(/too little space for a backup: \d+ MiB are free, .* Make room\./);
		await assertSpace(data, 0, "a backup");
	});
});

describe("a backup in a bucket", () => {
	test("is below the prefix, sound, and removed when it is old", async () => {
		const { server, settings } = inBucket();
		const made = [await later(settings), await later(settings), await later(settings)];
		expect([...server.objects.keys()].every((name) => name.startsWith("backups/tollgate-"))).toBe(true);
		expect((await verified(settings, "latest")).made).toEqual(madeHere);
		expect(await pruneBackups(data, settings, clock)).toEqual([{ ...made[0], at: expect.any(Number) }] as never);
		expect(await namesIn(settings)).toEqual(made.slice(1).map(({ name }) => name));
	});

	test.each([
		["answers a read with half an object", { kind: "half body", method: "GET" }],
		["answers a read with another object", { kind: "damage", method: "GET" }],
		["refuses the key", { kind: { status: 403, code: "AccessDenied" } }],
		["refuses to write", { kind: { status: 403, code: "AccessDenied" }, method: "PUT" }],
		["fails", { kind: { status: 500, code: "InternalError" }, method: "PUT" }],
	] as const)("holds no backup that counts when it %s", async (_, fault) => {
		const { server, settings } = inBucket();
		const repair = server.fail(fault);
		const refusal = await later(settings).catch((error: unknown) => error);
		expect(refusal).toBeInstanceOf(FolderError);
		expect(String(refusal)).toContain("s3://old-events/backups/");
		repair();
		expect(await namesIn(settings)).toEqual([]);
	});

	test("is refused when the bucket has an older object in its place", async () => {
		const { server, settings } = inBucket();
		const [first, second] = [await later(settings), await later(settings)];
		const objectOf = (name: string) => `backups/${name}.sealed`;
		const old = server.objects.get(objectOf(first.name));
		if (old) server.objects.set(objectOf(second.name), old);
		await expect(verified(settings, second.name)).rejects.toThrow(FolderError);
		await verified(settings, first.name);
	});
});

describe("the schedule", () => {
	const scheduleOf = (settings: BackupSettings) =>
		new BackupSchedule({ folder: data, settings, clock, log: openLog("silent") });

	test("makes a backup each hour, removes old ones, and restores and checks one each week", async () => {
		const settings = inFolder();
		const schedule = scheduleOf(settings);
		clock.at = Date.parse("2027-01-04T10:30:00Z") as Instant;
		await schedule.run();
		expect(await namesIn(settings)).toHaveLength(1);
		expect(readBackupState(data).check).toMatchObject({ at: clock.at, findings: [] });
		await schedule.run();
		expect(await namesIn(settings)).toHaveLength(1);
		for (const hour of [11, 12, 13]) {
			clock.at = Date.parse(`2027-01-04T${hour}:00:00Z`) as Instant;
			await schedule.run();
		}
		expect((await namesIn(settings)).map((name) => name.slice(-16))).toEqual(["20270104T120000Z", "20270104T130000Z"]);
		clock.at = Date.parse("2027-01-11T10:31:00Z") as Instant;
		await schedule.run();
		expect(readBackupState(data).check?.at).toBe(clock.at);
		// Another server process continues, and so does one that has lost the record.
		rmSync(join(data, "backups.json"));
		await scheduleOf(settings).run();
		expect(await namesIn(settings)).toHaveLength(2);
	});

	test("counts failures, waits longer after each, tries again at a start, and goes on by itself", async () => {
		const settings = inFolder();
		const schedule = scheduleOf(settings);
		rmSync(settings.path, { recursive: true });
		expect(await schedule.run()).toBe(60_000);
		expect(readBackupState(data).failure).toMatchObject({
			times: 1,
			message: expect.stringContaining("mount its disk"),
		});
		clock.at = (clock.at + 30_000) as Instant;
		expect(await schedule.run()).toBe(30_000);
		await scheduleOf(settings).run();
		expect(readBackupState(data).failure?.times).toBe(2);
		mkdirSync(settings.path);
		await schedule.run();
		expect(readBackupState(data).failure?.times).toBe(2);
		clock.at = (clock.at + 120_000) as Instant;
		await schedule.run();
		expect(readBackupState(data).failure).toBeUndefined();
		expect(readBackupState(data).check?.findings).toEqual([]);
	});

	test("records the findings of a restored backup", async () => {
		const settings = inFolder();
		const ours = await preparedWorld("backups", async () => {});
		writeFileSync(join(ours.folder, "secret"), folderSecret);
		const main = ours.db.$client;
		const triggers = main.query<{ name: string }, []>(
			"SELECT name FROM main.sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit_entries'",
		);
		for (const { name } of triggers.all()) main.run(`DROP TRIGGER ${name}`);
		main.run("UPDATE audit_entries SET operation = 'another'");
		clock.at = (clock.at + 3_600_000) as Instant;
		await makeBackup(ours.folder, settings, clock);
		const checked = await checkNewest(ours.folder, settings, clock);
		expect(checked?.findings.join()).toContain("audit log");
		expect(readBackupState(ours.folder).check?.findings).toEqual([...(checked?.findings ?? [])]);
	});
});
