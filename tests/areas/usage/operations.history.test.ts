import { expect, test } from "bun:test";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { usageHistory } from "../../../src/areas/usage/operations";
import type { Instant } from "../../../src/kernel/clock";
import { count, event, ground } from "./ground";

const hourMs = 3_600_000;
const identity = { customerId: "acme", eventName: "api.call", idempotencyKey: "k1" };

test("histories, also those by a dimension, skip canceled events", () => {
	const site = ground();
	const customerId = site.customer("acme");
	const featureId = site.meter("calls", count);
	const day = Date.UTC(2026, 0, 30) as Instant;
	site.take(
		["eu", "us", "eu"].map((region, index) =>
			event({ idempotencyKey: `k${index + 1}`, timestamp: `2026-01-30T0${index}:30:00Z`, dimensions: { region } }),
		),
	);
	site.jobs.aggregator.run();
	site.cancel([identity]);
	site.jobs.aggregator.run();
	const last = (groupBy: string[]) =>
		site.transactions.read(systemActor("env"), (work) =>
			usageHistory(work, {
				featureId,
				customerId,
				resourceId: null,
				period: { start: (day + hourMs / 4) as Instant, end: (day + 3 * hourMs) as Instant },
				groupBy,
				resets: [],
			}).map(({ tags, points }) => [tags.map(({ value }) => value).join(), String(points.at(-1)?.value)]),
		);
	expect(last([])).toEqual([["", "2"]]);
	expect(last(["region"]).sort()).toEqual([
		["eu", "1"],
		["us", "1"],
	]);
});
