import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "graphql-ws";
import {
	type RunningServer,
	runTollgate,
	startServer,
	temporaryFolder,
	testKey,
	testPublishableKey,
} from "../../support/process";
import { begun, connect, documents, subscribe } from "./client";

interface Closed {
	readonly code: number;
	readonly reason: string;
}

describe("a connection", () => {
	let server: RunningServer;
	const data = temporaryFolder();
	const clients: Client[] = [];
	beforeAll(async () => {
		server = await startServer(data.folder, { TOLLGATE_DEMO: "1" });
	}, 60_000);
	afterAll(async () => {
		for (const client of clients) void client.dispose();
		await server.stop();
		data.remove();
	});
	const open = (key: string, more: object = {}): Client => {
		const client = connect(server.url, key, more);
		clients.push(client);
		return client;
	};
	const closed = (client: Client) =>
		new Promise<Closed>((resolve) => client.on("closed", (event) => resolve(event as Closed)));
	const madeKey = async (...scopes: string[]): Promise<[id: string, secret: string]> => {
		const { output } = await runTollgate(data.folder, [
			"keys",
			"create",
			"--name",
			"push",
			...scopes.flatMap((scope) => ["--scope", scope]),
		]);
		const [id = "", secret = ""] = output.trim().split(/\s+/);
		return [id, secret];
	};
	/** Plain messages, for what no client of the protocol sends. */
	const raw = (protocols: string[] = ["graphql-transport-ws"]) => {
		const socket = new WebSocket(`${server.url.replace("http", "ws")}/graphql`, protocols);
		const opened = new Promise<void>((resolve, reject) => {
			socket.onopen = () => resolve();
			socket.onerror = () => reject(new Error("refused"));
		});
		const end = new Promise<Closed>((resolve) => {
			socket.onclose = ({ code, reason }) => resolve({ code, reason });
		});
		const messages: string[] = [];
		socket.onmessage = ({ data: text }) => messages.push(String(text));
		return { socket, opened, end, messages, say: (message: object) => socket.send(JSON.stringify(message)) };
	};

	test.each([
		["an unknown key", { headers: { "X-API-KEY": "server-nobody" } }],
		["no key", {}],
		["headers that are none", { headers: 7 }],
		["a key that is no text", { headers: { "x-api-key": ["a"] } }],
		["a key that no header can hold", { headers: { "x-api-key": "a\nb" } }],
	])("with %s is closed with the reason that stops the clients", async (_, connectionParams) => {
		expect(await closed(open("", { connectionParams }))).toMatchObject({ code: 4403, reason: "Invalid API key" });
	});

	test("with a publishable key is closed with another reason", async () => {
		const { code, reason } = await closed(open(testPublishableKey));
		expect(code).toBe(4403);
		expect(reason).not.toBe("Invalid API key");
		expect(reason).not.toBe("");
	});

	test("ends when its key is revoked, and leaves those of others alone", async () => {
		const [id, secret] = await madeKey("CUSTOMER:READ");
		const [ours, theirs] = [open(testKey), open(secret)];
		subscribe(theirs, documents.usageUpdated)
			.next()
			.catch(() => {});
		await Promise.all([begun(ours), begun(theirs)]);
		const end = closed(theirs);
		await runTollgate(data.folder, ["keys", "revoke", id]);
		expect(await end).toMatchObject({ code: 4403, reason: "Invalid API key" });
		await begun(ours);
	}, 30_000);

	test("needs the scope of what it subscribes to", async () => {
		const [, secret] = await madeKey("CUSTOMER:READ");
		const client = open(secret);
		const refused = subscribe(client, documents.packagePublished).next();
		expect(await refused.catch(JSON.stringify)).toContain("AccessDeniedError");
	}, 30_000);

	test.each([
		["a query", "{ sdkConfiguration { sentryDsn } }", "queries and mutations go to POST /graphql"],
		["a mutation", "mutation { archiveCustomer(input: {}) { refId } }", "queries and mutations go to POST /graphql"],
		["bad syntax", "subscription {", "Syntax Error"],
		["an unknown field of the root", "subscription { nothing { id } }", "Cannot query field"],
		[
			"two fields of the root",
			"subscription { usageUpdated { entitlement { isGranted } } packagePublished { migrationType } }",
			"must select only one top level field",
		],
		[
			"too many aliases",
			`subscription { usageUpdated { ${Array.from({ length: 60 }, (_, at) => `a${at}: __typename`).join(" ")} } }`,
			"more than 50 aliases",
		],
		["too many tokens", `subscription { usageUpdated { ${"__typename ".repeat(5_000)} } }`, "tokens"],
		[
			"a variable of the wrong type",
			"subscription ($is: Boolean!) { usageUpdated { entitlement @include(if: $is) { isGranted } } }",
			"$is",
		],
	])("refuses %s, and goes on", async (_, query, message) => {
		const client = open(testKey);
		const refusal = await subscribe(client, query)
			.next()
			.catch((error: unknown) => error);
		const [error] = refusal as [{ message: string; extensions: { code: string } }];
		expect(error.message).toContain(message);
		expect(error.extensions.code).toBe("BadUserInput");
		await begun(client);
	});

	test("answers null for a field that it does not know", async () => {
		const client = open(testKey);
		const pushes = subscribe(client, "subscription { entitlementsUpdatedV2 { customerId later { than this } } }");
		await begun(client);
		await server.call("POST", "/customers", { id: "lenient" });
		expect(await pushes.until(({ customerId }) => customerId === "lenient")).toEqual({
			customerId: "lenient",
			later: null,
		});
	});

	test("tells no more of a subscription that was completed", async () => {
		const client = open(testKey);
		const [over, on] = [
			subscribe(client, documents.entitlementsUpdated),
			subscribe(client, documents.entitlementsUpdated),
		];
		await begun(client);
		await over.stop();
		await begun(client);
		await server.call("POST", "/customers", { id: "after-completion" });
		expect((await on.next()).customerId).toBe("after-completion");
	});

	test("has a bound for its subscriptions", async () => {
		const client = open(testKey);
		const all = Array.from({ length: 21 }, () =>
			subscribe(client, documents.packagePublished).next().catch(JSON.stringify),
		);
		expect(await Promise.race(all)).toContain("at most 20 subscriptions");
	});

	test("with too many messages is closed as throttled", async () => {
		const { opened, end, say } = raw();
		await opened;
		for (let count = 0; count < 200; count += 1) say({ type: "ping" });
		const { code, reason } = await end;
		expect(code).toBe(1013);
		expect(reason).toContain("ThrottlerException");
	});

	test.each([
		["no JSON", "{", 4400],
		["a message of no known type", '{"type":"hello"}', 4400],
		[
			"a subscription before it is initialised",
			'{"type":"subscribe","id":"1","payload":{"query":"subscription { a }"}}',
			4401,
		],
	])("with %s is closed", async (_, text, code) => {
		const { socket, opened, end } = raw();
		await opened;
		socket.send(text);
		expect((await end).code).toBe(code);
	});

	test("needs the protocol", async () => {
		for (const protocols of [[], ["graphql-ws"]]) await expect(raw(protocols).opened).rejects.toThrow("refused");
	});

	test("is not what an HTTP request gets", async () => {
		const { status, body } = await server.call("POST", "/graphql", { query: documents.packagePublished });
		expect(status).toBe(200);
		expect(body.errors[0].message).toContain("graphql-transport-ws");
		expect((await server.call("GET", "/graphql")).status).toBe(405);
	});

	test("without a reader is ended, and others receive their events meanwhile", async () => {
		const ours = open(testKey);
		const pushes = subscribe(ours, documents.entitlementsUpdated);
		await begun(ours);
		const { hostname, port } = new URL(server.url);
		const isClosed = Promise.withResolvers<void>();
		const lines = ["GET /graphql HTTP/1.1", `Host: ${hostname}`, "Upgrade: websocket", "Connection: Upgrade"];
		const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
		const head = [...lines, key, "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: graphql-transport-ws", "", ""];
		const slow = await Bun.connect({
			hostname,
			port: Number(port),
			socket: { data: () => {}, close: () => isClosed.resolve(), error: () => isClosed.resolve() },
		});
		slow.write(head.join("\r\n"));
		await Bun.sleep(200);
		slow.write(frame({ type: "connection_init", payload: { headers: { "X-API-KEY": testKey } } }));
		for (let id = 0; id < 20; id += 1)
			slow.write(frame({ type: "subscribe", id: String(id), payload: { query: documents.entitlementsUpdatedV2 } }));
		await Bun.sleep(200);
		slow.pause();
		for (let round = 0; round < 40; round += 1) {
			const ids = Array.from({ length: 50 }, (_, at) => `flood-${round}-${at}-${"x".repeat(200)}`);
			await Promise.all(ids.map((id) => server.call("POST", "/customers", { id })));
		}
		await pushes.until(({ customerId }) => customerId.startsWith("flood-39-"));
		slow.resume();
		await isClosed.promise;
		await begun(ours);
	}, 120_000);
});

/** A text of the client's, masked as the protocol wants it: by zeros. */
function frame(message: object): Uint8Array {
	const text = new TextEncoder().encode(JSON.stringify(message));
	const length = text.length < 126 ? [0x80 | text.length] : [0x80 | 126, text.length >> 8, text.length & 255];
	return new Uint8Array([0x81, ...length, 0, 0, 0, 0, ...text]);
}
