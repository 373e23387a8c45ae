import { describe, expect, test } from "bun:test";
import { createEnvironment } from "../../src/areas/access/operations";
import { systemActor } from "../../src/areas/access/rules.actors";
import type { Instant } from "../../src/kernel/clock";
import { type CallOptions, testNow, type World, world } from "../support/world";

const wall = "2026-01-31T00:00:00.000Z";
const clock = (w: World, method: string, options: CallOptions = {}) =>
	w.call(method, `/environments/${w.environmentId}/clock`, options);
const turn = (w: World, body: unknown, options: CallOptions = {}) => clock(w, "POST", { body, ...options });

function productionKey({ transactions }: World): string {
	const of = { accountName: "Shop", environmentName: "production", kind: "PRODUCTION" as const };
	return transactions.write(systemActor(""), (work) => createEnvironment(work, of)).fullAccessKey;
}

describe("GET /environments/{id}/clock", () => {
	test("shows the wall clock, then the frozen one, also as 'current'", async () => {
		const w = world();
		const onWall = { environmentId: w.environmentId, now: wall, isFrozen: false, nextDueAt: null };
		expect(await clock(w, "GET")).toMatchObject({ status: 200, body: { data: onWall } });
		w.clock.at = (testNow + 1000) as Instant;
		expect((await clock(w, "GET")).body.data.now).toBe("2026-01-31T00:00:01.000Z");
		await turn(w, {});
		w.clock.at = (testNow + 2000) as Instant;
		const frozen = { ...onWall, now: "2026-01-31T00:00:01.000Z", isFrozen: true };
		expect((await clock(w, "GET")).body).toEqual({ data: frozen });
		expect((await w.call("GET", "/environments/current/clock")).body).toEqual({ data: frozen });
	});

	test("a production environment shows its clock too", async () => {
		const w = world();
		const { status, body } = await w.call("GET", "/environments/current/clock", { key: productionKey(w) });
		expect(status).toBe(200);
		expect(body.data).toMatchObject({ now: wall, isFrozen: false });
	});
});

