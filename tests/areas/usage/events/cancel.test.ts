import { describe, expect, test } from "bun:test";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { provisionCustomer } from "../../../../src/areas/customers/operations";
import { createFeature, updateFeature } from "../../../../src/areas/features/operations";
import { countedEvents } from "../../../../src/areas/usage/operations";
import type { Instant } from "../../../../src/kernel/clock";
import { type Answer, type CallOptions, testNow, world } from "../../../support/world";
import { guard } from "../../packages/guards";
import { count, event, ground } from "../ground";

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
	test("cancels events by their identity, or by the id that the list shows", async () => {
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

	test("a second cancellation changes nothing, and a canceled event that is sent again is a duplicate", async () => {
		const { send, cancel, total } = site();
		await send([event(), event({ idempotencyKey: "k2" })]);
		expect(await cancel([identity, identity])).toMatchObject(done(1, 1));
		expect(await cancel([identity])).toMatchObject(done(0, 1));
		expect(await total()).toBe(1);
		expect((await send([event()])).status).toBe(200);
		expect(await total()).toBe(1);
		// A corrected event has another key.
		expect((await send([event({ idempotencyKey: "k1-corrected" })])).status).toBe(200);
		expect(await total()).toBe(2);
	});

	test("cancels all events or none, and names missing ones", async () => {
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

	test("cancels no event of another environment, neither by identity nor by id", async () => {
		const { send, cancel, list, total, foreignKey } = site();
		await send([event()]);
		expect((await cancel([identity], { key: foreignKey })).status).toBe(404);
		const [{ id }] = await list();
		expect((await cancel([{ id }], { key: foreignKey })).status).toBe(404);
		await send([event()], foreignKey);
		expect(await cancel([identity], { key: foreignKey })).toMatchObject(done(1));
		expect(await total()).toBe(1);
	});

	test("cancels once for an Idempotency-Key", async () => {
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
			"an id in addition to an identity",
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

	test("a canceled event does not count for a customer that is created later", async () => {
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

	test("cancels an event of the previous request before it is counted", () => {
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

	test("the number of changes of a period grows, although its usage shrinks", () => {
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
