import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Instant } from "../../../../../src/kernel/clock";
import { folderOfTest } from "../../../../support/folders";
import { testNow } from "../../../../support/world";
import { shop } from "../../../subscriptions/shop";
import { truth, values } from "../../aggregation-oracle";
import { recountUsage } from "../../recounted";

import { aggregations, all, anchors, cutsOf, dayMs, type Event, hourOf, minuteMs, plain, site } from "../sold-usage";

const anchor = fc.constantFrom(...anchors);
const instant = fc
	.tuple(anchor, fc.constantFrom(0, dayMs, 3 * dayMs, -dayMs), fc.constantFrom(-minuteMs, -1, 0, 1, 30 * minuteMs))
	.map(([from, days, offsetMs]) => from + days + offsetMs);
const period = fc
	.tuple(fc.oneof(anchor, instant), fc.oneof(anchor, instant, fc.constant(testNow + 40 * dayMs)))
	.map(([one, other]) => ({ start: Math.min(one, other) as Instant, end: Math.max(one, other) as Instant }));

const event = fc.record({ at: instant, amount: fc.constantFrom(...values), isLate: fc.boolean() });

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
	{
		weight: 3,
		arbitrary: fc.record({ is: fc.constantFrom("cancel" as const, "repeat" as const), which: fc.nat() }),
	},
	{ weight: 1, arbitrary: fc.record({ is: fc.constant("rebuild" as const), task: fc.nat(1) }) },
	{ weight: 1, arbitrary: fc.record({ is: fc.constant("late" as const) }) },
	{ weight: 1, arbitrary: fc.record({ is: fc.constant("meters" as const) }) },
);

/** The second event is counted by itself, and canceled before. */
const canceledAlone = [testNow - minuteMs, testNow - minuteMs].map((at) => ({ at, amount: 1, isLate: false }));

test("any history of late, early, duplicate and canceled events, sales, new meters, rebuilds and crashes counts like the log from scratch", async () => {
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
				const canceled = new Set<number>();
				const sold: number[] = [];
				let [hasMeters, hasLate] = [false, false];
				const chosen = (which: number) => ({ at: which % sent.length, event: sent[which % sent.length] });
				for (const one of [...steps, { is: "late" } as const, { is: "meters" } as const]) {
					if (one.is === "send") {
						await on.send(one.events);
						sent.push(...one.events);
					} else if (one.is === "count") {
						on.count(one.how);
						// Partial results in caches must not show at the end.
						if (hasMeters) for (const name of names) for (const within of periods) on.usage(name, on.acme, within);
					} else if (one.is === "sell") {
						await on.sell(one.at);
						sold.push(one.at);
					} else if (one.is === "cancel" || one.is === "repeat") {
						const { at, event } = chosen(one.which);
						if (!event) continue;
						await on[one.is](at + 1, event);
						if (one.is === "cancel") canceled.add(at);
					} else if (one.is === "rebuild") on.rebuild(`${run}-${one.task}`);
					else if (one.is === "crash") on.crash(one.chunkEvents);
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
								.map(({ amount, ...event }, at) => ({ ...event, value: amount, isCanceled: canceled.has(at) }))
								.filter(({ isLate, at }) => isLate === (customer === on.late) && within.start <= at && at < within.end);
							const left = taken.filter(({ isCanceled }) => !isCanceled);
							// A canceled event changes the total twice.
							const changes = 2 * taken.length - left.length;
							const expected = [truth(aggregations[name] ?? { function: "COUNT" }, left), changes];
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
		{
			numRuns: 40,
			examples: [
				[
					[
						{ is: "send", events: canceledAlone },
						{ is: "cancel", which: 1 },
						{ is: "crash", chunkEvents: 1 },
					],
					[{ start: (testNow - minuteMs) as Instant, end: (testNow + 40 * dayMs) as Instant }],
					plain,
				],
			],
		},
	);
	expect(recountUsage(ours.folder, folderOfTest())).toEqual([]);
}, 120_000);
