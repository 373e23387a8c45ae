import { describe, expect, test } from "bun:test";
import {
	nextState,
	type ReservationAction,
	type ReservationState,
	reservationTransitions,
	stateAt,
} from "../../../../src/areas/entitlements/reservations/rules";
import type { Instant } from "../../../../src/kernel/clock";
import { isRefusal } from "../../packages/guards";
import { type Site, site } from "./site";

const held = async (ours: Site, featureId: string, body: object = {}) => {
	const { isGranted, reservation } = (await ours.reserve(featureId, body)).body.data;
	expect(isGranted).toBe(true);
	return reservation as { id: string; status: string; expiresAt: string };
};

const end = (ours: Site, id: string, action: ReservationAction, body: object = {}) =>
	ours.call("POST", `/reservations/${id}/${action}`, action === "commit" ? { body } : {});

describe("reservations", () => {
	test("count against the limit until they are committed with the actual usage", async () => {
		const ours = await site();
		const reservation = await held(ours, "tokens", { amount: 7, expiresIn: 60 });
		expect(reservation).toMatchObject({
			amount: 7,
			status: "HELD",
			expiresAt: "2026-01-31T00:01:00.000Z",
			usageId: null,
		});
		expect(await ours.check("tokens")).toMatchObject({
			currentUsage: 0,
			reservedUsage: 7,
			isGranted: true,
			validUntil: "2026-01-31T00:01:00.000Z",
		});
		expect((await ours.check("tokens", "&requestedUsage=4")).isGranted).toBe(false);
		expect((await ours.consume("tokens", { amount: 4 })).body.data.isGranted).toBe(false);
		expect((await ours.reserve("tokens", { amount: 4 })).body.data).toMatchObject({
			isGranted: false,
			reservation: null,
		});
		const committed = (await end(ours, reservation.id, "commit", { amount: 5 })).body.data;
		expect(committed).toMatchObject({ status: "COMMITTED", committedAmount: 5, usageId: expect.any(String) });
		const after = await ours.check("tokens");
		expect([after.currentUsage, after.reservedUsage]).toEqual([5, undefined]);
		expect((await ours.call("GET", `/reservations/${reservation.id}`)).body.data).toEqual(committed);
	});

	test("expire by the environment's clock", async () => {
		const ours = await site();
		const { id } = await held(ours, "tokens", { amount: 10, expiresAt: "2026-01-31T01:00:00Z" });
		await ours.advance("2026-01-31T00:59:59.999Z");
		expect((await ours.check("tokens")).isGranted).toBe(false);
		await ours.advance("2026-01-31T01:00:00Z");
		expect((await ours.check("tokens")).isGranted).toBe(true);
		expect((await ours.call("GET", `/reservations/${id}`)).body.data.status).toBe("EXPIRED");
		expect((await end(ours, id, "release")).body.data.status).toBe("EXPIRED");
	});

	test("a release frees the reserved usage; a repeated release changes nothing", async () => {
		const ours = await site();
		const { id } = await held(ours, "seats", { amount: 5 });
		expect((await ours.check("seats")).isGranted).toBe(false);
		for (let times = 0; times < 2; times += 1)
			expect((await end(ours, id, "release")).body.data.status).toBe("RELEASED");
		expect((await ours.check("seats")).isGranted).toBe(true);
		isRefusal(await end(ours, id, "commit"), 400, "InvalidArgumentError", "released");
	});

	test("a commit of more is decided again, and leaves the reservation unchanged if denied", async () => {
		const ours = await site();
		const { id } = await held(ours, "tokens", { amount: 4 });
		await held(ours, "tokens", { amount: 3 });
		isRefusal(
			await end(ours, id, "commit", { amount: 8 }),
			400,
			"EntitlementLimitExceededError",
			"commit the reserved amount",
		);
		expect((await ours.check("tokens")).reservedUsage).toBe(7);
		expect((await end(ours, id, "commit", { amount: 7 })).body.data.committedAmount).toBe(7);
		expect(await ours.check("tokens")).toMatchObject({ currentUsage: 7, reservedUsage: 3, isGranted: false });
	});

	test("a commit after the expiry is decided again, so usage is not lost", async () => {
		const ours = await site();
		const first = await held(ours, "tokens", { amount: 6, expiresIn: 60 });
		const second = await held(ours, "tokens", { amount: 4, expiresIn: 60 });
		await ours.advance("2026-01-31T00:10:00Z");
		expect((await end(ours, first.id, "commit")).body.data.status).toBe("COMMITTED");
		await ours.report({ featureId: "tokens", value: 1 });
		isRefusal(await end(ours, second.id, "commit"), 400, "EntitlementLimitExceededError");
		expect((await ours.check("tokens")).currentUsage).toBe(7);
	});

	test("a repeated commit returns the first; another amount is refused", async () => {
		const ours = await site();
		const { id } = await held(ours, "tokens", { amount: 4 });
		const first = (await end(ours, id, "commit", { amount: 3 })).body;
		expect((await end(ours, id, "commit", { amount: 3 })).body).toEqual(first);
		isRefusal(await end(ours, id, "commit", { amount: 4 }), 400, "InvalidArgumentError", "difference");
		isRefusal(await end(ours, id, "release"), 400, "InvalidArgumentError", "committed");
		expect((await ours.check("tokens")).currentUsage).toBe(3);
	});

	test("a repeated key returns its reservation", async () => {
		const ours = await site();
		const first = await held(ours, "tokens", { amount: 6, idempotencyKey: "job-1" });
		expect(await held(ours, "tokens", { amount: 6, idempotencyKey: "job-1" })).toEqual(first);
		expect((await ours.check("tokens")).reservedUsage).toBe(6);
	});

	test.each<[string, object, string]>([
		["both ways to say its end", { expiresIn: 5, expiresAt: "2026-01-31T00:01:00Z" }, "expiresAt"],
		["an end that has passed", { expiresAt: "2026-01-31T00:00:00Z" }, "expiresAt"],
		["an end beyond a day", { expiresAt: "2026-02-01T00:00:00.001Z" }, "expiresAt"],
		["no time at all", { expiresIn: 0 }, "expiresIn"],
		["more than a day", { expiresIn: 86_401 }, "expiresIn"],
	])("refuse %s", async (_, body, where) => {
		const ours = await site();
		isRefusal(await ours.reserve("tokens", body), 400, "BadUserInput", where);
	});

	test("are not found from another environment", async () => {
		const ours = await site();
		const { id } = await held(ours, "tokens");
		const key = ours.foreignKey;
		isRefusal(await ours.call("GET", `/reservations/${id}`, { key }), 404, null);
		isRefusal(await ours.call("POST", `/reservations/${id}/commit`, { key, body: {} }), 404, null);
		isRefusal(await ours.call("POST", `/reservations/${id}/release`, { key }), 404, null);
	});
});

