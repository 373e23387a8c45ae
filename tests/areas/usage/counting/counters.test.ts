import { describe, expect, test } from "bun:test";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { usageLag } from "../../../../src/areas/usage/operations";
import { count, event, ground } from "../ground";

describe("meters", () => {
	test("a new meter counts the log from its beginning; until then, the former one answers", () => {
		const site = ground();
		const acme = site.customer("acme");
		site.meter("calls", count);
		site.take(Array.from({ length: 10 }, (_, at) => event({ idempotencyKey: `k${at}`, dimensions: { n: at } })));
		site.jobs.aggregator.run();
		site.changeMeter("calls", { aggregation: { function: "SUM", field: "n" }, filters: [] });
		site.crash(4);
		expect(site.usage("calls", acme)).toBe("10");
		site.jobs.aggregator.step();
		expect(site.jobs.aggregator.lag()).toBe(10);
		expect(site.usage("calls", acme)).toBe("10");
		site.jobs.aggregator.run();
		expect(site.usage("calls", acme)).toBe("45");
		expect(site.jobs.aggregator.lag()).toBe(0);
	});

	test("a filling meter counts early events of a customer that is created meanwhile", () => {
		const site = ground();
		site.customer("acme");
		site.send(
			[event({ customerId: "later" }), ...Array.from({ length: 8 }, (_, at) => event({ idempotencyKey: `k${at}` }))],
			"env",
			"accept",
		);
		site.jobs.aggregator.run();
		site.meter("calls", count);
		site.crash(2);
		site.jobs.aggregator.step();
		const later = site.customer("later");
		site.jobs.aggregator.step();
		expect(site.jobs.aggregator.lag()).toBeGreaterThan(0);
		site.jobs.aggregator.run();
		expect(site.usage("calls", later)).toBe("1");
	});

	test("events of a feature without a meter are accepted and counted once it has one", () => {
		const site = ground();
		const acme = site.customer("acme");
		site.take([event()]);
		site.jobs.aggregator.run();
		site.meter("calls", count);
		expect(site.usage("calls", acme)).toBe("0");
		site.jobs.aggregator.run();
		expect(site.usage("calls", acme)).toBe("1");
	});

	test("counts only the events of its own environment", () => {
		const site = ground();
		const [acme, foreign] = [site.customer("acme"), site.customer("acme", "other")];
		site.meter("calls", count);
		site.take([event()]);
		site.take([event(), event({ idempotencyKey: "k2" })], "other");
		site.jobs.aggregator.run();
		expect([site.usage("calls", acme), site.usage("calls", foreign)]).toEqual(["1", "0"]);
	});
});

test("the lag is the number of events that the totals lack", () => {
	const site = ground();
	site.customer("acme");
	const lag = () => site.transactions.read(systemActor("env"), usageLag);
	site.take([event(), event({ idempotencyKey: "k2" })]);
	expect(lag()).toBe(2);
	site.jobs.aggregator.run();
	expect(lag()).toBe(0);
});

test("a late event counts in the period of its timestamp", () => {
	const site = ground();
	const acme = site.customer("acme");
	site.meter("calls", count);
	const december = { start: Date.UTC(2025, 11, 1), end: Date.UTC(2026, 0, 1) } as never;
	const january = { start: Date.UTC(2026, 0, 1), end: Date.UTC(2026, 1, 1) } as never;
	const usage = () => [site.usage("calls", acme, { period: december }), site.usage("calls", acme, { period: january })];
	site.take([event({ timestamp: "2026-01-01T00:00:00Z" })]);
	site.jobs.aggregator.run();
	expect(usage()).toEqual(["0", "1"]);
	site.take([event({ idempotencyKey: "k2", timestamp: "2025-12-31T23:59:59.999Z" })]);
	site.jobs.aggregator.run();
	expect(usage()).toEqual(["1", "1"]);
});
