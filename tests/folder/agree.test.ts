import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { copyFileSync, cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { disagreements } from "../../src/folder/agree";
import { openFile } from "../../src/kernel/storage/db";
import { eventually, type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

const files = (folder: string, file: string): string[] =>
	readdirSync(folder).filter((name) => name.startsWith(`${file}.db`));

/** Puts one database of `from`, with its write-ahead log, in the place of the other folder's. */
function bringBack(file: string, from: string, to: string): void {
	for (const name of files(to, file)) rmSync(join(to, name));
	for (const name of files(from, file)) copyFileSync(join(from, name), join(to, name));
}

const report = async (server: RunningServer, customerId: string): Promise<void> => {
	await server.call("POST", "/customers", { id: customerId });
	const events = [{ eventName: "call", customerId, idempotencyKey: "1" }];
	expect((await server.call("POST", "/events", { events })).status).toBe(200);
};

/** A folder as it was after its first customer's event, and the same folder after the second's. */
async function twoStates(): Promise<{ earlier: string; later: string }> {
	const [earlier, later] = [join(parent, "earlier"), join(parent, "later")];
	if (existsSync(later)) return { earlier, later };
	for (const customer of ["first", "second"]) {
		const server = await startServer(later);
		await report(server, customer);
		await server.stop();
		if (customer === "first") cpSync(later, earlier, { recursive: true });
	}
	return { earlier, later };
}

test.each([
	["events", "events.db is older than usage.db"],
	["main", "main.db is older than events.db"],
])(
	"a %s.db that is older than the others is refused, and found by check",
	async (file, message) => {
		const { earlier, later } = await twoStates();
		const folder = join(parent, `mixed-${file}`);
		cpSync(later, folder, { recursive: true });
		bringBack(file, earlier, folder);
		const ran = await runTollgate(folder, ["serve"]);
		expect(ran.status).toBe(1);
		expect(ran.errors).toContain(message);
		expect(ran.errors).toContain("restore a backup into a new folder");
		expect(ran.errors).not.toContain("    at ");
		expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 1, output: expect.stringContaining(message) });

		// The file that belongs to the folder repairs it.
		bringBack(file, later, folder);
		await (await startServer(folder)).stop();
		expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
	},
	30_000,
);

describe("a main.db that is older by changes that no other file names", () => {
	/** How far main.db had come when usage.db was written. */
	const markIn = (folder: string): number => {
		using usage = new Database(join(folder, "usage.db"), { readonly: true });
		return usage.query<{ commits: number }, []>("SELECT commits FROM commit_marks").get()?.commits ?? 0;
	};
	const commitsOf = (folder: string): number => {
		using main = new Database(join(folder, "main.db"), { readonly: true });
		return main.query<{ commits: number }, []>("SELECT commits FROM main_revision").get()?.commits ?? 0;
	};

	test.each(["stopped", "killed"])(
		"is refused after the server was %s, and found by check",
		async (end) => {
			const [earlier, folder] = [join(parent, `marks-${end}-earlier`), join(parent, `marks-${end}`)];
			const first = await startServer(folder);
			await first.call("POST", "/customers", { id: "acme", name: "Acme" });
			await first.stop();
			cpSync(folder, earlier, { recursive: true });

			const server = await startServer(folder);
			for (const name of ["one", "two", "three"])
				expect((await server.call("PATCH", "/customers/acme", { name })).status).toBe(200);
			if (end === "stopped") await server.stop();
			else {
				await eventually(async () => (markIn(folder) === commitsOf(folder) ? true : undefined));
				await server.kill();
			}
			const later = join(parent, `marks-${end}-later`);
			// A killed server leaves its control socket, which no copy has.
			cpSync(folder, later, { recursive: true, filter: (path) => !path.endsWith(".sock") });

			bringBack("main", earlier, folder);
			const message = /main\.db is older than usage\.db: it has \d+ commits, and had \d+ when usage\.db was written\./;
			const ran = await runTollgate(folder, ["serve"]);
			expect(ran.status).toBe(1);
			expect(ran.errors).toMatch(message);
			expect(ran.errors).toContain("restore a backup into a new folder");
			expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 1, output: expect.stringMatching(message) });

			bringBack("main", later, folder);
			await (await startServer(folder)).stop();
			expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
		},
		60_000,
	);

	test("is found by events.db and deliveries.db too, where usage.db is gone", async () => {
		const folder = join(parent, "marks-others");
		const server = await startServer(folder);
		await report(server, "acme");
		await server.stop();
		for (const file of ["events", "deliveries"] as const) {
			const main = openFile(folder, "main", ["usage", "events", "deliveries"]).$client;
			expect(disagreements(main)).toEqual([]);
			const other = openFile(folder, file).$client;
			other.run("INSERT INTO commit_marks (id, commits) VALUES (1, 9999) ON CONFLICT DO UPDATE SET commits = 9999");
			expect(disagreements(main)).toEqual([expect.stringContaining(`main.db is older than ${file}.db`)]);
			other.run("UPDATE commit_marks SET commits = 1");
			for (const db of [main, other]) db.close();
		}
	}, 30_000);
});

test("a backup of a server that writes can be restored and started", async () => {
	const folder = join(parent, "writing");
	const server = await startServer(folder);
	await server.call("POST", "/customers", { id: "acme", name: "Acme" });
	let isWriting = true;
	const writing = (async () => {
		for (let at = 0; isWriting; at += 1) {
			await server.call("PATCH", "/customers/acme", { name: `name ${at}` });
			await server.call("POST", "/events", {
				events: [{ eventName: "call", customerId: "acme", idempotencyKey: String(at) }],
			});
		}
	})();
	const archive = join(parent, "writing.tgz");
	expect(await runTollgate(folder, ["backup", archive])).toMatchObject({ status: 0 });
	isWriting = false;
	await writing;
	await server.stop();
	const restored = join(parent, "writing-restored");
	expect(await runTollgate(restored, ["restore", archive])).toMatchObject({ status: 0 });
	await (await startServer(restored)).stop();
	expect(await runTollgate(restored, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
}, 60_000);

test("a usage.db that is older, or gone, is counted on from the log", async () => {
	const { earlier, later } = await twoStates();
	const folder = join(parent, "older-usage");
	cpSync(later, folder, { recursive: true });
	bringBack("usage", earlier, folder);
	await (await startServer(folder)).stop();
	expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
	for (const name of files(folder, "usage")) rmSync(join(folder, name));
	await (await startServer(folder)).stop();
	expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
}, 30_000);
