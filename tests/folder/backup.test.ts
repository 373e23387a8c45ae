import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	chmodSync,
	existsSync,
	linkSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { create, extract } from "tar";
import { verifyArchive } from "../../src/folder/archive";
import { restore } from "../../src/folder/backup";
import { FolderError } from "../../src/kernel/errors";
import { filePath } from "../../src/kernel/storage/db";
import { receiver } from "../areas/webhooks/support";
import {
	eventually,
	type RunningServer,
	runTollgate,
	spawnTollgate,
	startServer,
	temporaryFolder,
} from "../support/process";

const { folder: parent, remove } = temporaryFolder();
let count = 0;
const fresh = () => join(parent, String(++count));
let server: RunningServer;
const data = fresh();
const archive = join(parent, "backup.tar.gz");

beforeAll(async () => {
	server = await startServer(data);
	await server.call("POST", "/products", { id: "kept", displayName: "Kept" });
	await runTollgate(data, ["backup", archive]);
});
afterAll(async () => {
	await server.stop();
	remove();
});

/** The names of an archive of an earlier version, which had no manifest. */
const oldNames = ["usage.db", "events.db", "main.db", "secret"];

/** The archive unpacked, changed, and packed again. */
async function changed(
	change: (folder: string) => void,
	names = ["manifest.json", "deliveries.db", "audit-anchor.json", ...oldNames],
): Promise<string> {
	const folder = fresh();
	mkdirSync(folder);
	await extract({ file: archive, cwd: folder });
	change(folder);
	const file = `${folder}.tar.gz`;
	await create({ gzip: true, file, cwd: folder, portable: true, preservePaths: true }, names);
	return file;
}

const products = async (folder: string): Promise<string[]> => {
	const restored = await startServer(folder);
	const { body } = await restored.call("GET", "/products");
	await restored.stop();
	return body.data.map(({ id }: { id: string }) => id);
};

/** Expects the archive to be refused by both commands, in a sentence, and nothing to be made. */
async function expectRefused(file: string, message: string): Promise<void> {
	const folder = fresh();
	for (const command of [() => verifyArchive(file), () => restore(file, folder)]) {
		const refusal: unknown = await command().catch((error: unknown) => error);
		expect(refusal).toBeInstanceOf(FolderError);
		expect(String(refusal)).toContain(message);
	}
	expect(existsSync(folder)).toBe(false);
}

