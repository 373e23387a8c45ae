import { describe, expect, setDefaultTimeout, test } from "bun:test";
import pino from "pino";
import type { Instant } from "../../src/kernel/clock";
import { CatchUp } from "../../src/scheduler/catch-up";
import { provision, shop } from "../areas/subscriptions/shop";
import type { World } from "../support/world";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

const end = Date.UTC(2026, 1, 10);
const renewal = Date.UTC(2026, 1, 28);
const minute = 60_000;
const hour = 60 * minute;

/** Two customers on the wall clock, who bought on the 31st of January; and what the scheduler does and logs. */
async function twoCustomers() {
	const w = await shop();
	await w.call("POST", "/customers", { body: { id: "other" } });
	await provision(w, { id: "mine", planId: "basic", billingPeriod: "MONTHLY" });
	await provision(w, { id: "others", customerId: "other", planId: "basic", billingPeriod: "MONTHLY" });
	const log: Array<{ level: number; msg: string; subscriptionId?: string }> = [];
	const scheduler = new CatchUp({
		...w.thread,
		log: pino({ level: "info" }, { write: (line) => log.push(JSON.parse(line)) }),
	});
	return {
		...w,
		log,
		runAt: async (at: number) => {
			w.clock.at = at as Instant;
			await scheduler.run();
		},
		get: async (id: string) => (await w.call("GET", `/subscriptions/${id}`)).body.data,
		list: async (query: string): Promise<string[]> =>
			(await w.call("GET", `/subscriptions?${query}`)).body.data.map(({ id }: { id: string }) => id),
	};
}

/** The plan after an end cannot be sold: `pro` has prices by the month and by the year, and nothing names which. */
const followWith = ({ db }: Pick<World, "db">, planId: string) =>
	db.$client.run(
		"UPDATE products SET settings = json_set(settings, '$.subscriptionEndSetup', 'DOWNGRADE_TO_FREE', '$.downgradePlanId', ?)",
		[planId],
	);

/** `mine` is to end on the 10th of February, and cannot. */
async function unendable() {
	const w = await twoCustomers();
	const body = { cancellationTime: "SPECIFIC_DATE", endDate: new Date(end).toISOString() };
	expect((await w.call("POST", "/subscriptions/mine/cancel", { body })).status).toBe(200);
	followWith(w, "pro");
	return w;
}

const issued = ({ db }: Pick<World, "db">): string[] =>
	db.$client
		.query<{ at: number; ref: string }, []>(
			"SELECT i.issued_at AS at, s.ref_id AS ref FROM invoices i JOIN subscriptions s ON s.id = i.subscription_id ORDER BY i.sequence",
		)
		.all()
		.map(({ at, ref }) => `${new Date(at).toISOString().slice(0, 10)} ${ref}`);

const sold = ["2026-01-31 mine", "2026-01-31 others"];

describe("a due step that a rule refuses", () => {
	test("shows on its subscription, holds up nobody, and is tried again after an hour, then two, up to a day", async () => {
		const w = await unendable();
		await w.runAt(end);
		const { problem } = await w.get("mine");
		expect(problem).toEqual({
			step: "CANCEL",
			dueDate: "2026-02-10T00:00:00.000Z",
			code: "BillingPeriodMissingError",
			message: expect.stringContaining("billingPeriod"),
			since: "2026-02-10T00:00:00.000Z",
			attempts: 1,
			retryDate: "2026-02-10T01:00:00.000Z",
		});
		expect(await w.get("others")).not.toHaveProperty("problem");
		expect(await w.list("hasProblem=true")).toEqual(["mine"]);
		expect(await w.list("hasProblem=false")).toEqual(["others"]);
		expect(await w.list("hasProblem=true&customerId=other")).toEqual([]);
		const [logged] = w.log.filter(({ subscriptionId }) => subscriptionId === "mine");
		expect(logged).toMatchObject({ level: pino.levels.values.warn, msg: expect.stringContaining("refused") });
		const pauses: number[] = [];
		for (let tries = 0; tries < 7; tries += 1) {
			const { retryDate } = (await w.get("mine")).problem;
			await w.runAt(Date.parse(retryDate) - 1);
			expect((await w.get("mine")).problem.retryDate).toBe(retryDate);
			await w.runAt(Date.parse(retryDate));
			pauses.push((Date.parse((await w.get("mine")).problem.retryDate) - Date.parse(retryDate)) / hour);
		}
		expect(pauses).toEqual([2, 4, 8, 16, 24, 24, 24]);
		await w.runAt(renewal);
		expect(issued(w)).toEqual([...sold, "2026-02-28 others"]);
	});

	test("is carried out at its own time once it can be, and is no problem any more", async () => {
		const w = await unendable();
		await w.runAt(end);
		followWith(w, "free");
		await w.runAt(end + hour);
		expect(await w.get("mine")).toMatchObject({
			status: "CANCELED",
			cancelReason: "ScheduledCancellation",
			effectiveEndDate: "2026-02-10T00:00:00.000Z",
		});
		expect(await w.get("mine")).not.toHaveProperty("problem");
		expect(await w.list("hasProblem=true")).toEqual([]);
	});

	test("keeps its customer from no other call, and ends with what it was about", async () => {
		const w = await unendable();
		await w.runAt(end);
		// Due again, and found by the call.
		w.clock.at = (end + 5 * hour) as Instant;
		await provision(w, { id: "next", planId: "pro", billingPeriod: "MONTHLY" });
		expect(await w.get("mine")).toMatchObject({ status: "CANCELED", cancelReason: "UPGRADE_OR_DOWNGRADE" });
		expect(await w.get("mine")).not.toHaveProperty("problem");
		expect(await w.list("hasProblem=true")).toEqual([]);
	});
});

