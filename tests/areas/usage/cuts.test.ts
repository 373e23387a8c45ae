import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFeature, getFeature, updateFeature } from "../../../src/areas/features/operations";
import type { MeterInput } from "../../../src/areas/features/schema";
import { Aggregator } from "../../../src/areas/usage/counting/aggregator";
import { countedEvents, currentUsage } from "../../../src/areas/usage/operations";
import type { Instant } from "../../../src/kernel/clock";
import { openFile } from "../../../src/kernel/storage/db";
import { testNow, type World } from "../../support/world";
import { provision, shop } from "../subscriptions/shop";
import { truth, values } from "./aggregation-oracle";
import { memoryFolder } from "./memory-folder";
import { recountUsage } from "./recounted";

const field = "amount";
const aggregations: Readonly<Record<string, MeterInput["aggregation"]>> = {
	count: { function: "COUNT" },
	sum: { function: "SUM", field },
	max: { function: "MAX", field },
	avg: { function: "AVG", field },
	unique: { function: "UNIQUE", field },
	latest: { function: "LATEST", field },
	p90: { function: "PERCENTILE", field, percentile: 90 },
};
/** What was counted is shown beside the totals where no meter keeps values. */
const all = Object.keys(aggregations);
const plain = all.filter((name) => name !== "unique" && name !== "p90");

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const hourOf = (at: number): number => Math.floor(at / hourMs);
const dayMs = 24 * hourMs;

/** Instants at which subscriptions are sold: within hours, two of them within one. */
const anchors = [17 * minuteMs + 1, 42 * minuteMs, 3 * hourMs + 5].map((offsetMs) => testNow + offsetMs);
const anchor = fc.constantFrom(...anchors);
const instant = fc
	.tuple(anchor, fc.constantFrom(0, dayMs, 3 * dayMs, -dayMs), fc.constantFrom(-minuteMs, -1, 0, 1, 30 * minuteMs))
	.map(([from, days, offsetMs]) => from + days + offsetMs);
const period = fc
	.tuple(fc.oneof(anchor, instant), fc.oneof(anchor, instant, fc.constant(testNow + 40 * dayMs)))
	.map(([one, other]) => ({ start: Math.min(one, other) as Instant, end: Math.max(one, other) as Instant }));

const event = fc.record({ at: instant, amount: fc.constantFrom(...values), isLate: fc.boolean() });
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({ is: fc.constant("send" as const), events: fc.array(event, { minLength: 1, maxLength: 8 }) }),
	},
	{
		weight: 4,
		arbitrary: fc.record({ is: fc.constant("count" as const), how: fc.constantFrom("run", "step", "show") }),
	},
	{ weight: 2, arbitrary: fc.record({ is: fc.constant("sell" as const), at: anchor }) },
	{
		weight: 1,
		arbitrary: fc.record({ is: fc.constant("crash" as const), chunkEvents: fc.integer({ min: 1, max: 5 }) }),
	},
	{ weight: 1, arbitrary: fc.record({ is: fc.constant("late" as const) }) },
	{ weight: 1, arbitrary: fc.record({ is: fc.constant("meters" as const) }) },
);

/** At which instants hours of a customer are cut. */
const cutsOf = ({ db }: World, customer: string): number[] =>
	db.$client
		.query<{ at: number }, [string]>(
			`SELECT at FROM usage_cuts JOIN usage_subjects s ON s.id = subject_id JOIN customers c ON c.id = s.customer_id
			WHERE c.ref_id = ?`,
		)
		.all(customer)
		.map(({ at }) => at);

