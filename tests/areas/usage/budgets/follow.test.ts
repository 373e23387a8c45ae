import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { must } from "../../governance/site";
import { type EventSite, eventSite } from "./site";

const calls = "featureIds=calls";
const by = (agentId: string, more: object = {}) => ({ dimensions: { agentId, ...more } });

/** A team with two agents, and budgets of calls without limits. */
async function teamOfTwo(): Promise<EventSite> {
	const ours = await eventSite();
	const budget = { featureId: "calls", usageLimit: null };
	await ours.budget(
		{ entityId: "research", ...budget },
		{ entityId: "drafter", parentId: "research", ...budget },
		{ entityId: "reviewer", parentId: "research", ...budget },
	);
	return ours;
}

test("counts events of a COUNT meter at all levels", async () => {
	const ours = await teamOfTwo();
	await ours.send(by("drafter"), by("drafter"), by("reviewer"), by("nobody"), {});
	await ours.send({ ...by("drafter"), eventName: "other" });
	await ours.count();
	expect(await ours.usage(calls)).toEqual({ research: 3, drafter: 2, reviewer: 1 });
	expect(ours.findings()).toEqual([]);
});

test("counts the exact sum of a SUM meter", async () => {
	const ours = await eventSite();
	const budget = { featureId: "bytes", usageLimit: null };
	await ours.budget({ entityId: "research", ...budget }, { entityId: "drafter", parentId: "research", ...budget });
	await ours.send(by("drafter", { size: 0.1 }), by("drafter", { size: 0.2 }), by("drafter", { size: "none" }));
	await ours.count();
	expect(await ours.usage("featureIds=bytes")).toEqual({ research: 0.3, drafter: 0.3 });
	expect(ours.findings()).toEqual([]);
});

test("rejects a budget for a meter whose results do not add up", async () => {
	const ours = await eventSite();
	const refused = await ours.put([{ entityId: "research", featureId: "peak", usageLimit: 1, cadence: "P1M" }]);
	expect([refused.status, refused.body.code]).toEqual([400, "UnsupportedFeatureType"]);
});

test("reverses a canceled event at all levels, counted or not", async () => {
	const ours = await teamOfTwo();
	const [first = ""] = await ours.send(by("drafter"), by("drafter"));
	await ours.count();
	const [late = ""] = await ours.send(by("reviewer"), by("reviewer"));
	await ours.cancel(first, late);
	await ours.count();
	expect(await ours.usage(calls)).toEqual({ research: 2, drafter: 1, reviewer: 1 });
	expect(ours.findings()).toEqual([]);
});

test("reverses a canceled event where it was counted, after a move and another meter", async () => {
	const ours = await teamOfTwo();
	const [key = ""] = await ours.send(by("drafter"));
	await ours.count();
	await ours.budget({ entityId: "drafter", featureId: "calls", parentId: null });
	const aggregation = { function: "SUM", field: "size" };
	await must(ours.call("PATCH", "/features/calls", { body: { meter: { aggregation, filters: [] } } }));
	await ours.send(by("drafter", { size: 7 }));
	await ours.count();
	expect(await ours.usage(calls)).toEqual({ research: 1, drafter: 8, reviewer: 0 });
	await ours.cancel(key);
	await ours.count();
	expect(await ours.usage(calls)).toEqual({ research: 0, drafter: 7, reviewer: 0 });
	expect(ours.findings()).toEqual([]);
});

test("counts in the window of an event's time, and nothing from before the budget began", async () => {
	const ours = await eventSite();
	await ours.budget({ entityId: "drafter", featureId: "calls", usageLimit: null, cadence: "P1D" });
	await ours.advance("P1DT1H");
	const at = (timestamp: string) => ({ ...by("drafter"), timestamp });
	await ours.send(at("2026-01-30T23:59:59Z"), at("2026-01-31T10:00:00Z"), at("2026-02-01T00:30:00Z"));
	await ours.count();
	expect(await ours.usage(calls)).toEqual({ drafter: 1 });
	expect(ours.findings()).toEqual([]);
});

test("counts at scopes that apply, and at common ancestors once", async () => {
	const ours = await teamOfTwo();
	const budget = { featureId: "calls", usageLimit: null };
	await ours.budget({ entityId: "drafter", scopeEntityIds: ["gpt"], ...budget }, { entityId: "gpt", ...budget });
	await ours.send(
		by("drafter", { model: "gpt" }),
		by("drafter", { model: "other" }),
		by("drafter", { teamId: "research" }),
	);
	await ours.count();
	expect(await ours.usage(calls)).toEqual({ research: 3, drafter: 3, "drafter/gpt": 1, gpt: 1, reviewer: 0 });
	expect(ours.findings()).toEqual([]);
});

