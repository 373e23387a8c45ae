import { expect, test } from "bun:test";
import { must, site } from "../site";

const long = (name: string, length: number) => name.padEnd(length, "x");
const hundred = Array.from({ length: 100 }, (_, at) => at);

test.each(["/api/v1", "/api/v1-beta"])(
	"below %s, a hundred entities and budgets with long texts fit in one request",
	async (prefix) => {
		const ours = await site();
		const customer = `${prefix}/customers/acme`;
		const types = hundred.slice(0, 10).map((at) => ({
			...{ id: `model-${at}`, displayName: `Model ${at}`, attributionKeys: [`model-${at}`] },
			description: long(`${at}`, 200),
		}));
		await must(ours.call("PUT", `${prefix}/entity-types`, { body: { types } }));
		const scope = types.map(({ id }, at) => ({ id: long(`scope-${at}-`, 200), entityTypeId: id }));
		await must(ours.call("PUT", `${customer}/entities`, { body: { entities: scope } }));
		const agents = hundred.map((at) => ({
			...{ id: long(`agent-${at}-`, 200), entityTypeId: "agent" },
			metadata: Object.fromEntries(hundred.slice(0, 20).map((key) => [`key-${key}`, long("", 200)])),
		}));
		const entities = { entities: agents };
		expect(JSON.stringify(entities).length).toBeGreaterThan(400_000);
		await must(ours.call("PUT", `${customer}/entities`, { body: entities }));
		const scopeEntityIds = scope.map(({ id }) => id);
		const assignments = agents.map(({ id: entityId }) => ({
			...{ entityId, featureId: "tokens", scopeEntityIds, usageLimit: 1, cadence: "P1M" },
		}));
		expect(JSON.stringify({ assignments }).length).toBeGreaterThan(200_000);
		await must(ours.call("PUT", `${customer}/assignments`, { body: { assignments } }));
		const tooMany = await ours.call("PUT", `${customer}/entities`, { body: { entities: long("", 1_100_000) } });
		expect(tooMany.status).toBe(413);
	},
);
