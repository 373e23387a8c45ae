import { describe, expect, setDefaultTimeout, test } from "bun:test";
import pino from "pino";
import { issueGrant, type NewGrant } from "../../src/areas/credits/operations.issue";
import { creditGrants } from "../../src/areas/credits/table";
import { createCurrency } from "../../src/areas/currencies/operations";
import { provisionCustomer } from "../../src/areas/customers/operations";
import { openLog } from "../../src/http/log";
import type { Instant } from "../../src/kernel/clock";
import type { Decimal } from "../../src/kernel/decimal";
import { CatchUp } from "../../src/scheduler/catch-up";
import { runNextDue } from "../../src/scheduler/sources";
import { advanceClock } from "../../src/test-clocks/operations";
import { provision, shop } from "../areas/subscriptions/shop";
import { dyingAt } from "../support/dying";
import { withoutNotices } from "../support/notices";
import { testNow, type World, world } from "../support/world";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

const minute = 60_000;
const day = 24 * 60 * minute;
const after = (days: number) => (testNow + days * day) as Instant;

/** A customer, a currency, and a hand that grants it credits. */
function granting(w: World) {
	const of = w.transactions.write(w.actor, (work) => ({
		customerId: provisionCustomer(work, { id: "granted" }).id,
		currencyId: createCurrency(work, { id: "tokens", displayName: "Tokens" }).id,
		resourceRef: "",
	}));
	return (displayName: string, given: Partial<NewGrant>) =>
		w.transactions.write(w.actor, (work) =>
			issueGrant(work, {
				...of,
				displayName,
				grantType: "PROMOTIONAL",
				amount: "10" as Decimal,
				effectiveAt: work.now,
				expireAt: null,
				...given,
			}),
		);
}

const states = (w: World): Record<string, string> =>
	Object.fromEntries(
		w.transactions.read(w.actor, (work) =>
			work.tx
				.select()
				.from(creditGrants)
				.all()
				.map(({ displayName, status }) => [displayName, status]),
		),
	);

const ledger = ({ db }: World): string[] =>
	db.$client
		.query<{ type: string; at: number; name: string }, []>(
			"SELECT e.event_type AS type, e.at, g.display_name AS name FROM credit_entries e JOIN credit_grants g ON g.id = e.grant_id ORDER BY e.sequence",
		)
		.all()
		.map(({ type, at, name }) => `${(at - testNow) / day} ${type.replace("CREDITS_", "")} ${name}`);

const catchUp = (w: World, log = openLog("silent")) => new CatchUp({ ...w.thread, log }).run();