describe("the states of a reservation", () => {
	test("only HELD reservations end; ended ones stay, except that an expired one can be committed", () => {
		const moves = Object.entries(reservationTransitions).flatMap(([state, actions]) =>
			Object.keys(actions).map((action) => {
				try {
					return `${state} ${action}: ${nextState("r", state as ReservationState, action as ReservationAction)}`;
				} catch (error) {
					expect(error).toMatchObject({ code: "InvalidArgumentError" });
					return `${state} ${action}: refused`;
				}
			}),
		);
		expect(moves).toEqual([
			"HELD commit: COMMITTED",
			"HELD release: RELEASED",
			"COMMITTED commit: COMMITTED",
			"COMMITTED release: refused",
			"RELEASED commit: refused",
			"RELEASED release: RELEASED",
			"EXPIRED commit: COMMITTED",
			"EXPIRED release: EXPIRED",
		]);
	});

	test("a HELD reservation expires at its instant, and no other does", () => {
		const at = (now: number, state: "HELD" | "COMMITTED" | "RELEASED") =>
			stateAt({ state, expiresAt: 10 as Instant }, now as Instant);
		expect([at(9, "HELD"), at(10, "HELD"), at(10, "COMMITTED"), at(10, "RELEASED")]).toEqual([
			"HELD",
			"EXPIRED",
			"COMMITTED",
			"RELEASED",
		]);
	});
});
