import { expect, test } from "bun:test";
import fc from "fast-check";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { getFeature } from "../../../../src/areas/features/operations";
import { countedEvents } from "../../../../src/areas/usage/operations";
import type { Instant } from "../../../../src/kernel/clock";
import { openFile } from "../../../../src/kernel/storage/db";
import { at, count, event, ground, sumOf } from "../ground";

const base = at("2026-01-30T10:00:00Z");
const minute = 60_000;

/** Minutes after the base: events, and how they are counted before the next ones. */
const steps = fc.array(
	fc.record({
		minutes: fc.array(fc.integer({ min: 0, max: 150 }), { minLength: 1, maxLength: 4 }),
		counted: fc.constantFrom("totals", "published"),
		cancels: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 5 },
);
const periods = fc.array(
	fc.record({ start: fc.integer({ min: -20, max: 150 }), minutes: fc.integer({ min: 1, max: 130 }) }),
	{ minLength: 1, maxLength: 4 },
);

test("a period that ends within an hour has exactly its events, wherever the others of the hour lie", () => {
	fc.assert(
		fc.property(steps, periods, (sent, asked) => {
			const ours = ground();
			const acme = ours.customer("acme");
			ours.meter("calls", count);
			ours.meter("amounts", sumOf("n"));
			const kept = new Map<string, { readonly at: number; readonly n: number }>();
			let changes = 0;
			for (const [step, { minutes, counted, cancels }] of sent.entries()) {
				const events = minutes.map((after, index) => ({
					...event({ idempotencyKey: `${step} ${index}`, dimensions: { n: index + 1 } }),
					timestamp: new Date(base + after * minute).toISOString(),
				}));
				ours.take(events);
				for (const one of events)
					kept.set(one.idempotencyKey, { at: Date.parse(one.timestamp), n: Number(one.dimensions?.n) });
				if (counted === "totals") ours.jobs.aggregator.run();
				while (ours.jobs.aggregator.count()) ours.jobs.aggregator.show();
				ours.jobs.aggregator.show();
				const [first] = events;
				if (cancels && first) {
					const { eventName, customerId, idempotencyKey } = first;
					ours.cancel([{ eventName, customerId, idempotencyKey }]);
					ours.jobs.aggregator.run();
					kept.delete(idempotencyKey);
					changes += 1;
				}
				for (const { start, minutes: length } of asked) {
					const period = {
						start: (base + start * minute) as Instant,
						end: (base + (start + length) * minute) as Instant,
					};
					const inside = [...kept.values()].filter((one) => period.start <= one.at && one.at < period.end);
					expect(ours.usage("calls", acme, { period })).toBe(String(inside.length));
					expect(ours.usage("amounts", acme, { period })).toBe(String(inside.reduce((sum, { n }) => sum + n, 0)));
					if (changes === 0) expect(eventsIn(ours, acme, period)).toBe(inside.length);
				}
			}
			ours.close();
		}),
		{ numRuns: 30 },
	);
}, 60_000);

const eventsIn = (
	{ transactions }: ReturnType<typeof ground>,
	customerId: string,
	period: { start: Instant; end: Instant },
) =>
	transactions.read(systemActor("env"), (work) =>
		countedEvents(work, { featureId: getFeature(work, "calls").id, customerId, resourceId: null }).within(period),
	);

test.each(["totals", "published"])("the usage until now is read without its events (%s)", (counted) => {
	const ours = ground();
	const acme = ours.customer("acme");
	ours.meter("calls", count);
	const send = (key: string, time: number) =>
		ours.take([event({ idempotencyKey: key, timestamp: new Date(time).toISOString() })]);
	send("first", base + 5 * minute);
	ours.jobs.aggregator.run();
	send("second", base + 10 * minute);
	if (counted === "totals") ours.jobs.aggregator.run();
	while (ours.jobs.aggregator.count()) ours.jobs.aggregator.show();
	ours.jobs.aggregator.show();
	const events = openFile(ours.folder, "events").$client;
	events.run("DELETE FROM event_blocks");
	events.close();
	const until = (minutes: number) => ({
		start: (base - 60 * minute) as Instant,
		end: (base + minutes * minute) as Instant,
	});
	expect(ours.usage("calls", acme, { period: until(11) })).toBe("2");
	expect(ours.usage("calls", acme, { period: until(30) })).toBe("2");
	ours.close();
});
