import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type Reply, type RunningServer, runTollgate, startServer, temporaryFolder, testKey } from "../support/process";
import { slowRuns } from "../support/runs";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

/** TOLLGATE_RUNS=67 makes 201 rounds in 11 folders. */
const rounds = slowRuns(3).numRuns;

/** A customer has at most 1,000 open reservations, and each round leaves some. */
const roundsOfFolder = 20;
const folders = Array.from({ length: Math.ceil(rounds / roundsOfFolder) }, (_, at) => ({
	name: `killed-${at}`,
	rounds: Math.min(roundsOfFolder, rounds - at * roundsOfFolder),
}));
const threads = { TOLLGATE_HTTP_THREADS: "2" };

/** The path from each agent to the root: four levels. */
const agents = ["agent-0", "agent-1", "agent-2", "agent-3"] as const;
type Agent = (typeof agents)[number];
const squadOf = (agent: Agent) => (agents.indexOf(agent) < 2 ? "squad-a" : "squad-b");
const levelsOf = (agent: Agent) => [agent, squadOf(agent), "team", "company"];

const nodes = [...new Set(agents.flatMap(levelsOf))];

/**
 * A customer with tokens, images that cost two credits each, and calls that a meter counts from events. All have the same tree of budgets.
 * Events create bots below the squads.
 */
async function prepare(server: RunningServer): Promise<void> {
	const ok = async (method: string, path: string, body?: object) => {
		const answer = await server.call(method, path, body);
		if (answer.status > 201) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
	};
	await ok("POST", "/products", { id: "app", displayName: "App" });
	for (const id of ["tokens", "images", "calls"])
		await ok("POST", "/features", { id, displayName: id, featureType: "NUMBER", meterType: "INCREMENTAL" });
	const filters = [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "call" }] }];
	await ok("PATCH", "/features/calls", { meter: { aggregation: { function: "COUNT" }, filters } });
	await ok("POST", "/credits/custom-currencies", {
		...{ id: "credits", displayName: "Credits" },
		units: { singular: "credit", plural: "credits" },
	});
	await ok("POST", "/plans", { id: "plan", displayName: "Plan", productId: "app" });
	const entitlements = [
		{ type: "FEATURE", id: "tokens", usageLimit: 1_000_000 },
		{ type: "FEATURE", id: "calls", usageLimit: 1_000_000 },
		{ type: "FEATURE", id: "images", hasUnlimitedUsage: true },
		{ type: "CREDIT", id: "credits", amount: 1_000_000, cadence: "MONTH" },
	];
	await ok("POST", "/plans/plan/entitlements", { entitlements });
	const pricePeriods = [{ billingPeriod: "MONTHLY", creditRate: { amount: 2, currencyId: "credits" } }];
	const pricingModels = [{ billingModel: "CREDIT_BASED", featureId: "images", pricePeriods }];
	await ok("PATCH", "/plans/plan", { charges: { pricingType: "PAID", pricingModels } });
	await ok("POST", "/plans/plan/publish", { migrationType: "NEW_CUSTOMERS" });
	await ok("POST", "/customers", { id: "acme" });
	await ok("POST", "/subscriptions", { customerId: "acme", planId: "plan", billingPeriod: "MONTHLY" });
	const types = ["agent", "squad", "team", "company"];
	await ok("PUT", "/entity-types", {
		types: types.map((id) => ({ id, displayName: id, attributionKeys: [`${id}Id`] })),
	});
	await ok("PUT", "/customers/acme/entities", {
		entities: nodes.map((id) => ({ id, entityTypeId: id.split("-")[0] })),
	});
	const parents = new Map(
		agents.flatMap((agent) => levelsOf(agent).map((id, at, path) => [id, path[at + 1] ?? null] as const)),
	);
	for (const capability of [{ featureId: "tokens" }, { featureId: "calls" }, { currencyId: "credits" }]) {
		const budget = { ...capability, usageLimit: 900_000, cadence: "P1Y" };
		const assignments = nodes.map((entityId) => ({ entityId, parentId: parents.get(entityId), ...budget }));
		await ok("PUT", "/customers/acme/assignments", { assignments });
	}
	const bot = { id: "bot", displayName: "Bot", attributionKeys: ["botId"] };
	const template = { createsEntities: true, parentEntityTypeId: "squad" };
	const defaultAssignments = [{ featureId: "calls", usageLimit: 900_000, cadence: "P1Y" }];
	await ok("PUT", "/entity-types", { types: [{ ...bot, ...template, defaultAssignments }] });
}