/** Customers of a run's own: one that is there, and one that comes later. */
async function site(ours: World, run: number, names: readonly string[] = all) {
	const now = testNow + 10 * dayMs;
	ours.clock.at = now as Instant;
	let sent = 0;
	let sold = 0;
	const make = async (name: string): Promise<string> =>
		(await ours.call("POST", "/customers", { body: { id: name } })).body.data.id;
	const [acme, late] = [`acme-${run}`, `late-${run}`];
	await make(acme);
	let aggregator = new Aggregator({ folder: ours.folder, clock: ours.clock });
	const featureOf = (name: string): string => `${name}-${run}`;
	return {
		acme,
		late,
		make,
		crash: (chunkEvents: number): void => {
			aggregator.close();
			aggregator = new Aggregator({ folder: ours.folder, clock: ours.clock, chunkEvents });
		},
		close: () => aggregator.close(),
		count: (how: "run" | "step" | "show"): void => {
			if (how !== "show") aggregator[how]();
			else {
				aggregator.count();
				aggregator.show();
			}
		},
		send: async (events: readonly Event[]): Promise<void> => {
			const wire = events.map(({ at, amount, isLate }) => {
				sent += 1;
				return {
					eventName: `call-${run}`,
					customerId: isLate ? late : acme,
					idempotencyKey: `${sent}`,
					timestamp: new Date(at).toISOString(),
					...(amount !== undefined && { dimensions: { amount } }),
				};
			});
			const answer = await ours.services.events.send({
				environmentId: ours.environmentId,
				now: now as Instant,
				unknownCustomers: "accept",
				text: JSON.stringify({ events: wire }),
			});
			expect(answer).toEqual({ kind: "accepted" });
		},
		sell: async (at: number): Promise<void> => {
			ours.clock.at = at as Instant;
			sold += 1;
			await provision(ours, { customerId: acme, planId: "free", id: `${acme}-${sold}` });
			ours.clock.at = now as Instant;
		},
		give: async (at: number): Promise<void> => {
			ours.clock.at = at as Instant;
			const none = { customEndDate: null, enumValues: null, hasSoftLimit: null, isVisible: null, resetPeriod: null };
			const configurations = {
				yearlyResetPeriodConfiguration: null,
				monthlyResetPeriodConfiguration: null,
				weeklyResetPeriodConfiguration: null,
			};
			const grant = {
				...none,
				...configurations,
				featureId: featureOf("count"),
				hasUnlimitedUsage: true,
				usageLimit: null,
				period: "1 week",
			};
			const body = { promotionalEntitlements: [grant] };
			const given = await ours.call("POST", `/customers/${acme}/promotional-entitlements`, { body });
			expect([given.status, given.body.message]).toEqual([201, undefined]);
			ours.clock.at = now as Instant;
		},
		meters: (): void => {
			ours.transactions.write(ours.actor, (work) => {
				for (const name of names) {
					const aggregation = aggregations[name];
					if (!aggregation) continue;
					const id = featureOf(name);
					createFeature(work, { id, displayName: id, featureType: "NUMBER", meterType: "INCREMENTAL" });
					const filters = [
						{ conditions: [{ field: "eventName", operation: "EQUALS" as const, value: `call-${run}` }] },
					];
					updateFeature(work, id, { meter: { aggregation, filters } });
				}
			});
		},
		/** Value and number of events, as they are read. */
		usage: (name: string, customer: string, within: { start: Instant; end: Instant }) =>
			ours.transactions.read(ours.actor, (work) => {
				const row = ours.db.$client
					.query<{ id: string }, [string]>("SELECT id FROM customers WHERE ref_id = ?")
					.get(customer);
				const of = { featureId: getFeature(work, featureOf(name)).id, customerId: row?.id ?? "", resourceId: null };
				return [String(currentUsage(work, { ...of, period: within })), countedEvents(work, of).within(within)];
			}),
	};
}

test("hours cut at whatever instants, early and late, give the plain truth of each period and aggregation", async () => {
	const ours = await shop();
	let run = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { maxLength: 14 }),
			fc.array(period, { minLength: 3, maxLength: 3 }),
			fc.constantFrom(all, plain),
			async (steps, periods, names) => {
				run += 1;
				const on = await site(ours, run, names);
				const sent: Event[] = [];
				const sold: number[] = [];
				let [hasMeters, hasLate] = [false, false];
				for (const one of [...steps, { is: "late" } as const, { is: "meters" } as const]) {
					if (one.is === "send") {
						await on.send(one.events);
						sent.push(...one.events);
					} else if (one.is === "count") {
						on.count(one.how);
						// Whatever is remembered half-way must not show at the end.
						if (hasMeters) for (const name of names) for (const within of periods) on.usage(name, on.acme, within);
					} else if (one.is === "sell") {
						await on.sell(one.at);
						sold.push(one.at);
					} else if (one.is === "crash") on.crash(one.chunkEvents);
					else if (one.is === "late" && !hasLate) {
						await on.make(on.late);
						hasLate = true;
					} else if (one.is === "meters" && !hasMeters) {
						on.meters();
						hasMeters = true;
					}
				}
				on.count("run");
				const cut = cutsOf(ours, on.acme);
				for (const at of sold) {
					const hasUsage = sent.some((event) => !event.isLate && hourOf(event.at) === hourOf(at));
					expect([at, cut.includes(at)]).toEqual([at, hasUsage]);
				}
				for (const customer of [on.acme, on.late])
					for (const name of names)
						for (const within of periods) {
							const taken = sent
								.filter(({ isLate, at }) => isLate === (customer === on.late) && within.start <= at && at < within.end)
								.map(({ amount, at }) => ({ value: amount, at }));
							const expected = [truth(aggregations[name] ?? { function: "COUNT" }, taken), taken.length];
							expect([customer, name, within, ...on.usage(name, customer, within)]).toEqual([
								customer,
								name,
								within,
								...expected,
							]);
						}
				on.close();
			},
		),
		{ numRuns: 30 },
	);
	expect(recountUsage(ours.folder, memoryFolder())).toEqual([]);
}, 120_000);

