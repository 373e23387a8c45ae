import { expect, test } from "bun:test";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { writeTreeCursor } from "../../../../src/areas/governance/tree/store";
import { site } from "../site";

test("the first budget wakes the follower, which rests long without budgets", async () => {
	const { budget, woken } = await site();
	const wakes = () => woken.filter((worker) => worker === "budget-tree").length;
	const before = wakes();
	await budget({ entityId: "research", usageLimit: 9 });
	expect(wakes()).toBe(before + 1);
	await budget({ entityId: "drafter", usageLimit: 9 });
	expect(wakes()).toBe(before + 1);
});

test("follows a backlog of more entries than it reads at once, and again after a crash without a second event", async () => {
	const ours = await site();
	await ours.budget(
		{ entityId: "research", usageLimit: 500 },
		{ entityId: "drafter", parentId: "research", usageLimit: 900 },
	);
	for (let request = 0; request < 7; request += 1)
		await ours.report(...Array.from({ length: 100 }, () => ({ value: 1, dimensions: { agentId: "drafter" } })));
	const exceeded = async (): Promise<string[]> =>
		(await ours.call("GET", "/events-out?after=0&limit=1000")).body.data
			.filter(({ type }: { type: string }) => type === "budget.exceeded")
			.map(({ entity }: { entity: { id: string } }) => entity.id);
	await ours.follow();
	expect(await ours.usage()).toEqual({ research: 700, drafter: 700 });
	expect(await exceeded()).toEqual(["research"]);
	// The power failed after the counters were followed and before the cursor was written.
	ours.transactions.write(systemActor(""), (work) => writeTreeCursor(work, 0));
	await ours.follow();
	expect(await ours.usage()).toEqual({ research: 700, drafter: 700 });
	expect(await exceeded()).toEqual(["research"]);
});
