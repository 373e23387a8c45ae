import { expect, setDefaultTimeout, test } from "bun:test";
import { meteredSite } from "./site";

setDefaultTimeout(60_000);

const call = (size?: number, more: object = {}) => ({
	eventName: "call",
	dimensions: { ...(size !== undefined && { size }), model: "large" },
	...more,
});

test("an event consumes its cost by each meter that counts it, once, and has ledger entries", async () => {
	const ours = await meteredSite();
	await ours.send(call(8), { eventName: "other", dimensions: { size: 100 } });
	const job = ours.job();
	await job.run();
	// One call at 0.5, and 8 bytes at 0.25 each. `peak` counts the largest value, so a single event has no price.
	expect(await ours.check()).toMatchObject({ currentUsage: 2.5, usageLimit: 100 });
	ours.countUsage();
	const events = (await ours.call("GET", "/events?customerId=acme")).body.data;
	const event = events.find(({ eventName }: { eventName: string }) => eventName === "call");
	expect(ours.entries("CREDITS_CONSUMED")).toMatchObject([
		{ amount: "0.5", eventId: event.id, dimensions: { size: 8, model: "large" }, events: null },
		{ amount: "2", eventId: event.id },
	]);
	await job.run();
	await ours.job().run();
	expect(ours.entries("CREDITS_CONSUMED")).toHaveLength(2);
	expect(ours.findings()).toEqual([]);
});

test("a formula prices each event, and started blocks are paid once", async () => {
	const ours = await meteredSite();
	const line = (n: number) => ({ customerId: "writer", eventName: "line", dimensions: { n } });
	await ours.send(
		{ customerId: "writer", eventName: "prompt", dimensions: { input: 1000, output: 250 } },
		{ customerId: "writer", eventName: "prompt", dimensions: { input: "500" } },
		line(4),
	);
	await ours.job().run();
	expect((await ours.check("writer")).currentUsage).toBe(5.5);
	await ours.send(line(6), line(1), line(-5));
	await ours.job().run();
	// The second started ten.
	expect((await ours.check("writer")).currentUsage).toBe(8.5);
});

test("similar events share entries, which retain the dimensions with few values", async () => {
	const ours = await meteredSite();
	await ours.send(
		...Array.from({ length: 300 }, (_, at) => ({
			eventName: "call",
			dimensions: { model: at % 3 === 0 ? "small" : "large", request: `r${at}` },
			timestamp: at < 100 ? "2026-01-30T23:30:00Z" : "2026-01-31T00:00:00Z",
		})),
	);
	await ours.job().run();
	// The subscription had not started on the 30th.
	expect((await ours.check()).currentUsage).toBe(100);
	const entries = ours.entries("CREDITS_CONSUMED");
	expect(entries).toHaveLength(2);
	expect(entries.reduce((count, { events }) => count + (events ?? 1), 0)).toBe(200);
	const usage = await ours.call(
		"GET",
		"/credits/usage?customerId=acme&currencyId=gold&timeRange=LAST_DAY&groupBy=model",
	);
	expect(
		usage.body.data.series.map(({ tags, totalCredits, eventCount }: Readonly<Record<string, unknown>>) => ({
			tags,
			totalCredits,
			eventCount,
		})),
	).toEqual([
		{ tags: [{ key: "model", value: "large" }], totalCredits: 67, eventCount: 134 },
		{ tags: [{ key: "model", value: "small" }], totalCredits: 33, eventCount: 66 },
	]);
	expect(ours.findings()).toEqual([]);
});

test("a canceled event is released once after its charge, or is never charged", async () => {
	const ours = await meteredSite();
	const [first, second] = await ours.send(call(8), call(4));
	const cancel = (key: string | undefined) =>
		ours.call("POST", "/events/cancel", {
			body: { events: [{ customerId: "acme", eventName: "call", idempotencyKey: key }] },
		});
	await cancel(second);
	await ours.job().run();
	expect((await ours.check()).currentUsage).toBe(2.5);
	expect((await cancel(first)).status).toBe(200);
	await ours.job().run();
	await ours.job().run();
	expect(await ours.check()).toMatchObject({ currentUsage: 0, usageLimit: 100 });
	expect(ours.entries("CREDITS_CONSUMPTION_TRANSFER_SOURCE")).toMatchObject([{ amount: "0.5" }, { amount: "2" }]);
	const usage = await ours.call("GET", "/credits/usage?customerId=acme&currencyId=gold");
	for (const { totalCredits, eventCount } of usage.body.data.series) expect([totalCredits, eventCount]).toEqual([0, 0]);
	const explained = await ours.call("GET", "/customers/acme/entitlements/check?currencyId=gold&explain=true");
	expect(
		explained.body.data.explanation.usage.lastConsumptions.map(
			({ featureId, amount, events }: Readonly<Record<string, unknown>>) => [featureId, amount, events],
		),
	).toEqual([
		["bytes", -2, 1],
		["calls", -0.5, 1],
		["bytes", 2, 1],
		["calls", 0.5, 1],
	]);
	expect(ours.findings()).toEqual([]);
});

