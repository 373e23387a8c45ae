import { expect, test } from "bun:test";
import fc from "fast-check";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { createFeature, getFeature } from "../../../src/areas/features/operations";
import { foldWindows } from "../../../src/areas/usage/operations.windows";
import { recordReport } from "../../../src/areas/usage/reports/operations";
import type { Instant } from "../../../src/kernel/clock";
import type { Decimal } from "../../../src/kernel/decimal";
import { onceHere } from "../../../src/kernel/storage/failures";
import type { Work } from "../../../src/kernel/work";
import { slowRuns } from "../../support/runs";
import { testNow } from "../../support/world";
import { event, ground, type SentEvent, sumOf } from "./ground";

const actor = systemActor("env");
const hourMs = 3_600_000;
/** More hours than a transaction reads, up to the hour of the clock. */
const hours = 1_400;
const start = Math.floor(testNow / hourMs) * hourMs - hours * hourMs;
/** The last window is a part of its hour. */
const windowsOf = (count: number) =>
	Array.from({ length: count }, (_, at) => ({
		start: (start + at * hourMs) as Instant,
		end: (start + (at + 1) * hourMs - (at + 1 === count ? hourMs / 2 : 0)) as Instant,
	}));

/** Reads the usage of windows as text, and how often the transaction ran. */
function reading(ours: ReturnType<typeof ground>, featureId: string, customerId: string) {
	const read = (work: Work, count: number): string =>
		foldWindows(work, { featureId, customerId, resourceId: null }, windowsOf(count), {
			...{ id: "values", none: "" },
			add: (state, source, windows) => `${state}${[...source.values(windows)].map((value) => `${value},`).join("")}`,
		});
	return {
		atOnce: (count: number) => ours.transactions.read(actor, (work) => read(work, count)),
		inSlices: async (count: number) => {
			let tries = 0;
			const text = await onceHere(() =>
				ours.transactions.read(actor, (work) => {
					tries += 1;
					return read(work, count);
				}),
			);
			return { text, tries };
		},
		read,
	};
}

type Use = readonly [at: number, amount: number];

const expected = (uses: readonly Use[], count: number): string =>
	windowsOf(count)
		.map((window) => {
			const within = uses.filter(([at]) => window.start <= at && at < window.end);
			return `${within.reduce((sum, [, amount]) => sum + amount, 0)},`;
		})
		.join("");

const use = fc.tuple(
	fc.oneof(
		fc.integer({ min: start - hourMs, max: start + hours * hourMs - 1 }),
		fc.integer({ min: start, max: start + hourMs }),
	),
	fc.integer({ min: 1, max: 9 }),
);
const step = fc.oneof(
	fc.record({ kind: fc.constant("send" as const), uses: fc.array(use, { minLength: 1, maxLength: 40 }) }),
	fc.record({ kind: fc.constant("cancel" as const), which: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }) }),
	fc.record({ kind: fc.constant("show" as const), count: fc.constantFrom(1, 2, 900, 1_300, hours) }),
	fc.record({ kind: fc.constant("count" as const), count: fc.constantFrom(1_050, 1_399, hours) }),
);

