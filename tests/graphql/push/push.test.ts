import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "graphql-ws";
import { type RunningServer, startServer, temporaryFolder, testKey } from "../../support/process";
import { item } from "../../areas/promotional-entitlements/grants";
import { begun, connect, documents, type Pushed, subscribe } from "./client";

const gift = (more: object) => ({
	promotionalEntitlements: [item("feature-api-calls", { period: "lifetime", ...more })],
});

describe("a running server with two threads that serve", () => {
	let server: RunningServer;
	const data = temporaryFolder();
	const clients: Client[] = [];
	beforeAll(async () => {
		server = await startServer(data.folder, { TOLLGATE_DEMO: "1", TOLLGATE_HTTP_THREADS: "2" });
	}, 60_000);
	afterAll(async () => {
		for (const client of clients) void client.dispose();
		await server.stop();
		data.remove();
	});
	const insist = async (method: string, path: string, body?: unknown) => {
		const answer = await server.call(method, path, body);
		if (answer.status > 201) throw new Error(JSON.stringify(answer.body));
		return answer.body.data;
	};
	const open = (): Client => {
		const client = connect(server.url, testKey);
		clients.push(client);
		return client;
	};
	const of = (customer: string) => (pushed: Pushed) =>
		pushed.customerId === customer || pushed.usage?.customerId === customer;

	test("entitlements and usage of all customers, to connections on each thread", async () => {
		// The system shares connections out among the threads: of several, both have some.
		const all = await Promise.all(
			Array.from({ length: 4 }, async () => {
				const client = open();
				const followed = {
					entitlements: subscribe(client, documents.entitlementsUpdated),
					entitlementsV2: subscribe(client, documents.entitlementsUpdatedV2),
					usage: subscribe(client, documents.usageUpdated),
					usageV2: subscribe(client, documents.usageUpdatedV2),
				};
				await begun(client);
				return followed;
			}),
		);
		await insist("POST", "/customers", { id: "ada" });
		for (const { entitlements, entitlementsV2 } of all) {
			expect(await entitlements.until(of("ada"))).toEqual({ customerId: "ada", resourceId: null, entitlements: [] });
			expect(await entitlementsV2.until(of("ada"))).toMatchObject({ accessDeniedReason: "NoActiveSubscription" });
		}
		await insist("POST", "/customers/ada/promotional-entitlements", gift({ usageLimit: 10 }));
		for (const { entitlements, entitlementsV2, usage } of all) {
			expect(await entitlements.until(of("ada"))).toMatchObject({
				entitlements: [
					{
						isGranted: true,
						customerId: "ada",
						usageLimit: 10,
						feature: { refId: "feature-api-calls", featureType: "NUMBER" },
					},
				],
			});
			expect(await entitlementsV2.until(of("ada"))).toMatchObject({
				accessDeniedReason: null,
				entitlements: [{ __typename: "FeatureEntitlement", usageLimit: 10, feature: { refId: "feature-api-calls" } }],
			});
			expect((await usage.until(of("ada"))).usage).toMatchObject({ featureId: "feature-api-calls", currentUsage: 0 });
		}
		await insist("POST", "/events", { events: [{ eventName: "api_call", customerId: "ada", idempotencyKey: "1" }] });
		for (const { usage, usageV2 } of all) {
			expect(await usage.until((pushed) => of("ada")(pushed) && pushed.usage.currentUsage === 1)).toMatchObject({
				usage: { customerId: "ada", resourceId: null, featureId: "feature-api-calls" },
				entitlement: { isGranted: true, currentUsage: 1, usageLimit: 10, feature: { refId: "feature-api-calls" } },
			});
			const told = await usageV2.until((pushed) => of("ada")(pushed) && pushed.usage.currentUsage === 1);
			expect(told.entitlementReference).toEqual({ type: "FEATURE", id: "feature-api-calls" });
			expect(Date.parse(told.usage.usageUpdatedAt)).toBeGreaterThan(0);
		}
		await insist("DELETE", "/customers/ada/promotional-entitlements/feature-api-calls");
		for (const { entitlements, entitlementsV2 } of all) {
			expect(await entitlements.until(of("ada"))).toMatchObject({ entitlements: [] });
			expect(await entitlementsV2.until(of("ada"))).toMatchObject({
				accessDeniedReason: "NoActiveSubscription",
				entitlements: [],
			});
		}
	}, 60_000);
});
