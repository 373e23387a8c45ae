import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { extract } from "tar";
import { version } from "../../package.json";
import { schemas } from "../../src/files";
import { prepareFiles } from "../../src/kernel/storage/db";
import { temporaryFolder } from "../support/process";
import { all, argumentsOf, commands, exempt, runOn } from "./every-command";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
let count = 0;
const fresh = () => join(parent, String(++count));

/** Every file of a folder with its content. */
function contentsOf(folder: string, without: (name: string) => boolean = () => false): Record<string, string> {
	const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => !without(name));
	return Object.fromEntries(names.map((name) => [name, Bun.hash(readFileSync(join(folder, name))).toString()]));
}

/** The folders of earlier releases: the release of this version may have this schema. */
const releases = [...new Bun.Glob("*.tar.gz").scanSync(join(import.meta.dir, "../upgrades"))].filter(
	(archive) => archive !== `${version}.tar.gz`,
);
const older = new Map<string, string>();
const newer = fresh();

beforeAll(async () => {
	for (const release of releases) {
		const folder = fresh();
		prepareFolder(folder);
		await extract({ file: join(import.meta.dir, "../upgrades", release), cwd: folder });
		older.set(release, folder);
	}
	prepareFolder(newer);
	prepareFiles(newer, schemas);
	const main = new Database(join(newer, "main.db"));
	main.run("PRAGMA user_version = 9999");
	main.close();
	// A connection ends when its last statement is collected, and then changes the files.
	Bun.gc(true);
});

/** Every folder on which a server has run has this file. */
function prepareFolder(folder: string): void {
	mkdirSync(folder);
	writeFileSync(join(folder, "lock.db"), "");
}

test("every command is in the table or named as one that opens no folder", () => {
	expect(exempt.filter((name) => !all.includes(name))).toEqual([]);
	expect(Object.keys(argumentsOf).filter((name) => !commands.includes(name))).toEqual([]);
	expect(commands.length).toBeGreaterThan(20);
});

describe.each(releases)("a folder of %s", (release) => {
	test.each(commands.filter((name) => name !== "demo"))(
		"`%s` names the remedy in one sentence, and changes nothing",
		async (name) => {
			const folder = older.get(release) ?? "";
			const before = contentsOf(folder);
			const { status, output, errors } = await runOn(folder, name);
			expect({ status, output, errors }).toEqual({
				status: 1,
				output: "",
				errors: expect.stringMatching(
					/^tollgate: The data folder was written by an older Tollgate \(schema \d+ of \w+\.db, this one needs \d+\): use the older version's command, or start this version's server, which upgrades the folder\.\n$/,
				),
			});
			expect(contentsOf(folder)).toEqual(before);
		},
	);

	test.each(["keys list", "backup", "check"])(
		"`%s` changes nothing while the older server writes it, and after that was killed",
		async (name) => {
			const [served, killed] = [fresh(), fresh()];
			cpSync(older.get(release) ?? "", served, { recursive: true });
			const server = new Database(join(served, "main.db"));
			server.run("PRAGMA journal_mode = WAL");
			server.run("UPDATE environments SET name = 'written by the older server'");
			cpSync(served, killed, { recursive: true });
			// Locks, and an index of the write-ahead log, which SQLite makes again.
			const isIndex = (file: string) => file.endsWith("-shm");
			for (const folder of [served, killed]) {
				const before = contentsOf(folder, isIndex);
				expect(Object.keys(before)).toContain("main.db-wal");
				const { status, errors } = await runOn(folder, name);
				expect({ status, errors }).toEqual({ status: 1, errors: expect.stringContaining("an older Tollgate") });
				expect(contentsOf(folder, isIndex)).toEqual(before);
			}
			server.close();
		},
	);
});

test.each(commands.filter((name) => name !== "demo"))("`%s` refuses a folder of a newer version", async (name) => {
	const before = contentsOf(newer);
	const { status, output, errors } = await runOn(newer, name);
	expect({ status, output, errors }).toEqual({
		status: 1,
		output: "",
		errors: `tollgate: The data folder was written by a newer Tollgate (schema 9999, this one knows ${schemas.main.length}): use the newer version.\n`,
	});
	expect(contentsOf(newer)).toEqual(before);
});

test("`demo` refuses a folder that holds data, whatever its schema", async () => {
	for (const folder of [newer, ...older.values()]) {
		const before = contentsOf(folder);
		const { status, errors } = await runOn(folder, "demo");
		expect({ status, errors }).toEqual({
			status: 1,
			errors: `tollgate: The data folder '${folder}' is not empty; set TOLLGATE_DATA_DIR to a new one.\n`,
		});
		expect(contentsOf(folder)).toEqual(before);
	}
});

test.each(commands.filter((name) => !["demo", "check"].includes(name)))(
	"`%s` makes nothing where there is no folder",
	async (name) => {
		const folder = fresh();
		expect(await runOn(folder, name)).toEqual({
			status: 1,
			output: "",
			errors: `tollgate: There is no Tollgate data in '${folder}': start the server, which creates it, or set TOLLGATE_DATA_DIR to another folder.\n`,
		});
		expect(existsSync(folder)).toBe(false);
	},
);
