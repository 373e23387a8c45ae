import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { checkBudgets } from "../../../../src/areas/governance/operations.check";
import { slowRuns } from "../../../support/runs";
import { type Site, site } from "../site";

const drafter = { agentId: "drafter" };
const reviewer = { agentId: "reviewer" };

/** A team's budget of 10 tokens, of which 4 are allocated to the drafter. The reviewer has no limit of its own. */
async function team() {
	const ours = await site();
	await ours.budget({ entityId: "research", usageLimit: 10 });
	await ours.advance("P1D");
	await ours.budget(
		{ entityId: "drafter", parentId: "research", usageLimit: 4, allocated: true },
		{ entityId: "reviewer", parentId: "research", usageLimit: null },
	);
	return ours;
}

const granted = async (ours: Site, amount: number, dimensions: object): Promise<boolean> =>
	(await ours.consume(amount, dimensions)).body.data.isGranted;

const findings = ({ transactions, actor }: Site): string[] =>
	transactions.read(actor, (work) => [...checkBudgets(work)]);

describe("an allocated budget", () => {
	test("reserves its amount: siblings cannot use it, and its own entity can", async () => {
		const ours = await team();
		expect(await granted(ours, 7, reviewer)).toBe(false);
		expect(await granted(ours, 6, reviewer)).toBe(true);
		expect(await granted(ours, 1, reviewer)).toBe(false);
		expect(await granted(ours, 1, { teamId: "research" })).toBe(false);
		expect(await granted(ours, 3, drafter)).toBe(true);
		expect(await granted(ours, 2, drafter)).toBe(false);
		const { explanation } = await ours.check(
			"featureId=tokens&requestedUsage=1&dimensions[agentId]=reviewer&explain=true",
		);
		expect(explanation.budgets[1]).toMatchObject({ entityId: "research", used: 9, allocatedToOthers: 1, remaining: 0 });
		expect(explanation.text).toContain("with 9 of 10 used and 0 reserved and 1 allocated to others until");
		expect(await granted(ours, 1, drafter)).toBe(true);
		expect(findings(ours)).toEqual([]);
	});

	test("is used also by a use that names the parent too", async () => {
		const ours = await team();
		expect(await granted(ours, 6, { ...reviewer, teamId: "research" })).toBe(true);
		expect(await granted(ours, 1, { ...reviewer, teamId: "research" })).toBe(false);
		expect(await granted(ours, 4, { ...drafter, teamId: "research" })).toBe(true);
		expect(await granted(ours, 1, { ...drafter, teamId: "research" })).toBe(false);
	});

	test("counts its own reservations as used, and resets with its parent", async () => {
		const ours = await team();
		await ours.reserve(3, drafter);
		expect(await granted(ours, 7, reviewer)).toBe(false);
		expect(await granted(ours, 6, reviewer)).toBe(true);
		// The window of the team began a day before the allocation.
		await ours.advance("2026-02-28T00:00:00Z");
		expect(await granted(ours, 7, reviewer)).toBe(false);
		expect(await granted(ours, 4, drafter)).toBe(true);
		expect(await granted(ours, 6, reviewer)).toBe(true);
	});

	test("reserves nothing while its entity is archived, or after it is no longer allocated", async () => {
		const ours = await team();
		await ours.call("POST", "/customers/acme/entities/archive", { body: { ids: ["drafter"] } });
		expect(await granted(ours, 8, reviewer)).toBe(true);
		await ours.call("POST", "/customers/acme/entities/unarchive", { body: { ids: ["drafter"] } });
		expect(await granted(ours, 1, reviewer)).toBe(false);
		await ours.budget({ entityId: "drafter", allocated: false });
		expect(await granted(ours, 1, reviewer)).toBe(true);
	});

	test("follows its parent: a move allocates from the new one, and a new cadence of both starts a new window", async () => {
		const ours = await team();
		await ours.budget({ entityId: "gpt", usageLimit: 5 }, { entityId: "drafter", parentId: "gpt" });
		expect(await granted(ours, 10, reviewer)).toBe(true);
		expect(await granted(ours, 2, { model: "gpt" })).toBe(false);
		await ours.budget({ entityId: "gpt", cadence: "P1D" }, { entityId: "drafter", cadence: "P1D" });
		expect(await granted(ours, 1, { model: "gpt" })).toBe(true);
		expect(findings(ours)).toEqual([]);
		const { data } = (await ours.call("GET", "/customers/acme/assignments?entityId=drafter")).body;
		expect(data[0]).toMatchObject({ parentId: "gpt", usageLimit: 4, allocated: true, cadence: "P1D" });
	});
});

test("decisions never let a limit or an allocated amount be taken by others, in any order", async () => {
	const use = fc.record({ who: fc.constantFrom(0, 1, 2, 3), amount: fc.integer({ min: 1, max: 6 }) });
	await fc.assert(
		fc.asyncProperty(fc.array(use, { minLength: 10, maxLength: 20 }), async (uses) => {
			const ours = await site();
			const agents = ["a", "b", "c", "d"];
			const entities = agents.map((id) => ({ id, entityTypeId: "agent" }));
			await ours.call("PUT", "/customers/acme/entities", { body: { entities } });
			const allocated = [5, 4, 0, 0];
			await ours.budget(
				{ entityId: "research", usageLimit: 14 },
				...agents.map((entityId, at) => ({
					...{ entityId, parentId: "research", allocated: (allocated[at] ?? 0) > 0 },
					usageLimit: allocated[at] || null,
				})),
			);
			const used = [0, 0, 0, 0];
			for (const { who, amount } of uses) {
				const own = (used[who] ?? 0) + amount;
				const free = 14 - 9 - (used[2] ?? 0) - (used[3] ?? 0);
				const expected = who < 2 ? own <= (allocated[who] ?? 0) : amount <= free;
				expect([who, amount, await granted(ours, amount, { agentId: agents[who] })]).toEqual([who, amount, expected]);
				if (expected) used[who] = own;
			}
		}),
		slowRuns(6),
	);
});
