import { expect, test } from "bun:test";
import type { Instant } from "../../../../src/kernel/clock";
import { randomOf } from "../../../simulated-subscriptions/random";
import { eventSite } from "../../usage/budgets/site";
import { must } from "../site";

/** Calculated from the interface page alone, in whole numbers: a team with agents, one of which has an agent below it. */
class AllocatedOracle {
	readonly parents: Readonly<Record<string, string | null>> = {
		...{ research: null, drafter: "research", reviewer: "research", tester: "research", writer: "drafter" },
	};
	readonly limits = new Map<string, number | null>();
	readonly allocated = new Set<string>();
	readonly #used = new Map<string, number>();
	readonly holds = new Map<string, { amount: number; day: number; expiresAt: number; levels: readonly string[] }>();

	/** All levels above the named entities, each once. */
	levels(names: readonly string[]): string[] {
		const path = (entity: string): string[] => {
			const parent = this.parents[entity];
			return parent ? [entity, ...path(parent)] : [entity];
		};
		return [...new Set(names.flatMap(path))];
	}

	used(entity: string, day: number): number {
		return this.#used.get(`${entity} ${day}`) ?? 0;
	}

	reserved(entity: string, day: number, now: number): number {
		return [...this.holds.values()]
			.filter((hold) => now < hold.expiresAt && hold.day === day && hold.levels.includes(entity))
			.reduce((sum, { amount }) => sum + amount, 0);
	}

	#taken(entity: string, levels: readonly string[], day: number, now: number): number {
		return [...this.allocated]
			.filter((child) => this.parents[child] === entity && !levels.includes(child))
			.map((child) => (this.limits.get(child) ?? 0) - this.used(child, day) - this.reserved(child, day, now))
			.reduce((sum, unused) => sum + Math.max(0, unused), 0);
	}

	allows(names: readonly string[], amount: number, day: number, now: number): boolean {
		const levels = this.levels(names);
		return levels.every((entity) => {
			const limit = this.limits.get(entity) ?? null;
			const total = this.used(entity, day) + this.reserved(entity, day, now) + amount;
			return limit === null || total + this.#taken(entity, levels, day, now) <= limit;
		});
	}

	count(levels: readonly string[], amount: number, day: number): void {
		for (const entity of levels) this.#used.set(`${entity} ${day}`, this.used(entity, day) + amount);
	}

	/** Whether the limits of a parent's allocated children fit into its own. */
	fits(limits: ReadonlyMap<string, number | null>, allocated: ReadonlySet<string>): boolean {
		const sum = [...allocated].reduce((total, child) => total + (limits.get(child) ?? 0), 0);
		return [...allocated].every((child) => limits.get(child) !== null) && sum <= (limits.get("research") ?? 0);
	}
}

const agents = ["drafter", "reviewer", "tester", "writer"];
const dayMs = 86_400_000;

