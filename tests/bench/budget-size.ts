import { addCustomers, digits, publish } from "./catalogue";
import type { Row } from "./row";
import { load, median, ms, ok, request, residentMiB, type Serving, whole, withServer } from "./serving";

const sizes = [1_000, Number(process.env.BENCH_ENTITIES ?? 100_000)] as const;
const atOnce = 100;
const samples = 50;
const seconds = 3;

const path = "/customers/c-000000";
const agentOf = (at: number): string => `a-${digits(at)}`;
const range = (from: number): number[] => Array.from({ length: atOnce }, (_, at) => from + at);
const budget = { featureId: "tokens", usageLimit: 1_000_000_000, cadence: "P1M" };

/** A customer with a plan of `tokens`, and an organization with a department, a team, and the agents of `grow` below it. */
async function stock(server: Serving): Promise<void> {
	await ok(server, "POST", "/products", { id: "app", displayName: "App" });
	const feature = { id: "tokens", displayName: "Tokens", featureType: "NUMBER", meterType: "INCREMENTAL" };
	await ok(server, "POST", "/features", feature);
	await ok(server, "POST", "/plans", { id: "team", displayName: "Team", productId: "app" });
	const entitlement = { type: "FEATURE", id: "tokens", usageLimit: 1_000_000_000_000, resetPeriod: "MONTH" };
	await ok(server, "POST", "/plans/team/entitlements", { entitlements: [entitlement] });
	await ok(server, "PATCH", "/plans/team", { charges: { pricingType: "FREE", pricingModels: [] } });
	await publish(server, "team");
	await addCustomers(server, 1);
	await ok(server, "POST", "/subscriptions", { customerId: "c-000000", planId: "team" });
	const levels = ["org", "department", "team"];
	const types = [
		...levels.map((id) => ({ id, displayName: id, attributionKeys: [] })),
		{ id: "agent", displayName: "Agent", attributionKeys: ["agentId"] },
		{ id: "model", displayName: "Model", attributionKeys: ["model"] },
	];
	await ok(server, "PUT", "/entity-types", { types });
	const models = ["large", "small"].map((id) => ({ id, entityTypeId: "model" }));
	const entities = [...levels.map((id) => ({ id, entityTypeId: id })), ...models];
	await ok(server, "PUT", `${path}/entities`, { entities });
	const assignments = levels.map((entityId, at) => ({ entityId, parentId: levels[at - 1] ?? null, ...budget }));
	await ok(server, "PUT", `${path}/assignments`, { assignments });
}

/** Adds agents with three budgets each: one for all usage, and one for each model. */
async function grow(server: Serving, from: number, to: number): Promise<void> {
	for (let at = from; at < to; at += atOnce) {
		const ids = range(at).map(agentOf);
		await ok(server, "PUT", `${path}/entities`, { entities: ids.map((id) => ({ id, entityTypeId: "agent" })) });
		for (const scopeEntityIds of [[], ["large"], ["small"]]) {
			const assignments = ids.map((entityId) => ({ entityId, parentId: "team", scopeEntityIds, ...budget }));
			await ok(server, "PUT", `${path}/assignments`, { assignments });
		}
	}
}

interface Measured {
	readonly pageMs: number;
	readonly upsertMs: number;
	readonly consumed: number;
	readonly checked: number;
	readonly memoryMiB: number;
}

async function measureAt(server: Serving, size: number): Promise<Measured> {
	const consume = JSON.stringify({ amount: 1, dimensions: { agentId: "a-@@@@@@", model: "large" } });
	const traffic = { many: size, seconds, connections: 64 };
	const consumed = await load(server, {
		...traffic,
		request: request("POST", `${path}/entitlements/tokens/consume`, consume),
	});
	const checked = await load(server, {
		...traffic,
		request: request("GET", `${path}/entitlements/check?featureId=tokens&dimensions[agentId]=a-@@@@@@`),
	});
	const pageMs = await medianMs(() =>
		ok(server, "GET", `${path}/governance?featureIds=tokens&sortBy=utilization&limit=100`),
	);
	let limit = 1_000_000_000;
	const upsertMs = await medianMs((at) => {
		limit += 1;
		const ids = range((at * 7_919 * atOnce) % size).map((one) => agentOf(one % size));
		const assignments = ids.map((entityId) => ({ entityId, featureId: "tokens", usageLimit: limit }));
		return ok(server, "PUT", `${path}/assignments`, { assignments });
	});
	const memoryMiB = residentMiB(server.pid);
	return { pageMs, upsertMs, consumed: consumed.perSecond, checked: checked.perSecond, memoryMiB };
}

async function medianMs(call: (at: number) => Promise<unknown>): Promise<number> {
	const took: number[] = [];
	for (let at = 0; at < samples; at += 1) {
		const begun = performance.now();
		await call(at);
		took.push(performance.now() - begun);
	}
	return median(took);
}

/** One customer with many entities, next to the same with a thousand. */
export const measureBudgetSize = (): Promise<Row[]> =>
	withServer(async (server) => {
		const [few, many] = sizes;
		await stock(server);
		await grow(server, 0, few);
		const small = await measureAt(server, few);
		await grow(server, few, many);
		// The follower of the tree has caught up.
		await Bun.sleep(3_000);
		const large = await measureAt(server, many);
		const at = `${whole(many)} entities with ${whole(3 * many)} budgets of one customer`;
		const row = (work: string, of: (one: Measured) => string, ratio: number, goal: string): Row => ({
			...{ work: `${at}: ${work}`, here: of(large), ceiling: `${of(small)} at ${whole(few)}`, ratio, goal },
		});
		return [
			row("a page of 100 of the tree", ({ pageMs }) => ms(pageMs), large.pageMs / small.pageMs, "20 ms, 1.5"),
			row("100 budgets changed", ({ upsertMs }) => ms(upsertMs), large.upsertMs / small.upsertMs, "30 ms, 1.5"),
			row("consumed", ({ consumed }) => `${whole(consumed)}/s`, small.consumed / large.consumed, "1.5"),
			row("checked", ({ checked }) => `${whole(checked)}/s`, small.checked / large.checked, "1.5"),
			row("memory", ({ memoryMiB }) => `${whole(memoryMiB)} MiB`, large.memoryMiB / small.memoryMiB, ""),
		];
	});
