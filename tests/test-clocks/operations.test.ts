import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { openLog } from "../../src/http/log";
import { type Instant, toIso } from "../../src/kernel/clock";
import type { Transactions } from "../../src/kernel/work";
import { CatchUp } from "../../src/scheduler/catch-up";
import { advanceClock } from "../../src/test-clocks/operations";
import type { TurnedClockView } from "../../src/test-clocks/schema";
import { shop as anyShop, provision, stock } from "../areas/subscriptions/shop";
import { dyingAt } from "../support/dying";
import { withoutNotices } from "../support/notices";
import { turnsOf } from "../support/turns";
import { testNow, type World } from "../support/world";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

const dayMs = 24 * 60 * 60 * 1000;

interface Issued {
	readonly sequence: number;
	readonly issued: string;
	readonly total: string;
}

/** In the order of their numbers. */
const invoices = ({ db, environmentId }: World): Issued[] =>
	db.$client
		.query<{ sequence: number; issued_at: Instant; total: string }, [string]>(
			"SELECT sequence, issued_at, total FROM invoices WHERE environment_id = ? ORDER BY sequence",
		)
		.all(environmentId)
		.map(({ sequence, issued_at, total }) => ({ sequence, issued: toIso(issued_at).slice(0, 10), total }));

const days = (w: World): string[] => invoices(w).map(({ issued }) => issued);

async function shop(): Promise<World> {
	const w = await anyShop();
	withoutNotices(w);
	return w;
}

/** The purchase of `acme` on the 31st of January, and that of `later` twelve days after. */
async function twoSubscriptions(): Promise<World> {
	const w = await shop();
	await w.call("POST", "/customers", { body: { id: "later" } });
	await w.advance("2026-01-31T00:00:00Z");
	await provision(w, { planId: "basic", billingPeriod: "MONTHLY" });
	await w.advance("P12D");
	await provision(w, { customerId: "later", planId: "basic", billingPeriod: "MONTHLY" });
	return w;
}

/** Returns a call as text, without its environment. */
const said = ({ environmentId: _, ...rest }: TurnedClockView) => rest;

const turn = (w: World, transactions: Transactions, now: string): Promise<TurnedClockView> =>
	advanceClock({ ...w.thread, transactions, actor: w.actor, onFailure: () => {} }, { now });

