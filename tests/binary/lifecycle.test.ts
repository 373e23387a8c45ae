import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
	ended,
	runTollgate,
	spawnTollgate,
	startServer,
	temporaryFolder,
	testKey,
	testPublishableKey,
} from "../support/process";

const { folder: parent, remove } = temporaryFolder();
let count = 0;
const fresh = () => join(parent, String(++count));
afterAll(remove);

describe("the first start", () => {
	test("keeps the keys in a private file and says where, is ready, and stops on SIGTERM", async () => {
		const folder = fresh();
		const server = await startServer(folder);
		expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
		expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
		expect(await server.stop()).toBe(0);
		// Standard output is no terminal here: what collects it gets lines of JSON, and no key.
		const lines = server.output().trim().split("\n");
		for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: "info", msg: expect.any(String) });
		expect(server.output()).toContain(JSON.stringify(join(folder, "initial-keys.txt")));
		expect(server.output()).not.toContain(testKey);
		expect(server.output()).not.toContain(testPublishableKey);
		expect(readFileSync(join(folder, "initial-keys.txt"), "utf8")).toContain(testKey);
		expect(readFileSync(join(folder, "initial-keys.txt"), "utf8")).toContain(testPublishableKey);
		expect(statSync(join(folder, "initial-keys.txt")).mode & 0o777).toBe(0o600);

		const again = await startServer(folder);
		await again.stop();
		expect(again.output()).not.toContain("initial-keys.txt");
	});

	test("nothing that lies in the folder or the log holds a secret in clear, but the private file", async () => {
		const folder = fresh();
		const server = await startServer(folder, { TOLLGATE_LOG_LEVEL: "trace" });
		await server.call("GET", "/products");
		await server.call("GET", "/products", undefined, "server-a-wrong-key-that-was-sent");
		await server.stop();
		expect(readFileSync(join(folder, "main.db")).includes(testKey)).toBe(false);
		expect(server.output()).not.toContain(testKey);
		expect(server.output()).not.toContain("a-wrong-key-that-was-sent");
	});

	test("a second process on the same folder is refused with a clear message", async () => {
		const folder = fresh();
		const server = await startServer(folder);
		const second = await runTollgate(folder, ["serve"]);
		expect(second.status).toBe(1);
		expect(second.errors).toContain("in use by another Tollgate");
		expect((await server.call("GET", "/products")).status).toBe(200);
		await server.stop();
	});
});

