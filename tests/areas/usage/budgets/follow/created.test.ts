import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { slowRuns } from "../../../../support/runs";
import { must } from "../../../governance/site";
import { eventSite } from "../site";

const calls = "featureIds=calls";
const template = {
	id: "agent",
	createsEntities: true,
	parentEntityTypeId: "team",
	defaultAssignments: [
		{ featureId: "calls", usageLimit: 4, cadence: "P1D" },
		{ featureId: "tokens", usageLimit: 2, cadence: "P1M" },
	],
};
const by = (agentId: string, more: object = {}) => ({ dimensions: { agentId, teamId: "research" }, ...more });

/** Events `call` that name an unknown agent create it below its team. No budget of calls exists before, unless the team gets one. */
async function withTemplates(...types: readonly object[]) {
	const ours = await eventSite();
	await must(ours.call("PUT", `${ours.beta}/entity-types`, { body: { types: types.length > 0 ? types : [template] } }));
	const teamBudget = () => ours.budget({ entityId: "research", featureId: "calls", usageLimit: 100, cadence: "P1D" });
	const created = async (): Promise<string[]> =>
		(await must(ours.call("GET", "/customers/acme/entities?limit=100"))).body.data
			.map(({ id }: { id: string }) => id)
			.filter((id: string) => !["research", "drafter", "reviewer", "gpt"].includes(id))
			.sort();
	return { ...ours, teamBudget, created };
}

describe("events create the entities that they name first", () => {
	test("and count at their budgets and those of the parent", async () => {
		const ours = await withTemplates();
		await ours.teamBudget();
		await ours.send(by("one"), by("two"), by("one"), by("drafter"));
		await ours.count();
		expect(await ours.created()).toEqual(["one", "two"]);
		expect(await ours.usage(calls)).toEqual({ research: 4, one: 2, two: 1 });
		await ours.send(by("one"), by("three"));
		await ours.count();
		expect(await ours.usage(calls)).toEqual({ research: 6, one: 3, two: 1, three: 1 });
		const denied = await ours.check("featureId=calls&requestedUsage=2&dimensions[agentId]=one");
		expect(denied).toMatchObject({ isGranted: false, accessDeniedReason: "BudgetExceeded" });
		expect(ours.findings()).toEqual([]);
	});

	test("also where no budget existed before, and with several budgets of the template", async () => {
		const ours = await withTemplates();
		await ours.send(by("one"));
		await ours.count();
		expect(await ours.usage(calls)).toEqual({ one: 1 });
		expect((await ours.consume(3, { agentId: "one" })).body.data.isGranted).toBe(false);
		expect(await ours.usage()).toEqual({ one: 0 });
	});

	test("together with a parent that another type's template creates", async () => {
		const ours = await withTemplates(template, {
			id: "team",
			createsEntities: true,
			defaultAssignments: [{ featureId: "calls", usageLimit: 5, cadence: "P1D" }],
		});
		const of = (agentId: string) => ({ dimensions: { agentId, teamId: "sales" } });
		await ours.send({ dimensions: { agentId: "early" } }, of("one"), of("early"));
		await ours.count();
		// The first event names no team, so it names no agent that exists until the others create it: it counts as all of its step do.
		expect(await ours.usage(calls)).toEqual({ sales: 3, one: 1, early: 2 });
		expect(ours.findings()).toEqual([]);
	});

	test("with budgets from the earliest of these events, whatever their order", async () => {
		const ours = await withTemplates();
		await ours.teamBudget();
		await ours.advance("P1DT6H");
		const at = (timestamp: string, more: object = {}) => ({
			dimensions: { agentId: "one", teamId: "research", ...more },
			timestamp,
		});
		await ours.send(
			at("2026-02-01T04:00:00Z"),
			at("2026-02-01T01:00:00Z", { model: "gpt" }),
			at("2026-02-01T02:00:00Z"),
		);
		await ours.count();
		const { data } = (await must(ours.call("GET", "/customers/acme/governance?featureIds=calls&entityTypeIds=agent")))
			.body;
		expect(data).toMatchObject([{ entityId: "one", currentUsage: 3, usagePeriodEnd: "2026-02-02T01:00:00.000Z" }]);
		// A later event of an earlier time is from before the budget began.
		await ours.send(at("2026-02-01T00:30:00Z"));
		await ours.count();
		expect((await ours.usage(calls)).one).toBe(3);
		expect(ours.findings()).toEqual([]);
	});

	test("and the audit log names the job", async () => {
		const ours = await withTemplates();
		await ours.send(by("one"));
		await ours.count();
		const { data } = (await must(ours.call("GET", "/audit-log?limit=1"))).body;
		expect(data[0].operation).toBe("scheduler.CREATE_ENTITIES");
		expect(data[0].changes.map(({ entityType }: { entityType: string }) => entityType)).toContain("Entity");
	});

	test("more than one transaction creates, and each event counts once", async () => {
		const ours = await withTemplates();
		await ours.teamBudget();
		const agents = Array.from({ length: 150 }, (_, at) => `run-${at}`);
		await ours.send(...agents.map((agent) => by(agent)), ...agents.map((agent) => by(agent)));
		await ours.count();
		const counted = await ours.usage(`${calls}&entityTypeIds=team`);
		expect(counted).toEqual({ research: 300 });
		const rows = ours.db.$client
			.query("SELECT used, count(*) AS n FROM budget_counters GROUP BY used ORDER BY n")
			.all();
		expect(rows).toEqual([
			{ used: "300", n: 1 },
			{ used: "2", n: 150 },
		]);
		expect(ours.findings()).toEqual([]);
	});

	test("and a cancellation reverses them, a crash repeats nothing", async () => {
		const ours = await withTemplates();
		await ours.teamBudget();
		const [first = ""] = await ours.send(by("one"), by("one"));
		await ours.count();
		await ours.cancel(first);
		ours.restart();
		await ours.count();
		ours.restart();
		await ours.count();
		expect(await ours.usage(calls)).toEqual({ research: 1, one: 1 });
		expect(ours.findings()).toEqual([]);
	});
});

