import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { provisionCustomer } from "../../../../src/areas/customers/operations";
import { createFeature } from "../../../../src/areas/features/operations";
import { countedEvents, currentUsage } from "../../../../src/areas/usage/operations";
import { averageUsage, recordReport } from "../../../../src/areas/usage/reports/operations";
import type { Instant } from "../../../../src/kernel/clock";
import type { Decimal } from "../../../../src/kernel/decimal";
import { newUuidV7 } from "../../../../src/kernel/ids";
import { openFile } from "../../../../src/kernel/storage/db";
import { openTransactions } from "../../../../src/kernel/storage/transactions";
import { freshFolder, testNow } from "../../../support/world";

const actor = systemActor("env");

/** Features of both types of a customer, in a folder of their own. */
function ground() {
	const db = openFile(freshFolder(), "main", ["usage", "events"]);
	const transactions = openTransactions({ db, clock: { now: () => testNow }, newId: newUuidV7, wake: () => {} });
	return transactions.write(actor, (work) => {
		const customerId = provisionCustomer(work, { id: "acme" }).id;
		const featureOf = (id: string, meterType: "INCREMENTAL" | "FLUCTUATING") =>
			createFeature(work, { id, displayName: id, featureType: "NUMBER", meterType });
		return {
			db,
			transactions,
			customerId,
			calls: featureOf("calls", "INCREMENTAL"),
			seats: featureOf("seats", "FLUCTUATING"),
		};
	});
}
type Ground = ReturnType<typeof ground>;

interface Sent {
	readonly value: number;
	readonly at: number;
	readonly behavior: "DELTA" | "SET";
}

function report({ transactions, customerId }: Ground, feature: Ground["seats"], { value, at, behavior }: Sent): void {
	transactions.write(actor, (work) => {
		recordReport(work, {
			feature,
			customerId,
			resourceRef: null,
			value: String(value) as Decimal,
			behavior,
			at: at as Instant,
			period: null,
			idempotencyKey: null,
			dimensions: null,
			reservationId: null,
			where: "body",
		});
	});
}

const hourMs = 3_600_000;
const first = Date.UTC(2026, 0, 30, 22);
/** Some days around a month's end; often at the edge of a minute, an hour or a day, where totals meet. */
const instants = fc.oneof(
	fc.integer({ min: 0, max: 72 * hourMs }).map((ms) => first + ms),
	fc.integer({ min: 0, max: 72 * 60 }).map((minutes) => first + minutes * 60_000),
	fc
		.tuple(fc.integer({ min: 1, max: 72 }), fc.constantFrom(-1, 0, 1))
		.map(([hours, ms]) => first + hours * hourMs + ms),
);
const periods = fc.tuple(instants, instants).map(([one, other]) => ({
	start: Math.min(one, other) as Instant,
	end: Math.max(one, other) as Instant,
}));
/** Thousandths, so that the test adds whole numbers. */
const deltas = fc.record({ thousandths: fc.integer({ min: 0, max: 5_000_000 }), at: instants });

const total = (list: ReadonlyArray<{ thousandths: number }>) => list.reduce((sum, one) => sum + one.thousandths, 0);
const thousandths = (value: Decimal): number => Math.round(Number(value) * 1000);