/** As after a check that has to look at no event: the lists of events are gone. */
function loseLists({ folder }: World): void {
	const usage = openFile(folder, "usage").$client;
	usage.run("DELETE FROM usage_events_by_hour");
	usage.close();
}

const sent = (count: number, at: number): Event[] =>
	Array.from({ length: count }, (_, index) => ({ at: at + index, amount: 1, isLate: false }));

test.each([
	["before its first event in the hour", true],
	["after it", false],
])("the period of a subscription that is sold %s is read without looking at events", async (_, isEarly) => {
	const ours = await shop();
	const on = await site(ours, 1);
	const start = anchors[0] as Instant;
	const end = (start + 28 * dayMs) as Instant;
	on.meters();
	if (isEarly) await on.sell(start);
	await on.send([...sent(20, start - 10), ...sent(5, start + dayMs - 2)]);
	on.count("run");
	if (!isEarly) await on.sell(start);
	on.crash(3);
	on.count("run");
	expect(cutsOf(ours, on.acme)).toContain(start);
	loseLists(ours);
	expect(on.usage("count", on.acme, { start, end })).toEqual(["15", 15]);
	expect(on.usage("unique", on.acme, { start, end })).toEqual(["1", 15]);
	expect(on.usage("p90", on.acme, { start: (start - (start % hourMs)) as Instant, end: start })).toEqual(["1", 10]);
	on.close();
});

test("a feature that is granted after the first event in an hour is read without looking at events", async () => {
	const ours = await shop();
	const on = await site(ours, 1);
	const start = anchors[0] as Instant;
	on.meters();
	await on.send(sent(20, start - 10));
	on.count("run");
	await on.give(start);
	on.crash(3);
	on.count("run");
	expect(cutsOf(ours, on.acme)).toContain(start);
	loseLists(ours);
	expect(on.usage("count", on.acme, { start, end: (start + 28 * dayMs) as Instant })).toEqual(["10", 10]);
	on.close();
});

/** As where it would take too long to look: an event that is looked for all the same fails the read. */
function loseEvents({ folder }: World): void {
	const events = openFile(folder, "events").$client;
	events.run("DELETE FROM event_blocks");
	events.close();
}

test("a period that begins after all that was counted is read at once, and its hour is cut without looking at events", async () => {
	const ours = await shop();
	const on = await site(ours, 1);
	const start = anchors[0] as Instant;
	const [period, before] = [
		{ start, end: (start + 28 * dayMs) as Instant },
		{ start: (start - (start % hourMs)) as Instant, end: start },
	];
	on.meters();
	await on.send(sent(500, start - 500));
	on.count("run");
	loseEvents(ours);
	expect(on.usage("count", on.acme, period)).toEqual(["0", 0]);
	await on.sell(start);
	expect(on.usage("count", on.acme, period)).toEqual(["0", 0]);
	on.count("step");
	expect(cutsOf(ours, on.acme)).toContain(start);
	for (const [name, value] of [
		["count", "500"],
		["sum", "500"],
		["unique", "1"],
		["p90", "1"],
	] as const)
		expect([name, ...on.usage(name, on.acme, before)]).toEqual([name, value, 500]);
	expect(on.usage("unique", on.acme, period)).toEqual(["0", 0]);
	on.close();
});

test("what was sold is looked at before the events that came after it are counted", async () => {
	const ours = await shop();
	const on = await site(ours, 1, plain);
	const start = anchors[0] as Instant;
	const period = { start, end: (start + 28 * dayMs) as Instant };
	on.meters();
	await on.send(sent(300, start - 300));
	on.count("run");
	await on.sell(start);
	await on.send(sent(7, start));
	for (let looks = 0; looks < 3; looks += 1) on.count("show");
	expect(cutsOf(ours, on.acme)).toContain(start);
	loseLists(ours);
	expect(on.usage("count", on.acme, period)).toEqual(["7", 7]);
	on.count("run");
	expect(on.usage("sum", on.acme, period)).toEqual(["7", 7]);
	on.close();
});

test("what is sold while its hour was counted and is not in the totals yet cuts that hour too", async () => {
	const ours = await shop();
	const on = await site(ours, 1, plain);
	const start = anchors[0] as Instant;
	on.meters();
	await on.send(sent(3, start - 2 * hourMs));
	on.count("run");
	await on.send(sent(300, start - 150));
	on.count("show");
	await on.sell(start);
	await on.send(sent(7, start + hourMs));
	for (let looks = 0; looks < 3; looks += 1) on.count("show");
	on.count("run");
	expect(cutsOf(ours, on.acme)).toContain(start);
	loseLists(ours);
	expect(on.usage("count", on.acme, { start, end: (start + 28 * dayMs) as Instant })).toEqual(["157", 157]);
	on.close();
});
