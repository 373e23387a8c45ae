import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { getFeature } from "../../../../src/areas/features/operations";
import type { MeterInput } from "../../../../src/areas/features/schema";
import type { Reset } from "../../../../src/areas/usage/history";
import { usageHistory } from "../../../../src/areas/usage/operations";
import type { Instant } from "../../../../src/kernel/clock";
import type { Period } from "../../../../src/kernel/period";
import { slowRuns } from "../../../support/runs";
import { testNow } from "../../../support/world";
import { truth, values } from "../aggregation-oracle";
import { at, event, ground, named, type SentEvent } from "../ground";

const hourMs = 3_600_000;
const field = "amount";

const aggregations: Readonly<Record<string, MeterInput["aggregation"]>> = {
	count: { function: "COUNT" },
	sum: { function: "SUM", field },
	min: { function: "MIN", field },
	max: { function: "MAX", field },
	avg: { function: "AVG", field },
	unique: { function: "UNIQUE", field },
	latest: { function: "LATEST", field },
	p50: { function: "PERCENTILE", field, percentile: 50 },
	p90: { function: "PERCENTILE", field, percentile: 90.1 },
	p100: { function: "PERCENTILE", field, percentile: 100 },
};
const names = Object.keys(aggregations);
const aggregation = (name: string) => aggregations[name] ?? { function: "COUNT" };

/** Few keys, so that duplicates abound; times around the edges of hours and days, many of them equal. */
const sent = fc.record({
	eventName: fc.constantFrom("api.call", "api.call", "login"),
	customerId: fc.constantFrom("acme", "late"),
	idempotencyKey: fc.nat(12).map(String),
	offsetMs: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -50 * hourMs, max: 20 * hourMs })),
	amount: fc.constantFrom(...values),
	group: fc.constantFrom("a", "b", undefined),
});
type Sent = typeof sent extends fc.Arbitrary<infer T> ? T : never;

const wire = ({ eventName, customerId, idempotencyKey, offsetMs, amount, group }: Sent): SentEvent => ({
	eventName,
	customerId,
	idempotencyKey,
	timestamp: new Date(testNow + offsetMs).toISOString(),
	dimensions: { ...(amount !== undefined && { amount }), ...(group !== undefined && { group }) },
});

