import { afterAll, expect, test } from "bun:test";
import { copyFileSync, cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

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

		// The file that belongs to the folder mends it.
		bringBack(file, later, folder);
		await (await startServer(folder)).stop();
		expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
	},
	30_000,
);

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
