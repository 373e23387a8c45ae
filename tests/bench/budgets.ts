import { addCustomers, digits, publish } from "./catalogue";
import { textOf } from "./lag";
import type { Row } from "./row";
import { alongside, type Load, load, ms, ok, request, type Serving, us, whole, withServer } from "./serving";

const customers = 100;
const agents = 16;
/** The customers below this one have no budgets where others have. */
const others = 50;
const rounds = 3;
const seconds = 3;
const lagSamples = 200;

const idOf = (at: number): string => `c-${digits(at)}`;

/** A plan with `tokens`, whose usage is reported, and `calls`, which a meter counts from events. Nobody reaches the limits. */
async function stock(server: Serving): Promise<void> {
	await ok(server, "POST", "/products", { id: "app", displayName: "App" });
	for (const id of ["tokens", "calls"])
		await ok(server, "POST", "/features", { id, displayName: id, featureType: "NUMBER", meterType: "INCREMENTAL" });
	const filters = [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "call" }] }];
	await ok(server, "PATCH", "/features/calls", { meter: { aggregation: { function: "COUNT" }, filters } });
	await ok(server, "POST", "/plans", { id: "team", displayName: "Team", productId: "app" });
	await ok(server, "POST", "/plans/team/entitlements", {
		entitlements: ["tokens", "calls"].map((id) => ({
			type: "FEATURE",
			id,
			usageLimit: 1_000_000_000,
			resetPeriod: "MONTH",
		})),
	});
	await ok(server, "PATCH", "/plans/team", { charges: { pricingType: "FREE", pricingModels: [] } });
	await publish(server, "team");
	await addCustomers(server, customers, idOf);
	for (let at = 0; at < customers; at += 1)
		await ok(server, "POST", "/subscriptions", { customerId: idOf(at), planId: "team" });
}

/** Each customer has an organization with a department, a team and agents below it, and each agent a budget for one model. */
async function govern(server: Serving, levels: readonly string[], featureId: string, from = 0): Promise<void> {
	await ok(server, "PUT", "/entity-types", {
		types: [
			...["org", "department", "team"].map((id) => ({ id, displayName: id, attributionKeys: [] })),
			{ id: "agent", displayName: "Agent", attributionKeys: ["agentId"] },
			{ id: "model", displayName: "Model", attributionKeys: ["model"] },
		],
	});
	const named = Array.from({ length: agents }, (_, at) => `a-${digits(at)}`);
	const budget = { featureId, usageLimit: 1_000_000_000, cadence: "P1M" };
	for (let at = from; at < customers; at += 1) {
		const path = `/customers/${idOf(at)}`;
		const entities = [
			...levels.map((id) => ({ id, entityTypeId: id })),
			...named.map((id) => ({ id, entityTypeId: "agent" })),
			{ id: "large", entityTypeId: "model" },
		];
		await ok(server, "PUT", `${path}/entities`, { entities });
		const assignments = [
			...levels.map((entityId, level) => ({ entityId, parentId: levels[level - 1] ?? null, ...budget })),
			...named.map((entityId) => ({ entityId, parentId: levels.at(-1), ...budget })),
			...named.map((entityId) => ({ entityId, scopeEntityIds: ["large"], ...budget })),
		];
		await ok(server, "PUT", `${path}/assignments`, { assignments });
	}
}

/** The work of customers without budgets where others have them, next to a server without any. */
async function measureOthers(): Promise<Row[]> {
	return withServer((server) =>
		withServer(async (bare) => {
			for (const one of [server, bare]) await stock(one);
			await govern(server, fourLevels, "tokens", others);
			const path = `/customers/${customer}/entitlements`;
			const traffic = { many: others, seconds, connections: 64 };
			const requests = {
				"consumed by customers without budgets": request(
					"POST",
					`${path}/tokens/consume`,
					JSON.stringify({ amount: 1 }),
				),
				"checked for customers without budgets": request("GET", `${path}/check?featureId=tokens`),
				"events of customers without budgets": eventsOf((at) => ({ agentId: `a-${digits(at % agents)}` })),
			} as const;
			const rows: Row[] = [];
			for (const [work, one] of Object.entries(requests)) {
				let from = 0;
				const send = (target: Serving) => () => {
					from += 100_000_000;
					return load(target, {
						...traffic,
						...(work.startsWith("events") ? { connections: 8 } : {}),
						request: one,
						from,
					});
				};
				const measured = await alongside(rounds, send(server), send(bare));
				rows.push(compared(work, measured, "0.98", work.startsWith("events") ? 1000 : 1));
			}
			return rows;
		}),
	);
}

