import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";
import {
	type RunningServer,
	runTollgate,
	startServer,
	temporaryFolder,
	testKey,
	testPublishableKey,
} from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
let count = 0;
const fresh = () => join(parent, String(++count));

const signIn = ({ url }: RunningServer, email: string, client: string) =>
	fetch(`${url}/api/v1/auth/login`, {
		method: "POST",
		headers: { "content-type": "application/json", "x-forwarded-for": client, "x-forwarded-proto": "https" },
		body: JSON.stringify({ email, password: "wrong" }),
	});

/** Ten wrong passwords for ten people from one client, then one more from it and one from another client. */
async function lockOut(server: RunningServer): Promise<readonly [number, number]> {
	for (let at = 0; at < 10; at += 1)
		expect((await signIn(server, `p${at}@example.com`, "198.51.100.1")).status).toBe(401);
	const same = await signIn(server, "eve@example.com", "198.51.100.1");
	const other = await signIn(server, "ada@example.com", "198.51.100.2");
	return [same.status, other.status];
}

describe("TOLLGATE_TRUSTED_PROXIES", () => {
	test("pauses the client behind a trusted proxy, and nobody else behind it", async () => {
		const server = await startServer(fresh(), { TOLLGATE_TRUSTED_PROXIES: "10.0.0.0/8, 127.0.0.1" });
		expect(await lockOut(server)).toEqual([429, 401]);
		const answer = await signIn(server, "ada@example.com", "198.51.100.3");
		expect(answer.headers.get("strict-transport-security")).toContain("max-age");
		await server.stop();
		expect(server.output()).toContain('"client":"198.51.100.1"');
	}, 60_000);

	test("without it nobody is believed who it is", async () => {
		const server = await startServer(fresh());
		expect(await lockOut(server)).toEqual([429, 429]);
		const answer = await signIn(server, "ada@example.com", "198.51.100.3");
		expect(answer.headers.get("strict-transport-security")).toBeNull();
		await server.stop();
		expect(server.output()).not.toContain("198.51.100.1");
	}, 60_000);

	test("is named when it is wrong", async () => {
		const ran = await runTollgate(fresh(), ["serve"], { TOLLGATE_TRUSTED_PROXIES: "10.0.0.0/8,proxy.internal" });
		expect(ran).toMatchObject({ status: 2, errors: expect.stringContaining("TOLLGATE_TRUSTED_PROXIES must be") });
	});
});

describe("allowed origins", () => {
	const origin = "https://shop.example";
	const allowed = async ({ url }: RunningServer) =>
		(await fetch(`${url}/api/v1/plans`, { headers: { origin, "x-api-key": testPublishableKey } })).headers.get(
			"access-control-allow-origin",
		);

	test("are set, shown and cleared while the server runs", async () => {
		const folder = fresh();
		const server = await startServer(folder);
		const set = (origins: string) => runTollgate(folder, ["environments", "set", "--allowed-origins", origins]);
		expect(await allowed(server)).toBeNull();
		expect(await set(`${origin}, http://localhost:3000`)).toMatchObject({
			status: 0,
			output: expect.stringContaining(`allowed origins ${origin},http://localhost:3000`),
		});
		expect(await allowed(server)).toBe(origin);
		expect((await runTollgate(folder, ["environments", "list"])).output).toContain(origin);
		expect(await set("")).toMatchObject({ status: 0, output: expect.stringContaining("allowed origins none") });
		expect(await allowed(server)).toBeNull();
		await server.stop();
	});

	test.each([
		"*",
		"shop.example",
		"https://shop.example/",
		"https://shop.example/path",
		"HTTPS://shop.example",
		"null",
		"https://shop.example:443",
		"https://*.example",
	])("%s is none", async (text) => {
		const ran = await runTollgate(fresh(), ["environments", "set", "--allowed-origins", text]);
		expect(ran).toMatchObject({ status: 2, errors: expect.stringContaining("is no origin") });
	});
});

describe("a Host header", () => {
	test.each(["/graphql", "/api/v1/events"])("may be short: %s is served", async (path) => {
		const server = await startServer(fresh());
		const calls = ["db", "localhost"].map((host) =>
			fetch(`${server.url}${path}`, {
				method: "POST",
				headers: { host, "x-api-key": testKey, "content-type": "application/json" },
				body: JSON.stringify({ query: "{ __typename }" }),
			}),
		);
		const [short, long] = await Promise.all(calls.map(async (call) => (await call).json()));
		expect(short).toHaveProperty(path === "/graphql" ? "data" : "message");
		expect(short).toEqual(long);
		await server.stop();
	});
});

describe("a Host header that is none", () => {
	test.each(["[::bad", "a b", "a:99999", "%", ""])("'%s' is 400 with the error body", async (host) => {
		const server = await startServer(fresh());
		const answer = await new Promise<string>((resolve, reject) => {
			const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
			socket.once("data", (data) => {
				resolve(String(data));
				socket.destroy();
			});
			socket.once("error", reject);
			socket.write(`GET /api/v1/products HTTP/1.1\r\nHost: ${host}\r\nX-API-KEY: ${testKey}\r\n\r\n`);
		});
		expect(answer).toStartWith("HTTP/1.1 400");
		expect(answer).toContain('{"message":"The \'Host\' header is not a host.","code":null}');
		await server.stop();
		expect(server.output()).not.toContain('"level":"error"');
	});
});

describe("when nobody reads the log any more", () => {
	test("every answer is what it would be", async () => {
		const server = await startServer(fresh(), { TOLLGATE_LOG_LEVEL: "trace" });
		await server.stopReading();
		for (let round = 0; round < 3; round += 1) {
			expect(await server.call("GET", "/products")).toMatchObject({ status: 200 });
			expect(await server.call("GET", "/products", undefined, "server-nobody")).toMatchObject({ status: 401 });
			expect(await server.call("GET", "/nothing")).toMatchObject({ status: 404, body: { code: null } });
		}
		expect(await server.stop()).toBe(0);
	});
});
