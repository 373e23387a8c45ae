import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { provisionCustomer } from "../../../src/areas/customers/operations";
import { createFeature, updateFeature } from "../../../src/areas/features/operations";
import type { MeterInput } from "../../../src/areas/features/schema";
import { countedEvents, usageHistory } from "../../../src/areas/usage/operations";
import type { Instant } from "../../../src/kernel/clock";
import { openFile } from "../../../src/kernel/storage/db";
import { type Answer, type CallOptions, testNow, world } from "../../support/world";
import { guard } from "../packages/guards";
import { type Held, truth, values } from "./aggregation-oracle";
import { count, event, ground, type SentEvent } from "./ground";
import { memoryFolder } from "./memory-folder";
import { recountUsage } from "./recounted";

const hourMs = 3_600_000;

const identity = { customerId: "acme", eventName: "api.call", idempotencyKey: "k1" };

guard(
	[{ method: "POST", path: "/events/cancel", scope: "USAGE:WRITE", body: { events: [identity] } }],
	async ({ transactions, actor, call }) => {
		transactions.write(actor, (work) => {
			provisionCustomer(work, { id: "acme" });
		});
		await call("POST", "/events", { body: { events: [event()] } });
	},
);

function site() {
	const ours = world();
	const { call, transactions, actor, foreignActor } = ours;
	transactions.write(actor, (work) => {
		for (const id of ["acme", "bob"]) provisionCustomer(work, { id });
		createFeature(work, { id: "calls", displayName: "Calls", featureType: "NUMBER", meterType: "INCREMENTAL" });
		updateFeature(work, "calls", { meter: count });
	});
	transactions.write(foreignActor, (work) => {
		provisionCustomer(work, { id: "acme" });
	});
	return {
		...ours,
		send: (events: readonly unknown[], key = ours.key) => call("POST", "/events", { body: { events }, key }),
		cancel: (events: readonly unknown[], options: CallOptions = {}): Promise<Answer> =>
			call("POST", "/events/cancel", { body: { events }, ...options }),
		list: async (query = "", key = ours.key) => {
			ours.countUsage();
			return (await call("GET", `/events?${query}`, { key })).body.data;
		},
		total: async (customerId = "acme"): Promise<number> => {
			ours.countUsage();
			const query = "startDate=2026-01-29T00:00:00Z&endDate=2026-02-01T00:00:00Z";
			const { body } = await call("GET", `/usage/${customerId}/history/calls?${query}`);
			return body.data.series[0].points.at(-1).value;
		},
	};
}

const done = (canceled: number, alreadyCanceled = 0) => ({
	status: 200,
	body: { data: { canceled, alreadyCanceled } },
});