describe("events create nothing", () => {
	test.each([
		["without the parent's dimension", { dimensions: { agentId: "one" } }],
		["below an unknown parent", { dimensions: { agentId: "one", teamId: "nobody" } }],
		["by a value that is no id", by("no id")],
		["if no meter counts them", by("one", { eventName: "other" })],
	])("%s", async (_, event) => {
		const ours = await withTemplates();
		await ours.teamBudget();
		await ours.send(event);
		await ours.count();
		expect(await ours.created()).toEqual([]);
		expect(ours.findings()).toEqual([]);
	});

	test("while governance is off, or if the event was canceled", async () => {
		const ours = await withTemplates();
		const turn = (governance: boolean) => must(ours.call("PATCH", "/environments/current", { body: { governance } }));
		const [canceled = ""] = await ours.send(by("one"));
		await ours.cancel(canceled);
		await ours.count();
		await turn(false);
		await ours.send(by("two"));
		await ours.count();
		await turn(true);
		await ours.count();
		expect(await ours.created()).toEqual([]);
	});

	test("beyond 10,000 entities of a customer, and are counted as before", async () => {
		const ours = await withTemplates();
		await ours.teamBudget();
		await ours.send(by("run-0"));
		await ours.count();
		ours.db.$client.run(
			`with recursive n(at) as (select 1 union all select at + 1 from n where at < 9998)
			insert into entities (id, environment_id, customer_id, ref_id, type_id, metadata, is_created, created_at, updated_at)
			select id || at, environment_id, customer_id, 'run-' || at, type_id, metadata, is_created, created_at, updated_at
			from entities, n where ref_id = 'run-0'`,
		);
		await ours.send(by("last"), by("refused"), by("refused"));
		await ours.count();
		const exists = async (id: string) => (await ours.call("GET", `/customers/acme/entities/${id}`)).status === 200;
		expect([await exists("last"), await exists("refused")]).toEqual([true, false]);
		expect(await ours.usage(`${calls}&entityTypeIds=team`)).toEqual({ research: 4 });
		expect(ours.findings()).toEqual([]);
	});
});

test("events count at created entities as at those that existed before", async () => {
	const event = fc.record({
		agentId: fc.constantFrom("a1", "a2", "a3"),
		hasTeam: fc.boolean(),
		hours: fc.integer({ min: 0, max: 40 }),
		isNext: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 15 }), async (events) => {
			const ours = await withTemplates();
			await ours.advance("P3D");
			// Calculated from the interface alone: in each step, an agent begins at its earliest event with a team.
			const begins = new Map<string, number>();
			const expected = new Map<string, number>();
			const base = Date.parse("2026-02-01T00:00:00Z");
			const steps: Array<typeof events> = [];
			for (const one of events) {
				if (one.isNext || steps.length === 0) steps.push([]);
				steps.at(-1)?.push(one);
			}
			for (const step of steps) {
				const sent = step.map(({ agentId, hasTeam, hours }) => ({
					dimensions: { agentId, ...(hasTeam && { teamId: "research" }) },
					timestamp: new Date(base + hours * 3_600_000).toISOString(),
				}));
				await ours.send(...sent);
				await ours.count();
				for (const agent of new Set(step.map(({ agentId }) => agentId))) {
					const of = step.filter(({ agentId, hasTeam }) => agentId === agent && hasTeam).map(({ hours }) => hours);
					if (!begins.has(agent) && of.length > 0) begins.set(agent, Math.min(...of));
					const begin = begins.get(agent);
					for (const { agentId, hours } of step) {
						if (agentId !== agent || begin === undefined || hours < begin) continue;
						const key = `${agent} ${Math.floor((hours - begin) / 24)}`;
						expected.set(key, (expected.get(key) ?? 0) + 1);
					}
				}
			}
			const counted = ours.db.$client
				.query<{ agent: string; day: number; used: string }, []>(
					`SELECT e.ref_id AS agent, (c.window_start - a.anchor_at) / 86400000 AS day, c.used
					 FROM budget_counters c JOIN budget_assignments a ON a.id = c.assignment_id
					 JOIN budget_nodes n ON n.id = a.node_id JOIN entities e ON e.id = n.entity_id`,
				)
				.all();
			expect(new Map<string, number>(counted.map(({ agent, day, used }) => [`${agent} ${day}`, Number(used)]))).toEqual(
				expected,
			);
			expect(ours.findings()).toEqual([]);
		}),
		slowRuns(12),
	);
}, 60_000);
