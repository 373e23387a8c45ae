import { describe, expect, test } from "bun:test";
import { changeEnvironment } from "../../../../src/areas/access/operations";
import { provisionCustomer } from "../../../../src/areas/customers/operations";
import { createFeature, updateFeature } from "../../../../src/areas/features/operations";
import type { MeterInput } from "../../../../src/areas/features/schema";
import { EventIds } from "../../../../src/areas/usage/events/rules.event-ids";
import { type Answer, world } from "../../../support/world";
import { guard } from "../../packages/guards";
import { count, event, named, type SentEvent, sumOf } from "../ground";

guard(
	[
		{ method: "GET", path: "/events", scope: "USAGE:READ" },
		{ method: "GET", path: "/events/unmatched", scope: "USAGE:READ" },
		{ method: "GET", path: "/events/by-day", scope: "USAGE:READ" },
	],
	async () => {},
);

function site() {
	const ours = world();
	const { call, transactions, actor, foreignActor, countUsage } = ours;
	const customer = (id: string, by = actor): void => {
		transactions.write(by, (work) => {
			provisionCustomer(work, { id });
		});
	};
	for (const id of ["acme", "bob@b.example"]) customer(id);
	customer("foreign", foreignActor);
	return {
		...ours,
		customer,
		meter: (id: string, meter: MeterInput): void => {
			transactions.write(actor, (work) => {
				createFeature(work, { id, displayName: id, featureType: "NUMBER", meterType: "INCREMENTAL" });
				updateFeature(work, id, { meter });
			});
		},
		send: async (events: readonly unknown[], key = ours.key): Promise<void> => {
			expect((await call("POST", "/events", { body: { events }, key })).status).toBe(200);
		},
		list: async (query = "", key = ours.key): Promise<Answer> => {
			countUsage();
			return call("GET", `/events?${query}`, { key });
		},
		unmatched: async (query = ""): Promise<Answer> => {
			countUsage();
			return call("GET", `/events/unmatched?${query}`);
		},
	};
}

const at = (index: number, time: string, more: Partial<SentEvent> = {}): SentEvent =>
	event({ idempotencyKey: `k${index}`, timestamp: `2026-01-${time}Z`, ...more });

const keysOf = ({ body }: Answer): string[] =>
	body.data.map(({ idempotencyKey }: { idempotencyKey: string }) => idempotencyKey);

/** Returns all pages of a list, and the number of requests. */
async function all(
	list: (query: string) => Promise<Answer>,
	query: string,
): Promise<{ keys: string[]; pages: number }> {
	const keys: string[] = [];
	for (let pages = 1, after = ""; ; pages += 1) {
		const answer = await list(`${query}${after}`);
		expect(answer.status).toBe(200);
		keys.push(...keysOf(answer));
		const { next, prev } = answer.body.pagination;
		expect(prev).toBeNull();
		if (next === null) return { keys, pages };
		after = `&after=${next}`;
	}
}

