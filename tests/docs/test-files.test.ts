import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const linesMax = 400;

/** Files that are longer and are to be split by rule. Do not add to this list. */
const longFiles = [
	"contract/scenario.ts",
	"simulated-subscriptions/invoicing.ts",
	"simulated-subscriptions/history.ts",
	"simulated-subscriptions/oracle.ts",
];

/** Folders with a purpose of their own. Their tests run the whole program, the interface or the documents. */
const ownFolders = [
	"areas/credits/histories",
	"binary",
	"catalogues",
	"clients",
	"contract",
	"docs",
	"figures-of-others",
	"graphql/fuzz",
	"recording",
	"simulated-subscriptions",
	"soak",
	"upgrades",
];

/** Tests that do not mirror the sources yet, by the beginning of their paths. Do not add to this list. */
const pending = ["areas/audit/", "areas/contracts/", "graphql/contracts."];

const root = resolve(import.meta.dir, "../..");
const files = readdirSync(join(root, "tests"), { recursive: true, encoding: "utf8" }).filter((file) =>
	/\.tsx?$/.test(file),
);

test(`no test file has more than ${linesMax} lines, except the listed ones`, () => {
	const long = files.filter(
		(file) =>
			readFileSync(join(root, "tests", file), "utf8")
				.trimEnd()
				.split("\n").length > linesMax,
	);
	expect(long.filter((file) => !longFiles.includes(file))).toEqual([]);
});

test("a test has the path of the file or folder that it tests, or lies in a folder with the path of that file", () => {
	const isFile = (path: string) =>
		[".ts", ".tsx"].some((extension) => existsSync(join(root, `src/${path}${extension}`)));
	const isSource = (path: string) => isFile(path) || existsSync(join(root, "src", path));
	const strays = files
		.filter((file) => /\.test\.tsx?$/.test(file))
		.filter((file) => !ownFolders.some((folder) => file.startsWith(`${folder}/`)))
		.filter((file) => !pending.some((path) => file.startsWith(path)))
		.filter((file) => !isSource(file.replace(/\.test\.tsx?$/, "")) && !isFile(dirname(file)));
	expect(strays).toEqual([]);
});
