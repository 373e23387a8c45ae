import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beginFolder } from "../../../src/bootstrap";
import { readConfig } from "../../../src/config/config";
import { temporaryFolder } from "../../support/process";
import { all, argumentsOf, commands, runOn } from "../every-command";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

/** A sentence, and no stack trace. */
const sentence = expect.stringMatching(/^tollgate: [^\n]+\.\n$/);

test.each(commands.filter((name) => name !== "check"))("`%s` names a data folder that is a file", async (name) => {
	const file = join(parent, "file");
	writeFileSync(file, "");
	const { status, errors } = await runOn(file, name);
	expect({ status, errors }).toEqual({ status: 1, errors: sentence });
	expect(errors).toContain(file);
});

const folder = join(parent, "data");
beforeAll(async () => {
	mkdirSync(folder);
	const { db } = await beginFolder(readConfig({ TOLLGATE_DATA_DIR: folder }));
	db.$client.close();
});
const missing = join(parent, "missing", "file");

test.each([
	["backup", [missing]],
	["backup", ["--verify", missing]],
	["backup", ["--verify", parent]],
	["audit export", [missing]],
	["catalog plan", [missing]],
	["budgets plan", ["customer", missing]],
	["budgets apply", ["customer", parent]],
	["catalog apply", [parent]],
	["restore", [missing]],
	["restore", [parent]],
	["events import", ["--key", "key", missing]],
	["events import", ["--key", "key", parent]],
] as const)("`%s %p` names the file that it cannot use", async (name, args) => {
	expect(all).toContain(name);
	const { status, errors } = await runOn(folder, name, args);
	expect({ status, errors }).toEqual({ status: 1, errors: sentence });
	expect(errors).toContain(args.at(-1) === missing ? join(parent, "missing") : parent);
});

test.each([[], ["--alive"]])("`health %p` says that no server answers", async (...args) => {
	const { status, errors } = await runOn(folder, "health", args);
	expect({ status, errors }).toEqual({ status: 1, errors: sentence });
	expect(errors).toContain("No server answers at 127.0.0.1:");
});

test("every command that takes a file has a row", () => {
	expect(Object.keys(argumentsOf).filter((name) => !all.includes(name))).toEqual([]);
});
