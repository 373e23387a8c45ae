import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { eventually, type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

/** A plan that prices the events `call` at half a token each, and the customer who has it. */
async function seed(server: RunningServer): Promise<void> {
	const ok = async (method: string, path: string, body?: object) => {
		const answer = await server.call(method, path, body);
		if (answer.status > 201) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
	};
	const filters = [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "call" }] }];
	const creditRate = { amount: 0.5, currencyId: "tokens" };
	const pricePeriods = [{ billingPeriod: "MONTHLY", creditRate }];
	await ok("POST", "/products", { id: "app", displayName: "App" });
	await ok("POST", "/credits/custom-currencies", {
		...{ id: "tokens", displayName: "Tokens" },
		units: { singular: "token", plural: "tokens" },
	});
	await ok("POST", "/features", { id: "calls", displayName: "Calls", featureType: "NUMBER", meterType: "INCREMENTAL" });
	await ok("PATCH", "/features/calls", { meter: { aggregation: { function: "COUNT" }, filters } });
	await ok("POST", "/plans", { id: "team", displayName: "Team", productId: "app" });
	await ok("POST", "/plans/team/entitlements", {
		entitlements: [
			{ type: "FEATURE", id: "calls", hasUnlimitedUsage: true },
			{ type: "CREDIT", id: "tokens", amount: 100, cadence: "MONTH" },
		],
	});
	await ok("PATCH", "/plans/team", {
		charges: {
			pricingType: "PAID",
			pricingModels: [{ billingModel: "CREDIT_BASED", featureId: "calls", pricePeriods }],
		},
	});
	await ok("POST", "/plans/team/publish", { migrationType: "NEW_CUSTOMERS" });
	await ok("POST", "/customers", { id: "acme" });
	await ok("POST", "/subscriptions", { customerId: "acme", planId: "team", billingPeriod: "MONTHLY" });
}

const used = async (server: RunningServer): Promise<number> => {
	const { body } = await server.call("GET", "/customers/acme/entitlements/check?currencyId=tokens");
	return body.data.currentUsage;
};

test("kill -9 while events take credits: each that was acknowledged takes them, and none takes them twice", async () => {
	const folder = join(parent, "killed");
	let server = await startServer(folder);
	await seed(server);
	let keys = 0;
	const acknowledged: string[] = [];
	const batch = () =>
		Array.from({ length: 50 }, () => {
			keys += 1;
			return { eventName: "call", customerId: "acme", idempotencyKey: `k${keys}` };
		});
	for (let round = 0; round < 4; round += 1) {
		const ended = new AbortController();
		const sent: Array<ReturnType<typeof batch>> = [];
		const senders = Array.from({ length: 4 }, async () => {
			while (!ended.signal.aborted) {
				const events = batch();
				sent.push(events);
				const answer = await server.call("POST", "/events", { events }).catch(() => undefined);
				if (answer?.status !== 200) return;
				acknowledged.push(...events.map(({ idempotencyKey }) => idempotencyKey));
			}
		});
		// Until some were stored: so the server dies while it works.
		const before = await used(server);
		await eventually(async () => ((await used(server)) > before ? true : undefined));
		await server.kill();
		ended.abort();
		await Promise.all(senders);
		server = await startServer(folder);
		// A caller without an answer sends again.
		for (const events of sent) expect((await server.call("POST", "/events", { events })).status).toBe(200);
	}
	await eventually(async () => ((await used(server)) >= keys / 2 ? true : undefined));
	expect(await used(server)).toBe(keys / 2);
	expect(acknowledged.length).toBeGreaterThan(0);
	const [first] = acknowledged;
	const gone = [{ customerId: "acme", eventName: "call", idempotencyKey: first }];
	expect((await server.call("POST", "/events/cancel", { events: gone })).status).toBe(200);
	await eventually(async () => ((await used(server)) < keys / 2 ? true : undefined));
	expect(await used(server)).toBe((keys - 1) / 2);
	await server.stop();
	expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
}, 120_000);

test("`tollgate clock advance` on a stopped server charges the events before it carries out due steps", async () => {
	const folder = join(parent, "stopped");
	let server = await startServer(folder);
	await seed(server);
	const events = Array.from({ length: 10 }, (_, nth) => ({
		...{ eventName: "call", customerId: "acme", idempotencyKey: `k${nth}` },
	}));
	expect((await server.call("POST", "/events", { events })).status).toBe(200);
	await server.kill();
	expect(await runTollgate(folder, ["clock", "advance", "P2M"])).toMatchObject({ status: 0 });
	server = await startServer(folder);
	const { body } = await server.call("GET", "/credits/grants?customerId=acme");
	const consumed = body.data.map(({ consumedAmount }: { consumedAmount: number }) => consumedAmount);
	// The newest grant comes first. The events are older than both renewals.
	expect(consumed).toEqual([0, 0, 5]);
	await server.stop();
}, 120_000);
