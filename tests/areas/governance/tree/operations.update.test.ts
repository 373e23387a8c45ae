import { expect, test } from "bun:test";
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