describe("the command line", () => {
	test.each([
		[["--help"], 0, "Usage: tollgate"],
		[["keys", "--help"], 0, "keys"],
		[["nonsense"], 2, "unknown command"],
		[["keys", "create"], 2, "--name"],
		[["keys", "create", "--name", "x", "--scope", "NOTHING:READ"], 2, "RESOURCE:READ"],
	])("%p ends with %p", async (args, status, text) => {
		const ran = await runTollgate(fresh(), args);
		expect(ran.status).toBe(status);
		expect(ran.output + ran.errors).toContain(text);
	});

	test("a wrong setting is named, and is wrong usage", async () => {
		const ran = await runTollgate(fresh(), ["serve"], { TOLLGATE_PORT: "http" });
		expect(ran).toMatchObject({ status: 2, errors: expect.stringContaining("TOLLGATE_PORT") });
	});

	test.each([
		[["environments", "set"], "Name what is to change"],
		[["environments", "create", "--name", " "], "A name has 1 to 255 characters"],
		[["environments", "create", "--name", "n".repeat(256)], "A name has 1 to 255 characters"],
		[["environments", "create", "--name", "a", "--account", ""], "A name has 1 to 255 characters"],
		[["keys", "create", "--name", "", "--scope", "CUSTOMER:READ"], "A name has 1 to 255 characters"],
	])("%p is wrong usage, and changes nothing", async (args, message) => {
		const folder = fresh();
		const ran = await runTollgate(folder, args);
		expect(ran.errors).not.toContain("    at ");
		expect(ran).toMatchObject({ status: 2, output: "", errors: expect.stringContaining(message) });
	});

	test("keys are made, listed, rotated and revoked while the server runs, and count at once", async () => {
		const folder = fresh();
		const server = await startServer(folder);
		const made = await runTollgate(folder, ["keys", "create", "--name", "Reader", "--scope", "catalog:read"]);
		const [id = "", secret = ""] = made.output.trim().split(/\s+/);
		expect((await server.call("GET", "/products", undefined, secret)).status).toBe(200);
		expect((await server.call("POST", "/products", { id: "a", displayName: "A" }, secret)).status).toBe(403);

		const rotated = await runTollgate(folder, ["keys", "rotate", id]);
		const [newId = "", newSecret = ""] = rotated.output.trim().split(/\s+/);
		expect((await server.call("GET", "/products", undefined, secret)).status).toBe(401);
		expect((await server.call("GET", "/products", undefined, newSecret)).status).toBe(200);

		expect((await runTollgate(folder, ["keys", "revoke", newId])).status).toBe(0);
		expect((await server.call("GET", "/products", undefined, newSecret)).status).toBe(401);
		const listed = await runTollgate(folder, ["keys", "list"]);
		expect(listed.output).toContain("Reader");
		expect(listed.output).not.toContain(newSecret);
		await server.stop();
	});

	test("a user signs in, names the environment, and signs out", async () => {
		const folder = fresh();
		const server = await startServer(folder);
		const created = await runTollgate(folder, [
			"users",
			"create",
			"--email",
			"Ada@example.com",
			"--password",
			"a long pass phrase",
		]);
		expect(created).toMatchObject({ status: 0, output: expect.stringContaining("ada@example.com") });
		const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
			fetch(`${server.url}/api/v1${path}`, {
				method: "POST",
				headers: { "content-type": "application/json", ...headers },
				body: JSON.stringify(body),
			});
		expect((await post("/auth/login", { email: "ada@example.com", password: "wrong" })).status).toBe(401);
		const login = (await (
			await post("/auth/login", { email: "ada@example.com", password: "a long pass phrase" })
		).json()) as {
			data: { token: string };
		};
		const authorization = { authorization: `Bearer ${login.data.token}` };
		const get = (path: string, headers: Record<string, string>) => fetch(`${server.url}/api/v1${path}`, { headers });
		const me = (await (await get("/me", authorization)).json()) as {
			data: { memberships: Array<{ environments: Array<{ id: string }> }> };
		};
		const environment = me.data.memberships[0]?.environments[0]?.id ?? "";
		expect((await get("/products", authorization)).status).toBe(400);
		expect((await get("/products", { ...authorization, "x-environment-id": "unknown" })).status).toBe(404);
		expect((await get("/products", { ...authorization, "x-environment-id": environment })).status).toBe(200);
		expect((await post("/auth/logout", {}, authorization)).status).toBe(200);
		expect((await get("/me", authorization)).status).toBe(401);
		await server.stop();
	});
});

describe("a signal while the server starts", () => {
	test.each([1, 2, 3])(
		"drains once a probe was answered: try %p",
		async () => {
			const folder = fresh();
			await (await startServer(folder)).stop();
			const free = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
			const { port } = free;
			free.stop(true);
			const child = spawnTollgate(folder, ["serve"], { TOLLGATE_PORT: String(port) });
			const ends = ended(child);
			const isReady = () =>
				fetch(`http://127.0.0.1:${port}/readyz`).then(
					({ ok }) => ok,
					() => false,
				);
			while (!(await isReady()));
			child.kill("SIGTERM");
			const { status, output } = await ends;
			expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('"msg":"stopped"') });
		},
		60_000,
	);
});

describe("a folder that cannot be written", () => {
	test("ends in a clear error", async () => {
		const folder = fresh();
		// The root user may write anywhere, so the folder is replaced by a file.
		const blocked = join(folder, "initial-keys.txt");
		await Bun.write(blocked, "");
		chmodSync(blocked, 0o400);
		const ran = await runTollgate(join(blocked, "data"), ["serve"]);
		expect(ran.status).toBe(1);
		expect(ran.errors).toMatch(/data folder/);
		expect(ran.errors).not.toContain("    at ");
	});
});

describe("backup and restore", () => {
	test("a backup of a running server fills a new folder, with the same keys and data", async () => {
		const folder = fresh();
		const server = await startServer(folder);
		await server.call("POST", "/products", { id: "kept", displayName: "Kept" });
		const file = `${fresh()}.tar.gz`;
		expect(await runTollgate(folder, ["backup", file])).toMatchObject({ status: 0 });
		await server.call("POST", "/products", { id: "later", displayName: "Later" });
		await server.stop();

		const other = fresh();
		expect(await runTollgate(other, ["restore", file])).toMatchObject({ status: 0 });
		expect(await runTollgate(other, ["restore", file])).toMatchObject({
			status: 1,
			errors: expect.stringContaining("not empty"),
		});
		expect(await runTollgate(other, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
		const restored = await startServer(other);
		const { body } = await restored.call("GET", "/products");
		expect(body.data.map(({ id }: { id: string }) => id)).toEqual(["kept"]);
		await restored.stop();
	});
});