describe("GET /events", () => {
	test("shows each event with all its fields, the newest first", async () => {
		const { send, list } = site();
		await send([at(1, "30T10:00:00.500", { dimensions: { bytes: 1.5, region: "eu", ok: true } })]);
		await send([event({ resourceId: "r1", idempotencyKey: "k2" })]);
		const { status, body } = await list();
		const id = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
		expect({ status, body }).toEqual({
			status: 200,
			body: {
				data: [
					{
						id,
						eventName: "api.call",
						customerId: "acme",
						resourceId: "r1",
						idempotencyKey: "k2",
						timestamp: "2026-01-31T00:00:00.000Z",
						dimensions: {},
						canceledAt: null,
						meters: [],
					},
					{
						id,
						eventName: "api.call",
						customerId: "acme",
						resourceId: null,
						idempotencyKey: "k1",
						timestamp: "2026-01-30T10:00:00.500Z",
						dimensions: { bytes: 1.5, region: "eu", ok: true },
						canceledAt: null,
						meters: [],
					},
				],
				pagination: { next: null, prev: null },
				lookedBackTo: null,
			},
		});
	});

	const mixed = [
		at(1, "30T10:00:00"),
		at(2, "30T10:30:00", { eventName: "login" }),
		at(3, "30T11:00:00", { customerId: "bob@b.example" }),
		at(4, "30T12:00:00", { resourceId: "r1" }),
		at(5, "29T10:00:00", { resourceId: "r2" }),
		at(6, "30T10:15:00", { resourceId: "r1" }),
	];
	test.each<[string, string[]]>([
		["", ["k6", "k5", "k4", "k3", "k2", "k1"]],
		["eventName=login", ["k2"]],
		["eventName=logins", []],
		["customerId=bob%40b.example", ["k3"]],
		// A customer's events come by the hour of their times.
		["customerId=acme", ["k4", "k6", "k2", "k1", "k5"]],
		["customerId=acme&resourceId=r1", ["k4", "k6"]],
		["resourceId=r1", ["k6", "k4"]],
		["customerId=nobody", []],
		["idempotencyKey=k4", ["k4"]],
		["customerId=acme&idempotencyKey=k5", ["k5"]],
		["from=2026-01-30T10:30:00Z", ["k4", "k3", "k2"]],
		["to=2026-01-30T10:30:00Z", ["k6", "k5", "k1"]],
		["customerId=acme&from=2026-01-30T10:15:00Z&to=2026-01-30T12:00:00Z", ["k6", "k2"]],
		["customerId=acme&eventName=api.call&to=2026-01-30T10:00:00.001Z", ["k1", "k5"]],
	])("?%s lists the matching events, page by page the same as at once", async (query, expected) => {
		const { send, list } = site();
		// Each event is a row of the index: one hour of a subject has several.
		for (const one of mixed) {
			await send([one]);
			await list();
		}
		expect(keysOf(await list(query))).toEqual(expected);
		for (const limit of [1, 2]) {
			const found = await all(list, `limit=${limit}&${query}`);
			expect(found.keys).toEqual(expected);
		}
	});

	test("continues from a page although newer events have come", async () => {
		const { send, list } = site();
		await send([at(1, "30T10:00:00"), at(2, "30T10:00:01"), at(3, "30T10:00:02")]);
		for (const query of ["", "customerId=acme&"]) {
			const { body } = await list(`${query}limit=2`);
			await send([at(query.length + 10, "30T10:59:00")]);
			expect(keysOf(await list(`${query}after=${body.pagination.next}`))).toContain("k1");
			expect(keysOf(await list(`${query}after=${body.pagination.next}`))).not.toContain("k3");
		}
	});

	test("one request searches a bounded part of the log, and a page without events has a next page", async () => {
		const { call, send, list, customer, foreignActor, foreignKey } = site();
		await send([at(1, "30T10:00:00")]);
		customer("busy", foreignActor);
		const line = (index: number): string => JSON.stringify(event({ customerId: "busy", idempotencyKey: `${index}` }));
		for (let round = 0; round < 7; round += 1) {
			const body = Array.from({ length: 10_000 }, (_, index) => line(round * 10_000 + index)).join("\n");
			const headers = { "content-type": "application/x-ndjson" };
			expect((await call("POST", "/events", { body, headers, key: foreignKey })).status).toBe(200);
		}
		const found = await all(list, "");
		expect(found.keys).toEqual(["k1"]);
		expect(found.pages).toBeGreaterThan(1);
		expect((await list("idempotencyKey=k1")).body).toMatchObject({
			data: [],
			pagination: { next: expect.any(String) },
			lookedBackTo: "2026-01-31T00:00:00.000Z",
		});
		// The index finds a customer's events, however many others there are.
		expect(await all(list, "customerId=acme")).toEqual({ keys: ["k1"], pages: 1 });
	}, 30_000);

	test("shows nothing of another environment, and its ids do not reveal how many events others send", async () => {
		const { send, list, foreignKey, environmentId, foreignEnvironmentId } = site();
		await send([at(1, "30T10:00:00")]);
		await send([event({ customerId: "foreign" })], foreignKey);
		expect(keysOf(await list())).toEqual(["k1"]);
		expect((await list("", foreignKey)).body.data).toMatchObject([{ customerId: "foreign" }]);
		expect(keysOf(await list("customerId=acme", foreignKey))).toEqual([]);
		const ids = new EventIds("secret");
		const one = ids.idOf(environmentId, 1);
		expect(ids.positionOf(environmentId, one)).toBe(1);
		expect(ids.positionOf(foreignEnvironmentId, one)).toBeUndefined();
		expect(ids.idOf(environmentId, 2)).not.toBe(one);
		expect(new EventIds("another secret").positionOf(environmentId, one)).toBeUndefined();
	});

	test.each<[string, string]>([
		["after=x", "query/after"],
		["after=00000000-0000-7000-8000-000000000000", "cursor"],
		["before=00000000-0000-7000-8000-000000000000", "query/before"],
		["limit=0", "query/limit"],
		["limit=101", "query/limit"],
		["customerId=a%20b", "query/customerId"],
		["resourceId=", "query/resourceId"],
		["eventName=", "query/eventName"],
		[`eventName=${"x".repeat(256)}`, "query/eventName"],
		["idempotencyKey=", "query/idempotencyKey"],
		["from=2026-01-30", "query/from"],
		["to=now", "query/to"],
		["from=2026-01-30T00:00:00Z&to=2026-01-30T00:00:00Z", "query/from"],
		["surprise=1", "query/surprise"],
	])("refuses ?%s with 400", async (query, message) => {
		const answer = await site().list(query);
		expect(answer.status).toBe(400);
		expect(answer.body).toMatchObject({ code: "BadUserInput", message: expect.stringContaining(message) });
	});
});

