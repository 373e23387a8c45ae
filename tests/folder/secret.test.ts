import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
let count = 0;

let made: string | undefined;

/** A copy of a folder that a server has created. */
async function createdFolder(): Promise<string> {
	if (made === undefined) {
		made = join(parent, "made");
		await (await startServer(made)).stop();
	}
	const folder = join(parent, String(++count));
	cpSync(made, folder, { recursive: true });
	return folder;
}

const secretIn = (folder: string): string => join(folder, "secret");

const foreign = "0123456789abcdef".repeat(4);
const lose = (folder: string) => rmSync(secretIn(folder));
const exchange = (folder: string) => writeFileSync(secretIn(folder), foreign);
const damage = (folder: string) => writeFileSync(secretIn(folder), "");

test.each([
	["missing", lose, "is missing"],
	["another one", exchange, "is not the secret that this folder was written with"],
	["damaged", damage, "is damaged"],
])(
	"a secret that is %s stops the start and a backup, and check reports it",
	async (_, change, message) => {
		const folder = await createdFolder();
		const secret = readFileSync(secretIn(folder), "utf8");
		change(folder);
		const archive = join(parent, `${count}.tgz`);
		for (const args of [["serve"], ["backup", archive]]) {
			const { status, errors } = await runTollgate(folder, args);
			expect({ status, errors }).toEqual({ status: 1, errors: expect.stringContaining(message) });
			expect(errors).toContain("Bring the file `secret` back from a backup");
			expect(errors).toContain("`tollgate secret replace`");
			expect(errors).not.toContain("    at ");
			expect(errors).not.toContain(foreign);
		}
		expect(existsSync(archive)).toBe(false);
		expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 1, output: expect.stringContaining(message) });

		writeFileSync(secretIn(folder), secret);
		await (await startServer(folder)).stop();
		expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
	},
	60_000,
);

test.each([
	["missing", lose, "wrote a new secret"],
	["another one", exchange, "accepted the secret that lies in the folder"],
	["damaged", damage, "wrote a new secret"],
])(
	"`secret replace` accepts that a secret is %s, and says what ends",
	async (_, change, message) => {
		const folder = await createdFolder();
		change(folder);
		const { status, output } = await runTollgate(folder, ["secret", "replace"]);
		expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining(message) });
		expect(output).toContain("Second factors of people do not work");
		await (await startServer(folder)).stop();
		expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
		expect(readFileSync(secretIn(folder), "utf8")).toMatch(/^[0-9a-f]{64}$/);
	},
	60_000,
);

test("`secret replace` refuses while a server runs", async () => {
	const folder = await createdFolder();
	const server = await startServer(folder);
	expect(await runTollgate(folder, ["secret", "replace"])).toMatchObject({
		status: 1,
		errors: expect.stringContaining("in use by another Tollgate"),
	});
	await server.stop();
}, 30_000);

test("a folder of a version that recorded no secret records it at its first start", async () => {
	const folder = await createdFolder();
	const main = new Database(join(folder, "main.db"));
	main.run("DELETE FROM folder_secret");
	main.close();
	await (await startServer(folder)).stop();
	exchange(folder);
	expect(await runTollgate(folder, ["serve"])).toMatchObject({
		status: 1,
		errors: expect.stringContaining("is not the secret that this folder was written with"),
	});
}, 60_000);