describe("a backup", () => {
	test("is verified, restored and started, and leaves nothing next to itself", async () => {
		const verified = await runTollgate(fresh(), ["backup", "--verify", archive]);
		expect(verified.output).toContain("is sound: made at 20");
		expect(verified.status).toBe(0);
		const folder = fresh();
		expect((await runTollgate(folder, ["restore", archive])).status).toBe(0);
		expect(readdirSync(folder)).not.toContain("unfinished.txt");
		expect(await products(folder)).toEqual(["kept"]);
		expect(readFileSync(join(folder, "secret"), "utf8")).toBe(readFileSync(join(data, "secret"), "utf8"));
		expect(readdirSync(data)).not.toContain("backup.tmp");
		expect(readdirSync(dirname(archive)).filter((name) => name.includes(".part"))).toEqual([]);
	}, 30_000);

	test("from a version without checksums is restored, and the output names the unchecked parts", async () => {
		const old = await changed(() => {}, oldNames);
		const folder = fresh();
		const ran = await runTollgate(folder, ["restore", old]);
		expect(ran.output).toContain("a version that wrote no checksums");
		expect(ran.status).toBe(0);
		expect(await products(folder)).toEqual(["kept"]);
	}, 30_000);

	test("from a version without deliveries is restored", async () => {
		const old = await changed(
			(folder) => {
				const path = join(folder, "manifest.json");
				const manifest = JSON.parse(readFileSync(path, "utf8"));
				const files = manifest.files.filter(({ name }: { name: string }) => oldNames.includes(name));
				writeFileSync(path, JSON.stringify({ ...manifest, files }));
			},
			["manifest.json", ...oldNames],
		);
		const folder = fresh();
		expect((await runTollgate(folder, ["restore", old])).status).toBe(0);
		expect(await products(folder)).toEqual(["kept"]);
	}, 30_000);

	test("takes along what waits to be sent again, and it is sent from the restored folder", async () => {
		let isDown = true;
		const { received, url, stop } = receiver(() => new Response("", { status: isDown ? 503 : 200 }));
		const allowing = { TOLLGATE_WEBHOOKS_ALLOW_PRIVATE: "1" };
		const [first, folder, file] = [fresh(), fresh(), `${fresh()}.tar.gz`];
		try {
			const failing = await startServer(first, allowing);
			const { id } = (await failing.call("POST", "/webhooks", { endpoint: url })).body.data;
			await failing.call("POST", "/customers", { id: "ada" });
			const waiting = await eventually(
				async () => (await failing.call("GET", `/webhooks/${id}/deliveries`)).body.data[0],
			);
			expect(waiting.status).toBe("PENDING");
			expect((await runTollgate(first, ["backup", file])).status).toBe(0);
			await failing.stop();
			expect((await runTollgate(folder, ["restore", file])).status).toBe(0);
			expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
			// Its time has come.
			const deliveries = new Database(filePath(folder, "deliveries"));
			deliveries.run("UPDATE deliveries SET next_attempt_at = 1 WHERE next_attempt_at IS NOT NULL");
			deliveries.close();
			isDown = false;
			const count = received.length;
			const restored = await startServer(folder, allowing);
			const sent = await eventually(async () => {
				const [delivery] = (await restored.call("GET", `/webhooks/${id}/deliveries`)).body.data;
				return delivery.status === "DELIVERED" ? delivery : undefined;
			});
			await restored.stop();
			expect(sent.id).toBe(waiting.id);
			expect(sent.attempts).toHaveLength(4);
			expect(received.slice(count).map(({ body }) => body.messageId)).toEqual([waiting.messageId]);
		} finally {
			stop();
		}
	}, 30_000);

	test.each([1, 10, 30, 50, 70, 90, 99])("cut at %p per cent is refused", async (percent) => {
		const bytes = readFileSync(archive);
		const file = `${fresh()}.tar.gz`;
		writeFileSync(file, bytes.subarray(0, Math.floor((bytes.length * percent) / 100)));
		await expectRefused(file, "is cut short or damaged, or not a backup at all");
	});

	test("refused by either command ends it with one sentence, and nothing is created", async () => {
		const file = `${fresh()}.tar.gz`;
		writeFileSync(file, readFileSync(archive).subarray(0, 1000));
		const folder = fresh();
		for (const command of [["backup", "--verify"], ["restore"]]) {
			const { status, errors } = await runTollgate(folder, [...command, file]);
			expect(status).toBe(1);
			expect(errors).toMatch(/^tollgate: .* is cut short or damaged, or not a backup at all .*\n$/);
		}
		expect(existsSync(folder)).toBe(false);
	});

	test("with another byte in a file is refused, and the file is named", async () => {
		const file = await changed((folder) => {
			const bytes = readFileSync(join(folder, "main.db"));
			bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
			writeFileSync(join(folder, "main.db"), bytes);
		});
		await expectRefused(file, "main.db is not what was written");
	});

	test("with a flipped bit of the archive itself is refused", async () => {
		const bytes = readFileSync(archive);
		const at = bytes.length >> 1;
		bytes[at] = (bytes[at] ?? 0) ^ 1;
		const file = `${fresh()}.tar.gz`;
		writeFileSync(file, bytes);
		await expectRefused(file, "Use another one");
	});

	test("with a damaged database is refused where there are no checksums", async () => {
		const file = await changed((folder) => {
			const bytes = readFileSync(join(folder, "main.db"));
			bytes.fill(0xff, 8192, 16_384);
			writeFileSync(join(folder, "main.db"), bytes);
		}, oldNames);
		const folder = fresh();
		expect((await runTollgate(folder, ["restore", file])).status).toBe(1);
		expect(readdirSync(folder).filter((name) => name.startsWith("main.db") || name.startsWith("unfinished"))).toEqual(
			[],
		);
		// The folder is as empty as it was: a sound one fills it.
		expect((await runTollgate(folder, ["restore", archive])).status).toBe(0);
	});

	test("with files from different times is refused", async () => {
		const other = fresh();
		const second = await startServer(other);
		await second.call("POST", "/customers", { id: "customer" });
		await second.call("POST", "/events", {
			events: [{ eventName: "call", customerId: "customer", idempotencyKey: "1" }],
		});
		const mixed = join(parent, "mixed.tar.gz");
		await runTollgate(other, ["backup", mixed]);
		await second.stop();
		const file = await changed((folder) => {
			void extract({ file: mixed, cwd: folder, sync: true }, ["events.db"]);
		}, oldNames);
		const folder = fresh();
		const ran = await runTollgate(folder, ["restore", file]);
		expect(ran.errors).toContain("main.db is older than events.db");
		expect(existsSync(join(folder, "main.db"))).toBe(false);
	}, 30_000);
});

