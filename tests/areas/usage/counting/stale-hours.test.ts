import { expect, test } from "bun:test";
import fc from "fast-check";
import type { MeterInput } from "../../../../src/areas/features/schema";
import type { Instant } from "../../../../src/kernel/clock";
import { openFile } from "../../../../src/kernel/storage/db";
import { folderOfTest } from "../../../support/folders";
import { slowRuns } from "../../../support/runs";
import { testNow } from "../../../support/world";
import { type Held, truth, values } from "../aggregation-oracle";
import { event, ground, type SentEvent } from "../ground";
import { recountUsage } from "../recounted";

const hourMs = 3_600_000;

const functions: ReadonlyArray<MeterInput["aggregation"]> = [
	{ function: "COUNT" },
	{ function: "SUM", field: "amount" },
	{ function: "MIN", field: "amount" },
	{ function: "MAX", field: "amount" },
	{ function: "AVG", field: "amount" },
	{ function: "LATEST", field: "amount" },
	{ function: "UNIQUE", field: "amount" },
	{ function: "PERCENTILE", field: "amount", percentile: 50 },
	{ function: "PERCENTILE", field: "amount", percentile: 99.9 },
];

const sent = fc.record({
	customerId: fc.constantFrom("acme", "late"),
	resourceId: fc.constantFrom(null, "r1"),
	offsetMs: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -50 * hourMs, max: 20 * hourMs })),
	value: fc.constantFrom(...values),
});

type Sent = typeof sent extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constant("send" as const),
			events: fc.array(sent, { minLength: 1, maxLength: 8 }),
		}),
	},
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constant("cancel" as const),
			which: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
		}),
	},
	{ weight: 4, arbitrary: fc.constant({ kind: "count" as const }) },
	{
		weight: 2,
		arbitrary: fc.record({ kind: fc.constant("crash" as const), chunkEvents: fc.integer({ min: 1, max: 5 }) }),
	},
	{ weight: 1, arbitrary: fc.constant({ kind: "late" as const }) },
	{ weight: 1, arbitrary: fc.constant({ kind: "meter" as const }) },
);

const bounds = [-50 * hourMs, -24 * hourMs - 1, -hourMs, -1, 0, 1, hourMs, 3 * hourMs + 5, 24 * hourMs];

const period = fc.tuple(fc.constantFrom(...bounds), fc.constantFrom(...bounds)).map(([one, other]) => ({
	start: (testNow + Math.min(one, other)) as Instant,
	end: (testNow + Math.max(one, other)) as Instant,
}));

/** Returns the totals of each meter, by the names of their subjects. */
function totalsOf({ file }: ReturnType<typeof ground>) {
	const subject = "(SELECT customer_id || '/' || resource_ref FROM usage_subjects s WHERE s.id = t.subject_id)";
	const from = (table: string) =>
		`FROM ${table} t JOIN usage_counters c ON c.id = t.counter_id AND c.state = 'LIVE' ORDER BY c.feature_id, subject, span, bucket`;
	return {
		totals: file
			.query(`SELECT c.feature_id, ${subject} AS subject, span, bucket, events, t.state ${from("usage_totals")}`)
			.all(),
		values: file
			.query(`SELECT c.feature_id, ${subject} AS subject, span, bucket, value, events ${from("usage_values")}, value`)
			.all(),
	};
}