describe("POST /events/cancel", () => {
	test("takes events back by what they were reported with, or by the id that the list shows", async () => {
		const { send, cancel, list, total } = site();
		await send([
			event(),
			event({ resourceId: "r1" }),
			event({ idempotencyKey: "k2" }),
			event({ idempotencyKey: "k3" }),
		]);
		expect(await total()).toBe(3);
		expect(await cancel([identity])).toMatchObject(done(1));
		expect(await total()).toBe(2);
		const [newest] = await list("customerId=acme&idempotencyKey=k3");
		expect(await cancel([{ id: newest.id }, { ...identity, resourceId: "r1" }])).toMatchObject(done(2));
		expect(await total()).toBe(1);
		const shown = await list();
		expect(shown.map(({ canceledAt }: { canceledAt: string | null }) => canceledAt !== null)).toEqual([
			true,
			false,
			true,
			true,
		]);
		expect(shown[0]).toMatchObject({
			canceledAt: "2026-01-31T00:00:00.000Z",
			meters: [{ featureId: "calls", isCounted: false, reason: "CANCELED" }],
		});
	});

	test("twice changes nothing; and what was taken back stays known: sent again, it is a duplicate", async () => {
		const { send, cancel, total } = site();
		await send([event(), event({ idempotencyKey: "k2" })]);
		expect(await cancel([identity, identity])).toMatchObject(done(1, 1));
		expect(await cancel([identity])).toMatchObject(done(0, 1));
		expect(await total()).toBe(1);
		expect((await send([event()])).status).toBe(200);
		expect(await total()).toBe(1);
		// Right figures come under another key.
		expect((await send([event({ idempotencyKey: "k1-corrected" })])).status).toBe(200);
		expect(await total()).toBe(2);
	});

	test("all or none: what is not there is named, and nothing is taken back", async () => {
		const { send, cancel, total } = site();
		await send([event()]);
		const missing = [
			{ ...identity, idempotencyKey: "other" },
			{ ...identity, resourceId: "r1" },
			{ ...identity, eventName: "login" },
			{ ...identity, customerId: "bob" },
			{ ...identity, customerId: "nobody" },
			{ id: "00000000-0000-7000-8000-000000000000" },
		];
		const answer = await cancel([identity, ...missing]);
		expect([answer.status, answer.body.code]).toEqual([404, null]);
		for (let index = 1; index <= missing.length; index += 1) expect(answer.body.message).toContain(`events[${index}]`);
		expect(answer.body.message).not.toContain("events[0]");
		expect(await total()).toBe(1);
	});

	test("reaches nothing of another environment, by identity nor by id", async () => {
		const { send, cancel, list, total, foreignKey } = site();
		await send([event()]);
		expect((await cancel([identity], { key: foreignKey })).status).toBe(404);
		const [{ id }] = await list();
		expect((await cancel([{ id }], { key: foreignKey })).status).toBe(404);
		await send([event()], foreignKey);
		expect(await cancel([identity], { key: foreignKey })).toMatchObject(done(1));
		expect(await total()).toBe(1);
	});

	test("is done once under an Idempotency-Key", async () => {
		const { send, cancel } = site();
		await send([event()]);
		const headers = { "idempotency-key": "once" };
		for (let round = 0; round < 2; round += 1) expect(await cancel([identity], { headers })).toMatchObject(done(1));
	});

	test.each<[string, unknown, string]>([
		["no events", {}, "body/events"],
		["an empty list", { events: [] }, "body/events"],
		["1001 events", { events: Array.from({ length: 1001 }, () => identity) }, "body/events"],
		["an id that is none", { events: [{ id: "x" }] }, "body/events/0"],
		[
			"an id beside an identity",
			{ events: [{ id: "00000000-0000-7000-8000-000000000000", ...identity }] },
			"body/events/0",
		],
		["no idempotencyKey", { events: [identity, { ...identity, idempotencyKey: undefined }] }, "body/events/1"],
		["an unknown key", { events: [{ ...identity, timestamp: "2026-01-30T00:00:00Z" }] }, "body/events/0"],
		["null", { events: [null] }, "body/events/0"],
	])("refuses %s with 400", async (_, body, message) => {
		const { call } = site();
		const answer = await call("POST", "/events/cancel", { body });
		expect([answer.status, answer.body.code]).toEqual([400, "BadUserInput"]);
		expect(answer.body.message).toContain(message);
	});

	test("an event that waits for its customer never counts for it once it is taken back", async () => {
		const ours = ground();
		ours.meter("calls", count);
		const waiting = ["k1", "k2"].map((idempotencyKey) => event({ customerId: "later", idempotencyKey }));
		expect(ours.send(waiting, "env", "accept")).toEqual({ kind: "accepted" });
		ours.jobs.aggregator.run();
		expect(ours.cancel([{ ...identity, customerId: "later" }])).toEqual({
			kind: "canceled",
			canceled: 1,
			alreadyCanceled: 0,
		});
		ours.jobs.aggregator.run();
		const later = ours.customer("later");
		ours.jobs.aggregator.run();
		expect(ours.usage("calls", later)).toBe("1");
	});

	test("in the request after that which brought it, before anything is counted", () => {
		const ours = ground();
		const acme = ours.customer("acme");
		ours.meter("calls", count);
		const request = { environmentId: "env", now: testNow, unknownCustomers: "refuse" } as const;
		const events = [event(), event({ idempotencyKey: "k2" })];
		const results = ours.jobs.log.ingest([
			{ ...request, text: JSON.stringify({ events }) },
			{ ...request, text: JSON.stringify({ actorId: "key", events: [identity] }), format: "cancellation" },
		]);
		expect(results).toEqual([{ kind: "accepted" }, { kind: "canceled", canceled: 1, alreadyCanceled: 0 }]);
		ours.jobs.aggregator.run();
		expect(ours.usage("calls", acme)).toBe("1");
	});

	test("tells who bills usage that a period has changed, although it holds less", () => {
		const ours = ground();
		const customerId = ours.customer("acme");
		const featureId = ours.meter("calls", count);
		ours.take([event({ timestamp: "2026-01-30T10:20:00Z" }), event({ idempotencyKey: "k2" })]);
		ours.jobs.aggregator.run();
		const changes = () =>
			ours.transactions.read(systemActor("env"), (work) => {
				const events = countedEvents(work, { featureId, customerId, resourceId: null });
				const day = Date.UTC(2026, 0, 30) as Instant;
				const part = { start: (day + 10.25 * hourMs) as Instant, end: (day + 10.5 * hourMs) as Instant };
				return [events.within(part), events.before((day + 11 * hourMs) as Instant)];
			});
		expect(changes()).toEqual([1, 1]);
		ours.cancel([identity]);
		ours.jobs.aggregator.run();
		expect(changes()).toEqual([2, 2]);
		expect(ours.usage("calls", customerId)).toBe("1");
	});
});

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

/** What the totals hold of each meter, by the names of their subjects. */
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

test("every function over any period is that of the events that are left, whatever happens in between; a rebuild from the log says the same to the byte", () => {
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
						// Whatever is remembered half-way must not show at the end.
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
				expect(recountUsage(site.folder, memoryFolder())).toEqual([]);
				const before = totalsOf(site);
				const usage = openFile(site.folder, "usage").$client;
				for (const table of [
					"totals",
					"values",
					"events_by_hour",
					"counters",
					"subjects",
					"cuts",
					"unattributed",
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
		{ numRuns: 50 },
	);
}, 120_000);

test("histories, also those by a dimension, pass over what was taken back", () => {
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
