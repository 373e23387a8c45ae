import { describe, expect, test } from "bun:test";
import {
	type GrantAction,
	grantTransitions,
	refusalOf,
	statusAt,
} from "../../../../src/areas/credits/grants/rules.status";
import { type GrantStatus, grantStatuses, type grantTypes } from "../../../../src/areas/credits/schema.values";
import type { Instant } from "../../../../src/kernel/clock";
import { type Answer, longText, type World } from "../../../support/world";
import { guard, isRefusal } from "../../packages/guards";
import { bank, fillBank, give, ledger, listed, nowhere, path, sold, take, wallet } from "./site";

guard(
	[
		{
			method: "PATCH",
			path: `${path}/${nowhere}`,
			scope: "CREDIT:WRITE",
			body: { displayName: "Other" },
		},
		{ method: "POST", path: `${path}/${nowhere}/void`, scope: "CREDIT:WRITE" },
	],
	fillBank,
);

const at = (day: number) => `2026-02-${String(day).padStart(2, "0")}T00:00:00.000Z`;

/** Creates a grant in a status, only by the API and the clock. */
async function inStatus(ours: World, status: GrantStatus): Promise<string> {
	switch (status) {
		case "PAYMENT_PENDING":
			return (await give(ours, sold)).id;
		case "SCHEDULED":
			return (await give(ours, { effectiveAt: at(10) })).id;
		case "ACTIVE":
			return (await give(ours)).id;
		case "EXPIRED": {
			const { id } = await give(ours, { expireAt: at(1) });
			await ours.advance(at(2));
			return id;
		}
		case "VOIDED": {
			const { id } = await give(ours);
			await ours.call("POST", `${path}/${id}/void`);
			return id;
		}
	}
}

const bodies: Readonly<Record<Exclude<GrantAction, "void">, object>> = {
	describe: { displayName: "Renamed", comment: "Noted", metadata: { a: "b" } },
	changePriority: { priority: 7 },
	changeEffectiveAt: { effectiveAt: "2026-01-01T00:00:00.000Z" },
	changeExpireAt: { expireAt: at(20) },
};

const act = ({ call }: World, id: string, action: GrantAction): Promise<Answer> =>
	action === "void" ? call("POST", `${path}/${id}/void`) : call("PATCH", `${path}/${id}`, { body: bodies[action] });

describe("the statuses of a grant", () => {
	for (const status of grantStatuses)
		for (const action of ["describe", "changePriority", "changeEffectiveAt", "changeExpireAt", "void"] as const) {
			const next = grantTransitions[status][action];
			test(`${status}: ${action} ${typeof next === "string" ? `leads to ${next}` : "is refused"}`, async () => {
				const ours = await bank();
				const id = await inStatus(ours, status);
				const before = (await listed(ours))[0];
				expect(before).toMatchObject({ id, status });
				const answer = await act(ours, id, action);
				const after = (await listed(ours))[0];
				if (typeof next !== "string") {
					isRefusal(answer, 400, next.code, next.because);
					expect(after).toEqual(before);
					return;
				}
				expect(answer.status).toBe(200);
				expect(answer.body.data).toEqual(after);
				// A scheduled grant with a new effective date in the past becomes active at once.
				const begins = status === "SCHEDULED" && action === "changeEffectiveAt";
				expect(after).toMatchObject({ ...(action !== "void" && bodies[action]), status: begins ? "ACTIVE" : next });
			});
		}

	test("nobody can change an overdraft, nor the dates of a recurring grant", () => {
		const refused = (grantType: (typeof grantTypes)[number], action: GrantAction) =>
			refusalOf({ grantType, status: "ACTIVE" }, action)?.code;
		const codes = (grantType: (typeof grantTypes)[number]) =>
			(["describe", "changePriority", "changeEffectiveAt", "changeExpireAt", "void"] as const).map((action) =>
				refused(grantType, action),
			);
		const invalid = "InvalidArgumentError";
		expect(codes("OVERDRAFT")).toEqual([invalid, invalid, invalid, invalid, "CreditGrantCannotBeVoided"]);
		expect(codes("RECURRING")).toEqual([undefined, undefined, invalid, invalid, undefined]);
		expect([codes("PAID"), codes("PROMOTIONAL")].flat().filter((code) => code !== undefined)).toEqual([]);
	});

	test("the status follows the time, from effectiveAt until expireAt (exclusive)", () => {
		const grant = (status: GrantStatus) => ({ status, effectiveAt: 10 as Instant, expireAt: 20 as Instant });
		const seen = (status: GrantStatus) => [9, 10, 19, 20].map((now) => statusAt(grant(status), now as Instant));
		expect(seen("SCHEDULED")).toEqual(["SCHEDULED", "ACTIVE", "ACTIVE", "EXPIRED"]);
		expect(seen("ACTIVE").slice(1)).toEqual(["ACTIVE", "ACTIVE", "EXPIRED"]);
		for (const status of ["PAYMENT_PENDING", "EXPIRED", "VOIDED"] as const)
			expect(seen(status)).toEqual([status, status, status, status]);
	});
});