/** The amounts by which a request changes the budgets of an agent and of the levels above it. */
type Amounts = Readonly<Record<"tokens" | "credits" | "held" | "calls", number>>;
const kinds = ["tokens", "credits", "held", "calls"] as const;
const none: Amounts = { tokens: 0, credits: 0, held: 0, calls: 0 };

/** A request that can be sent again, because it has a key or names a reservation. */
interface Request {
	readonly agent: Agent;
	readonly amounts: Partial<Amounts>;
	readonly path: string;
	readonly body: object;
}

/** Sends requests, and records which of them were answered. */
class Client {
	readonly answered: Request[] = [];
	unanswered: Request[] = [];
	readonly refused: unknown[] = [];
	#keys = 0;
	/** All events have the same time: a budget counts none from before the first event of its bot. */
	#timestamp: string | undefined;

	/** Sends requests of all kinds until the server is killed. Events name bots of the round. */
	async sendUntilKilled(server: RunningServer, sender: number, round: number): Promise<void> {
		const agent = agents[sender % agents.length] ?? "agent-0";
		const dimensions = { agentId: agent };
		this.#timestamp ??= new Date().toISOString();
		const entitlements = "/customers/acme/entitlements";
		for (let at = sender; ; at += 1) {
			this.#keys += 1;
			const keyed = { idempotencyKey: `k${this.#keys}`, dimensions };
			const send = (path: string, body: object, amounts: Partial<Amounts>) =>
				this.send(server, { agent, amounts, path, body });
			const reserve = () =>
				send(`${entitlements}/tokens/reservations`, { ...keyed, amount: 3, expiresIn: 3600 }, { held: 3 });
			const end = async (action: string, body: object, amounts: Partial<Amounts>) => {
				const reserved = await reserve();
				const path = `/reservations/${reserved?.body.data.reservation.id}/${action}`;
				return reserved && send(path, body, { ...amounts, held: -3 });
			};
			const report = { customerId: "acme", featureId: "images", value: 1, ...keyed };
			const consumption = { customerId: "acme", currencyId: "credits", amount: 1.5, ...keyed };
			const named = { ...dimensions, squadId: squadOf(agent), botId: `bot-${round}-${agent}` };
			const event = { ...keyed, customerId: "acme", eventName: "call", timestamp: this.#timestamp, dimensions: named };
			const answer = await [
				() => send("/events", { events: [event] }, { calls: 1 }),
				() => send(`${entitlements}/tokens/consume`, { ...keyed, amount: 2 }, { tokens: 2 }),
				() => send(`${entitlements}/images/consume`, keyed, { credits: 2 }),
				() => end("commit", { amount: 1 }, { tokens: 1 }),
				() => end("release", {}, {}),
				() => send("/usage", { usages: [report] }, { credits: 2 }),
				() => send("/credits/consumption", consumption, { credits: 1.5 }),
				reserve,
			][at % 8]?.();
			if (!answer) return;
		}
	}

	/** Returns undefined if the server was killed before it answered. */
	async send(server: RunningServer, request: Request): Promise<Reply | undefined> {
		const answer = await server.call("POST", request.path, request.body).catch(() => undefined);
		if (!answer) this.unanswered.push(request);
		else if (answer.status > 201 || answer.body.data?.isGranted === false) this.refused.push([request, answer.body]);
		else this.answered.push(request);
		return answer;
	}

	/** Sends again what has no answer, as a caller does. */
	async sendAgain(server: RunningServer): Promise<void> {
		const again = this.unanswered;
		this.unanswered = [];
		for (const request of again) await this.send(server, request);
	}

	/** Returns the least and the most that an entity has: each request without an answer is recorded once or not at all. */
	bounds(entity: string, kind: keyof Amounts): readonly [least: number, most: number] {
		const sum = (requests: readonly Request[], choose: (amount: number) => number) =>
			requests
				.filter(({ agent }) => levelsOf(agent).includes(entity))
				.reduce((total, { amounts }) => total + choose(amounts[kind] ?? 0), 0);
		const certain = sum(this.answered, (amount) => amount);
		return [
			certain + sum(this.unanswered, (amount) => Math.min(0, amount)),
			certain + sum(this.unanswered, (amount) => Math.max(0, amount)),
		];
	}
}

/** The amounts of each entity, as the tree shows them. */
async function treeOf(server: RunningServer): Promise<ReadonlyMap<string, Amounts>> {
	const shown = async (query: string) =>
		(await server.call("GET", `/customers/acme/governance?limit=100&${query}`)).body.data;
	const types = "entityTypeIds=agent&entityTypeIds=squad&entityTypeIds=team&entityTypeIds=company";
	const tree = new Map<string, Amounts>(nodes.map((entity) => [entity, none]));
	for (const { entityId, currentUsage, reservedUsage = 0 } of await shown("featureIds=tokens"))
		tree.set(entityId, { ...none, tokens: currentUsage, held: reservedUsage });
	for (const { entityId, currentUsage } of await shown(`featureIds=calls&${types}`))
		tree.set(entityId, { ...(tree.get(entityId) ?? none), calls: currentUsage });
	for (const { entityId, currentUsage } of await shown("currencyIds=credits"))
		tree.set(entityId, { ...(tree.get(entityId) ?? none), credits: currentUsage });
	return tree;
}

/** The calls of all bots that events have created. */
async function callsOfBots(server: RunningServer): Promise<number> {
	const path = "/customers/acme/budgets.csv?featureIds=calls&entityTypeIds=bot&limit=1000";
	const answer = await fetch(`${server.url}/api/v1${path}`, { headers: { "x-api-key": testKey } });
	const [header = "", ...rows] = (await answer.text()).trim().split("\r\n");
	const column = header.split(",").indexOf("currentUsage");
	return rows.reduce((sum, row) => sum + Number(row.split(",")[column]), 0);
}

/** Waits until budgets and the customer count all events in the log. */
async function counted(server: RunningServer): Promise<void> {
	const look = async () => {
		const { data } = (await server.call("GET", "/customers/acme/entitlements/check?featureId=calls")).body;
		return `${(await treeOf(server)).get("company")?.calls} ${data.currentUsage}`;
	};
	for (let last = "", same = 0; same < 3; ) {
		await Bun.sleep(100);
		const now = await look();
		same = now === last && new Set(now.split(" ")).size === 1 ? same + 1 : 0;
		last = now;
	}
}

/** Each level and the customer itself have the sum of the agents. */
async function expectSameAtAllLevels(server: RunningServer, tree: ReadonlyMap<string, Amounts>): Promise<void> {
	const sum = (ids: readonly string[], kind: keyof Amounts) =>
		ids.reduce((total, id) => total + (tree.get(id) ?? none)[kind], 0);
	const check = async (query: string) =>
		(await server.call("GET", `/customers/acme/entitlements/check?${query}`)).body.data;
	const [tokens, credits] = [await check("featureId=tokens"), await check("currencyId=credits")];
	const calls = (await check("featureId=calls")).currentUsage;
	const { currentUsage, reservedUsage: held = 0 } = tokens;
	const customer: Amounts = { tokens: currentUsage, credits: credits.currentUsage, held, calls };
	expect(["bots", await callsOfBots(server)]).toEqual(["bots", calls]);
	for (const kind of kinds) {
		const levels = [agents, ["squad-a", "squad-b"], ["team"], ["company"]].map((ids) => sum(ids, kind));
		expect([kind, ...levels]).toEqual([kind, ...levels.map(() => customer[kind])]);
	}
}

test.each(folders)(
	"kill -9 under load counts each acknowledged use once at all levels, others at most once: %j",
	async ({ name, rounds: times }) => {
		const folder = join(parent, name);
		const client = new Client();
		let server = await startServer(folder, threads);
		await prepare(server);
		for (let round = 0; round < times; round += 1) {
			const [before, running] = [client.answered.length, server];
			const senders = Array.from({ length: 16 }, (_, sender) => client.sendUntilKilled(running, sender, round));
			while (client.answered.length < before + 60 + 25 * (round % 4)) await Bun.sleep(5);
			await server.kill();
			await Promise.all(senders);
			server = await startServer(folder, threads);
			await counted(server);
			const tree = await treeOf(server);
			await expectSameAtAllLevels(server, tree);
			for (const entity of nodes)
				for (const kind of kinds) {
					const [least, most] = client.bounds(entity, kind);
					expect(tree.get(entity)?.[kind]).toBeGreaterThanOrEqual(least);
					expect(tree.get(entity)?.[kind]).toBeLessThanOrEqual(most);
				}
			await client.sendAgain(server);
			const least = (entity: string): Amounts => {
				const of = (kind: keyof Amounts) => client.bounds(entity, kind)[0];
				return { tokens: of("tokens"), credits: of("credits"), held: of("held"), calls: of("calls") };
			};
			await counted(server);
			expect(await treeOf(server)).toEqual(new Map(nodes.map((entity) => [entity, least(entity)])));
		}
		expect(client.refused).toEqual([]);
		expect(client.unanswered).toEqual([]);
		await server.stop();
		expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
	},
	30_000 * rounds,
);

test("64 writers on one tree end in exactly the limit, with reservations that are committed and released", async () => {
	const limit = 500;
	const server = await startServer(join(parent, "writers"), threads);
	await prepare(server);
	const of = { entityId: "team", featureId: "tokens", usageLimit: limit };
	expect((await server.call("PUT", "/customers/acme/assignments", { assignments: [of] })).status).toBe(200);
	const path = "/customers/acme/entitlements/tokens";
	let granted = 0;
	const write = async (writer: number, reserves: boolean): Promise<void> => {
		const dimensions = { agentId: agents[writer % agents.length] };
		for (let at = writer, denials = 0; denials < 3; at += 1) {
			const amount = reserves ? 1 + (at % 3) : 1;
			if (!reserves || at % 2 === 0) {
				const { data } = (await server.call("POST", `${path}/consume`, { amount, dimensions })).body;
				if (data.isGranted) granted += amount;
				else denials += 1;
				continue;
			}
			const { data } = (await server.call("POST", `${path}/reservations`, { amount, dimensions })).body;
			if (!data.isGranted) denials += 1;
			else if (at % 3 === 0) await server.call("POST", `/reservations/${data.reservation.id}/release`, {});
			else {
				await server.call("POST", `/reservations/${data.reservation.id}/commit`, { amount });
				granted += amount;
			}
		}
	};
	await Promise.all(Array.from({ length: 64 }, (_, writer) => write(writer, true)));
	// Some amounts were released after the last denial.
	await Promise.all(Array.from({ length: 64 }, (_, writer) => write(writer, false)));
	expect(granted).toBe(limit);
	const tree = await treeOf(server);
	await expectSameAtAllLevels(server, tree);
	expect(tree.get("team")).toEqual({ ...none, tokens: limit });
	await server.stop();
	expect(await runTollgate(join(parent, "writers"), ["check"])).toMatchObject({ status: 0, output: "sound\n" });
}, 120_000);
