import { expect, test } from "bun:test";
import { type Instant, toIso } from "../../../../src/kernel/clock";
import { randomOf } from "../../../simulated-subscriptions/random";
import { parse } from "../../../support/oracle/rational";
import { eventSite } from "../../usage/budgets/site";
import { must } from "../site";
import { type Budget, BudgetOracle } from "./budget-oracle";

const agents = ["drafter", "reviewer", "tester", "writer"];
const teams = ["research", "sales"];
const entities = [...agents, ...teams];
const models = ["gpt", "llm"];
const scopes = [[], [], ["gpt"], ["llm"]];
const cadences: Readonly<Record<string, number>> = { PT30M: 30, PT7H: 420, P1D: 1440, P1W: 10_080 };
const limits = [null, 0.5, 2, 3.25, 8, 20];

/** The budgets of each feature; those of `images` are of the currency of which a use costs two. */
const governed = {
	tokens: { item: { featureId: "tokens" }, query: "featureIds=tokens", cost: 1 },
	calls: { item: { featureId: "calls" }, query: "featureIds=calls", cost: 1 },
	images: { item: { currencyId: "credits" }, query: "currencyIds=credits", cost: 2 },
} as const;

/** A history of random requests on one feature. `calls` counts events, the others all other uses. */
async function history(seed: number, featureId: keyof typeof governed, steps: number): Promise<void> {
	const { item: capability, query, cost } = governed[featureId];
	/** Returns the amount that budgets count for a use. */
	const counted = (amount: string): string => `${Number((Number(amount) * cost).toPrecision(12))}`;
	const ours = await eventSite();
	const random = randomOf(seed);
	const oracle = new BudgetOracle();
	const { call, clock } = ours;
	const begunAt = clock.at;
	const customer = `${ours.beta}/customers/acme`;
	const created = [
		...["tester", "writer"].map((id) => ({ id, entityTypeId: "agent" })),
		{ id: "sales", entityTypeId: "team" },
		{ id: "llm", entityTypeId: "model" },
	];
	await must(call("PUT", `${customer}/entities`, { body: { entities: created } }));
	const open: string[] = [];

	/** Dimensions, and the entities that they name. */
	const dimensions = () => {
		const agentId = random.oneOf(agents);
		const named = {
			...(random.chance(0.8) && { [random.oneOf(["agentId", "userId"])]: agentId }),
			...(random.chance(0.3) && { teamId: random.oneOf(teams) }),
			...(random.chance(0.5) && { model: random.oneOf(models) }),
		};
		return { dimensions: named, names: Object.values(named) };
	};
	const amount = () => random.oneOf(["0.1", "0.25", "1", "1.7", "3"]);

	const assign = async () => {
		const entity = random.oneOf(entities);
		if (oracle.archived.has(entity)) return;
		const scope = random.oneOf(scopes);
		const known = oracle.budgets.find((one) => one.entity === entity && `${one.scope}` === `${scope}`);
		const cadence = random.oneOf(Object.keys(cadences));
		const limit = random.oneOf(limits);
		const isSoft = random.chance(0.2);
		const isLeaf = ![...oracle.parents.values()].includes(entity);
		const parents = [...oracle.parents.keys()].filter(
			(one) => !oracle.archived.has(one) && !oracle.path(one).includes(entity) && oracle.path(one).length < 4,
		);
		const parent = isLeaf ? random.oneOf(["keep", null, ...parents]) : "keep";
		const changes = { usageLimit: limit, hasSoftLimit: isSoft, ...((!known || random.chance(0.3)) && { cadence }) };
		const item = {
			entityId: entity,
			...capability,
			scopeEntityIds: scope,
			...changes,
			...(parent !== "keep" && { parentId: parent }),
		};
		await must(ours.put([item]));
		if (parent !== "keep" || !oracle.parents.has(entity)) oracle.parents.set(entity, parent === "keep" ? null : parent);
		const minutes = cadences["cadence" in changes ? cadence : ""] ?? known?.minutes ?? 0;
		const budget: Budget = known ?? { entity, scope, limit: null, isSoft, minutes, anchor: clock.at, used: new Map() };
		if (!known) oracle.budgets.push(budget);
		if (budget.minutes !== minutes) budget.anchor = clock.at;
		Object.assign(budget, { minutes, isSoft, limit: limit === null ? null : parse(`${limit}`) });
	};
	const archive = async () => {
		const entity = random.oneOf(entities);
		const isArchived = oracle.archived.has(entity);
		await must(
			call("POST", `${customer}/entities/${isArchived ? "unarchive" : "archive"}`, { body: { ids: [entity] } }),
		);
		if (isArchived) oracle.archived.delete(entity);
		else oracle.archived.add(entity);
	};
	const consume = async () => {
		const use = { ...dimensions(), amount: amount() };
		const { body } = await must(ours.consume(Number(use.amount), use.dimensions, featureId));
		const isGranted = oracle.allows(use.names, parse(counted(use.amount)), clock.at);
		expect(body.data.isGranted).toBe(isGranted);
		if (isGranted) oracle.count(oracle.applying(use.names), counted(use.amount), clock.at);
	};
	const report = async () => {
		const { dimensions: of, names } = dimensions();
		const value = `${random.chance(0.3) ? "-" : ""}${amount()}`;
		const at = (clock.at - random.oneOf([0, 0, 45, 2000]) * 60_000) as Instant;
		const { status } = await ours.report({ featureId, value: Number(value), dimensions: of, createdAt: toIso(at) });
		// A negative report returns no credits. Before the subscription, usage costs none.
		const isFree = cost > 1 && (value.startsWith("-") || at < begunAt);
		// A reversal of more than the customer has used is rejected.
		if (status === 201) oracle.count(oracle.applying(names), isFree ? "0" : counted(value), at);
		else expect([status, value]).toEqual([400, expect.stringMatching(/^-/)]);
	};
	const reserve = async () => {
		const use = { ...dimensions(), amount: amount() };
		const expiresIn = random.oneOf([60, 3600, 80_000]);
		const reserving = { amount: Number(use.amount), dimensions: use.dimensions, expiresIn };
		const { body } = await must(
			call("POST", `/customers/acme/entitlements/${featureId}/reservations`, { body: reserving }),
		);
		expect(body.data.isGranted).toBe(oracle.allows(use.names, parse(counted(use.amount)), clock.at));
		if (!body.data.isGranted) return;
		open.push(body.data.reservation.id);
		oracle.hold(body.data.reservation.id, use.names, counted(use.amount), clock.at, clock.at + expiresIn * 1000);
	};
	const end = async () => {
		const id = open.splice(random.whole(0, open.length - 1), 1)[0];
		if (id === undefined) return;
		if (random.chance(0.4)) {
			await must(call("POST", `/reservations/${id}/release`, { body: {} }));
			return oracle.release(id);
		}
		const committed = random.oneOf(["0.1", "1", "3.5"]);
		const { status } = await call("POST", `/reservations/${id}/commit`, { body: { amount: Number(committed) } });
		expect(status === 200).toBe(oracle.commit(id, counted(committed), clock.at));
		if (status !== 200) open.push(id);
	};
	const send = async () => {
		const { dimensions: of, names } = dimensions();
		const at = (clock.at - random.oneOf([0, 0, 45, 2000]) * 60_000) as Instant;
		const [key = ""] = await ours.send({ dimensions: of, timestamp: toIso(at) });
		await ours.count();
		oracle.event(key, names, at);
	};
	const cancel = async () => {
		const key = random.oneOf(["", ...oracle.events.keys()]);
		if (key === "") return;
		await ours.cancel(key);
		await ours.count();
		oracle.cancel(key);
	};

	const uses = featureId === "calls" ? [send, send, send, cancel] : [consume, consume, report, reserve, reserve, end];
	for (const _ of entities) await assign();
	for (let step = 0; step < steps; step += 1) {
		clock.at = (clock.at + 1 + random.oneOf([0, 0, 5, 20, 45, 600]) * 60_000) as Instant;
		await random.oneOf([...uses, ...uses, assign, archive])();
		const { body } = await must(call("GET", `${customer}/governance?limit=100&${query}`));
		const shown = Object.fromEntries(
			body.data.map(
				(one: { entityId: string; scopeEntityIds: string[]; currentUsage: number; reservedUsage?: number }) => [
					[one.entityId, ...one.scopeEntityIds].join("/"),
					[`${one.currentUsage}`, `${one.reservedUsage ?? 0}`],
				],
			),
		);
		expect([step, shown]).toEqual([step, oracle.tree(clock.at)]);
	}
	expect(ours.findings()).toEqual([]);
}

const seeds = Array.from({ length: 8 }, (_, at) => at + 1);

test.each(seeds)(
	"decides and counts consumption, reports and reservations as the oracle does, seed %i",
	async (seed) => {
		await history(seed, "tokens", 100);
	},
);

test.each(seeds.slice(0, 4))(
	"decides and counts the credits of uses and reservations as the oracle does, seed %i",
	async (seed) => {
		await history(seed, "images", 100);
	},
);

test.each(seeds.slice(0, 4))("counts and reverses events as the oracle does, seed %i", async (seed) => {
	await history(seed, "calls", 60);
});
