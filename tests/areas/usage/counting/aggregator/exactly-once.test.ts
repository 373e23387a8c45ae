import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Instant } from "../../../../../src/kernel/clock";
import { slowRuns } from "../../../../support/runs";
import { testNow } from "../../../../support/world";
import { at, count, event, ground, named, type SentEvent, sumOf } from "../../ground";

const hourMs = 3_600_000;

/** Few enough values that duplicates and shared hours abound; instants lie around the edges of hours and days. */
const sent = fc.record({
	eventName: fc.constantFrom("api.call", "login"),
	customerId: fc.constantFrom("acme", "late", "bob@b.example"),
	idempotencyKey: fc.constantFrom("1", "2", "3", "4"),
	resourceId: fc.constantFrom(null, "r1"),
	offsetMs: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -50 * hourMs, max: 20 * hourMs })),
	amount: fc.constantFrom<Array<number | string | boolean | undefined>>(
		1,
		0.1,
		"0.2",
		"-3",
		1e15,
		2 ** 53,
		"x",
		true,
		undefined,
	),
});
type Sent = typeof sent extends fc.Arbitrary<infer T> ? T : never;

const wire = ({ offsetMs, amount, ...event }: Sent): SentEvent => ({
	...event,
	timestamp: new Date(testNow + offsetMs).toISOString(),
	...(amount !== undefined && { dimensions: { amount } }),
});

const step = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			kind: fc.constant("send" as const),
			events: fc.array(sent, { minLength: 1, maxLength: 6 }),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({ kind: fc.constant("aggregate" as const), chunkEvents: fc.integer({ min: 1, max: 5 }) }),
	},
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant("show" as const) }) },
	{
		weight: 1,
		arbitrary: fc.record({ kind: fc.constant("crash" as const), chunkEvents: fc.integer({ min: 1, max: 5 }) }),
	},
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant("late" as const) }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant("meter" as const), isFollowed: fc.boolean() }) },
);

const bounds = [
	-50 * hourMs,
	-24 * hourMs - 1,
	-hourMs,
	-2,
	-1,
	0,
	1,
	2,
	hourMs - 1,
	hourMs,
	3 * hourMs + 5,
	24 * hourMs,
];
const period = fc.tuple(fc.constantFrom(...bounds), fc.constantFrom(...bounds)).map(([one, other]) => ({
	start: (testNow + Math.min(one, other)) as Instant,
	end: (testNow + Math.max(one, other)) as Instant,
}));

/** The expected result: the first event of each identity counts, in tenths, by its own time. */
function oracle(events: readonly Sent[], of: (event: Sent) => boolean, amountTenths: (event: Sent) => bigint): string {
	const seen = new Set<string>();
	let sum = 0n;
	for (const event of events) {
		const identity = JSON.stringify([event.customerId, event.resourceId, event.eventName, event.idempotencyKey]);
		if (seen.has(identity)) continue;
		seen.add(identity);
		if (of(event)) sum += amountTenths(event);
	}
	const sign = sum < 0n ? "-" : "";
	const digits = (sum < 0n ? -sum : sum).toString().padStart(2, "0");
	const [whole, tenth] = [digits.slice(0, -1), digits.slice(-1)];
	return tenth === "0" ? `${sign}${whole}` : `${sign}${whole}.${tenth}`;
}

const tenths = new Map<unknown, bigint>([
	[1, 10n],
	[0.1, 1n],
	["0.2", 2n],
	["-3", -30n],
	[1e15, 10n ** 16n],
	[2 ** 53, 2n ** 53n * 10n],
]);

const recentRows = ({ file }: ReturnType<typeof ground>): number =>
	file.query<{ rows: number }, []>("SELECT count(*) AS rows FROM usage_recent").get()?.rows ?? 0;

