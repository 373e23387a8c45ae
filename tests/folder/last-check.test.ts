import { afterAll, expect, test } from "bun:test";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beginFolder } from "../../src/bootstrap";
import { run } from "../../src/cli/commands";
import { readConfig } from "../../src/config/config";
import { readLastCheck } from "../../src/folder/last-check";
import { figuresOfFolder } from "../../src/metrics/folder";
import { temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
const folder = join(parent, "data");

async function check(...args: string[]) {
	const lines: string[] = [];
	const out = { write: (text: string) => lines.push(text) };
	const status = await run(["check", ...args], { TOLLGATE_DATA_DIR: folder }, { stdout: out, stderr: out });
	return { status, output: lines.join("") };
}

const figures = async () =>
	Object.fromEntries(
		(await figuresOfFolder(folder))
			.filter(({ name }) => name.startsWith("tollgate_check_"))
			.map(({ name, value }) => [name.slice("tollgate_check_last_".length), value]),
	);

test("the metrics have the last check of the folder, and what it found", async () => {
	await check();
	expect(readLastCheck(folder)).toBeUndefined();
	mkdirSync(folder);
	(await beginFolder(readConfig({ TOLLGATE_DATA_DIR: folder }))).db.$client.close();
	expect(await figures()).toEqual({});
	const before = Date.now();
	expect(await check("--billing")).toMatchObject({ status: 0, output: expect.stringContaining("sound") });
	const { at, ...sound } = readLastCheck(folder) ?? { at: 0 };
	expect(sound).toEqual({ findings: 0, billing: true, tookMs: expect.any(Number) });
	expect(at).toBeGreaterThanOrEqual(before);
	expect(await figures()).toEqual({ timestamp_seconds: at / 1000, findings: 0 });
	expect(statSync(join(folder, "last-check.json")).mode & 0o777).toBe(0o600);

	writeFileSync(join(folder, "secret"), "another");
	expect((await check()).status).toBe(1);
	expect(readLastCheck(folder)).toMatchObject({ findings: 1, billing: false });
	expect((await figures()).findings).toBe(1);
});

test("a damaged record is none, and one that cannot be written is a note", async () => {
	writeFileSync(join(folder, "last-check.json"), "{");
	expect(readLastCheck(folder)).toBeUndefined();
	rmSync(join(folder, "last-check.json"));
	mkdirSync(join(folder, "last-check.json"));
	expect((await check()).output).toContain("the result could not be recorded (EISDIR)");
});
