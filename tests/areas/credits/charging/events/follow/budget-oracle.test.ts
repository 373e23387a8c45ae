import { expect, test } from "bun:test";
import { checkBudgets } from "../../../../../../src/areas/governance/operations.check";
import { type Instant, toIso } from "../../../../../../src/kernel/clock";
import { randomOf } from "../../../../../simulated-subscriptions/random";
import { type Budget, BudgetOracle } from "../../../../governance/operations.decide/budget-oracle";
import { must } from "../../../../governance/site";
import { meteredSite } from "../site";

const bots = ["one", "two", "three"];
const crews = ["crew", "other"];
const scopes = [[], ["gpt"]];
const cadences: Readonly<Record<string, number>> = { PT7H: 420, P1D: 1440, P1W: 10_080 };
const customer = "/customers/writer";

/** A history of random events of one customer that cost credits by a formula. The customer has credits for all of them. */
async function history(seed: number, steps: number): Promise<void> {
	const ours = await meteredSite();
	const { call, clock } = ours;
	const random = randomOf(seed);
	const oracle = new BudgetOracle();
	const types = [
		{ id: "crew", displayName: "Crew", attributionKeys: ["crew"] },
		{ id: "bot", displayName: "Bot", attributionKeys: ["bot", "agent"] },
		{ id: "model", displayName: "Model", attributionKeys: ["model"] },
	];
	await must(call("PUT", "/entity-types", { body: { types } }));
	const entities = [
		...crews.map((id) => ({ id, entityTypeId: "crew" })),
		...bots.map((id) => ({ id, entityTypeId: "bot" })),
		{ id: "gpt", entityTypeId: "model" },
	];
	await must(call("PUT", `${customer}/entities`, { body: { entities } }));

	const assign = async (entity: string, parent: string | null | "keep") => {
		if (oracle.archived.has(entity)) return;
		if (parent !== null && oracle.archived.has(parent)) return;
		const scope = random.oneOf(scopes);
		const known = oracle.budgets.find((one) => one.entity === entity && `${one.scope}` === `${scope}`);
		const cadence = random.oneOf(Object.keys(cadences));
		const parentId = parent === "keep" ? {} : { parentId: parent };
		const item = {
			entityId: entity,
			currencyId: "gold",
			scopeEntityIds: scope,
			usageLimit: null,
			cadence,
			...parentId,
		};
		await must(call("PUT", `${customer}/assignments`, { body: { assignments: [item] } }));
		if (parent !== "keep" || !oracle.parents.has(entity)) oracle.parents.set(entity, parent === "keep" ? null : parent);
		const minutes = cadences[cadence] ?? 0;
		const budget: Budget = known ?? {
			...{ entity, scope, limit: null, isSoft: false, minutes, anchor: clock.at, used: new Map() },
		};
		if (!known) oracle.budgets.push(budget);
		if (budget.minutes !== minutes) Object.assign(budget, { minutes, anchor: clock.at });
	};
	const archive = async () => {
		const entity = random.oneOf([...bots, ...crews]);
		const isArchived = oracle.archived.has(entity);
		const path = `${customer}/entities/${isArchived ? "unarchive" : "archive"}`;
		await must(call("POST", path, { body: { ids: [entity] } }));
		if (isArchived) oracle.archived.delete(entity);
		else oracle.archived.add(entity);
	};
	const send = async () => {
		const bot = random.oneOf(bots);
		const named = {
			...(random.chance(0.8) && { [random.oneOf(["bot", "agent"])]: bot }),
			...(random.chance(0.3) && { crew: random.oneOf(crews) }),
			...(random.chance(0.5) && { model: "gpt" }),
		};
		const [input, output] = [random.whole(0, 400), random.whole(0, 200)];
		const at = (clock.at - random.oneOf([0, 0, 45, 600]) * 60_000) as Instant;
		const event = { customerId: "writer", eventName: "prompt", timestamp: toIso(at) };
		const [key = ""] = await ours.send({ ...event, dimensions: { ...named, input, output } });
		await ours.job().run();
		oracle.event(key, Object.values(named), at, `${(input + 4 * output) / 1000}`);
	};
	const cancel = async () => {
		const key = random.oneOf(["", ...oracle.events.keys()]);
		if (key === "") return;
		const events = [{ customerId: "writer", eventName: "prompt", idempotencyKey: key }];
		await must(call("POST", "/events/cancel", { body: { events } }));
		await ours.job().run();
		oracle.cancel(key);
	};

	for (const crew of crews) await assign(crew, null);
	for (const bot of bots) await assign(bot, random.oneOf(crews));
	for (let step = 0; step < steps; step += 1) {
		clock.at = (clock.at + 1 + random.oneOf([0, 5, 45, 600]) * 60_000) as Instant;
		const bot = random.oneOf(bots);
		const move = () => assign(bot, random.oneOf(["keep" as const, null, ...crews]));
		await random.oneOf([send, send, send, cancel, cancel, move, archive])();
		const { body } = await must(call("GET", `${customer}/governance?limit=100&currencyIds=gold`));
		const shown = Object.fromEntries(
			body.data.map((one: { entityId: string; scopeEntityIds: string[]; currentUsage: number }) => [
				[one.entityId, ...one.scopeEntityIds].join("/"),
				[`${one.currentUsage}`, "0"],
			]),
		);
		expect([step, shown]).toEqual([step, oracle.tree(clock.at)]);
	}
	expect(ours.transactions.read(ours.actor, (work) => [...checkBudgets(work)])).toEqual([]);
	expect(ours.findings()).toEqual([]);
}

test.each([1, 2, 3, 4])(
	"budgets of a currency count and reverse the credits of events as the oracle does, seed %i",
	async (seed) => {
		await history(seed, 45);
	},
);