test("a cancellation releases to the overdraft first, by the price at the time of the event", async () => {
	const ours = await meteredSite();
	const keys = await ours.send(...Array.from({ length: 3 }, () => call(200)));
	await ours.job().run();
	// 3 × (0.5 + 50), of 100.
	expect(await ours.check()).toMatchObject({ currentUsage: 151.5, isGranted: false });
	// No rate prices it any more.
	const [{ id }] = (await ours.call("GET", "/subscriptions?customerId=acme")).body.data;
	const body = { cancellationTime: "IMMEDIATE" };
	expect(await ours.call("POST", `/subscriptions/${id}/cancel`, { body })).toMatchObject({ status: 200 });
	ours.clock.at = (ours.clock.at + 1_000) as typeof ours.clock.at;
	await ours.call("POST", "/events/cancel", {
		body: { events: [{ customerId: "acme", eventName: "call", idempotencyKey: keys[0] }] },
	});
	await ours.job().run();
	expect((await ours.check()).currentUsage).toBe(101);
	await ours.send(call(200));
	await ours.job().run();
	expect((await ours.check()).currentUsage).toBe(101);
	expect(ours.findings()).toEqual([]);
});

test("events of another environment, of unknown customers, and from before a price cost nothing", async () => {
	const ours = await meteredSite();
	await ours.call("POST", "/customers", { key: ours.foreignKey, body: { id: "acme" } });
	const events = [{ eventName: "call", customerId: "acme", idempotencyKey: "theirs" }];
	expect((await ours.call("POST", "/events", { key: ours.foreignKey, body: { events } })).status).toBe(200);
	await ours.send({ ...call(1), customerId: "new", timestamp: "2026-01-30T23:59:59.999Z" });
	await ours.job().run();
	await ours.call("POST", "/subscriptions", { body: { customerId: "new", planId: "ai" } });
	await ours.job().run();
	expect((await ours.check("new")).currentUsage).toBe(0);
	expect((await ours.check()).currentUsage).toBe(0);
	await ours.send({ ...call(1), customerId: "new" });
	await ours.job().run();
	expect((await ours.check("new")).currentUsage).toBe(0.75);
});

test("rebuilt totals and a lost cursor charge no event twice", async () => {
	const ours = await meteredSite();
	await ours.send(call(8), call(8));
	await ours.job().run();
	ours.countUsage();
	expect((await ours.call("POST", "/usage/rebuild", { body: {} })).status).toBeLessThan(300);
	ours.countUsage();
	await ours.job().run();
	expect((await ours.check()).currentUsage).toBe(5);
});

test("a customer whose events fail delays no other, and is charged later", async () => {
	const ours = await meteredSite();
	ours.db.$client.run(
		"CREATE TRIGGER fault BEFORE INSERT ON credit_entries WHEN (SELECT ref_id FROM customers WHERE id = NEW.customer_id) = 'acme' BEGIN SELECT RAISE(ABORT, 'a fault'); END",
	);
	await ours.send(call(8), { ...call(8), customerId: "writer" });
	await ours.job().run();
	expect((await ours.check("writer")).currentUsage).toBe(0.5);
	expect((await ours.check()).currentUsage).toBe(0);
	ours.db.$client.run("DROP TRIGGER fault");
	ours.clock.at = (ours.clock.at + 6_000) as typeof ours.clock.at;
	await ours.job().run();
	await ours.job().run();
	expect((await ours.check()).currentUsage).toBe(2.5);
	expect((await ours.check("writer")).currentUsage).toBe(0.5);
});
