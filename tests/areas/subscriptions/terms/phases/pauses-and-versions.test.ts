import { expect, test } from "bun:test";
import { systemActor } from "../../../../../src/areas/access/rules.actors";
import { runMigration } from "../../../../../src/areas/subscriptions/versions/migrate";
import { claimTask } from "../../../../../src/tasks/operations";
import { flat, type Till, till } from "../../billing";
import { found, month, phasesShown, selling } from "./shop";

test("a phase that ends during a pause ends at the resumption, also after an update in the pause (2.20)", async () => {
	for (const update of [undefined, { metadata: { note: "on the beach" } }]) {
		const phases = [{ id: "half", duration: month(1), percentOff: 50 }];
		const { ours, id } = await selling("2026-01-01T00:00:00Z", { phases });
		await ours.advance("2026-01-11T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${id}/pause`);
		await ours.advance("2026-02-05T00:00:00Z");
		if (update) await ours.change(id, update);
		expect(await phasesShown(ours, id)).toEqual(["half 2026-01-01 to 2026-02-01"]);
		await ours.advance("2026-02-08T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${id}/resume`);
		expect((await ours.books()).slice(2)).toEqual([
			"2026-02-08: 15 = pro, half 15",
			"2026-02-08: 15 = Unused time: pro, half -15 + pro 30",
		]);
		expect(await phasesShown(ours, id)).toEqual([]);
		expect(found(ours)).toEqual([]);
	}
});

test("phases of one percentage have one price, so that a resumption charges the second like the first (2.20)", async () => {
	const phases = [1, 2].map((nth) => ({ id: `half-${nth}`, duration: month(1), percentOff: 50 }));
	const { ours, id } = await selling("2026-01-01T00:00:00Z", { phases });
	await ours.advance("2026-01-11T00:00:00Z");
	await ours.insist("POST", `/subscriptions/${id}/pause`);
	await ours.advance("2026-02-15T00:00:00Z");
	await ours.insist("POST", `/subscriptions/${id}/resume`);
	expect((await ours.books()).slice(2)).toEqual(["2026-02-15: 10 = pro, half-1 10"]);
	expect(await phasesShown(ours, id)).toEqual(["half-2 2026-02-01 to 2026-03-01"]);
	expect(found(ours)).toEqual([]);
});

test("a publication for all customers keeps its prices if a phase ends before the next period (2.20)", async () => {
	const phases = [{ id: "half", duration: { unit: "DAY", count: 10 }, percentOff: 50 }];
	const { ours } = await selling("2026-01-01T00:00:00Z", { phases });
	await ours.advance("2026-01-05T00:00:00Z");
	await publishForAll(ours, { phases });
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-01-01: 20 = pro, half 20",
		"2026-01-11: 13.55 = Unused time: pro, half -13.55 + pro 27.1",
		"2026-02-01: 80 = pro 80",
	]);
	expect(found(ours)).toEqual([]);
});

test("a publication for all customers keeps its prices if a term is renewed before the next period (2.21)", async () => {
	const ours = await till("2026-01-16T00:00:00Z");
	const terms = { term: { months: 1, upliftPercentage: 10 }, billingAnchor: { type: "CALENDAR" } };
	await ours.plan("pro", [flat({ month: 40 })], terms);
	await ours.buy("pro");
	await ours.advance("2026-02-05T00:00:00Z");
	await publishForAll(ours, terms);
	await ours.advance("2026-03-01T00:00:00Z");
	// The renewal on 16 February increases the former price for 13 of 28 days, and the new one from March on.
	expect(await ours.books()).toEqual([
		"2026-01-16: 20.65 = pro 20.65",
		"2026-02-01: 40 = pro 40",
		"2026-02-16: 1.86 = Unused time: pro -18.57 + pro 20.43",
		"2026-03-01: 88 = pro 88",
	]);
	expect(found(ours)).toEqual([]);
});

/** Publishes the plan at 80.00 a month for all customers. */
async function publishForAll(ours: Till, more: object): Promise<void> {
	await ours.insist("POST", "/plans/pro/draft");
	const charges = { pricingType: "PAID", pricingModels: [flat({ month: 80 })], ...more };
	await ours.insist("PATCH", "/plans/pro", { charges });
	await ours.insist("POST", "/plans/pro/publish", { migrationType: "ALL_CUSTOMERS" });
	const task = ours.transactions.write(systemActor(""), (work) => claimTask(work, ["MIGRATE_SUBSCRIPTIONS"]));
	if (task) await runMigration(ours.thread, task);
}
