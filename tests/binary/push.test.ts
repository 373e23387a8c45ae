import { afterAll, expect, test } from "bun:test";
import { begun, connect, documents, type Pushed, subscribe } from "../graphql/push/client";
import { eventually, type RunningServer, startServer, temporaryFolder, testKey } from "../support/process";

const { folder, remove } = temporaryFolder();
afterAll(remove);

const customerId = "ada";
const featureId = "feature-api-calls";

async function ask(server: RunningServer, query: string, variables: object = {}): Promise<Pushed> {
	const { status, body } = await server.call("POST", "/graphql", { query, variables });
	expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
	return body.data;
}

const usage = async (server: RunningServer): Promise<number | undefined> => {
	const query =
		"query ($query: FetchEntitlementsQuery!) { cachedEntitlements(query: $query) { currentUsage feature { refId } } }";
	const { cachedEntitlements } = await ask(server, query, { query: { customerId } });
	return cachedEntitlements.find((one: Pushed) => one.feature.refId === featureId)?.currentUsage;
};

const report = (server: RunningServer, idempotencyKey: string) =>
	ask(server, "mutation ($input: UsageEventsReportInput!) { reportEvent(input: $input) }", {
		input: { usageEvents: [{ eventName: "api_call", customerId, idempotencyKey }] },
	});

test("a client starts up, provisions, checks, reports, receives pushes, and reconnects after kill -9", async () => {
	const settings = { TOLLGATE_DEMO: "1", TOLLGATE_HTTP_THREADS: "2" };
	let server = await startServer(folder, settings);
	// The client asks where to connect each time: another start listens at another port.
	const times: number[] = [];
	const client = connect(server.url, testKey, {
		...{ url: () => `${server.url.replace("http", "ws")}/graphql`, retryAttempts: Number.POSITIVE_INFINITY },
		...{
			shouldRetry: () => true,
			retryWait: () => Bun.sleep(100),
			on: { connected: () => void times.push(Date.now()) },
		},
	});
	const pushes = subscribe(client, documents.usageUpdated);
	const entitlements = subscribe(client, documents.entitlementsUpdatedV2);
	const counts = (currentUsage: number) => (pushed: Pushed) =>
		pushed.usage.customerId === customerId && pushed.usage.currentUsage === currentUsage;
	await begun(client);

	expect(await ask(server, "{ sdkConfiguration { sentryDsn } }")).toEqual({ sdkConfiguration: { sentryDsn: null } });
	const provision = `mutation ($input: ProvisionCustomerInput!) {
		provisionCustomer(input: $input) { customer { refId } subscription { status plan { refId } } }
	}`;
	const input = { customerId, subscriptionParams: { planId: "plan-free" } };
	expect((await ask(server, provision, { input })).provisionCustomer).toMatchObject({
		customer: { refId: customerId },
		subscription: { status: "ACTIVE", plan: { refId: "plan-free" } },
	});
	const sold = await entitlements.until((pushed) => pushed.customerId === customerId && pushed.entitlements.length > 0);
	expect(sold.entitlements.map((one: Pushed) => one.feature.refId)).toContain(featureId);
	expect(await usage(server)).toBe(0);
	await report(server, "1");
	expect((await pushes.until(counts(1))).entitlement).toMatchObject({ currentUsage: 1, isGranted: true });

	await server.kill();
	server = await startServer(folder, settings);
	await eventually(async () => (times.length > 1 ? true : undefined));
	await begun(client);
	// Nothing of the past is pushed: the client reads it again.
	expect(await eventually(async () => ((await usage(server)) === 1 ? true : undefined))).toBe(true);
	await report(server, "2");
	expect((await pushes.until(counts(2))).usage).toMatchObject({ customerId, featureId });
	void client.dispose();
	expect(await server.stop()).toBe(0);
}, 120_000);
