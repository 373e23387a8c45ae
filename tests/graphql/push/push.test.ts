import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "graphql-ws";
import { item } from "../../areas/promotional-entitlements/grants";
import { type RunningServer, startServer, temporaryFolder, testKey } from "../../support/process";
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
			const update = await usageV2.until((pushed) => of("ada")(pushed) && pushed.usage.currentUsage === 1);
			expect(update.entitlementReference).toEqual({ type: "FEATURE", id: "feature-api-calls" });
			expect(Date.parse(update.usage.usageUpdatedAt)).toBeGreaterThan(0);
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

	const followed = async (...names: Array<keyof typeof documents>) => {
		const client = open();
		const subscriptions = names.map((name) => subscribe(client, documents[name]));
		await begun(client);
		return subscriptions;
	};
	const calls = (featureId: string, currentUsage: number) => (pushed: Pushed) =>
		pushed.usage?.featureId === featureId && pushed.usage.currentUsage === currentUsage;

	test("a subscription's life: sold, changed, cancelled", async () => {
		const [entitlements] = await followed("entitlementsUpdatedV2");
		await insist("POST", "/customers", { id: "life" });
		await insist("POST", "/subscriptions", { id: "life-1", customerId: "life", planId: "plan-free" });
		const named = (pushed: Pushed): string[] =>
			pushed.entitlements.flatMap((one: Pushed) => one.feature?.refId ?? one.currency.currencyId).sort();
		const free = ["feature-api-calls", "feature-projects", "feature-region"];
		expect(named(await entitlements?.until((pushed) => of("life")(pushed) && pushed.entitlements.length > 0))).toEqual(
			free,
		);
		await insist("POST", "/subscriptions", { customerId: "life", planId: "plan-enterprise", billingPeriod: "MONTHLY" });
		expect(named(await entitlements?.until(of("life")))).toContain("feature-sso");
		const [running] = await insist("GET", "/subscriptions?customerId=life&status=ACTIVE");
		await insist("POST", `/subscriptions/${running.id}/cancel`, { cancellationTime: "IMMEDIATE" });
		// The rest of the credits is shown still.
		const without = (pushed: Pushed) => of("life")(pushed) && !named(pushed).includes("feature-sso");
		expect(named(await entitlements?.until(without))).toEqual(["currency-ai-credits"]);
	}, 60_000);

	test("pushes a resource's own entitlements to the resource", async () => {
		const [usage] = await followed("usageUpdatedV2");
		await insist("POST", "/customers", { id: "owner" });
		await insist("POST", "/subscriptions", { customerId: "owner", planId: "plan-free", resourceId: "site-1" });
		await insist("POST", "/events", {
			events: [{ eventName: "api_call", customerId: "owner", resourceId: "site-1", idempotencyKey: "r1" }],
		});
		expect(await usage?.until((pushed) => of("owner")(pushed) && pushed.usage.currentUsage === 1)).toMatchObject({
			resourceId: "site-1",
			entitlementReference: { id: "feature-api-calls" },
		});
	}, 60_000);

	test("credits: granted, consumed", async () => {
		const [balance, usage] = await followed("creditBalanceUpdated", "usageUpdatedV2");
		await insist("POST", "/customers", { id: "miser" });
		const currencyId = "currency-ai-credits";
		await insist("POST", "/credits/grants", {
			...{ customerId: "miser", currencyId, displayName: "Gift", grantType: "PROMOTIONAL", amount: 10 },
		});
		const granted = { customerId: "miser", resourceId: null, currency: { currencyId }, validUntil: null };
		expect(await balance?.until(of("miser"))).toMatchObject({
			...granted,
			...{ currentBalance: 10, totalConsumed: 0, totalGranted: 10 },
		});
		await insist("POST", "/credits/consumption", {
			...{ customerId: "miser", currencyId, amount: 2.5, idempotencyKey: "c1" },
		});
		expect(await balance?.until((pushed) => of("miser")(pushed) && pushed.totalConsumed > 0)).toMatchObject({
			...{ currentBalance: 7.5, totalConsumed: 2.5, totalGranted: 10 },
		});
		expect(await usage?.until((pushed) => of("miser")(pushed) && pushed.usage.currentUsage > 0)).toMatchObject({
			...{ entitlementReference: { type: "CREDIT", id: currencyId }, usage: { currentUsage: 2.5 } },
		});
	}, 60_000);

	test("a publication, and what it changes for those who are moved", async () => {
		const [published, entitlements] = await followed("packagePublished", "entitlementsUpdatedV2");
		await insist("POST", "/customers", { id: "mover" });
		await insist("POST", "/subscriptions", { customerId: "mover", planId: "plan-free" });
		await entitlements?.until((pushed) => of("mover")(pushed) && pushed.entitlements.length === 3);
		await insist("POST", "/plans/plan-free/draft");
		await insist("POST", "/plans/plan-free/entitlements", { entitlements: [{ type: "FEATURE", id: "feature-sso" }] });
		await insist("POST", "/plans/plan-free/publish", { migrationType: "ALL_CUSTOMERS" });
		expect(await published?.next()).toEqual({ migrationType: "ALL_CUSTOMERS" });
		const moved = await entitlements?.until((pushed) => of("mover")(pushed) && pushed.entitlements.length === 4);
		expect(moved.entitlements.map((one: Pushed) => one.feature.refId)).toContain("feature-sso");
	}, 60_000);

	test("pushes an expiry, and a usage period that restarts", async () => {
		const [entitlements, usage] = await followed("entitlementsUpdatedV2", "usageUpdated");
		await insist("POST", "/customers", { id: "mayfly" });
		const customEndDate = new Date(Date.now() + 1_500).toISOString();
		await insist(
			"POST",
			"/customers/mayfly/promotional-entitlements",
			gift({ usageLimit: 1, period: "custom", customEndDate }),
		);
		await entitlements?.until((pushed) => of("mayfly")(pushed) && pushed.entitlements.length === 1);
		expect(
			await entitlements?.until((pushed) => of("mayfly")(pushed) && pushed.entitlements.length === 0),
		).toMatchObject({ accessDeniedReason: "NoActiveSubscription" });
		expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(customEndDate));

		await insist("POST", "/environments/current/clock", {});
		await insist("POST", "/customers", { id: "daily" });
		await insist("POST", "/customers/daily/promotional-entitlements", gift({ usageLimit: 5, resetPeriod: "DAY" }));
		await insist("POST", "/events", { events: [{ eventName: "api_call", customerId: "daily", idempotencyKey: "d1" }] });
		const used = await usage?.until((pushed) => of("daily")(pushed) && calls("feature-api-calls", 1)(pushed));
		const { usagePeriodEnd, nextResetDate } = used.usage;
		expect(nextResetDate).toBe(Date.parse(usagePeriodEnd));
		await insist("POST", "/environments/current/clock", { now: usagePeriodEnd });
		const reset = await usage?.until((pushed) => of("daily")(pushed) && calls("feature-api-calls", 0)(pushed));
		expect(reset.usage.usagePeriodStart).toBe(usagePeriodEnd);
		expect(reset.entitlement.currentUsage).toBe(0);
	}, 60_000);
});