describe("the meters in GET /events", () => {
	const metersOf = async (list: () => Promise<Answer>) =>
		Object.fromEntries(
			(await list()).body.data.map(({ idempotencyKey, meters }: { idempotencyKey: string; meters: object[] }) => [
				idempotencyKey,
				meters,
			]),
		);
	const counted = (featureId: string) => ({ featureId, isCounted: true, reason: null, message: null });
	const not = (featureId: string, reason: string, message: string) => ({
		featureId,
		isCounted: false,
		reason,
		message: expect.stringContaining(message),
	});

	test("name the reason if a matching meter does not count the event", async () => {
		const { meter, send, list } = site();
		meter("calls", { ...count, filters: [named("api.call")] });
		meter("logins", { ...count, filters: [named("login")] });
		meter("bytes", { ...sumOf("bytes"), filters: [] });
		meter("europe", {
			...count,
			filters: [
				named("login"),
				{
					conditions: [
						{ field: "eventName", operation: "STARTS_WITH", value: "api" },
						{ field: "region", operation: "IN", values: ["eu", "uk"] },
					],
				},
			],
		});
		meter("regions", { aggregation: { function: "UNIQUE", field: "region" }, filters: [] });
		await send([
			at(1, "30T10:00:00", { dimensions: { bytes: "1e3", region: "eu" } }),
			at(2, "30T10:00:00", { dimensions: { bytes: "many", region: "us" } }),
			at(3, "30T10:00:00"),
		]);
		expect(await metersOf(list)).toEqual({
			k1: [counted("calls"), counted("bytes"), counted("europe"), counted("regions")],
			k2: [
				counted("calls"),
				not("bytes", "FIELD_NOT_A_NUMBER", "'bytes' is \"many\""),
				not("europe", "CONDITION_NOT_MET", 'region IN ["eu","uk"], and its \'region\' is "us"'),
				counted("regions"),
			],
			k3: [
				counted("calls"),
				not("bytes", "FIELD_MISSING", "no dimension 'bytes'"),
				not("europe", "CONDITION_NOT_MET", "it has no 'region'"),
				not("regions", "FIELD_MISSING", "no dimension 'region'"),
			],
		});
	});

	test("state that the customer does not exist, until it does", async () => {
		const { meter, send, list, customer, transactions, actor, environmentId } = site();
		meter("calls", count);
		transactions.write(actor, (work) => {
			changeEnvironment(work, environmentId, { unknownCustomers: "accept" });
		});
		await send([at(1, "30T10:00:00", { customerId: "later" }), at(2, "30T11:00:00", { customerId: "later" })]);
		for (const query of ["", "customerId=later&"]) {
			expect((await all(list, `${query}limit=1`)).keys).toEqual(["k2", "k1"]);
			const [first] = (await list(query)).body.data;
			expect(first.meters).toEqual([not("calls", "CUSTOMER_UNKNOWN", "once the customer does")]);
		}
		customer("later");
		for (const query of ["", "customerId=later"]) {
			const [first] = (await list(query)).body.data;
			expect(first.meters).toEqual([counted("calls")]);
		}
	});

	test("state that the event is not counted yet", async () => {
		const { meter, send, call, countUsage } = site();
		meter("calls", count);
		await send([at(1, "30T10:00:00")]);
		const [before] = (await call("GET", "/events")).body.data;
		expect(before.meters).toEqual([not("calls", "NOT_COUNTED_YET", "repeat the request")]);
		countUsage();
		expect((await call("GET", "/events")).body.data[0].meters).toEqual([counted("calls")]);
	});
});

