import { expect, test } from "bun:test";
import type { Instant } from "../../../../src/kernel/clock";
import { openFile } from "../../../../src/kernel/storage/db";
import type { World } from "../../../support/world";
import { shop } from "../../subscriptions/shop";

import { anchors, cutsOf, dayMs, type Event, hourMs, plain, site } from "./sold-usage";

/** Deletes the index of events by hour, so that a read of events returns too little. */
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
])("the period of a subscription that is sold %s is read without reading events", async (_, isEarly) => {
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

test("the usage of a feature that is granted after the first event in an hour is read without reading events", async () => {
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

/** Deletes the events, so that a read of one fails. */
function loseEvents({ folder }: World): void {
	const events = openFile(folder, "events").$client;
	events.run("DELETE FROM event_blocks");
	events.close();
}

test("a period that begins after all counted events is read at once, and its hour is cut without reading events", async () => {
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

test("follows a sale before it counts events that came after it", async () => {
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

test("a sale also cuts an hour that is counted but not in the totals yet", async () => {
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
