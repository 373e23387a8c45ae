import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Aggregator } from "../../src/areas/usage/counting/aggregator";
import { openLog } from "../../src/http/log";
import type { Instant } from "../../src/kernel/clock";
import { CatchUp } from "../../src/scheduler/catch-up";
import { UsageWait } from "../../src/scheduler/usage-wait";
import { meteredSite } from "../areas/credits/charging/events/site";
import { maker, metered } from "../areas/packages/catalogue";
import { flat, type Till, till, used } from "../areas/subscriptions/billing";
import { provision, stock } from "../areas/subscriptions/shop";
import type { World } from "../support/world";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

const aggregators: Aggregator[] = [];
afterEach(() => {
	for (const aggregator of aggregators.splice(0)) aggregator.close();
});

/** Counts as the thread does, in the steps that a test takes. It has counted everything that was sent before. */
function aggregatorOf({ folder, clock }: Till): Aggregator {
	const aggregator = new Aggregator({ folder, clock });
	aggregators.push(aggregator);
	aggregator.run();
	return aggregator;
}

/** An environment whose clock stands at the 1st of April, and which has sent events that no meter takes. */
async function senders(clock?: "wall"): Promise<Till> {
	const ours = await till("2026-04-01T00:00:00Z", clock);
	await ours.use("other", 1, "2026-04-01T00:00:00Z");
	return ours;
}

/** Creates a meter of images, and sells its usage to `acme` at 1 each. */
async function sellImages(ours: Till): Promise<void> {
	await maker(ours).feature("images", { ...metered, displayName: "Images" });
	await ours.insist("PATCH", "/features/images", { meter });
	await ours.plan("pro", [flat({ month: 10 }), used("images", { month: 1 })]);
	await ours.buy("pro");
}

const meter = {
	aggregation: { function: "SUM", field: "n" },
	filters: [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "images" }] }],
};

const report = (ours: Till, n: number) =>
	ours.insist("POST", "/events", {
		events: [
			{
				...{ eventName: "images", customerId: "acme", idempotencyKey: `images-${n}` },
				...{ dimensions: { n }, timestamp: "2026-04-01T12:00:00Z" },
			},
		],
	});

/** Lets `follow` work a while after `pending` has begun. Answers whether `pending` had ended before that. */
async function endsBefore(follow: () => unknown, pending: Promise<unknown>): Promise<boolean> {
	const ended = pending.then(() => true);
	const hasEnded = await Promise.race([ended, Bun.sleep(300).then(() => false)]);
	await follow();
	await ended;
	return hasEnded;
}

/** Counts everything a while after `pending` has begun. Answers whether `pending` had ended before that. */
const endsUncounted = (aggregator: Aggregator, pending: Promise<unknown>): Promise<boolean> =>
	endsBefore(() => aggregator.run(), pending);

const turnToMay = ({ call }: World) =>
	call("POST", "/environments/current/clock", { body: { now: "2026-05-01T00:00:00Z" } });

const billed = ["2026-04-01: 10 = pro 10", "2026-05-01: 17 = pro 10 + 7 Images (pro) 7"];

test("advancing a clock waits until a new meter has counted the events that were reported before", async () => {
	const ours = await senders();
	const aggregator = aggregatorOf(ours);
	await sellImages(ours);
	await report(ours, 7);
	// The log is counted to its end and shown, and the new meter has not begun.
	aggregator.count();
	aggregator.show(false);
	expect(await endsUncounted(aggregator, turnToMay(ours))).toBe(false);
	expect(await ours.books()).toEqual(billed);
});

test("advancing a clock waits until a meter that is created after the events has counted them", async () => {
	const ours = await senders();
	await report(ours, 7);
	const aggregator = aggregatorOf(ours);
	await sellImages(ours);
	expect(await endsUncounted(aggregator, turnToMay(ours))).toBe(false);
	expect(await ours.books()).toEqual(billed);
});