describe("an archive that would write elsewhere", () => {
	const outside = join(parent, "outside");

	test.each<[string, (folder: string) => void, string[]]>([
		["a symbolic link", (folder) => symlinkSync(outside, join(folder, "link")), ["link"]],
		["a file that is a link", (folder) => relink(folder, "main.db"), []],
		["a path upwards", () => writeFileSync(join(parent, "up"), "x"), ["../up"]],
		["an absolute path", () => writeFileSync(join(parent, "up"), "x"), [join(parent, "up")]],
		["a folder", (folder) => mkdirSync(join(folder, "more")), ["more"]],
		["a hard link", (folder) => linkSync(join(folder, "main.db"), join(folder, "again")), ["again"]],
		["a file twice", () => {}, ["secret"]],
	])("by %s is refused, and touches nothing", async (_, change, more) => {
		for (const names of [oldNames, ["manifest.json", ...oldNames]])
			await expectRefused(await changed(change, [...names, ...more]), "is not a backup of Tollgate");
		expect(existsSync(outside)).toBe(false);
	});

	const relink = (folder: string, name: string): void => {
		rmSync(join(folder, name));
		symlinkSync(outside, join(folder, name));
	};
});

describe("a command that was killed", () => {
	test("a restore: the next one begins again, and the server does not start on half of one", async () => {
		const folder = fresh();
		mkdirSync(folder);
		writeFileSync(join(folder, "unfinished.txt"), "restore");
		writeFileSync(join(folder, "events.db"), "half");
		writeFileSync(join(folder, "main.db"), "");
		expect((await runTollgate(folder, ["serve"])).errors).toContain("restore the backup again");
		expect((await runTollgate(folder, ["restore", archive])).status).toBe(0);
		expect(await products(folder)).toEqual(["kept"]);
	}, 30_000);

	test("a backup: the next one deletes what it has left, wherever that lies", async () => {
		const elsewhere = fresh();
		mkdirSync(elsewhere);
		const part = join(elsewhere, "old.tar.gz.part");
		writeFileSync(part, "half");
		mkdirSync(join(data, "backup.tmp"));
		writeFileSync(join(data, "backup.tmp", "main.db"), "half");
		writeFileSync(join(data, "backup.tmp", "archive.txt"), part);
		const file = `${fresh()}.tar.gz`;
		expect((await runTollgate(data, ["backup", file])).status).toBe(0);
		expect(readdirSync(elsewhere)).toEqual([]);
		expect(readdirSync(data)).not.toContain("backup.tmp");
		expect((await runTollgate(data, ["backup", "--verify", file])).status).toBe(0);
	});

	test("a backup, at any moment: no half archive ever has the name", async () => {
		const file = `${fresh()}.tar.gz`;
		for (const afterMs of [150, 250, 350]) {
			const child = spawnTollgate(data, ["backup", file]);
			await Bun.sleep(afterMs);
			child.kill("SIGKILL");
			await child.exited;
			if (existsSync(file)) break;
		}
		if (!existsSync(file)) expect((await runTollgate(data, ["backup", file])).status).toBe(0);
		expect((await runTollgate(data, ["backup", "--verify", file])).status).toBe(0);
	});
});

describe("permissions for others on the machine", () => {
	const modes = (folder: string): Record<string, string> =>
		Object.fromEntries(
			readdirSync(folder, { recursive: true })
				.map(String)
				.map((name) => [name, statSync(join(folder, name))] as const)
				.filter(([, found]) => (found.mode & 0o077) !== 0)
				.map(([name, found]) => [name, found.mode.toString(8)]),
		);

	test("are never set by Tollgate: on files, folders, backups", async () => {
		expect(modes(data)).toEqual({});
		expect(statSync(data).mode & 0o777).toBe(0o700);
		expect(statSync(archive).mode & 0o777).toBe(0o600);
		const folder = fresh();
		await runTollgate(folder, ["restore", archive]);
		expect(modes(folder)).toEqual({});
	});

	test("are removed in a folder that was open, but the folder itself stays as its owner has it", async () => {
		const folder = fresh();
		mkdirSync(folder);
		chmodSync(folder, 0o755);
		expect((await runTollgate(folder, ["restore", archive])).status).toBe(0);
		for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
		const opened = await startServer(folder);
		expect(modes(folder)).toEqual({});
		await opened.stop();
		expect(statSync(folder).mode & 0o777).toBe(0o755);
	});
});