describe("POST /environments/{id}/clock", () => {
	test.each<[string, unknown, string]>([
		["nothing: where it is", {}, wall],
		["an instant ahead", { now: "2027-03-01T00:00:00Z" }, "2027-03-01T00:00:00.000Z"],
		["an instant with an offset", { now: "2027-03-01T01:00:00+01:00" }, "2027-03-01T00:00:00.000Z"],
		["an instant behind, in an empty environment", { now: "2020-02-29T12:00:00Z" }, "2020-02-29T12:00:00.000Z"],
		["a month, from the 31st", { advanceBy: "P1M" }, "2026-02-28T00:00:00.000Z"],
		["everything at once", { advanceBy: "P1Y2M1W3DT4H5M6.789S" }, "2027-04-10T04:05:06.789Z"],
		["less than a millisecond", { advanceBy: "PT0.0001S" }, wall],
		["far ahead", { advanceBy: "P1000Y" }, "3026-01-31T00:00:00.000Z"],
	])("freezes and turns: %s", async (_, body, now) => {
		const w = world();
		const answer = await turn(w, body);
		const data = { environmentId: w.environmentId, now, isFrozen: true, nextDueAt: null };
		expect(answer).toMatchObject({ status: 200, body: { data: { ...data, steps: 0 } } });
		expect(answer.body.data).not.toHaveProperty("failures");
		expect((await clock(w, "GET")).body).toEqual({ data });
	});

	test("then only forward, counted from the frozen clock", async () => {
		const w = world();
		await turn(w, { now: "2026-06-30T00:00:00Z" });
		expect((await turn(w, { advanceBy: "P1M" })).body.data.now).toBe("2026-07-30T00:00:00.000Z");
		expect((await turn(w, {})).body.data.now).toBe("2026-07-30T00:00:00.000Z");
		expect((await turn(w, { now: "2026-07-30T00:00:00Z" })).status).toBe(200);
		const back = await turn(w, { now: "2026-07-29T23:59:59.999Z" });
		expect(back).toMatchObject({ status: 400, body: { code: "InvalidArgumentError" } });
		expect(back.body.message).toContain("2026-07-30T00:00:00.000Z");
		expect((await clock(w, "GET")).body.data.now).toBe("2026-07-30T00:00:00.000Z");
	});

	test("is the environment's time for all that is written from then on", async () => {
		const w = world();
		await turn(w, { now: "2030-05-05T00:00:00Z" });
		const { body } = await w.call("POST", "/customers", { body: { id: "ada" } });
		expect(body.data.createdAt).toBe("2030-05-05T00:00:00.000Z");
		await w.call("POST", "/customers", { body: { id: "ada" }, key: w.foreignKey });
		expect((await w.call("GET", "/customers/ada", { key: w.foreignKey })).body.data.createdAt).toBe(wall);
	});

	test("is not frozen at a time after which something has happened, whatever it is", async () => {
		const w = world();
		await w.call("POST", "/customers", { body: { id: "ada" } });
		const before = await turn(w, { now: "2026-01-30T23:59:59.999Z" });
		expect(before).toMatchObject({ status: 400, body: { code: "InvalidArgumentError" } });
		expect((await clock(w, "GET")).body.data.isFrozen).toBe(false);
		w.clock.at = (testNow + 5000) as Instant;
		expect((await turn(w, { now: wall })).body.data).toMatchObject({ now: wall, isFrozen: true });
	});

	test.each<[string, unknown, string]>([
		["both", { now: "2027-01-01T00:00:00Z", advanceBy: "P1M" }, "BadUserInput"],
		["a date without a time", { now: "2027-01-01" }, "BadUserInput"],
		["a time without a zone", { now: "2027-01-01T00:00:00" }, "BadUserInput"],
		["the 30th of February", { now: "2027-02-30T00:00:00Z" }, "BadUserInput"],
		["null", { now: null }, "BadUserInput"],
		["a number", { now: 1 }, "BadUserInput"],
		["no duration", { advanceBy: "a month" }, "BadUserInput"],
		["an empty duration", { advanceBy: "" }, "BadUserInput"],
		["a duration of nothing", { advanceBy: "PT0S" }, "BadUserInput"],
		["a duration backwards", { advanceBy: "-P1M" }, "BadUserInput"],
		["a duration that is mixed", { advanceBy: "P1M-1D" }, "BadUserInput"],
		["a duration of fractions of months", { advanceBy: "P1.5M" }, "BadUserInput"],
		["a long duration", { advanceBy: `P${"1".repeat(100)}D` }, "BadUserInput"],
		["a duration beyond the calendar", { advanceBy: "P999999999D" }, "InvalidArgumentError"],
		["a duration beyond Temporal's", { advanceBy: "P9999999999999Y" }, "BadUserInput"],
		["beyond the year 9999", { advanceBy: "P8000Y" }, "InvalidArgumentError"],
		["an unknown field", { at: "2027-01-01T00:00:00Z" }, "BadUserInput"],
		["a list", [], "BadUserInput"],
		["malformed JSON", "{", "BadUserInput"],
	])("refuses %s", async (_, body, code) => {
		const w = world();
		expect(await turn(w, body)).toMatchObject({ status: 400, body: { code, message: expect.any(String) } });
		expect((await clock(w, "GET")).body.data).toMatchObject({ now: wall, isFrozen: false });
	});

	test("needs no body at all", async () => {
		const w = world();
		expect((await clock(w, "POST")).body.data).toMatchObject({ now: wall, isFrozen: true });
	});

	test("an Idempotency-Key turns it once; another body under it is refused", async () => {
		const w = world();
		const headers = { "idempotency-key": "month-one" };
		const first = await turn(w, { advanceBy: "P1M" }, { headers });
		const again = await turn(w, { advanceBy: "P1M" }, { headers });
		expect(again.body).toEqual(first.body);
		expect(again.headers.get("idempotent-replayed")).toBe("true");
		expect((await clock(w, "GET")).body.data.now).toBe("2026-02-28T00:00:00.000Z");
		expect(await turn(w, { advanceBy: "P2M" }, { headers })).toMatchObject({ status: 400 });
	});

	test("a server that is about to stop says so instead of keeping the answer", async () => {
		const w = world();
		w.stopping.abort();
		const headers = { "idempotency-key": "stopped" };
		for (const _ of [1, 2]) {
			const answer = await turn(w, { advanceBy: "P1M" }, { headers });
			expect(answer.status).toBe(503);
			expect(answer.headers.get("retry-after")).toBe("5");
		}
	});
});

