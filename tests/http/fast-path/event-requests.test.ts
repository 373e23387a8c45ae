import { expect, test } from "bun:test";
import fc from "fast-check";
import { composeApp } from "../../../src/app";
import { changeEnvironment } from "../../../src/areas/access/operations";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { usageProgress } from "../../../src/areas/usage/operations";
import { EventRequests } from "../../../src/http/fast-path/event-requests";
import { openLog } from "../../../src/http/log";
import { SharedLogLevel } from "../../../src/http/log-level";
import { type World, world } from "../../support/world";

/** Sends a request as the server answers it, ahead of the framework where it can; and through a second app. */
async function bothWays(ours: World, log = ours.services.log) {
	const { services } = ours;
	const { app, declarations } = composeApp({ ...services, log });
	await app.modules;
	let asked = 0;
	const answer = (request: Request) => {
		asked += 1;
		return app.handle(request);
	};
	const { authenticator, bodies } = services;
	const ahead = new EventRequests({
		declarations,
		authenticator,
		bodies,
		log,
		intake: services.intake,
		answer,
	});
	const shown = async (given: Response, sent: Headers) => {
		const headers = Object.fromEntries(given.headers);
		const id = headers["x-request-id"] ?? "";
		// Random values are compared by their shape.
		if (id !== sent.get("x-request-id")) headers["x-request-id"] = id.replaceAll(/[0-9a-f]/g, "x");
		return { status: given.status, headers, body: await given.text() };
	};
	return {
		/** Answers the answer, and whether the framework had no part in it. */
		ask: async (make: () => Request) => {
			const before = asked;
			const request = make();
			const given = await (ahead.answer(request) ?? answer(request));
			const isQuick = asked === before;
			const one = await shown(given, request.headers);
			// A key that an answer is kept under answers the second time by what it has kept.
			const again = make();
			if (again.headers.has("idempotency-key")) return { isQuick, ...one };
			const other = await shown(await app.handle(again), again.headers);
			expect(one).toEqual(other);
			return { isQuick, ...one };
		},
	};
}

const event = (idempotencyKey: string, more: object = {}) => ({
	eventName: "call",
	customerId: "acme",
	idempotencyKey,
	...more,
});

const more = fc.constantFrom<object>(
	{},
	{},
	{},
	{ customerId: "bob" },
	{ customerId: "nobody" },
	{ resourceId: "site" },
	{ resourceId: null },
	{ timestamp: "2026-01-01T00:00:00Z" },
	{ timestamp: "yesterday" },
	{ timestamp: "2027-01-01T00:00:00Z" },
	{ dimensions: { bytes: 1 } },
	{ dimensions: { bytes: null } },
	{ idempotencyKey: "" },
	{ surprise: 1 },
);
const keys = fc.constantFrom("k1", "k2", "k3", "k4", "k5", "é");
const text = fc.oneof(
	{
		weight: 6,
		arbitrary: fc
			.array(fc.tuple(keys, more), { minLength: 1, maxLength: 3 })
			.map((all) => JSON.stringify({ events: all.map(([key, rest]) => event(key, rest)) })),
	},
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			"",
			" ",
			"{",
			"[]",
			"null",
			'{"events":[]}',
			'{"events":1}',
			`{"events":${"[".repeat(200)}`,
		),
	},
);
const headers = fc.oneof(
	{ weight: 8, arbitrary: fc.constant({}) },
	{
		weight: 1,
		arbitrary: fc.constantFrom<Record<string, string>>(
			{ "x-request-id": "mine-1" },
			{ "x-request-id": "not sane!" },
			{ origin: "https://page.example" },
			{ "x-forwarded-proto": "https" },
			{ "x-customer-token": "token" },
			{ authorization: "Bearer nobody" },
			{ accept: "text/html" },
			{ "idempotency-key": "kept" },
			{ "idempotency-key": "" },
			{ "x-environment-id": "elsewhere" },
			{ "content-type": "text/plain" },
			{ "content-type": "application/json; charset=utf-8" },
			{ "content-type": "Application/JSON" },
			{ "content-length": "9000000" },
			{ "content-length": "1000" },
		),
	},
);
const path = fc.oneof(
	{ weight: 10, arbitrary: fc.constant("/api/v1/events") },
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			"/api/v1/events/",
			"/api/v1/events?a=1",
			"/x/api/v1/events",
			"//api/v1/events",
			"/api/v1/%65vents",
		),
	},
);
const request = fc.record({
	method: fc.oneof(
		{ weight: 14, arbitrary: fc.constant("POST") },
		{ weight: 1, arbitrary: fc.constantFrom("GET", "PUT", "DELETE") },
	),
	key: fc.oneof(
		{ weight: 6, arbitrary: fc.constantFrom("full", "writing") },
		{ weight: 2, arbitrary: fc.constantFrom("page", "reading", "ended", "foreign", "unknown", "none") },
	),
	path,
	headers,
	text,
});

test("events taken ahead of the framework are answered, byte for byte, as it would have answered", async () => {
	const ours = world();
	for (const id of ["acme", "bob"]) await ours.call("POST", "/customers", { body: { id } });
	const secrets: Readonly<Record<string, string>> = {
		full: ours.key,
		writing: ours.scopedKey("USAGE:WRITE"),
		reading: ours.scopedKey("USAGE:READ"),
		page: ours.publishableKey,
		ended: ours.expiredKey(),
		foreign: ours.foreignKey,
		unknown: "server-nobody",
	};
	const { ask } = await bothWays(ours);
	const kept = new Set<string>();
	let quick = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(request, { minLength: 10, maxLength: 30 }), fc.boolean(), async (all, accepts) => {
			ours.transactions.write(systemActor(""), (work) =>
				changeEnvironment(work, ours.environmentId, { unknownCustomers: accepts ? "accept" : "refuse" }),
			);
			for (const one of all) {
				const secret = secrets[one.key];
				const answered = await ask(
					() =>
						new Request(`http://localhost${one.path}`, {
							method: one.method,
							headers: {
								"content-type": "application/json",
								...(secret !== undefined && { "x-api-key": secret }),
								...one.headers,
							},
							...(one.method !== "GET" && { body: one.text }),
						}),
				);
				if (answered.isQuick) {
					quick += 1;
					expect(answered.status).toBe(200);
				}
				if (one.method !== "POST" || answered.status !== 200) continue;
				for (const { customerId, resourceId = null, idempotencyKey } of JSON.parse(one.text).events)
					kept.add(JSON.stringify([customerId, resourceId, idempotencyKey]));
			}
		}),
		{ numRuns: 30 },
	);
	expect(quick).toBeGreaterThan(50);
	expect(ours.transactions.read(ours.actor, usageProgress).written).toBe(kept.size);
});

test("a log that has a line for each answer gets them all", async () => {
	const ours = world();
	await ours.call("POST", "/customers", { body: { id: "acme" } });
	const level = new SharedLogLevel("debug");
	const { ask } = await bothWays(
		ours,
		openLog(level, () => {}),
	);
	const send = async () => {
		const { isQuick, status } = await ask(
			() =>
				new Request("http://localhost/api/v1/events", {
					method: "POST",
					headers: { "content-type": "application/json", "x-api-key": ours.key },
					body: JSON.stringify({ events: [event("k1")] }),
				}),
		);
		return [isQuick, status];
	};
	expect(await send()).toEqual([false, 200]);
	level.set("info");
	expect(await send()).toEqual([true, 200]);
});