describe("GET /events/unmatched", () => {
	test("lists names that no meter matches, with the number of events, their times, and the newest event", async () => {
		const { meter, send, unmatched, call } = site();
		meter("calls", { ...count, filters: [named("api.call")] });
		await send([at(1, "30T10:00:00"), at(2, "30T10:00:00", { eventName: "api.cal", dimensions: { region: "eu" } })]);
		await send([
			at(3, "28T10:00:00", { eventName: "api.cal" }),
			at(3, "28T10:00:00", { eventName: "api.cal" }),
			at(4, "29T10:00:00", { eventName: "login", customerId: "bob@b.example" }),
		]);
		const { body } = await unmatched();
		expect(body).toMatchObject({
			data: [
				{ eventName: "login", events: 1, firstAt: "2026-01-29T10:00:00.000Z", lastAt: "2026-01-29T10:00:00.000Z" },
				{
					eventName: "api.cal",
					events: 2,
					firstAt: "2026-01-28T10:00:00.000Z",
					lastAt: "2026-01-30T10:00:00.000Z",
					example: { idempotencyKey: "k3", customerId: "acme", meters: [] },
				},
			],
			pagination: { next: null, prev: null },
		});
		expect((await call("GET", "/events?eventName=api.cal&limit=1")).body.data[0].id).toBe(body.data[1].example.id);
	});

	test("a meter that matches a name removes it from the list; one that matches every event empties it", async () => {
		const { meter, send, unmatched } = site();
		await send([at(1, "30T10:00:00"), at(2, "30T10:00:00", { eventName: "login" })]);
		const names = async () => (await unmatched()).body.data.map(({ eventName }: { eventName: string }) => eventName);
		expect((await names()).sort()).toEqual(["api.call", "login"]);
		// Its other conditions may exclude all events, but the name is not misspelt.
		meter("europe", {
			...count,
			filters: [{ conditions: [...named("login").conditions, { field: "region", operation: "EQUALS", value: "eu" }] }],
		});
		expect(await names()).toEqual(["api.call"]);
		meter("all", count);
		expect(await names()).toEqual([]);
	});

	test("pages the names of this environment only, the newest name first", async () => {
		const { send, unmatched, foreignKey, call } = site();
		for (const [index, eventName] of ["a", "b", "c", "d", "e"].entries()) {
			await send([at(index, "30T10:00:00", { eventName })]);
			await send([event({ customerId: "foreign", eventName: `not-ours-${eventName}` })], foreignKey);
			await unmatched();
		}
		const names: string[] = [];
		for (let after = ""; ; ) {
			const { body } = await unmatched(`limit=2${after}`);
			names.push(...body.data.map(({ eventName }: { eventName: string }) => eventName));
			if (body.pagination.next === null) break;
			after = `&after=${body.pagination.next}`;
		}
		expect(names).toEqual(["e", "d", "c", "b", "a"]);
		expect((await call("GET", "/events/unmatched", { key: foreignKey })).body.data).toHaveLength(5);
		const foreign = await call("GET", "/events/unmatched?after=00000000-0000-7000-8000-000000000000");
		expect(foreign).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
	});
});

describe("GET /events/by-day", () => {
	test("counts the events of each of the last thirty days, whatever their customer and meter", async () => {
		const { send, call, clock, countUsage, foreignKey } = site();
		const today = new Date(clock.at);
		const dayAgo = (days: number): string => new Date(clock.at - days * 86_400_000).toISOString();
		await send([0, 0, 1, 29, 30].map((days, index) => event({ idempotencyKey: `d${index}`, timestamp: dayAgo(days) })));
		countUsage();
		const { body } = await call("GET", "/events/by-day");
		expect(body.data).toHaveLength(30);
		expect(body.data.at(-1)).toEqual({ day: today.toISOString().slice(0, 10), events: 2 });
		expect(body.data.at(-2).events).toBe(1);
		expect(body.data[0]).toEqual({ day: dayAgo(29).slice(0, 10), events: 1 });
		// The second batch of a day adds to the stored count.
		await send([event({ idempotencyKey: "d9", timestamp: dayAgo(1) })]);
		countUsage();
		expect((await call("GET", "/events/by-day")).body.data.at(-2).events).toBe(2);
		const theirs = await call("GET", "/events/by-day", { key: foreignKey });
		expect(theirs.body.data.every(({ events }: { events: number }) => events === 0)).toBe(true);
	});
});