describe("DELETE /environments/{id}/clock", () => {
	test("returns the environment to the wall clock, at once and again", async () => {
		const w = world();
		await turn(w, { now: "2025-01-01T00:00:00Z" });
		const onWall = { environmentId: w.environmentId, now: wall, isFrozen: false, nextDueAt: null };
		for (const _ of [1, 2]) expect((await clock(w, "DELETE")).body).toEqual({ data: onWall });
		expect((await clock(w, "GET")).body).toEqual({ data: onWall });
	});

	test("is refused while the frozen clock is ahead of it", async () => {
		const w = world();
		await turn(w, { now: "2026-01-31T00:00:10Z" });
		const refused = await clock(w, "DELETE");
		expect(refused).toMatchObject({ status: 400, body: { code: "InvalidArgumentError" } });
		expect(refused.body.message).toContain("2026-01-31T00:00:10.000Z");
		expect((await clock(w, "GET")).body.data.isFrozen).toBe(true);
		w.clock.at = (testNow + 10_000) as Instant;
		expect((await clock(w, "DELETE")).body.data).toMatchObject({ now: "2026-01-31T00:00:10.000Z", isFrozen: false });
	});
});

describe("permissions", () => {
	test.each(["POST", "DELETE"])("%s: nobody in production", async (method) => {
		const w = world();
		const key = productionKey(w);
		const body = method === "POST" ? { body: { advanceBy: "P1M" } } : {};
		const answer = await w.call(method, "/environments/current/clock", { key, ...body });
		if (method === "POST") expect(answer).toMatchObject({ status: 400, body: { code: "InvalidArgumentError" } });
		expect((await w.call("GET", "/environments/current/clock", { key })).body.data).toMatchObject({ isFrozen: false });
	});

	test.each(["GET", "POST", "DELETE"])("%s: another environment's clock is not there", async (method) => {
		const w = world();
		for (const [key, id] of [
			[w.key, w.foreignEnvironmentId],
			[w.foreignKey, w.environmentId],
			[w.key, "no-such-environment"],
		] as const) {
			const answer = await w.call(method, `/environments/${id}/clock`, { key });
			expect(answer).toMatchObject({ status: 404, body: { code: "EnvironmentMissing" } });
		}
		for (const { environmentId } of [w.actor, w.foreignActor]) expect(w.transactions.now(environmentId)).toBe(testNow);
	});

	test.each<[string, string, number]>([
		["GET", "ENVIRONMENT:READ", 200],
		["POST", "ENVIRONMENT:READ", 403],
		["DELETE", "ENVIRONMENT:READ", 403],
		["GET", "ENVIRONMENT:WRITE", 200],
		["POST", "ENVIRONMENT:WRITE", 200],
		["DELETE", "ENVIRONMENT:WRITE", 200],
		["GET", "SUBSCRIPTION:WRITE", 403],
	])("%s with %s: %i", async (method, scope, status) => {
		const w = world();
		const answer = await clock(w, method, { key: w.scopedKey(scope as "ENVIRONMENT:READ") });
		expect(answer.status).toBe(status);
	});
});