test("every function over any period counts the remaining events, and counting the log from scratch gives the same bytes", () => {
	fc.assert(
		fc.property(
			fc.array(step, { maxLength: 16 }),
			fc.array(period, { minLength: 2, maxLength: 2 }),
			fc.constantFrom<"sound" | "poor">("sound", "poor"),
			(steps, periods, hash) => {
				const site = ground({ ...(hash === "poor" && { hash: (text) => BigInt(text.length % 3) }) });
				const rowIds = new Map([["acme", site.customer("acme")]]);
				const half = Math.ceil(functions.length / 2);
				const meter = (index: number): void => {
					const aggregation = functions[index];
					if (aggregation) site.meter(`meter-${index}`, { aggregation, filters: [] });
				};
				for (let index = 0; index < half; index += 1) meter(index);
				const all: Array<Sent & { isCanceled: boolean; wire: SentEvent }> = [];
				let hasLate = false;
				let hasMeters = false;
				const look = (): void => {
					for (const rowId of rowIds.values())
						for (let index = 0; index < (hasMeters ? functions.length : half); index += 1)
							for (const within of [null, ...periods])
								site.usage(`meter-${index}`, rowId, { resourceId: null, period: within });
				};
				const addLate = (): void => {
					if (!hasLate) rowIds.set("late", site.customer("late"));
					hasLate = true;
				};
				const addMeters = (): void => {
					if (!hasMeters) for (let index = half; index < functions.length; index += 1) meter(index);
					hasMeters = true;
				};
				for (const one of steps) {
					if (one.kind === "send") {
						const events = one.events.map((each, at) => ({
							...each,
							isCanceled: false,
							wire: event({
								customerId: each.customerId,
								resourceId: each.resourceId,
								idempotencyKey: `${all.length + at}`,
								timestamp: new Date(testNow + each.offsetMs).toISOString(),
								...(each.value !== undefined && { dimensions: { amount: each.value } }),
							}),
						}));
						expect(
							site.send(
								events.map(({ wire }) => wire),
								"env",
								"accept",
							),
						).toEqual({ kind: "accepted" });
						site.jobs.log.tidy(events.length);
						all.push(...events);
					} else if (one.kind === "cancel" && all.length > 0) {
						const chosen = one.which.map((which) => all[which % all.length]).filter((each) => each !== undefined);
						const { kind } = site.cancel(
							chosen.map(({ wire: { customerId, resourceId = null, eventName, idempotencyKey } }) => ({
								customerId,
								resourceId,
								eventName,
								idempotencyKey,
							})),
						);
						expect(kind).toBe("canceled");
						for (const each of chosen) each.isCanceled = true;
					} else if (one.kind === "count") {
						site.jobs.aggregator.step();
						// Partial results in caches must not show at the end.
						look();
					} else if (one.kind === "crash") site.crash(one.chunkEvents);
					else if (one.kind === "late") addLate();
					else if (one.kind === "meter") addMeters();
				}
				addLate();
				addMeters();
				site.jobs.aggregator.run();
				for (const [refId, rowId] of rowIds)
					for (const resourceId of [null, "r1"])
						for (const within of [null, ...periods]) {
							const left: Held[] = all
								.filter(
									({ isCanceled, customerId, resourceId: resource, offsetMs }) =>
										!isCanceled &&
										customerId === refId &&
										resource === resourceId &&
										(within === null || (within.start <= testNow + offsetMs && testNow + offsetMs < within.end)),
								)
								.map(({ value, offsetMs }) => ({ value, at: testNow + offsetMs }));
							for (const [index, aggregation] of functions.entries())
								expect([aggregation, site.usage(`meter-${index}`, rowId, { resourceId, period: within })]).toEqual([
									aggregation,
									truth(aggregation, left),
								]);
						}
				expect(recountUsage(site.folder, folderOfTest())).toEqual([]);
				const before = totalsOf(site);
				const usage = openFile(site.folder, "usage").$client;
				for (const table of [
					"totals",
					"values",
					"events_by_hour",
					"counters",
					"subjects",
					"cuts",
					"cursor",
					"event_names",
					"recent",
				])
					usage.run(`DELETE FROM usage_${table}`);
				usage.close();
				site.crash();
				site.jobs.aggregator.run();
				expect(totalsOf(site)).toEqual(before);
				site.jobs.log.close();
				site.jobs.aggregator.close();
				site.file.close();
			},
		),
		slowRuns(25),
	);
}, 120_000);
