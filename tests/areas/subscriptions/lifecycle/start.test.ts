import { describe, expect, test } from "bun:test";
import { maker } from "../../packages/catalogue";
import { isRefusal } from "../../packages/guards";
import { flat, paid } from "../../packages/prices";
import { provision, shop } from "../shop";
import { basic, end, pro, seatScenario, seats, update } from "./seats";

const { begun, mine } = seatScenario();

describe("when a subscription starts", () => {
	test("later: not before its very instant, on the versions that are published by then", async () => {
		const ours = await shop();
		await provision(ours, { id: "runs", planId: "free" });
		const { subscription, isScheduled, entitlements } = await provision(ours, {
			id: "later",
			planId: "basic",
			startDate: "2026-02-10T00:00:00Z",
		});
		expect(isScheduled).toBe(true);
		expect(entitlements.map((one: { feature: { id: string } }) => one.feature.id)).toEqual(["calls"]);
		expect(subscription).toMatchObject({
			status: "NOT_STARTED",
			startDate: "2026-02-10T00:00:00.000Z",
			latestInvoice: null,
			billingCycleAnchor: null,
			currentBillingPeriodStart: null,
		});
		const get = async (id: string) => (await ours.call("GET", `/subscriptions/${id}`)).body.data;
		expect((await get("runs")).futureUpdates).toEqual([update("PLAN", { id: "basic" }, "2026-02-10T00:00:00.000Z")]);
		await ours.call("POST", "/plans/basic/draft");
		await maker(ours).charge("/plans/basic", paid(flat(12)));
		await maker(ours).publish("/plans/basic");
		await ours.advance("2026-02-09T23:59:59.999Z");
		expect([(await get("runs")).status, (await get("later")).status]).toEqual(["ACTIVE", "NOT_STARTED"]);
		await ours.advance("2026-02-10T00:00:00Z");
		expect(await get("runs")).toMatchObject({
			status: "CANCELED",
			cancelReason: "UPGRADE_OR_DOWNGRADE",
			effectiveEndDate: "2026-02-10T00:00:00.000Z",
			futureUpdates: [],
		});
		expect(await get("later")).toMatchObject({
			status: "ACTIVE",
			billingCycleAnchor: "2026-02-10T00:00:00.000Z",
			latestInvoice: { total: 12, createdAt: "2026-02-10T00:00:00.000Z" },
		});
	}, 60_000);

	test("later, with nothing to take the place of; and cancelled before it has come", async () => {
		const customerId = await mine.customer();
		const { id } = await mine.provision({ customerId, ...pro, startDate: "2026-02-10T00:00:00Z" });
		expect((await mine.cancel(id, { cancellationTime: "IMMEDIATE" })).body.data).toMatchObject({
			status: "CANCELED",
			cancelReason: "Immediate",
		});
		mine.turn(customerId, "2026-03-10T00:00:00Z");
		expect(await mine.states(customerId)).toEqual(["slow-pro CANCELED Immediate"]);
		expect(await mine.bills(customerId)).toEqual([]);
	});

	test("later, and another is provisioned before: it is not wanted any more", async () => {
		const { customerId } = await begun();
		await mine.provision({ customerId, ...basic, scheduleStrategy: "END_OF_BILLING_PERIOD" });
		await mine.provision({ customerId, ...pro, ...seats(2) });
		expect(await mine.states(customerId)).toEqual([
			"slow-pro ACTIVE",
			"slow-basic CANCELED UPGRADE_OR_DOWNGRADE",
			"slow-pro CANCELED UPGRADE_OR_DOWNGRADE",
		]);
	});

	test("with an end: it is there from the beginning, and counts", async () => {
		const customerId = await mine.customer();
		const { id, subscription } = await mine.provision({
			customerId,
			...pro,
			cancellationDate: "2026-03-15T00:00:00Z",
		});
		expect(subscription).toMatchObject({
			status: "ACTIVE",
			cancellationDate: "2026-03-15T00:00:00.000Z",
			effectiveEndDate: "2026-03-15T00:00:00.000Z",
		});
		mine.turn(customerId, "2026-04-01T00:00:00Z");
		expect(await mine.get(id)).toMatchObject({ status: "CANCELED", cancelReason: "ScheduledCancellation" });
		expect(await mine.states(customerId)).toEqual(["slow-free ACTIVE", "slow-pro CANCELED ScheduledCancellation"]);
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 35 OPEN", "2026-02-28 35 OPEN"]);
		expect(await mine.notes(customerId)).toEqual([]);
	});

	const strategies: Array<[string, object, object, string]> = [
		["the month's end", {}, { scheduleStrategy: "END_OF_BILLING_PERIOD" }, end],
		[
			"the year's end",
			{ billingPeriod: "ANNUALLY" },
			{ scheduleStrategy: "END_OF_BILLING_PERIOD" },
			"2027-01-31T00:00:00.000Z",
		],
		["a month's end in a year", { billingPeriod: "ANNUALLY" }, { scheduleStrategy: "END_OF_BILLING_MONTH" }, end],
		["a month's end in a month", {}, { scheduleStrategy: "END_OF_BILLING_MONTH" }, end],
	];
	test.each(strategies)("at %s", async (_, body, strategy, at) => {
		const { customerId, id } = await begun(body);
		const { subscription, isScheduled } = await mine.provision({
			customerId,
			...pro,
			...seats(4),
			...body,
			...strategy,
		});
		expect(isScheduled).toBe(true);
		expect(subscription).toMatchObject({ status: "NOT_STARTED", startDate: at });
		expect((await mine.get(id)).futureUpdates).toEqual([update("PLAN", { id: "slow-pro" }, at)]);
	});

	const now: Array<[string, object, object]> = [
		["a downgrade that the caller wants at once", { ...basic, scheduleStrategy: "IMMEDIATE" }, pro],
		["an upgrade", pro, basic],
		["an upgrade to a custom plan", { planId: "custom" }, { planId: "pro", billingPeriod: "MONTHLY" }],
		["the same price", pro, pro],
		["a longer period", { ...basic, billingPeriod: "ANNUALLY" }, basic],
		["from free", basic, { planId: "slow-free" }],
	];
	test.each(now)("at once: %s", async (_, body, before) => {
		const customerId = await mine.customer();
		await mine.provision({ customerId, ...before });
		const { subscription, isScheduled } = await mine.provision({ customerId, ...body });
		expect(isScheduled).toBe(false);
		expect(subscription.status).toBe("ACTIVE");
	});

	const waits: Array<[string, object, object]> = [
		["a lower price", basic, pro],
		["fewer units", pro, { ...pro, ...seats(3) }],
		["fewer addons", pro, { ...pro, addons: [{ id: "boost", quantity: 1 }] }],
		["to free", { planId: "slow-free" }, pro],
		["a shorter period", pro, { ...pro, billingPeriod: "ANNUALLY" }],
	];
	test.each(waits)("at the end of the period, as the product says: %s", async (_, body, before) => {
		const customerId = await mine.customer();
		const { id, subscription: running } = await mine.provision({ customerId, ...before });
		const { subscription, isScheduled } = await mine.provision({ customerId, ...body });
		expect(isScheduled).toBe(true);
		expect(subscription).toMatchObject({ status: "NOT_STARTED", startDate: running.currentBillingPeriodEnd });
		expect((await mine.get(id)).futureUpdates).toEqual([
			update("DOWNGRADE", { id: subscription.planId }, running.currentBillingPeriodEnd),
		]);
		const bills = await mine.bills(customerId);
		expect(bills).toHaveLength(1);
		mine.turn(customerId, running.currentBillingPeriodEnd);
		expect((await mine.states(customerId))[0]).toBe(`${subscription.planId} ACTIVE`);
		expect((await mine.states(customerId))[1]).toBe(`${running.planId} CANCELED UPGRADE_OR_DOWNGRADE`);
		expect(await mine.notes(customerId)).toEqual([]);
	});

	const refused: Array<[object, string]> = [
		[{ scheduleStrategy: "END_OF_BILLING_PERIOD" }, "SchedulingAtEndOfBillingPeriod"],
		[{ scheduleStrategy: "END_OF_BILLING_MONTH" }, "SchedulingAtEndOfBillingPeriod"],
		[{ scheduleStrategy: "END_OF_BILLING_PERIOD", startDate: "2026-03-01T00:00:00Z" }, "InvalidArgumentError"],
		[{ cancellationDate: "2026-01-31T00:00:00Z" }, "InvalidCancellationDate"],
		[{ startDate: "2026-03-01T00:00:00Z", cancellationDate: "2026-02-20T00:00:00Z" }, "InvalidCancellationDate"],
	];
	test.each(refused)("refuses %j with %s, where nothing runs", async (body, code) => {
		const customerId = await mine.customer();
		isRefusal(await mine.post("/subscriptions", { customerId, ...pro, ...body }), 400, code);
		expect(await mine.states(customerId)).toEqual([]);
	});
});
