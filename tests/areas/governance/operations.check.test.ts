import { expect, test } from "bun:test";
import { checkBudgets } from "../../../src/areas/governance/operations.check";
import { checkCountedReports } from "../../../src/areas/usage/reports/operations.check-budgets";
import { must, type Site, site } from "./site";

/** A tree of 64 agents below a team, used by all kinds of calls. */
async function used() {
	const ours = await site();
	const agents = Array.from({ length: 64 }, (_, at) => `agent-${at}`);
	const entities = agents.map((id) => ({ id, entityTypeId: "agent" }));
	await must(ours.call("PUT", "/customers/acme/entities", { body: { entities } }));
	await ours.budget(
		{ entityId: "research", usageLimit: 100 },
		{ entityId: "research", currencyId: "credits", usageLimit: null },
		...agents.map((entityId) => ({ entityId, parentId: "research", usageLimit: 9 })),
	);
	await ours.budget({ entityId: "drafter", currencyId: "credits", parentId: "research", usageLimit: null });
	return { ...ours, agents };
}

const findings = ({ transactions, actor }: Site): string[] =>
	transactions.read(actor, (work) => [...checkBudgets(work), ...checkCountedReports(work)]);

test("64 writers on one tree end in exactly the limit, and the check counts the same", async () => {
	const ours = await used();
	const calls = Array.from({ length: 10 }, (_, round) =>
		ours.agents.map((agentId, at) =>
			(at + round) % 8 === 0
				? ours.reserve(1, { agentId }).then(async ({ body }) => {
						const { reservation } = body.data;
						if (reservation) await must(ours.call("POST", `/reservations/${reservation.id}/commit`, { body: {} }));
					})
				: ours.consume(1, { agentId }),
		),
	);
	await Promise.all(calls.flat());
	const { research, ...others } = await ours.usage("featureIds=tokens&entityIdSearch=research");
	expect([research, others]).toEqual([100, {}]);
	expect(findings(ours)).toEqual([]);
});

test("counts again after reports, reversals, credits, reservations and moves", async () => {
	const ours = await used();
	await must(
		ours.report({ value: 5, dimensions: { agentId: "agent-1" } }, { value: 3.5, dimensions: { agentId: "agent-2" } }),
	);
	await must(ours.report({ value: -7, dimensions: { agentId: "agent-1" } }));
	await must(ours.report({ value: 2, dimensions: { agentId: "agent-1" } }));
	await must(ours.consume(4, { agentId: "drafter" }, "images"));
	await must(ours.reserve(2, { agentId: "agent-3" }));
	const { reservation } = (await must(ours.reserve(2, { agentId: "agent-3" }, { expiresIn: 60 }))).body.data;
	await ours.budget({ entityId: "agent-2", parentId: null });
	await ours.advance("P40D");
	await must(ours.call("POST", `/reservations/${reservation.id}/commit`, { body: {} }));
	await must(ours.reserve(1, { agentId: "agent-2" }));
	expect(findings(ours)).toEqual([]);
});

const planted: ReadonlyArray<readonly [name: string, sql: string, finds: string]> = [
	[
		"a counter that was raised",
		"UPDATE budget_counters SET used = '9' WHERE used = '4'",
		"the budget of entity 'agent-1' (customer 'acme') for 'tokens', from 2026-01-31T00:00:00.000Z: used is 9, expected 4",
	],
	[
		"a reserved amount without a reservation",
		"DELETE FROM budget_holds",
		"for 'tokens', from 2026-01-31T00:00:00.000Z: reserved is 2, expected 0",
	],
	["an entry that is missing", "DELETE FROM budget_entries", "used is 4, expected 0"],
	["an entry with another amount", "UPDATE budget_entries SET amount = '3'", "budgets counted 3 for report"],
];

test.each([...planted])("finds %s", async (_, sql, finds) => {
	const ours = await used();
	await must(ours.report({ value: 4, dimensions: { agentId: "agent-1" } }));
	await must(ours.reserve(2, { agentId: "agent-1" }));
	ours.db.$client.run(sql);
	expect(findings(ours).join("\n")).toContain(finds);
});