test("counts each event once after a crash, and none of an archived entity", async () => {
	const ours = await teamOfTwo();
	await ours.send(by("drafter"), by("reviewer"));
	await ours.count();
	ours.restart();
	await ours.call("POST", "/customers/acme/entities/archive", { body: { ids: ["drafter"] } });
	await ours.count();
	await ours.send(by("drafter"), by("reviewer"));
	await ours.count();
	await ours.call("POST", "/customers/acme/entities/unarchive", { body: { ids: ["drafter"] } });
	ours.restart();
	await ours.count();
	expect(await ours.usage(calls)).toEqual({ research: 4, drafter: 1, reviewer: 2 });
	expect(ours.findings()).toEqual([]);
});

test("decides a check by the counted events", async () => {
	const ours = await teamOfTwo();
	await ours.budget({ entityId: "drafter", featureId: "calls", usageLimit: 2 });
	await ours.send(by("drafter"), by("drafter"));
	await ours.count();
	const { chains, ...denied } = await ours.check("featureId=calls&dimensions[agentId]=drafter&requestedUsage=1");
	expect([denied.isGranted, denied.accessDeniedReason]).toEqual([false, "BudgetExceeded"]);
	expect(chains[0].map((node: { currentUsage: number }) => node.currentUsage)).toEqual([2, 2]);
	const granted = await ours.check("featureId=calls&dimensions[agentId]=reviewer&requestedUsage=1");
	expect(granted.isGranted).toBe(true);
});

test("finds an entry with another amount, and one whose events do not exist", async () => {
	const ours = await teamOfTwo();
	await ours.send(by("drafter"), by("reviewer"));
	await ours.count();
	ours.db.$client.run("UPDATE budget_entries SET amount = '5' WHERE sequence = 1");
	expect(ours.findings().join("\n")).toContain("budgets counted 5 for events 1 to 2 of the log (entry 1), expected 1");
});

test("a rebuild of usage repairs entries of events and counters", async () => {
	const ours = await teamOfTwo();
	await ours.send(by("drafter"), by("reviewer"));
	await ours.count();
	await must(ours.consume(5, { agentId: "drafter" }));
	ours.db.$client.run("UPDATE budget_entries SET amount = '5' WHERE sequence = 1");
	ours.db.$client.run("UPDATE budget_counters SET used = '9' WHERE id = 2");
	await ours.repair();
	expect(await ours.usage(calls)).toEqual({ research: 2, drafter: 1, reviewer: 1 });
	expect(ours.findings()).toEqual([]);
});

test("a rebuild of usage repairs the approved amounts of requests", async () => {
	const ours = await eventSite();
	await ours.budget({ entityId: "drafter", usageLimit: 5 }, { entityId: "reviewer", usageLimit: 5 });
	const limits = async () =>
		(await must(ours.call("GET", "/customers/acme/governance?featureIds=tokens"))).body.data
			.map(({ usageLimit }: { usageLimit: number }) => usageLimit)
			.sort();
	const body = { entityId: "drafter", featureId: "tokens", amount: 3, duration: "PERIOD" };
	const { id } = (await must(ours.call("POST", "/customers/acme/budget-requests", { body }))).body.data;
	await must(ours.call("POST", `/budget-requests/${id}/approve`, { body: {} }));
	await must(ours.consume(1, { agentId: "reviewer" }));
	// A connection of its own: the server caches the counters that it has written itself.
	using damaging = new Database(join(ours.folder, "main.db"));
	damaging.run("UPDATE budget_counters SET raised = CASE raised WHEN '3' THEN '1' ELSE '4' END");
	expect(await limits()).toEqual([6, 9]);
	expect(ours.findings()).toHaveLength(2);
	await ours.repair();
	expect(await limits()).toEqual([5, 8]);
	expect(ours.findings()).toEqual([]);
});

test("counts events at the budgets of an entity that other usage created a moment before", async () => {
	const ours = await teamOfTwo();
	const budgets = ["calls", "tokens"].map((featureId) => ({ featureId, usageLimit: 10, cadence: "P1M" }));
	const type = { id: "agent", createsEntities: true, parentEntityTypeId: "team", defaultAssignments: budgets };
	await must(ours.call("PUT", `${ours.beta}/entity-types`, { body: { types: [type] } }));
	await ours.send(by("newcomer"));
	await ours.count();
	await must(ours.consume(1, { agentId: "newcomer", teamId: "research" }));
	await ours.send(by("newcomer"), by("newcomer"));
	await ours.count();
	expect(await ours.usage(calls)).toEqual({ research: 2, drafter: 0, reviewer: 0, newcomer: 2 });
	expect(ours.findings()).toEqual([]);
});