describe("grants of credits", () => {
	test("become effective and expire by the wall clock, each at its own time, however late somebody looks", async () => {
		const w = world();
		const grant = granting(w);
		grant("now", { expireAt: after(2) });
		grant("later", { effectiveAt: after(1), expireAt: after(3) });
		grant("much later", { effectiveAt: after(9) });
		expect(states(w)).toEqual({ now: "ACTIVE", later: "SCHEDULED", "much later": "SCHEDULED" });
		w.clock.at = (after(1) - 1) as Instant;
		await catchUp(w);
		expect(states(w).later).toBe("SCHEDULED");
		w.clock.at = after(7);
		await catchUp(w);
		await catchUp(w);
		expect(states(w)).toEqual({ now: "EXPIRED", later: "EXPIRED", "much later": "SCHEDULED" });
		expect(ledger(w)).toEqual(["0 GRANTED now", "1 GRANTED later", "2 EXPIRED now", "3 EXPIRED later"]);
	});

	test("are carried out in one order with subscriptions, and a credit's end comes first of one instant", async () => {
		const w = await shop();
		withoutNotices(w);
		const renewal = Date.UTC(2026, 1, 28) as Instant;
		await provision(w, { id: "sub", planId: "basic", billingPeriod: "MONTHLY" });
		const grant = granting(w);
		grant("before", { expireAt: (renewal - 1) as Instant });
		grant("with", { expireAt: renewal });
		grant("after", { expireAt: (renewal + 1) as Instant });
		w.clock.at = after(30);
		const order: string[] = [];
		for (;;) {
			const step = w.transactions.write(w.actor, (work) => runNextDue(work, w.clock.at));
			if (!step) break;
			order.push(`${Object.keys(step.subject)[0]} ${step.at - renewal}`);
		}
		expect(order).toEqual(["creditGrantId -1", "creditGrantId 0", "subscriptionId 0", "creditGrantId 1"]);
	});

	test("go along with a test clock, which shows the next one; killed at any step, nothing is lost or happens twice", async () => {
		for (const nth of [1, 2, 3, 4, 9]) {
			const w = world();
			await w.advance(testNow);
			const grant = granting(w);
			grant("first", { expireAt: after(2) });
			grant("second", { effectiveAt: after(1), expireAt: after(3) });
			const clock = async () => (await w.call("GET", "/environments/current/clock")).body.data;
			expect((await clock()).nextDueAt).toBe(new Date(after(1)).toISOString());
			const turn = (transactions = w.transactions) =>
				advanceClock(
					{ ...w.thread, transactions, actor: w.actor, onFailure: () => {} },
					{ now: new Date(after(5)).toISOString() },
				);
			if (nth < 5) await expect(turn(dyingAt(w.transactions, nth))).rejects.toThrow("killed");
			await turn();
			expect(await clock()).toMatchObject({ now: new Date(after(5)).toISOString(), nextDueAt: null });
			expect(ledger(w)).toEqual(["0 GRANTED first", "1 GRANTED second", "2 EXPIRED first", "3 EXPIRED second"]);
		}
	});

	test("one that fails is an alarm, holds up no other, and is tried again at pauses that double up to an hour", async () => {
		const w = world();
		const grant = granting(w);
		const broken = grant("broken", { expireAt: after(1) });
		grant("sound", { expireAt: after(2) });
		w.db.$client.run("UPDATE credit_grants SET amount = 'nothing' WHERE display_name = 'broken'");
		const alarms: Array<{ creditGrantId: string; step: string; retryAt: string }> = [];
		const log = pino({ level: "error" }, { write: (line) => alarms.push(JSON.parse(line)) });
		const job = new CatchUp({ ...w.thread, log });
		const pauses: number[] = [];
		for (w.clock.at = after(1); alarms.length < 8; ) {
			const notified = alarms.length;
			await job.run();
			expect(alarms).toHaveLength(notified + 1);
			const retryAt = Date.parse(alarms.at(-1)?.retryAt ?? "") as Instant;
			pauses.push((retryAt - w.clock.at) / minute);
			w.clock.at = (retryAt - 1) as Instant;
			await job.run();
			expect(alarms).toHaveLength(notified + 1);
			w.clock.at = retryAt;
		}
		expect(pauses).toEqual([1, 1, 2, 4, 8, 16, 32, 60]);
		expect(alarms[0]).toMatchObject({ creditGrantId: broken.id, step: "EXPIRE" });
		w.clock.at = after(2);
		await job.run();
		expect(states(w).sound).toBe("EXPIRED");
		w.db.$client.run("UPDATE credit_grants SET amount = '10' WHERE display_name = 'broken'");
		w.clock.at = after(3);
		await job.run();
		expect(states(w)).toEqual({ broken: "EXPIRED", sound: "EXPIRED" });
		expect(ledger(w)).toEqual(["0 GRANTED broken", "0 GRANTED sound", "2 EXPIRED sound", "1 EXPIRED broken"]);
	});
});

describe("an environment whose clock stands still", () => {
	test("has carried out what is due by that clock, without its clock being turned, and nothing beyond it", async () => {
		const w = world();
		await w.advance(testNow);
		const grant = granting(w);
		grant("due", { expireAt: after(1) });
		grant("not due", { expireAt: after(2) });
		// As a call does that makes something due now.
		w.db.$client.run("UPDATE credit_grants SET expire_at = ?1, next_due_at = ?1 WHERE display_name = 'due'", [testNow]);
		w.clock.at = after(20);
		await catchUp(w);
		expect(states(w)).toEqual({ due: "EXPIRED", "not due": "ACTIVE" });
		expect(w.transactions.now(w.environmentId)).toBe(testNow);
	});
});