describe("advancing a test clock", () => {
	test("a year's renewals happen at once, each at its own time, on the month's last day where it is shorter", async () => {
		const w = await shop();
		await w.advance("2026-01-31T00:00:00Z");
		await provision(w, { planId: "basic", billingPeriod: "MONTHLY" });
		expect(said(await w.advance("P1Y"))).toEqual({
			now: "2027-01-31T00:00:00.000Z",
			isFrozen: true,
			nextDueAt: "2027-02-28T00:00:00.000Z",
			steps: 12,
		});
		expect(days(w)).toEqual([
			"2026-01-31",
			"2026-02-28",
			"2026-03-31",
			"2026-04-30",
			"2026-05-31",
			"2026-06-30",
			"2026-07-31",
			"2026-08-31",
			"2026-09-30",
			"2026-10-31",
			"2026-11-30",
			"2026-12-31",
			"2027-01-31",
		]);
	});

	test("carries out steps that fall due at the very millisecond, and none that fall due after it", async () => {
		const w = await shop();
		await w.advance("2026-01-31T00:00:00Z");
		await provision(w, { planId: "basic", billingPeriod: "MONTHLY" });
		expect((await w.advance("2026-02-27T23:59:59.999Z")).steps).toBe(0);
		expect((await w.advance("2026-02-28T00:00:00.000Z")).steps).toBe(1);
		expect((await w.advance("PT0.001S")).steps).toBe(0);
	});

	test("happens in order of due time over all customers, and in one leap as in many small ones", async () => {
		const [leap, small] = [await twoSubscriptions(), await twoSubscriptions()];
		await leap.advance("2026-05-01T00:00:00Z");
		for (let day = 14; day <= 90; day += 4) await small.advance((testNow + day * dayMs) as Instant);
		expect(days(leap)).toHaveLength(7);
		expect(days(leap)).toEqual(days(leap).toSorted());
		expect(invoices(leap)).toEqual(invoices(small));
	});

	test("other requests are served meanwhile, a second advance and a release are refused", async () => {
		const w = await twoSubscriptions();
		const path = "/environments/current/clock";
		const turning = w.call("POST", path, { body: { advanceBy: "P1Y" } });
		// A body is read before the call is made: the turning has begun when the clock has moved.
		while ((await w.call("GET", path)).body.data.now === "2026-02-12T00:00:00.000Z") await Bun.sleep(0);
		const [again, release, read] = await Promise.all([
			w.call("POST", path, { body: { advanceBy: "P1D" } }),
			w.call("DELETE", path),
			w.call("GET", path),
		]);
		for (const refused of [again, release])
			expect(refused).toMatchObject({
				status: 400,
				body: { code: "ObjectAlreadyBeingUsedByAnotherRequestError", message: expect.stringContaining("again") },
			});
		expect(read.body.data.now < "2027").toBe(true);
		expect((await turning).body.data).toMatchObject({ now: "2027-02-12T00:00:00.000Z", steps: 24 });
		expect((await w.call("POST", path, { body: { advanceBy: "P1D" } })).status).toBe(200);
	});

	test("a failed step is reported, tried again at growing pauses, and holds up nobody", async () => {
		const w = await twoSubscriptions();
		const broken = w.db.$client
			.query<{ ref_id: string }, []>(
				"UPDATE subscriptions SET billing_anchor_at = NULL WHERE start_at = 1769817600000 RETURNING ref_id",
			)
			.get();
		const { steps, failures } = await w.advance("2026-03-13T00:00:00Z");
		// On the 28th of February after 1, 2, 4, … 32 minutes, then each hour to the 13th of March; and the other customer's
		// renewal of the 12th.
		expect(steps).toBe(7 + Math.floor((13 * 24 * 60 - 63) / 60) + 1);
		expect(failures).toHaveLength(100);
		expect(failures?.[0]).toEqual({
			subscriptionId: broken?.ref_id ?? "",
			error: `Internal error; the log has more, under '${broken?.ref_id}'.`,
		});
		expect(days(w)).toEqual(["2026-01-31", "2026-02-12", "2026-03-12"]);
	});

	test("killed at any step, it goes on where it got to: nothing is lost, nothing happens twice", async () => {
		const whole = await twoSubscriptions();
		await whole.advance("2026-05-01T00:00:00Z");
		for (const nth of [1, 3, 7]) {
			const w = await twoSubscriptions();
			const before = days(w).length;
			// The first write freezes the clock, each other one takes a step; the last one arrives.
			await expect(turn(w, dyingAt(w.transactions, nth), "2026-05-01T00:00:00Z")).rejects.toThrow("killed");
			expect(days(w)).toHaveLength(before + Math.max(0, nth - 2));
			expect(w.transactions.now(w.environmentId) < Date.UTC(2026, 4, 1)).toBe(true);
			await turn(w, w.transactions, "2026-05-01T00:00:00Z");
			expect(invoices(w)).toEqual(invoices(whole));
		}
	});

	test("stops where it is when the server is about to stop", async () => {
		const w = await twoSubscriptions();
		let asked = 0;
		const isStopping = () => ++asked > 3;
		const { now, steps } = await advanceClock(
			{ ...w.thread, turns: turnsOf(1), actor: w.actor, isStopping, onFailure: () => {} },
			{ now: "2027-01-01T00:00:00Z" },
		);
		expect({ now: now < "2027", isSome: steps > 0 }).toEqual({ now: true, isSome: true });
		expect((await w.advance("2027-01-01T00:00:00Z")).now).toBe("2027-01-01T00:00:00.000Z");
		expect(days(w)).toEqual(days(w).toSorted());
		expect(new Set(days(w)).size).toBe(days(w).length);
	});
});

describe("access checks follow the clock", () => {
	test("forward into the next period, to the end of the subscription; and never into another environment", async () => {
		const w = await shop();
		const access = async () =>
			(await w.call("GET", "/customers/acme/entitlements/check?featureId=sso")).body.data.isGranted;
		await w.advance("2026-01-31T00:00:00Z");
		const { subscription } = await provision(w, {
			planId: "pro",
			billingPeriod: "MONTHLY",
			charges: [{ type: "FEATURE", id: "seats", quantity: 2 }],
		});
		expect(await access()).toBe(true);
		expect(await access()).toBe(true);
		await w.call("POST", `/subscriptions/${subscription.id}/cancel`, {
			body: { cancellationTime: "SPECIFIC_DATE", endDate: "2026-06-15T00:00:00Z" },
		});
		await w.advance("2026-06-14T23:59:59.999Z");
		expect(await access()).toBe(true);
		await w.advance("2026-06-15T00:00:00Z");
		expect(await access()).toBe(false);
	});
});