describe("PATCH /credits/grants/{id}", () => {
	const patch = async (ours: World, id: string, body: object) => ours.call("PATCH", `${path}/${id}`, { body });

	test("changes only sent fields; null clears; equal values are no change", async () => {
		const ours = await bank();
		const said = { comment: "A word", metadata: { a: "1" }, expireAt: at(20), priority: 3 };
		const grant = await give(ours, said);
		ours.clock.at = (ours.clock.at + 1000) as Instant;
		expect((await patch(ours, grant.id, {})).body.data).toEqual(grant);
		expect((await patch(ours, grant.id, { priority: 3, expireAt: at(20) })).body.data).toEqual(grant);
		const cleared = await patch(ours, grant.id, { comment: null, metadata: null, expireAt: null });
		expect(cleared.body.data).toMatchObject({ comment: null, metadata: {}, expireAt: null, priority: 3, amount: 100 });
		expect(ledger(ours)).toEqual(["GRANTED 100", "UPDATED 0"]);
	});

	test("a new priority or expiry changes the order of consumption from then on", async () => {
		const ours = await bank();
		const first = await give(ours, { displayName: "first", amount: 10 });
		const second = await give(ours, { displayName: "second", amount: 10 });
		const consumed = async () => (await listed(ours)).map(({ consumedAmount }) => consumedAmount).reverse();
		take(ours, 1);
		expect(await consumed()).toEqual([1, 0]);
		await patch(ours, second.id, { priority: 49 });
		take(ours, 1);
		expect(await consumed()).toEqual([1, 1]);
		await patch(ours, first.id, { priority: 49, expireAt: at(20) });
		take(ours, 1);
		expect(await consumed()).toEqual([2, 1]);
		await patch(ours, second.id, { expireAt: at(19) });
		take(ours, 1);
		expect(await consumed()).toEqual([2, 2]);
	});

	test("the grant starts and ends at its new dates", async () => {
		const ours = await bank();
		const runs = await give(ours, { expireAt: at(3) });
		const waits = await give(ours, { effectiveAt: at(5) });
		await patch(ours, runs.id, { expireAt: at(4) });
		await patch(ours, waits.id, { effectiveAt: at(6) });
		ours.clock.at = Date.parse(at(3)) as Instant;
		take(ours, 1);
		expect(wallet(ours)).toEqual([100, 1]);
		ours.clock.at = Date.parse(at(5)) as Instant;
		take(ours, 1);
		expect(wallet(ours)).toEqual([0, 1]);
		ours.clock.at = Date.parse(at(6)) as Instant;
		take(ours, 1);
		expect(wallet(ours)).toEqual([100, 2]);
	});

	test.each([
		["a name of null", { displayName: null }, "/displayName"],
		["an empty name", { displayName: "" }, "/displayName"],
		["a long comment", { comment: longText(4097) }, "/comment"],
		["another amount", { amount: 5 }, "amount"],
		["another customer", { customerId: "other" }, "customerId"],
		["a beginning of null", { effectiveAt: null }, "/effectiveAt"],
		["a priority below nothing", { priority: -1 }, "/priority"],
	])("refuses %s", async (_, body, message) => {
		const ours = await bank();
		const { id } = await give(ours);
		isRefusal(await patch(ours, id, body), 400, "BadUserInput", message);
	});

	test("refuses impossible dates, with the remedy", async () => {
		const ours = await bank();
		const { id } = await give(ours, { expireAt: at(20) });
		isRefusal(await patch(ours, id, { effectiveAt: at(5) }), 400, "InvalidArgumentError", "void it");
		isRefusal(
			await patch(ours, id, { expireAt: "2026-01-31T00:00:00Z" }),
			400,
			"ExpireAtMustBeLaterThanEffectiveAtError",
		);
		ours.clock.at = (ours.clock.at + 86_400_000) as Instant;
		isRefusal(await patch(ours, id, { expireAt: at(1) }), 400, "InvalidArgumentError", "void it");
		const later = await give(ours, { effectiveAt: at(10) });
		isRefusal(await patch(ours, later.id, { expireAt: at(10) }), 400, "ExpireAtMustBeLaterThanEffectiveAtError");
		expect((await listed(ours)).map(({ status }) => status)).toEqual(["SCHEDULED", "ACTIVE"]);
	});

	test("an unknown grant, or one of another environment, is not found", async () => {
		const ours = await bank();
		const { id } = await give(ours);
		const body = { displayName: "Other" };
		isRefusal(await patch(ours, nowhere, body), 404, "CreditGrantNotFound", nowhere);
		isRefusal(await ours.call("PATCH", `${path}/${id}`, { body, key: ours.foreignKey }), 404, "CreditGrantNotFound");
		isRefusal(await ours.call("POST", `${path}/${id}/void`, { key: ours.foreignKey }), 404, "CreditGrantNotFound");
		isRefusal(await patch(ours, "no-uuid", body), 400, "BadUserInput");
	});
});