test("any split into requests and chunks, with duplicates, crashes and late customers, gives the expected totals", () => {
	let shown = 0;
	fc.assert(
		fc.property(
			fc.array(step, { maxLength: 14 }),
			fc.array(period, { minLength: 3, maxLength: 3 }),
			fc.constantFrom(2 ** 18, 4),
			fc.constantFrom<"sound" | "poor">("sound", "poor"),
			(steps, periods, recentMax, hash) => {
				const site = ground({ recentMax, ...(hash === "poor" && { hash: (text) => BigInt(text.length % 3) }) });
				const rowIds = new Map([
					["acme", site.customer("acme")],
					["bob@b.example", site.customer("bob@b.example")],
				]);
				site.meter("calls", { aggregation: { function: "COUNT" }, filters: [named("api.call")] });
				// The environment is known now, and amounts are published next to the totals.
				site.customer("another");
				site.take([event({ customerId: "another" })]);
				site.jobs.aggregator.run();
				const all: Sent[] = [];
				let hasLate = false;
				let [hasSums, showsSums] = [false, false];
				const assertTruth = (refIds: Iterable<string>): void => {
					for (const refId of refIds)
						for (const resourceId of [null, "r1"])
							for (const within of [null, ...periods]) {
								const isMeant = (event: Sent) =>
									event.customerId === refId &&
									event.resourceId === resourceId &&
									(within === null ||
										(within.start <= testNow + event.offsetMs && testNow + event.offsetMs < within.end));
								const usage = (name: string) =>
									site.usage(name, rowIds.get(refId) ?? "", { resourceId, period: within });
								expect(usage("calls")).toBe(
									oracle(
										all,
										(event) => isMeant(event) && event.eventName === "api.call",
										() => 10n,
									),
								);
								if (showsSums)
									expect(usage("amounts")).toBe(oracle(all, isMeant, ({ amount }) => tenths.get(amount) ?? 0n));
							}
				};
				for (const one of steps) {
					if (one.kind === "send") {
						expect(site.send(one.events.map(wire), "env", "accept")).toEqual({ kind: "accepted" });
						site.jobs.log.tidy(one.events.length);
						all.push(...one.events);
					} else if (one.kind === "aggregate") {
						site.jobs.aggregator.step();
						// Partial results in caches must not show at the end.
						for (const rowId of rowIds.values())
							for (const within of periods) site.usage("calls", rowId, { resourceId: null, period: within });
					} else if (one.kind === "show") {
						while (site.jobs.aggregator.count()) site.jobs.aggregator.show();
						site.jobs.aggregator.show();
						shown += recentRows(site);
						// Everything is counted, so it must show, except for events of a customer that does not exist
						// yet.
						if (site.jobs.aggregator.lag() === 0 && !site.jobs.aggregator.show())
							assertTruth(["acme", "bob@b.example"]);
					} else if (one.kind === "crash") site.crash(one.chunkEvents);
					else if (one.kind === "late" && !hasLate) {
						rowIds.set("late", site.customer("late"));
						hasLate = true;
					} else if (one.kind === "meter" && !hasSums) {
						site.meter("amounts", sumOf("amount"));
						hasSums = true;
						if (one.isFollowed) site.jobs.aggregator.run();
						showsSums = one.isFollowed;
					}
				}
				if (!hasSums) site.meter("amounts", sumOf("amount"));
				site.jobs.aggregator.run();
				showsSums = true;
				expect(site.jobs.aggregator.lag()).toBe(0);
				assertTruth(rowIds.keys());
			},
		),
		slowRuns(120),
	);
	expect(shown).toBeGreaterThan(20);
}, 60_000);

test("reads of growing totals are never stale", () => {
	const site = ground();
	const acme = site.customer("acme");
	site.meter("calls", count);
	// A period that begins and ends inside an hour, so that both ends are counted from raw events.
	const within = { start: at("2026-01-30T10:37:12.345Z"), end: at("2026-01-30T12:10:00.001Z") };
	const times = ["10:37:12.344", "10:37:12.345", "10:59:59.999", "11:30:00.000", "12:10:00.000", "12:10:00.001"];
	const read = () => site.usage("calls", acme, { period: within });
	const expected = ["0", "1", "2", "3", "4", "4"];
	for (const [index, time] of times.entries()) {
		site.take([{ eventName: "x", customerId: "acme", idempotencyKey: `${index}`, timestamp: `2026-01-30T${time}Z` }]);
		site.jobs.aggregator.run();
		expect([time, read(), read()]).toEqual([time, expected[index] ?? "", expected[index] ?? ""]);
	}
});