/** A history of random requests on the tokens or the credits of a customer, with daily budgets. */
async function history(seed: number, kind: "tokens" | "credits", steps: number): Promise<void> {
	const ours = await eventSite();
	const { clock, call } = ours;
	const random = randomOf(seed);
	const oracle = new AllocatedOracle();
	const start = clock.at;
	const day = () => Math.floor((clock.at - start) / dayMs);
	const capability = kind === "tokens" ? { featureId: "tokens" } : { currencyId: "credits" };
	const created = ["tester", "writer"].map((id) => ({ id, entityTypeId: "agent" }));
	await must(call("PUT", "/customers/acme/entities", { body: { entities: created } }));
	const first = Object.entries(oracle.parents).map(([entityId, parentId]) => {
		const usageLimit = entityId === "research" ? 20 : random.oneOf([null, 4, 9]);
		oracle.limits.set(entityId, usageLimit);
		return { entityId, parentId, usageLimit, cadence: "P1D", ...capability };
	});
	await must(ours.put(first));
	const open: string[] = [];

	const change = async () => {
		const entity = random.oneOf(["research", "drafter", "reviewer", "tester"]);
		const usageLimit = entity === "research" ? random.oneOf([10, 14, 20]) : random.oneOf([null, 3, 5, 8]);
		const allocated = entity !== "research" && random.chance(0.6);
		const limits = new Map(oracle.limits).set(entity, usageLimit);
		const after = new Set([...oracle.allocated].filter((one) => one !== entity).concat(allocated ? entity : []));
		const { status } = await ours.put([{ entityId: entity, usageLimit, allocated, ...capability }]);
		expect(status === 200).toBe(oracle.fits(limits, after));
		if (status !== 200) return;
		oracle.limits.set(entity, usageLimit);
		if (allocated) oracle.allocated.add(entity);
		else oracle.allocated.delete(entity);
	};
	/** Dimensions, and the entities that they name: often the team in addition to the agent. */
	const named = () => {
		const agentId = random.oneOf(agents);
		const teamId = random.chance(0.4) ? "research" : undefined;
		return { dimensions: { agentId, ...(teamId && { teamId }) }, names: [agentId, ...(teamId ? [teamId] : [])] };
	};
	const consume = async () => {
		const { dimensions, names } = named();
		const units = random.whole(1, 3);
		const amount = kind === "tokens" ? units : 2 * units;
		const { body } = await must(ours.consume(units, dimensions, kind === "tokens" ? "tokens" : "images"));
		const isGranted = oracle.allows(names, amount, day(), clock.at);
		expect(body.data.isGranted).toBe(isGranted);
		if (isGranted) oracle.count(oracle.levels(names), amount, day());
	};
	/** Reports, and credits without a feature, are never refused. */
	const report = async () => {
		const { dimensions, names } = named();
		const amount = random.whole(1, 2);
		if (kind === "tokens") await must(ours.report({ value: amount, dimensions }));
		else
			await must(
				call("POST", "/credits/consumption", {
					body: { customerId: "acme", ...capability, amount, dimensions, idempotencyKey: `${clock.at}` },
				}),
			);
		oracle.count(oracle.levels(names), amount, day());
	};
	const reserve = async () => {
		const { dimensions, names } = named();
		const amount = random.whole(1, 4);
		const expiresIn = random.oneOf([600, 40_000]);
		const { data } = (await must(ours.reserve(amount, dimensions, { expiresIn }))).body;
		expect(data.isGranted).toBe(oracle.allows(names, amount, day(), clock.at));
		if (!data.isGranted) return;
		open.push(data.reservation.id);
		const hold = { amount, day: day(), expiresAt: clock.at + expiresIn * 1000, levels: oracle.levels(names) };
		oracle.holds.set(data.reservation.id, hold);
	};
	const end = async () => {
		const id = open.splice(random.whole(0, open.length - 1), 1)[0];
		const hold = id === undefined ? undefined : oracle.holds.get(id);
		if (id === undefined || !hold) return;
		// The commit of an expired reservation is a new use, which the other oracle judges.
		const action = clock.at < hold.expiresAt && random.chance(0.6) ? "commit" : "release";
		await must(call("POST", `/reservations/${id}/${action}`, { body: action === "commit" ? { amount: 1 } : {} }));
		oracle.holds.delete(id);
		if (action === "commit") oracle.count(hold.levels, 1, day());
	};

	const uses = kind === "tokens" ? [consume, consume, report, reserve, end] : [consume, consume, consume, report];
	const query = kind === "tokens" ? "featureIds=tokens" : "currencyIds=credits";
	for (let step = 0; step < steps; step += 1) {
		clock.at = (clock.at + 1 + random.oneOf([0, 5, 60, 300]) * 60_000) as Instant;
		await random.oneOf([...uses, change])();
		const { data } = (await must(call("GET", `/customers/acme/governance?limit=100&${query}`))).body;
		const shown = data.map((one: { entityId: string; currentUsage: number; reservedUsage?: number }) => [
			...[one.entityId, one.currentUsage, one.reservedUsage ?? 0],
		]);
		const expected = Object.keys(oracle.parents).map((entity) => [
			...[entity, oracle.used(entity, day()), oracle.reserved(entity, day(), clock.at)],
		]);
		expect([step, shown.sort()]).toEqual([step, expected.sort()]);
	}
	expect(ours.findings()).toEqual([]);
}

const seeds = [1, 2, 3, 4, 5];

test.each(seeds)("allocated budgets of a feature decide as the oracle does, seed %i", async (seed) => {
	await history(seed, "tokens", 90);
});

test.each(seeds)(
	"budgets of credits, allocated ones too, decide and count as the oracle does, seed %i",
	async (seed) => {
		await history(seed, "credits", 70);
	},
);