describe("POST /credits/grants/{id}/void", () => {
	test("voids the remaining credits; consumed credits stay consumed", async () => {
		const ours = await bank();
		const { id } = await give(ours);
		take(ours, 30);
		const answer = await ours.call("POST", `${path}/${id}/void`);
		expect(answer.body.data).toMatchObject({
			status: "VOIDED",
			consumedAmount: 30,
			voidedAt: "2026-01-31T00:00:00.000Z",
		});
		expect(wallet(ours)).toEqual([0, 0]);
		expect(ledger(ours)).toEqual(["GRANTED 100", "CONSUMED 30", "VOIDED 70"]);
		isRefusal(await ours.call("POST", `${path}/${id}/void`), 400, "CreditGrantAlreadyVoided", id);
	});

	test("a grant past its expiry has expired, even before the scheduler runs", async () => {
		const ours = await bank();
		const { id } = await give(ours, { expireAt: at(1) });
		ours.clock.at = Date.parse(at(1)) as Instant;
		expect((await listed(ours))[0]).toMatchObject({ status: "EXPIRED" });
		isRefusal(await ours.call("POST", `${path}/${id}/void`), 400, "CreditGrantCannotBeVoided", "expired");
		isRefusal(
			await ours.call("PATCH", `${path}/${id}`, { body: { expireAt: at(9) } }),
			400,
			"CannotUpdateExpireAtForExpiredCreditGrantError",
		);
	});

	test("an overdraft is listed, and can be neither voided nor edited", async () => {
		const ours = await bank();
		take(ours, 5);
		const [overdraft] = await listed(ours);
		expect(overdraft).toMatchObject({ grantType: "OVERDRAFT", status: "ACTIVE", amount: 0, consumedAmount: 5 });
		isRefusal(await ours.call("POST", `${path}/${overdraft.id}/void`), 400, "CreditGrantCannotBeVoided", "overdraft");
		const body = { comment: "Mine" };
		isRefusal(await ours.call("PATCH", `${path}/${overdraft.id}`, { body }), 400, "InvalidArgumentError", "overdraft");
		isRefusal(
			await ours.call("POST", "/credits/custom-currencies/gold/archive"),
			400,
			"IntegrityViolation",
			"overdraft",
		);
	});
});
