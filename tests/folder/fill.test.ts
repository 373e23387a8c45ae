import { afterAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beginFolder } from "../../src/bootstrap";
import { readConfig } from "../../src/config/config";
import { schemas } from "../../src/files";
import { prepareFiles } from "../../src/kernel/storage/db";
import { runTollgate, spawnTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
let count = 0;
const fresh = () => join(parent, String(++count));

/** No keys from the environment: the program makes its own, as it does for most people. */
const ownKeys = { TOLLGATE_BOOTSTRAP_API_KEY: "", TOLLGATE_BOOTSTRAP_PUBLISHABLE_KEY: "" };

const keyIn = (folder: string): string =>
	/Full-access key {2}(\S+)/.exec(readFileSync(join(folder, "initial-keys.txt"), "utf8"))?.[1] ?? "";

/** Starts the server on the folder; answers the key in its private file, which must work, and what was printed. */
async function startAndSignIn(folder: string): Promise<{ key: string; printed: string }> {
	const server = await startServer(folder, ownKeys);
	const key = keyIn(folder);
	expect((await server.call("GET", "/products", undefined, key)).status).toBe(200);
	expect(await server.stop()).toBe(0);
	expect(readdirSync(folder)).not.toContain("unfinished.txt");
	return { key, printed: server.output() };
}

let original: string | undefined;

/** A folder after its first start, the server stopped. */
async function begun(): Promise<{ folder: string; key: string }> {
	if (!original) {
		original = fresh();
		await startAndSignIn(original);
	}
	const folder = fresh();
	cpSync(original, folder, { recursive: true });
	return { folder, key: keyIn(folder) };
}

describe("a first start that was killed", () => {
	test("at any moment: the next start ends with one set of keys that works", async () => {
		for (const afterMs of [40, 100, 160, 220, 280, 340, 400, 500]) {
			const folder = fresh();
			const child = spawnTollgate(folder, ["serve"], { ...ownKeys, TOLLGATE_DEMO: "1" });
			await Bun.sleep(afterMs);
			child.kill("SIGKILL");
			await child.exited;
			const isDone = existsSync(join(folder, "initial-keys.txt")) && !existsSync(join(folder, "unfinished.txt"));
			const before = isDone ? keyIn(folder) : undefined;
			const { key } = await startAndSignIn(folder);
			expect(key).toBe(before ?? key);
		}
	}, 60_000);

	test("while its files were made: they are thrown away and made again", async () => {
		const { folder: made } = await begun();
		const interrupted = (lost: readonly string[]): string => {
			const folder = fresh();
			cpSync(made, folder, { recursive: true });
			for (const name of lost) rmSync(join(folder, name));
			writeFileSync(join(folder, "unfinished.txt"), "first start");
			writeFileSync(join(folder, "secret.part"), "");
			return folder;
		};
		for (const lost of [["main.db"], ["secret"], ["initial-keys.txt"], ["events.db", "usage.db"]]) {
			const folder = interrupted(lost);
			const { db, firstKeys } = await beginFolder(readConfig({ TOLLGATE_DATA_DIR: folder }));
			db.$client.close();
			expect(firstKeys?.fullAccessKey).toBe(keyIn(folder));
			expect(keyIn(folder)).not.toBe(keyIn(made));
			expect(readdirSync(folder)).not.toContain("unfinished.txt");
		}
		const folder = interrupted([]);
		const refused = await runTollgate(folder, ["keys", "list"]);
		expect(refused).toMatchObject({ status: 1, errors: expect.stringContaining("start the server") });
		const { key, printed } = await startAndSignIn(folder);
		expect(key).not.toBe(keyIn(made));
		expect(printed).toContain("first start: the keys are in this file");
	}, 60_000);

	test("a restore that was killed is not taken for a first start", async () => {
		const { folder } = await begun();
		writeFileSync(join(folder, "unfinished.txt"), "restore");
		const ran = await runTollgate(folder, ["serve"]);
		expect(ran).toMatchObject({ status: 1, errors: expect.stringContaining("restore the backup again") });
		expect(existsSync(join(folder, "main.db"))).toBe(true);
	});

	test("by an earlier version, which left a main file without an environment: it begins again", async () => {
		const folder = fresh();
		prepareFiles(folder, schemas);
		expect((await startAndSignIn(folder)).printed).toContain("first start: the keys are in this file");
	});
});

describe("the secret", () => {
	test.each([
		["empty", ""],
		["cut short", "0123456789abcdef"],
		["of other characters", "g".repeat(64)],
		["longer", "0".repeat(65)],
	])("%s refuses the start and says what to do", async (_, text) => {
		const { folder } = await begun();
		writeFileSync(join(folder, "secret"), text);
		const ran = await runTollgate(folder, ["serve"]);
		expect(ran.status).toBe(1);
		expect(ran.errors).toContain(join(folder, "secret"));
		expect(ran.errors).toContain("Bring the file `secret` back from a backup");
		expect(ran.errors).not.toContain("delete");
		expect(ran.errors).not.toContain("    at ");
		expect(readFileSync(join(folder, "secret"), "utf8")).toBe(text);
	});

	test("in an empty folder is kept", async () => {
		const folder = fresh();
		mkdirSync(folder);
		const secret = "0123456789abcdef".repeat(4);
		writeFileSync(join(folder, "secret"), `${secret}\n`);
		await startAndSignIn(folder);
		expect(readFileSync(join(folder, "secret"), "utf8").trim()).toBe(secret);
	});
});

test("a folder that has lost its main file is refused, not taken for an empty one", async () => {
	const { folder } = await begun();
	for (const name of readdirSync(folder).filter((one) => one.startsWith("main.db"))) rmSync(join(folder, name));
	const ran = await runTollgate(folder, ["serve"]);
	expect(ran.status).toBe(1);
	expect(ran.errors).toContain("has lost main.db");
	expect(existsSync(join(folder, "events.db"))).toBe(true);
	expect(existsSync(join(folder, "main.db"))).toBe(false);
});