test("advancing a clock waits until the totals are without the events that were canceled before", async () => {
	const ours = await senders();
	await sellImages(ours);
	await report(ours, 7);
	const mistaken = await ours.use("images", 5, "2026-04-01T13:00:00Z");
	const aggregator = aggregatorOf(ours);
	await ours.insist("POST", "/events/cancel", { events: [mistaken] });
	expect(await endsUncounted(aggregator, turnToMay(ours))).toBe(false);
	expect(await ours.books()).toEqual(billed);
});

test("by the wall clock a due step waits for a new meter, and the steps of other environments do not", async () => {
	const ours = await senders("wall");
	const theirs: World = {
		...ours,
		call: (method, path, more) => ours.call(method, path, { key: ours.foreignKey, ...more }),
	};
	await stock(theirs);
	await provision(theirs, { planId: "basic", billingPeriod: "MONTHLY" });
	const aggregator = aggregatorOf(ours);
	await sellImages(ours);
	await report(ours, 7);
	aggregator.count();
	aggregator.show(false);
	ours.clock.at = Date.parse("2026-05-01T00:00:00Z") as Instant;
	const running = new CatchUp({ ...ours.thread, log: openLog("silent") }).run();
	const theirInvoices = async () => (await theirs.call("GET", "/customers/acme/invoices")).body.data;
	while ((await theirInvoices()).length < 2) await Bun.sleep(5);
	expect(await ours.books()).toEqual(billed.slice(0, 1));
	expect(await endsUncounted(aggregator, running)).toBe(false);
	expect(await ours.books()).toEqual(billed);
});

describe("credits", () => {
	const call = { eventName: "call", dimensions: { size: 8 } };
	/** Grants 10 credits that expire on the 10th of February, and sends a call that costs 2.5. No job has charged it. */
	const callBeforeExpiry = async () => {
		const ours = await meteredSite();
		const grant = { customerId: "acme", currencyId: "gold", displayName: "Gift", grantType: "PROMOTIONAL", amount: 10 };
		const expiring = { ...grant, priority: 1, expireAt: "2026-02-10T00:00:00Z" };
		expect((await ours.call("POST", "/credits/grants", { body: expiring })).status).toBe(201);
		await ours.send(call);
		ours.countUsage();
		return ours;
	};
	const gift = async ({ call }: World) =>
		(await call("GET", "/credits/grants?customerId=acme")).body.data.find(
			({ displayName }: { displayName: string }) => displayName === "Gift",
		);
	const consumed = { status: "EXPIRED", consumedAmount: 2.5 };

	test("advancing a clock waits until the events that were reported before have consumed their credits", async () => {
		const ours = await callBeforeExpiry();
		const turning = ours.call("POST", "/environments/current/clock", { body: { now: "2026-02-11T00:00:00Z" } });
		expect(await endsBefore(() => ours.job().run(), turning)).toBe(false);
		expect(ours.woken).toContain("event-credits");
		expect(await gift(ours)).toMatchObject(consumed);
	});

	test("by the wall clock a due step waits for them too", async () => {
		const ours = await callBeforeExpiry();
		ours.clock.at = Date.parse("2026-03-01T00:00:00Z") as Instant;
		const running = new CatchUp({ ...ours.thread, log: openLog("silent") }).run();
		expect(await endsBefore(() => ours.job().run(), running)).toBe(false);
		const types = ours.entries("CREDITS_GRANTED", "CREDITS_CONSUMED").map(({ eventType }) => eventType);
		const [granted, used] = ["CREDITS_GRANTED", "CREDITS_CONSUMED"] as const;
		// The first credits of both customers and the gift; the call by two meters; the credits of the next month.
		expect(types).toEqual([granted, granted, granted, used, used, granted, granted]);
	});

	test("events that cost nothing, and canceled ones, delay no step once the job has seen them", async () => {
		const ours = await callBeforeExpiry();
		await ours.job().run();
		const [key] = await ours.send(call, { eventName: "other" });
		const events = [{ customerId: "acme", eventName: "call", idempotencyKey: key }];
		expect((await ours.call("POST", "/events/cancel", { body: { events } })).status).toBe(200);
		ours.countUsage();
		await ours.job().run();
		const wait = new UsageWait(ours.transactions, ours.actor);
		expect(wait.isOver()).toBe(true);
	});
});