test("windows of any events, also late and canceled ones, have the usage that a loop over them finds", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
			const ours = ground();
			const customerId = ours.customer("acme");
			const windows = reading(ours, ours.meter("calls", sumOf("n")), customerId);
			const sent: Array<{ readonly event: SentEvent; readonly use: Use; isCanceled: boolean }> = [];
			for (const one of steps) {
				if (one.kind === "send") {
					const from = sent.length;
					for (const [at, amount] of one.uses)
						sent.push({
							event: event({
								...{ idempotencyKey: `${sent.length}`, dimensions: { n: amount } },
								timestamp: new Date(at).toISOString(),
							}),
							...{ use: [at, amount], isCanceled: false },
						});
					ours.take(sent.slice(from).map(({ event: taken }) => taken));
				} else if (one.kind === "cancel") {
					const which = new Set(one.which.map((at) => sent[at % sent.length]).filter((found) => found !== undefined));
					const names = Array.from(which, ({ event: { eventName, customerId: of, idempotencyKey } }) => ({
						...{ eventName, customerId: of, idempotencyKey },
					}));
					if (names.length > 0) ours.cancel(names);
					for (const found of which) found.isCanceled = true;
				} else {
					if (one.kind === "count") ours.jobs.aggregator.run();
					else {
						while (ours.jobs.aggregator.count());
						ours.jobs.aggregator.show();
						// Cancellations are followed by steps.
						if (sent.some(({ isCanceled }) => isCanceled)) ours.jobs.aggregator.run();
					}
					const known = sent.filter(({ isCanceled }) => !isCanceled).map(({ use: found }) => found);
					const { text } = await windows.inSlices(one.count);
					expect(text).toBe(expected(known, one.count));
					expect(windows.atOnce(one.count)).toBe(text);
				}
			}
			ours.close();
		}),
		slowRuns(12),
	);
});

test("more windows than a transaction reads are read ahead of it, and later reads continue from there", async () => {
	const ours = ground();
	const customerId = ours.customer("acme");
	const windows = reading(ours, ours.meter("calls", sumOf("n")), customerId);
	const uses: Use[] = Array.from({ length: hours }, (_, at) => [start + at * hourMs + 7, (at % 5) + 1]);
	const send = (key: string, more: readonly Use[]) =>
		ours.take(
			more.map(([at, n], index) =>
				event({ idempotencyKey: `${key}${index}`, timestamp: new Date(at).toISOString(), dimensions: { n } }),
			),
		);
	send("first", uses.slice(0, 900));
	send("second", uses.slice(900));
	ours.jobs.aggregator.run();
	expect(await windows.inSlices(1_300)).toEqual({ text: expected(uses, 1_300), tries: 2 });
	expect(await windows.inSlices(hours)).toEqual({ text: expected(uses, hours), tries: 1 });
	const late: Use = [start + 3 * hourMs, 8];
	send("late", [late]);
	ours.jobs.aggregator.run();
	expect(await windows.inSlices(hours)).toEqual({ text: expected([...uses, late], hours), tries: 2 });
});

test("windows of reports are read alike, and a report that was rolled back leaves no trace", async () => {
	const ours = ground();
	const customerId = ours.customer("acme");
	ours.transactions.write(actor, (work) =>
		createFeature(work, { id: "used", displayName: "Used", featureType: "NUMBER", meterType: "INCREMENTAL" }),
	);
	const feature = ours.transactions.read(actor, (work) => getFeature(work, "used"));
	const windows = reading(ours, feature.id, customerId);
	const report = (work: Work, [at, amount]: Use) =>
		recordReport(work, {
			...{
				feature,
				customerId,
				resourceRef: null,
				value: `${amount}` as Decimal,
				behavior: "DELTA",
				at: at as Instant,
			},
			...{ period: null, idempotencyKey: null, dimensions: null, reservationId: null, where: "body" },
		});
	const uses: Use[] = Array.from({ length: hours }, (_, at) => [start + at * hourMs + 7, (at % 5) + 1]);
	ours.transactions.write(actor, (work) => {
		for (const one of uses) report(work, one);
	});
	expect(await windows.inSlices(hours)).toEqual({ text: expected(uses, hours), tries: 2 });
	const refusal = new Error("rolled back");
	expect(() =>
		ours.transactions.write(actor, (work) => {
			report(work, [start + 5, 100]);
			windows.read(work, hours);
			throw refusal;
		}),
	).toThrow(refusal);
	const next: Use = [start + 9 * hourMs, 3];
	ours.transactions.write(actor, (work) => report(work, next));
	expect((await windows.inSlices(hours)).text).toBe(expected([...uses, next], hours));
});