describe("totals of reports", () => {
	test("answer any half-open period exactly, whether asked before or only after", () => {
		fc.assert(
			fc.property(
				fc.array(deltas, { maxLength: 40 }),
				fc.array(periods, { minLength: 1, maxLength: 6 }),
				(sent, asked) => {
					const ours = ground();
					const { transactions, customerId, calls, seats } = ours;
					const ask = (feature: Ground["seats"], period: (typeof asked)[number] | null) =>
						transactions.read(actor, (work) =>
							currentUsage(work, { featureId: feature.id, customerId, resourceId: null, period }),
						);
					sent.forEach((one, index) => {
						for (const feature of [calls, seats])
							report(ours, feature, { value: one.thousandths / 1000, at: one.at, behavior: "DELTA" });
						if (index % 7 === 0) for (const period of asked) ask(calls, period);
					});
					for (const period of asked) {
						const within = sent.filter(({ at }) => period.start <= at && at < period.end);
						const before = sent.filter(({ at }) => at < period.end);
						expect(thousandths(ask(calls, period))).toBe(total(within));
						expect(thousandths(ask(seats, period))).toBe(total(before));
						const counts = transactions.read(actor, (work) =>
							[calls, seats].map(({ id }) =>
								countedEvents(work, { featureId: id, customerId, resourceId: null }).within(period),
							),
						);
						expect(counts).toEqual([within.length, before.length]);
						if (period.start === period.end) continue;
						const weighted = before.reduce(
							(sum, one) => sum + one.thousandths * (period.end - Math.max(period.start, one.at)),
							0,
						);
						const average = transactions.read(actor, (work) =>
							averageUsage(work, { featureId: seats.id, customerId, resourceId: null }, period),
						);
						expect(Number(average)).toBeCloseTo(weighted / 1000 / (period.end - period.start), 9);
					}
					expect(thousandths(ask(calls, null))).toBe(total(sent));
					ours.db.$client.close();
				},
			),
			{ numRuns: 30 },
		);
	});

	test("are a cache: made again from the reports, the rows are the same", () => {
		const change = fc.record({
			value: fc.integer({ min: 0, max: 100 }),
			at: instants,
			behavior: fc.constantFrom("DELTA" as const, "SET" as const),
		});
		fc.assert(
			fc.property(fc.array(change, { minLength: 1, maxLength: 30 }), (sent) => {
				const ours = ground();
				for (const one of sent) report(ours, ours.seats, one);
				const sqlite = ours.db.$client;
				const stored = sqlite.query("SELECT * FROM usage_report_totals ORDER BY series_id, span, bucket").all();
				const reports = sqlite
					.query<{ series_id: number; at: number; delta: string }, []>("SELECT series_id, at, delta FROM usage_reports")
					.all();
				const fresh = [86_400_000, hourMs, 60_000].flatMap((ms, index) => {
					const byBucket = Map.groupBy(reports, ({ at }) => Math.floor(at / ms));
					return [...byBucket]
						.sort(([one], [other]) => one - other)
						.map(([bucket, those]) => ({
							series_id: 1,
							span: index + 1,
							bucket,
							total: String(those.reduce((sum, { delta }) => sum + Number(delta), 0)),
							moment: String(those.reduce((sum, { at, delta }) => sum + Number(delta) * (at - bucket * ms), 0)),
							reports: those.length,
						}));
				});
				expect(stored).toEqual(fresh);
				const sum = reports.reduce((all, { delta }) => all + Number(delta), 0);
				expect(sqlite.query("SELECT total, reports FROM usage_report_series").all()).toEqual([
					{ total: String(sum), reports: reports.length },
				]);
				sqlite.close();
			}),
			{ numRuns: 30 },
		);
	});

	test("a SET holds at its own time whatever is reported later of before it", () => {
		const change = fc.record({ value: fc.integer({ min: 0, max: 9 }), at: instants });
		const distinct = { selector: ({ at }: { at: number }) => at, minLength: 1, maxLength: 12 };
		fc.assert(
			fc.property(
				fc.uniqueArray(fc.tuple(change, fc.boolean()), { ...distinct, selector: ([{ at }]) => at }),
				fc.infiniteStream(fc.nat()),
				(changes, order) => {
					const sent = changes.map(([one, isSet]): Sent => ({ ...one, behavior: isSet ? "SET" : "DELTA" }));
					const ours = ground();
					for (const one of sent.map((one) => ({ one, at: order.next().value })).sort((a, b) => a.at - b.at))
						report(ours, ours.seats, one.one);
					const inTime = sent.toSorted((one, other) => one.at - other.at);
					let level = 0;
					for (const { at, behavior, value } of inTime) {
						level = behavior === "SET" ? value : level + value;
						const period = { start: first as Instant, end: (at + 1) as Instant };
						const shown = ours.transactions.read(actor, (work) =>
							currentUsage(work, { featureId: ours.seats.id, customerId: ours.customerId, resourceId: null, period }),
						);
						expect(Number(shown)).toBe(level);
					}
					ours.db.$client.close();
				},
			),
			{ numRuns: 40 },
		);
	});

	test("the cache discards the report of a failed write", () => {
		const ours = ground();
		const { transactions, calls, customerId } = ours;
		const period = { start: first as Instant, end: (first + 72 * hourMs) as Instant };
		const ask = () =>
			transactions.read(actor, (work) =>
				currentUsage(work, { featureId: calls.id, customerId, resourceId: null, period }),
			);
		report(ours, calls, { value: 1, at: first, behavior: "DELTA" });
		expect(ask()).toBe("1" as Decimal);
		expect(() =>
			transactions.write(actor, () => {
				report(ours, calls, { value: 5, at: first, behavior: "DELTA" });
				throw new Error("refused");
			}),
		).toThrow("refused");
		expect(ask()).toBe("1" as Decimal);
		report(ours, calls, { value: 2, at: first, behavior: "DELTA" });
		expect(ask()).toBe("3" as Decimal);
	});

	test("a period that begins within a minute counts what its minute gets, and not what a failed write had added", () => {
		const ours = ground();
		const { transactions, calls, customerId } = ours;
		const until = (hours: number) => ({
			featureId: calls.id,
			customerId,
			resourceId: null,
			period: { start: (first + 10_000) as Instant, end: (first + hours * hourMs) as Instant },
		});
		const ask = (hours = 72) => transactions.read(actor, (work) => currentUsage(work, until(hours)));
		const used = (value: number, second: number) =>
			report(ours, calls, { value, at: first + second * 1_000, behavior: "DELTA" });
		used(1, 5);
		used(2, 10);
		expect(ask()).toBe("2" as Decimal);
		used(4, 50);
		expect(ask()).toBe("6" as Decimal);
		const seen = () =>
			transactions.write(actor, (work) => {
				used(8, 20);
				expect(currentUsage(work, until(73))).toBe("14" as Decimal);
				throw new Error("refused");
			});
		expect(seen).toThrow("refused");
		// As many reports in that minute as before the failed write.
		used(16, 30);
		expect(ask(74)).toBe("22" as Decimal);
	});
});