const chunkEvents = fc.integer({ min: 1, max: 5 });
const step = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			kind: fc.constant("send" as const),
			events: fc.array(sent, { minLength: 1, maxLength: 8 }),
		}),
	},
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant("aggregate" as const), shows: fc.boolean() }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant("crash" as const), chunkEvents }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant("late" as const) }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant("meters" as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const bounds = [-50 * hourMs, -24 * hourMs - 1, -hourMs, -2, -1, 0, 1, 2, hourMs - 1, hourMs, 3 * hourMs + 5];
const period = fc.tuple(fc.constantFrom(...bounds), fc.constantFrom(...bounds)).map(([one, other]) => ({
	start: (testNow + Math.min(one, other)) as Instant,
	end: (testNow + Math.max(one, other)) as Instant,
}));

/** Returns the first event of each identity, in the order of the log, that a meter counts. */
function taken(all: readonly Sent[], customerId: string): Sent[] {
	const first = new Map<string, Sent>();
	for (const one of all) {
		const identity = `${one.customerId} ${one.eventName} ${one.idempotencyKey}`;
		if (!first.has(identity)) first.set(identity, one);
	}
	return [...first.values()].filter((one) => one.customerId === customerId && one.eventName === "api.call");
}

const expected = (name: string, events: readonly Sent[], within: Period | null): string =>
	truth(
		aggregation(name),
		events
			.map(({ amount, offsetMs }) => ({ value: amount, at: testNow + offsetMs }))
			.filter(({ at }) => within === null || (within.start <= at && at < within.end)),
	);

type Site = ReturnType<typeof ground>;

function setMeters(site: Site): void {
	for (const name of names) site.meter(name, { aggregation: aggregation(name), filters: [named("api.call")] });
}

const history = (
	site: Site,
	name: string,
	customerId: string,
	of: { period: Period; resets: Reset[]; groupBy: string[] },
) =>
	site.transactions.read(systemActor("env"), (work) =>
		usageHistory(work, { featureId: getFeature(work, name).id, customerId, resourceId: null, ...of }),
	);

/** Compares each point with the expected value of [last reset, point). */
function checkHistory(site: Site, rowId: string, events: readonly Sent[], within: Period, resets: Reset[]): void {
	const earlier = resets.filter(({ at }) => at <= within.start).map(({ at }) => at);
	const first = earlier.length > 0 ? Math.max(...earlier) : within.start;
	for (const name of names) {
		const points = (groupEvents: readonly Sent[], ofSeries: ReturnType<typeof history>[number] | undefined) => {
			for (const { at, value, isResetPoint } of ofSeries?.points ?? []) {
				const start = Math.max(first, ...resets.map((reset) => reset.at).filter((reset) => reset <= at)) as Instant;
				expect([name, at, value]).toEqual([name, at, expected(name, groupEvents, { start, end: at })]);
				expect(isResetPoint).toBe(resets.some((reset) => reset.at === at));
			}
			expect(ofSeries?.points.map(({ at }) => at)).toContain(within.end);
		};
		points(events, history(site, name, rowId, { period: within, resets, groupBy: [] })[0]);
		const groups = history(site, name, rowId, { period: within, resets, groupBy: ["group"] });
		const present = events.filter(({ offsetMs }) => first <= testNow + offsetMs && testNow + offsetMs < within.end);
		expect(groups.map(({ tags }) => tags[0]?.value).sort()).toEqual(
			[...new Set(present.map(({ group = "" }) => group))].sort(),
		);
		for (const series of groups)
			points(
				present.filter(({ group = "" }) => group === series.tags[0]?.value),
				series,
			);
	}
}

const sentBy = (customerId: "acme" | "late", idempotencyKey: string): Sent => ({
	eventName: "api.call",
	customerId,
	idempotencyKey,
	offsetMs: 0,
	amount: 1,
	group: "a",
});

/** Early events whose customer is created between two parts of the past, for filling meters. */
const customerComesWhileMetersFill: [Step[], Period[], number[]] = [
	[
		{ kind: "send", events: [sentBy("late", "0"), sentBy("acme", "0")] },
		{ kind: "aggregate", shows: false },
		{ kind: "aggregate", shows: false },
		{ kind: "crash", chunkEvents: 1 },
		{ kind: "send", events: [sentBy("late", "1"), sentBy("acme", "1")] },
		{ kind: "send", events: [sentBy("late", "2"), sentBy("acme", "0")] },
	],
	[],
	[],
];

test("every function gives the expected result for each period, whatever the splits, duplicates, crashes and late customers", () => {
	fc.assert(
		fc.property(
			fc.array(step, { maxLength: 12 }),
			fc.array(period, { minLength: 2, maxLength: 2 }),
			fc.subarray(bounds),
			(steps, periods, resetsAt) => {
				const site = ground();
				const rowIds = new Map([["acme", site.customer("acme")]]);
				const all: Sent[] = [];
				let hasMeters = false;
				for (const one of [...steps, { kind: "late" } as const, { kind: "meters" } as const]) {
					if (one.kind === "send") {
						expect(site.send(one.events.map(wire), "env", "accept")).toEqual({ kind: "accepted" });
						all.push(...one.events);
					} else if (one.kind === "aggregate") {
						site.jobs.aggregator[one.shows ? "count" : "step"]();
						if (one.shows) site.jobs.aggregator.show();
						// Partial results in caches must not show at the end.
						if (hasMeters)
							for (const rowId of rowIds.values())
								for (const name of names) for (const within of periods) site.usage(name, rowId, { period: within });
					} else if (one.kind === "crash") site.crash(one.chunkEvents);
					else if (one.kind === "late" && !rowIds.has("late")) rowIds.set("late", site.customer("late"));
					else if (one.kind === "meters" && !hasMeters) {
						setMeters(site);
						hasMeters = true;
					}
				}
				site.jobs.aggregator.run();
				for (const [refId, rowId] of rowIds)
					for (const name of names)
						for (const within of [null, ...periods]) {
							const value = site.usage(name, rowId, { period: within });
							expect([name, within, value]).toEqual([name, within, expected(name, taken(all, refId), within)]);
						}
				const [within] = periods;
				const resets = resetsAt.map((at) => ({ at: (testNow + at) as Instant, type: "PERIODIC_RESET" as const }));
				const rowId = rowIds.get("acme");
				if (within && rowId && within.start < within.end) checkHistory(site, rowId, taken(all, "acme"), within, resets);
			},
		),
		{ ...slowRuns(25), examples: [customerComesWhileMetersFill] },
	);
}, 60_000);

describe("worked examples", () => {
	/** Amounts within one minute, one event each, in this order. */
	const site = (amounts: ReadonlyArray<string | number | boolean | undefined>) => {
		const ours = ground();
		const acme = ours.customer("acme");
		setMeters(ours);
		ours.take(
			amounts.map((amount, at) =>
				event({
					idempotencyKey: `${at}`,
					timestamp: `2026-01-30T10:00:${String(at).padStart(2, "0")}Z`,
					...(amount !== undefined && { dimensions: { amount } }),
				}),
			),
		);
		ours.jobs.aggregator.run();
		return Object.fromEntries(names.map((name) => [name, ours.usage(name, acme)]));
	};

	test("numbers, texts of numbers, and other values", () => {
		expect(site([3, "1.25", 3, "x", undefined, true, -2, "5 apples"])).toEqual({
			count: "8",
			sum: "5.25",
			min: "-2",
			max: "3",
			avg: "1.3125",
			unique: "6",
			latest: "-2",
			p50: "1.25",
			p90: "3",
			p100: "3",
		});
	});

	test("events without a value result in 0, and only COUNT counts them", () => {
		const zeros = Object.fromEntries(names.map((name) => [name, "0"]));
		expect(site([undefined, undefined])).toEqual({ ...zeros, count: "2" });
	});

	test("an average with endless digits is rounded once, to twelve places", () => {
		expect(site([1, 0, 0]).avg).toBe("0.333333333333");
		expect(site([-2, 0, 0]).avg).toBe("-0.666666666667");
	});

	test("distinguishes numbers that are equal as doubles", () => {
		const { min, max, p50 } = site(["9007199254740993", "9007199254740992", "9007199254740994"]);
		expect([min, p50, max]).toEqual(["9007199254740992", "9007199254740993", "9007199254740994"]);
	});
});

test("LATEST takes the value with the latest time, and among equal times the last one in the log", () => {
	const site = ground();
	const acme = site.customer("acme");
	setMeters(site);
	const seen: string[] = [];
	const send = (idempotencyKey: string, time: string, amount: number | string) => {
		site.take([event({ idempotencyKey, timestamp: `2026-01-30T${time}Z`, dimensions: { amount } })]);
		site.jobs.aggregator.run();
		seen.push(site.usage("latest", acme));
	};
	send("1", "10:00:00", 5);
	send("2", "09:59:59.999", 9);
	send("3", "10:00:00", 7);
	send("4", "11:00:00", "none");
	send("3", "12:00:00", 8);
	expect(seen).toEqual(["5", "5", "7", "7", "7"]);
});

test("reads of growing sets are never stale, in the parts, hours and days of a period", () => {
	const site = ground();
	const acme = site.customer("acme");
	setMeters(site);
	const within = { start: at("2026-01-28T10:30:00Z"), end: at("2026-01-30T12:30:00Z") };
	const seen: string[] = [];
	const times = ["28T10:29", "28T10:40", "28T11:00", "29T05:00", "30T11:00", "30T12:29", "30T12:30"];
	for (const [index, [time, amount]] of times
		.flatMap(
			(one, at) =>
				[
					[one, at],
					[one, at + 1],
				] as const,
		)
		.entries()) {
		site.take([event({ idempotencyKey: `${index}`, timestamp: `2026-01-${time}:00Z`, dimensions: { amount } })]);
		site.jobs.aggregator.run();
		seen.push(["unique", "p50", "p100"].map((name) => site.usage(name, acme, { period: within })).join(" "));
	}
	expect(seen).toEqual(
		// Within the period the amounts are 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, one after the other.
		[
			"0 0 0",
			"0 0 0",
			"1 1 1",
			"2 1 2",
			"2 2 2",
			"3 2 3",
			"3 2 3",
			"4 2 4",
			"4 3 4",
			"5 3 5",
			"5 3 5",
			"6 3 6",
			"6 3 6",
			"6 3 6",
		],
	);
});

test("a replaced meter is deleted with its members, and only the new one answers", () => {
	const site = ground();
	const acme = site.customer("acme");
	site.meter("users", { aggregation: { function: "UNIQUE", field }, filters: [] });
	site.take(["a", "b", "a"].map((amount, at) => event({ idempotencyKey: `${at}`, dimensions: { amount } })));
	site.jobs.aggregator.run();
	expect(site.usage("users", acme)).toBe("2");
	site.changeMeter("users", { aggregation: { function: "PERCENTILE", field, percentile: 50 }, filters: [] });
	site.jobs.aggregator.run();
	expect(site.usage("users", acme)).toBe("0");
	const members = site.file.query<{ rows: number }, []>("SELECT count(*) AS rows FROM usage_values").get();
	expect(members).toEqual({ rows: 0 });
});
