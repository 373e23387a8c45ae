import { expect, test } from "bun:test";
import type { Instant } from "../../../../src/kernel/clock";
import { type EventSite, eventSite } from "../../usage/budgets/site";
import { must } from "../site";

const drafter = { agentId: "drafter" };
const reviewer = { agentId: "reviewer" };
const days = ["2026-01-31", "2026-02-01", "2026-02-02", "2026-02-03"] as const;
const [first, ...missed] = days;

/** A team with a soft limit for the drafter, and budgets of calls. All are daily. */
async function team() {
	const ours = await eventSite();
	const daily = { cadence: "P1D" };
	await ours.budget(
		{ entityId: "research", usageLimit: 10, ...daily },
		{ entityId: "drafter", parentId: "research", usageLimit: 4, hasSoftLimit: true, ...daily },
		{ entityId: "reviewer", parentId: "research", usageLimit: 8, ...daily },
		{ entityId: "research", featureId: "calls", usageLimit: 2, ...daily },
		{ entityId: "drafter", featureId: "calls", parentId: "research", usageLimit: null, ...daily },
	);
	return ours;
}

/** Nothing runs while the clock passes the ends of three windows. Afterwards the jobs begin again. */
async function standStill(ours: EventSite): Promise<void> {
	ours.clock.at = Date.parse(`${days[3]}T01:00:00Z`) as Instant;
	ours.restart();
	await runJobs(ours);
}

async function runJobs(ours: EventSite): Promise<void> {
	await ours.count();
	await ours.follow();
}

/** The used and the reserved amount of each budget by entity, feature and day. */
const counters = ({ db }: EventSite): Record<string, readonly [used: number, reserved: number]> =>
	Object.fromEntries(
		db.$client
			.query<{ entity: string; feature: string; start: number; used: string; reserved: string }, []>(
				`SELECT e.ref_id AS entity, f.ref_id AS feature, c.window_start AS start, c.used, c.reserved
				 FROM budget_counters c
				 JOIN budget_assignments a ON a.id = c.assignment_id JOIN budget_nodes n ON n.id = a.node_id
				 JOIN entities e ON e.id = n.entity_id JOIN features f ON f.id = n.capability_id ORDER BY 3, 2, 1`,
			)
			.all()
			.map(({ entity, feature, start, used, reserved }) => [
				`${entity} ${feature} ${new Date(start).toISOString().slice(0, 10)}`,
				[Number(used), Number(reserved)],
			]),
	);

/** The emitted `budget.exceeded`: entity, feature, day, and cause. */
async function exceeded({ call }: EventSite): Promise<string[]> {
	const { body } = await must(call("GET", "/events-out?after=0&limit=1000"));
	return body.data
		.filter(({ type }: { type: string }) => type === "budget.exceeded")
		.map(
			(one: { entity: { id: string }; feature: { id: string }; usagePeriodStart: string; cause: string }) =>
				`${one.entity.id} ${one.feature.id} ${one.usagePeriodStart.slice(0, 10)} ${one.cause}`,
		)
		.sort();
}

test("usage and events from before and during a downtime count once, in the windows of their time", async () => {
	const ours = await team();
	await must(ours.report({ value: 5, dimensions: drafter }));
	await must(ours.consume(3, reviewer));
	expect((await ours.consume(3, reviewer)).body.data.isGranted).toBe(false);
	const [canceled = ""] = await ours.send(
		{ dimensions: drafter },
		{ dimensions: drafter },
		{ dimensions: drafter },
		{ dimensions: drafter },
	);
	await standStill(ours);
	// Clients send what they have collected meanwhile.
	const collected = missed.map((day, at) => ({ dimensions: drafter, createdAt: `${day}T00:30:00Z`, value: 5 + at }));
	await must(ours.report(...collected));
	const sent = missed.flatMap((day) => [1, 2, 3].map(() => ({ dimensions: drafter, timestamp: `${day}T00:30:00Z` })));
	const [late = ""] = await ours.send(...sent);
	await runJobs(ours);
	await ours.cancel(canceled, late);
	ours.restart();
	await runJobs(ours);
	await runJobs(ours);
	expect(counters(ours)).toEqual({
		[`drafter calls ${first}`]: [3, 0],
		[`research calls ${first}`]: [3, 0],
		[`drafter tokens ${first}`]: [5, 0],
		[`research tokens ${first}`]: [8, 0],
		[`reviewer tokens ${first}`]: [3, 0],
		...Object.fromEntries(
			missed.flatMap((day, at) =>
				["drafter", "research"].flatMap((entity) => [
					[`${entity} calls ${day}`, [at === 0 ? 2 : 3, 0]],
					[`${entity} tokens ${day}`, [5 + at, 0]],
				]),
			),
		),
	});
	expect(await exceeded(ours)).toEqual(
		[
			...days.flatMap((day) => [`drafter tokens ${day} USAGE`, `research calls ${day} USAGE`]),
			`research tokens ${first} DENIED`,
		].sort(),
	);
	expect(ours.findings()).toEqual([]);
});

test("reservations that expire during a downtime are released once, and a late commit counts once", async () => {
	const ours = await team();
	const held = async (amount: number) =>
		(await must(ours.reserve(amount, reviewer, { expiresIn: 3600 }))).body.data.reservation.id;
	const [committed, released, left] = [await held(2), await held(3), await held(1)];
	await standStill(ours);
	expect(ours.findings()).toEqual([]);
	const { chains } = await ours.check("featureId=tokens&dimensions[agentId]=reviewer");
	for (const budget of chains[0]) {
		expect(budget).toMatchObject({ currentUsage: 0, isGranted: true });
		expect(budget).not.toHaveProperty("reservedUsage");
	}
	const end = (id: string, action: string) => ours.call("POST", `/reservations/${id}/${action}`, { body: {} });
	// The first reservation after the downtime deletes the expired amounts.
	await must(end(committed, "commit"));
	await must(ours.reserve(4, reviewer));
	await must(end(committed, "commit"));
	for (const id of [released, released, left]) await must(end(id, "release"));
	await runJobs(ours);
	expect(counters(ours)).toEqual({
		[`research tokens ${first}`]: [0, 0],
		[`reviewer tokens ${first}`]: [0, 0],
		[`research tokens ${days[3]}`]: [2, 4],
		[`reviewer tokens ${days[3]}`]: [2, 4],
	});
	expect(await exceeded(ours)).toEqual([]);
	expect(ours.findings()).toEqual([]);
});