describe("the scheduler", () => {
	const catchUp = (w: World, isStopping = () => false) =>
		new CatchUp({ ...w.thread, log: openLog("silent"), isStopping }).run();

	test("after three months without a server each period has its invoice, once and dated right", async () => {
		const w = await shop();
		await provision(w, { planId: "basic", billingPeriod: "MONTHLY" });
		w.clock.at = Date.UTC(2026, 3, 30) as Instant;
		await catchUp(w);
		await catchUp(w);
		expect(days(w)).toEqual(["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]);
	});

	test("leaves a frozen environment alone, and takes it up when its clock is released", async () => {
		const w = await shop();
		await provision(w, { planId: "basic", billingPeriod: "MONTHLY" });
		await w.advance("2026-02-01T00:00:00Z");
		w.clock.at = Date.UTC(2026, 2, 1) as Instant;
		await catchUp(w);
		expect(days(w)).toEqual(["2026-01-31"]);
		expect((await w.call("DELETE", "/environments/current/clock")).status).toBe(200);
		await catchUp(w);
		expect(days(w)).toEqual(["2026-01-31", "2026-02-28"]);
	});

	test("environments take turns: the backlog of one does not keep another waiting", async () => {
		const w = await shop();
		const theirs: World = {
			...w,
			call: (method, path, options) => w.call(method, path, { key: w.foreignKey, ...options }),
		};
		await stock(theirs);
		for (const one of [w, theirs]) await provision(one, { planId: "basic", billingPeriod: "MONTHLY" });
		w.clock.at = Date.UTC(2026, 6, 31) as Instant;
		const written: string[] = [];
		const { write } = w.transactions;
		const noting: typeof write = (actor, body, ...sync) => {
			written.push(actor.environmentId);
			return write(actor, body, ...sync);
		};
		const job = { ...w.thread, turns: turnsOf(1), transactions: { ...w.transactions, write: noting } };
		await new CatchUp({ ...job, log: openLog("silent") }).run();
		expect(days(w)).toHaveLength(7);
		expect(days({ ...w, environmentId: w.foreignEnvironmentId })).toHaveLength(7);
		// One step of each, in turn; in the last turn of each there is nothing left.
		const [first, second] = written;
		expect(first).not.toBe(second);
		expect(written.slice(0, 12)).toEqual(Array.from({ length: 6 }, () => [first ?? "", second ?? ""]).flat());
	});

	test("a step that fails holds up no other, and is tried again a minute later", async () => {
		const w = await shop();
		await w.call("POST", "/customers", { body: { id: "sound" } });
		await provision(w, { planId: "basic", billingPeriod: "MONTHLY" });
		w.db.$client.run("UPDATE subscriptions SET billing_anchor_at = NULL");
		await provision(w, { customerId: "sound", planId: "basic", billingPeriod: "MONTHLY" });
		w.clock.at = Date.UTC(2026, 1, 28) as Instant;
		await catchUp(w);
		expect(days(w)).toEqual(["2026-01-31", "2026-01-31", "2026-02-28"]);
		w.db.$client.run("UPDATE subscriptions SET billing_anchor_at = start_at");
		w.clock.at = (Date.UTC(2026, 1, 28) + 59_999) as Instant;
		await catchUp(w);
		expect(days(w)).toHaveLength(3);
		w.clock.at = (Date.UTC(2026, 1, 28) + 60_000) as Instant;
		await catchUp(w);
		expect(days(w)).toHaveLength(4);
		expect(invoices(w).at(-1)).toMatchObject({ issued: "2026-02-28" });
	});

	test("ends between two steps when it is stopped", async () => {
		const w = await shop();
		await provision(w, { planId: "basic", billingPeriod: "MONTHLY" });
		w.clock.at = Date.UTC(2027, 0, 31) as Instant;
		let asked = 0;
		await catchUp(w, () => ++asked > 5);
		const done = days(w).length;
		expect(done).toBeGreaterThan(1);
		expect(done).toBeLessThan(13);
		await catchUp(w);
		expect(days(w)).toHaveLength(13);
	});
});