test("a due step that fails by a fault is an alarm, shows nothing internal, and is tried again within minutes", async () => {
	const w = await twoCustomers();
	w.db.$client.run("UPDATE subscriptions SET billing_anchor_at = NULL WHERE ref_id = 'mine'");
	// Found after a downtime: pauses are counted from the attempt.
	await w.runAt(renewal + 3 * hour);
	expect(issued(w)).toEqual([...sold, "2026-02-28 others"]);
	expect((await w.get("mine")).problem).toMatchObject({
		step: "RENEW",
		code: null,
		message: "Internal error; the log has more, under 'mine'.",
		attempts: 1,
		retryDate: "2026-02-28T03:01:00.000Z",
	});
	const alarms = () => w.log.filter(({ level, subscriptionId }) => level >= 50 && subscriptionId === "mine").length;
	expect(alarms()).toBe(1);
	await w.runAt(renewal + 3 * hour + minute);
	expect(alarms()).toBe(2);
	expect((await w.get("mine")).problem.retryDate).toBe("2026-02-28T03:03:00.000Z");
	w.db.$client.run("UPDATE subscriptions SET billing_anchor_at = start_at WHERE ref_id = 'mine'");
	// A change may be the repair: it does not wait for the end of the pause.
	expect((await w.call("PATCH", "/subscriptions/mine", { body: { metadata: { a: "1" } } })).status).toBe(200);
	await w.runAt(renewal + 3 * hour + minute);
	expect(issued(w)).toEqual([...sold, "2026-02-28 others", "2026-02-28 mine"]);
	expect(await w.list("hasProblem=true")).toEqual([]);
});

test("a full disk is no step's failure: what is due waits, and happens as soon as there is room", async () => {
	const w = await twoCustomers();
	const pragma = (text: string) => w.db.$client.query<Record<string, number>, []>(`PRAGMA ${text}`).get();
	const pages = pragma("page_count")?.page_count ?? 0;
	pragma(`max_page_count = ${pages}`);
	const year = Date.UTC(2027, 0, 1);
	await w.runAt(year);
	const before = issued(w).length;
	expect(before).toBeLessThan(2 * 12);
	expect(await w.list("hasProblem=true")).toEqual([]);
	const waits = () => w.log.filter(({ msg }) => msg.startsWith("the disk takes no writes")).length;
	expect(waits()).toBe(1);
	await Bun.sleep(600);
	await w.runAt(year);
	expect([waits(), issued(w).length]).toEqual([1, before]);
	pragma(`max_page_count = ${pages * 10}`);
	await Bun.sleep(600);
	await w.runAt(year);
	expect(new Set(issued(w)).size).toBe(2 * 12);
	expect(issued(w)).toHaveLength(2 * 12);
	expect(w.log.filter(({ msg }) => msg.startsWith("the disk takes writes again"))).toHaveLength(1);
	expect(await w.list("hasProblem=true")).toEqual([]);
});