const fourLevels = ["org", "department", "team"];
const customer = "c-@@@@@@";

/** Consumption and checks at four levels and a scope, and events with budgets on two levels, each next to the same without budgets. */
export async function measureBudgets(): Promise<Row[]> {
	const consumed = await withServer(async (server) => {
		await stock(server);
		await govern(server, fourLevels, "tokens");
		const path = `/customers/${customer}/entitlements`;
		const consume = (dimensions: object) =>
			request("POST", `${path}/tokens/consume`, JSON.stringify({ amount: 1, dimensions }));
		const check = (query: string) => request("GET", `${path}/check?featureId=tokens${query}`);
		const traffic = { many: customers, seconds, connections: 64 };
		const dimensions = { agentId: "a-000003", model: "large" };
		const consuming = await alongside(
			rounds,
			() => load(server, { ...traffic, request: consume(dimensions) }),
			() => load(server, { ...traffic, request: consume({}) }),
		);
		const checking = await alongside(
			rounds,
			() => load(server, { ...traffic, request: check("&dimensions[agentId]=a-000003&dimensions[model]=large") }),
			() => load(server, { ...traffic, request: check("") }),
		);
		return [
			compared("consumed at four levels and a scope, 64 connections", consuming, "8,000/s, p99 20 ms"),
			compared("checks at four levels and a scope", checking, "0.7"),
		];
	});
	const counted = await withServer(async (server) => {
		await stock(server);
		await govern(server, ["team"], "calls");
		// Before the load, whose backlog would be measured too.
		const lags = await lagsMs(server);
		let sent = 0;
		const send = (dimensions: (at: number) => object) => () => {
			sent += 100_000_000;
			return load(server, {
				request: eventsOf(dimensions),
				...{ many: customers, seconds, connections: 8, from: sent },
			});
		};
		const counting = await alongside(
			rounds,
			send((at) => ({ agentId: `a-${digits(at % agents)}` })),
			send((at) => ({ otherId: `a-${digits(at % agents)}` })),
		);
		return [
			compared("events with budgets on two levels, 1000 a request", counting, "0.85", 1000),
			{
				work: "an event, acknowledged until counted at its budgets",
				here: textOf(lags),
				goal: "p99 50 ms",
			},
		];
	});
	return [...consumed, ...counted, ...(await measureOthers())];
}

/** How long after its acknowledgement an event is in the usage of its budget, as a check shows it. */
async function lagsMs(server: Serving): Promise<number[]> {
	const query = "featureId=calls&dimensions[agentId]=a-000003";
	const usage = async (): Promise<number> =>
		(await ok(server, "GET", `/customers/${idOf(3)}/entitlements/check?${query}`)).chains[0][0].currentUsage;
	const lags: number[] = [];
	for (let sample = 0; sample < lagSamples; sample += 1) {
		const before = await usage();
		const event = { eventName: "call", customerId: idOf(3), idempotencyKey: `lag-${sample}` };
		await ok(server, "POST", "/events", { events: [{ ...event, dimensions: { agentId: "a-000003" } }] });
		const acknowledged = performance.now();
		while ((await usage()) <= before)
			if (performance.now() - acknowledged > 15_000) throw new Error("Not counted within 15 seconds.");
		lags.push(performance.now() - acknowledged);
	}
	return lags;
}

function eventsOf(dimensions: (at: number) => object): string {
	const events = Array.from({ length: 1000 }, (_, at) => ({
		...{ eventName: "call", customerId: customer, idempotencyKey: "#".repeat(12) },
		timestamp: new Date(Date.now() + 1000 - at).toISOString(),
		dimensions: dimensions(at),
	}));
	return request("POST", "/events", JSON.stringify({ events }));
}

const compared = (
	work: string,
	{ ours, ceiling, ratio }: { readonly ours: Load; readonly ceiling: Load; readonly ratio: number },
	goal: string,
	perRequest = 1,
): Row => ({
	work,
	here: figures(ours, perRequest),
	ceiling: `${figures(ceiling, perRequest)} without budgets`,
	ratio,
	goal,
});

const figures = ({ perSecond, p99, cpuUs }: Load, perRequest: number): string =>
	`${whole(perSecond * perRequest)}/s, p99 ${ms(p99)}, ${us(cpuUs / perRequest)}`;
