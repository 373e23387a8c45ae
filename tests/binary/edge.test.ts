import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { begun, connect, documents, subscribe } from "../graphql/push/client";
import { eventually, type RunningServer, startServer, temporaryFolder, testKey } from "../support/process";

const allowed = "{ sdkConfiguration { sentryDsn } }";

describe("a server with two threads that serve, and a list of operations", () => {
	let server: RunningServer;
	const data = temporaryFolder();
	beforeAll(async () => {
		const operations = join(data.folder, "operations.json");
		writeFileSync(operations, JSON.stringify([allowed, documents.entitlementsUpdatedV2]));
		server = await startServer(data.folder, {
			...{ TOLLGATE_DEMO: "1", TOLLGATE_HTTP_THREADS: "2", TOLLGATE_EDGE_CALLS_PER_SECOND: "500" },
			...{ TOLLGATE_GRAPHQL_OPERATIONS: operations, TOLLGATE_GRAPHQL_INTROSPECTION: "0" },
		});
	}, 60_000);
	afterAll(async () => {
		await server.stop();
		data.remove();
	});

	test("counts the reads of an address on both of them together", async () => {
		// Each on a connection of its own, which the system gives to either thread.
		const read = async () => {
			const headers = { "x-api-key": testKey, connection: "close" };
			const answer = await fetch(`${server.url}/v1/config/server-sdk-configuration.json`, {
				headers,
				keepalive: false,
			});
			await answer.text();
			return Number(answer.headers.get("ratelimit-limit")) - Number(answer.headers.get("ratelimit-remaining"));
		};
		const counted = await eventually(async () => {
			// Entries that the server's start or an earlier try has counted expire first: they would expire meanwhile.
			await Bun.sleep(1100);
			const begunAt = Date.now();
			await Promise.all(Array.from({ length: 40 }, read));
			const last = await read();
			// Else the first expire before the last is counted.
			return Date.now() - begunAt < 600 ? last : undefined;
		});
		expect(counted).toBe(41);
	}, 60_000);

	test("pushes what is in the list, and nothing else", async () => {
		const client = connect(server.url, testKey);
		const refused = async (query: string) =>
			JSON.stringify(
				await subscribe(client, query)
					.next()
					.catch((error: unknown) => error),
			);
		expect(await refused(documents.usageUpdated)).toContain("TOLLGATE_GRAPHQL_OPERATIONS");
		expect(await refused(`${documents.entitlementsUpdatedV2} `)).toContain("TOLLGATE_GRAPHQL_OPERATIONS");
		const pushes = subscribe(client, documents.entitlementsUpdatedV2);
		await begun(client);
		expect((await server.call("POST", "/customers", { id: "listed" })).status).toBe(201);
		expect(await pushes.until(({ customerId }) => customerId === "listed")).toMatchObject({ entitlements: [] });
		void client.dispose();
		expect((await server.call("POST", "/graphql", { query: allowed })).body.data).toEqual({
			sdkConfiguration: { sentryDsn: null },
		});
	}, 60_000);
});
