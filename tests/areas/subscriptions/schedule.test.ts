import { describe, expect, test } from "bun:test";
import { hasEnded, nextStatuses } from "../../../src/areas/subscriptions/rules.status";
import type { SubscriptionStatus } from "../../../src/areas/subscriptions/schema";
import { subscriptionUpdates } from "../../../src/areas/subscriptions/table.changes";
import { maker } from "../packages/catalogue";
import { isRefusal } from "../packages/guards";
import { flat, paid } from "../packages/prices";
import { scenario } from "./scenario";
import { provision, shop } from "./shop";

const mine = scenario();
const seats = (quantity: number) => ({ charges: [{ id: "seats", quantity, type: "FEATURE" }] });
const pro = { planId: "slow-pro", billingPeriod: "MONTHLY" };
const basic = { planId: "slow-basic", billingPeriod: "MONTHLY" };
const end = "2026-02-28T00:00:00.000Z";

async function begun(body: object = {}) {
	const customerId = await mine.customer();
	const { id } = await mine.provision({ customerId, ...pro, ...body });
	return { customerId, id };
}

async function changed(id: string, body: object) {
	const { status, body: answer } = await mine.patch(id, body);
	if (status !== 200) expect(answer).toEqual({ status: 200 });
	return answer.data;
}

const update = (subscriptionScheduleType: string, targetPackage: object | null = null, at = end) => ({
	subscriptionScheduleType,
	scheduleStatus: "SCHEDULED",
	scheduledExecutionTime: at,
	targetPackage,
});

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

describe("future updates", () => {
	test("one for each kind of change, in the place of what was scheduled of its kind", async () => {
		const { customerId, id } = await begun({ addons: [{ id: "boost", quantity: 3 }], ...seats(4) });
		const later = { scheduleStrategy: "END_OF_BILLING_PERIOD" };
		const first = await changed(id, {
			...later,
			...seats(2),
			addons: [{ id: "boost", quantity: 1 }],
			metadata: { a: "1" },
			minimumSpend: { amount: 3 },
			billingPeriod: "ANNUALLY",
			appliedCoupon: { couponId: "TEN" },
			billingInformation: { taxPercentage: 10 },
			budget: { limit: 3, hasSoftLimit: true },
		});
		const types = [
			"BILLING_PERIOD",
			"ADDON",
			"UNIT_AMOUNT",
			"PRICE_OVERRIDE",
			"COUPON",
			"ADDITIONAL_META_DATA",
			"BILLING_INFO_METADATA",
		];
		expect(first.futureUpdates).toEqual(types.map((type) => update(type)));
		expect(first).toMatchObject({
			addons: [{ id: "boost", quantity: 3 }],
			metadata: {},
			minimumSpend: null,
			coupons: [],
			budget: { limit: 3, hasSoftLimit: true },
		});
		const second = await changed(id, { ...later, metadata: { b: "2" } });
		expect(second.futureUpdates).toHaveLength(types.length);
		mine.turn(customerId, end);
		expect(await mine.get(id)).toMatchObject({
			futureUpdates: [],
			addons: [{ id: "boost", quantity: 1 }],
			metadata: { b: "2" },
			minimumSpend: { amount: 3, currency: "usd" },
			coupons: [{ id: "TEN", status: "ACTIVE" }],
			currentBillingPeriodEnd: "2027-02-28T00:00:00.000Z",
		});
	});

	test("they are dropped by their route, and nothing is left to be dropped then", async () => {
		const { customerId, id } = await begun(seats(4));
		const path = `/subscriptions/${id}/future-update/schedule`;
		isRefusal(await mine.remove(path), 404, "FutureUpdateNotFound", id);
		await changed(id, seats(2));
		await mine.provision({ customerId, ...basic });
		expect((await mine.get(id)).futureUpdates).toEqual([
			update("DOWNGRADE", { id: "slow-basic" }),
			update("UNIT_AMOUNT"),
		]);
		const answer = await mine.remove(path);
		expect(answer).toMatchObject({ status: 200, body: { data: { id } } });
		expect(answer.body).toEqual({ data: { id } });
		expect((await mine.get(id)).futureUpdates).toEqual([]);
		isRefusal(await mine.remove(path), 404, "FutureUpdateNotFound");
		isRefusal(await mine.remove("/subscriptions/none/future-update/schedule"), 404, "SubscriptionNotFound");
		expect(await mine.states(customerId)).toEqual(["slow-basic CANCELED Immediate", "slow-pro ACTIVE"]);
		mine.turn(customerId, "2026-03-01T00:00:00Z");
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 50 OPEN", "2026-02-28 50 OPEN"]);
	});

	test("an update that cannot be sold any more fails, and the subscription goes on as it is", async () => {
		const ours = await shop();
		await provision(ours, { id: "s", planId: "pro", billingPeriod: "MONTHLY" });
		await ours.call("PATCH", "/subscriptions/s", {
			body: { ...seats(3), appliedCoupon: { couponId: "TEN" }, scheduleStrategy: "END_OF_BILLING_PERIOD" },
		});
		expect((await ours.call("POST", "/coupons/TEN/archive")).status).toBe(200);
		expect(await ours.advance("2026-03-01T00:00:00Z")).not.toHaveProperty("failures");
		const { data } = (await ours.call("GET", "/subscriptions/s")).body;
		expect(data).toMatchObject({ status: "ACTIVE", coupons: [], futureUpdates: [], latestInvoice: { total: 25 } });
		const updates = ours.transactions.read(ours.actor, (work) => work.tx.select().from(subscriptionUpdates).all());
		for (const { status, error } of updates)
			expect({ status, error }).toEqual({ status: "FAILED", error: expect.stringContaining("TEN") });
	}, 60_000);
});

describe("units from Q0 = 5 that are scheduled to be Q1 = 3, and then asked to be Q2", () => {
	const scheduled = async () => {
		const { customerId, id } = await begun(seats(5));
		mine.at("2026-02-14T00:00:00Z");
		expect((await changed(id, seats(3))).futureUpdates).toEqual([update("UNIT_AMOUNT")]);
		return { customerId, id };
	};
	const cases: Array<[string, number, object[], string[]]> = [
		["fewer than Q0 rewrite the schedule", 4, [update("UNIT_AMOUNT")], ["2026-01-31 55 OPEN", "2026-02-28 50 OPEN"]],
		["fewer than Q1 too", 1, [update("UNIT_AMOUNT")], ["2026-01-31 55 OPEN", "2026-02-28 35 OPEN"]],
		["as many as Q0 drop it", 5, [], ["2026-01-31 55 OPEN", "2026-02-28 55 OPEN"]],
		[
			"more than Q0 drop it, and are had at once",
			7,
			[],
			["2026-01-31 55 OPEN", "2026-02-14 5 OPEN", "2026-02-28 65 OPEN"],
		],
	];
	test.each(cases)("%s", async (_, quantity, futureUpdates, bills) => {
		const { customerId, id } = await scheduled();
		expect((await changed(id, seats(quantity))).futureUpdates).toEqual(futureUpdates);
		mine.turn(customerId, end);
		expect(await mine.bills(customerId)).toEqual(bills);
		expect(await mine.notes(customerId)).toEqual([]);
	});

	test("another change at once discards it, whatever it is; words about it do not", async () => {
		const { id } = await scheduled();
		await changed(id, { metadata: { a: "1" } });
		expect((await mine.get(id)).futureUpdates).toEqual([update("UNIT_AMOUNT")]);
		expect((await changed(id, { addons: [{ id: "boost", quantity: 1 }] })).futureUpdates).toEqual([]);
	});

	test("units that are bought while another plan is scheduled are there in that plan too", async () => {
		const { customerId, id } = await begun(seats(2));
		const { id: next } = await mine.provision({ customerId, ...basic, ...seats(2) });
		mine.at("2026-02-14T00:00:00Z");
		expect((await changed(id, seats(6))).futureUpdates).toEqual([update("DOWNGRADE", { id: "slow-basic" })]);
		mine.turn(customerId, end);
		expect((await mine.get(next)).status).toBe("ACTIVE");
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 40 OPEN", "2026-02-14 10 OPEN", "2026-02-28 22 OPEN"]);
	});
});

describe("cancelling", () => {
	const date = (endDate: string) => ({ cancellationTime: "SPECIFIC_DATE", endDate });
	interface Cancelled {
		readonly body: object | undefined;
		readonly shown: object;
		readonly turned?: string;
		readonly states: string[];
		readonly notes?: string[];
	}
	const immediate = ["pro CANCELED Immediate"];
	const scheduled = ["pro CANCELED ScheduledCancellation"];
	const back = ["2026-02-14 12.5 ORDER_CANCELLATION"];
	const cases: Array<[string, Cancelled]> = [
		[
			"nothing said: as the product says, with unused time credited",
			{ body: undefined, shown: { status: "CANCELED" }, states: immediate, notes: back },
		],
		[
			"at once",
			{ body: { cancellationTime: "IMMEDIATE" }, shown: { status: "CANCELED" }, states: immediate, notes: back },
		],
		[
			"at once, with prorate",
			{
				body: { cancellationTime: "IMMEDIATE", prorate: true },
				shown: { status: "CANCELED" },
				states: immediate,
				notes: back,
			},
		],
		[
			"at once, without prorate",
			{ body: { cancellationTime: "IMMEDIATE", prorate: false }, shown: { status: "CANCELED" }, states: immediate },
		],
		[
			"at the end of the period",
			{
				body: { cancellationTime: "END_OF_BILLING_PERIOD" },
				shown: { status: "ACTIVE", cancelReason: null, cancellationDate: end, effectiveEndDate: end },
				turned: "2026-03-01T00:00:00Z",
				states: scheduled,
			},
		],
		[
			"on a date in another period",
			{
				body: date("2026-03-15T00:00:00Z"),
				shown: { status: "ACTIVE", cancellationDate: "2026-03-15T00:00:00.000Z" },
				turned: "2026-04-15T00:00:00Z",
				states: scheduled,
			},
		],
	];
	test.each(cases)("%s", async (_, { body, shown, turned, states, notes = [] }) => {
		const customerId = await mine.customer();
		const { id } = await mine.provision({ customerId, planId: "pro", billingPeriod: "MONTHLY" });
		mine.at("2026-02-14T00:00:00Z");
		const answer = await mine.cancel(id, body);
		expect(answer).toMatchObject({ status: 200, body: { data: { id, ...shown } } });
		if (turned) mine.turn(customerId, turned);
		expect(await mine.states(customerId)).toEqual(states);
		expect(await mine.notes(customerId)).toEqual(notes);
		isRefusal(await mine.cancel(id), 400, "SubscriptionAlreadyCanceledOrExpired");
	});

	test("reverses a scheduled cancellation, and the subscription goes on", async () => {
		const { customerId, id } = await begun();
		expect((await mine.cancel(id)).body.data).toMatchObject({ status: "ACTIVE", cancellationDate: end });
		expect(await changed(id, { cancellationDate: null })).toMatchObject({
			cancellationDate: null,
			effectiveEndDate: null,
		});
		mine.turn(customerId, "2026-03-01T00:00:00Z");
		expect(await mine.states(customerId)).toEqual(["slow-pro ACTIVE"]);
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 35 OPEN", "2026-02-28 35 OPEN"]);
	});

	const actions: Array<[string, object, string[]]> = [
		["goes on with the free plan", {}, ["slow-free ACTIVE", "slow-pro CANCELED ScheduledCancellation"]],
		[
			"so too when said",
			{ cancellationAction: "DEFAULT" },
			["slow-free ACTIVE", "slow-pro CANCELED ScheduledCancellation"],
		],
		["has nothing", { cancellationAction: "REVOKE_ENTITLEMENTS" }, ["slow-pro CANCELED ScheduledCancellation"]],
	];
	test.each(actions)("at the end the customer %s", async (_, body, states) => {
		const { customerId, id } = await begun();
		await mine.cancel(id, body);
		mine.turn(customerId, end);
		expect(await mine.states(customerId)).toEqual(states);
		const [newest] = (await mine.world.call("GET", `/subscriptions?customerId=${customerId}`)).body.data;
		if (states.length > 1) expect(newest.startDate).toBe(end);
	});

	test("cancelling what runs drops what was to come", async () => {
		const { customerId, id } = await begun(seats(3));
		await mine.provision({ customerId, ...basic });
		await changed(id, seats(2));
		await mine.cancel(id, { cancellationTime: "IMMEDIATE", cancellationAction: "REVOKE_ENTITLEMENTS" });
		expect(await mine.states(customerId)).toEqual(["slow-basic CANCELED Immediate", "slow-pro CANCELED Immediate"]);
		expect((await mine.get(id)).futureUpdates).toEqual([]);
		mine.turn(customerId, "2026-05-01T00:00:00Z");
		// It is credited whole, which leaves nothing to be paid.
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 45 PAID"]);
		expect(await mine.notes(customerId)).toEqual(["2026-01-31 45 ORDER_CANCELLATION"]);
	});

	const refused: Array<[string, object, object, string]> = [
		["a date that is missing", pro, { cancellationTime: "SPECIFIC_DATE" }, "InvalidCancellationDate"],
		["a date that is now", pro, date("2026-01-31T00:00:00Z"), "InvalidCancellationDate"],
		["a date that has passed", pro, date("2026-01-30T00:00:00Z"), "InvalidCancellationDate"],
		[
			"a date with another time",
			pro,
			{ cancellationTime: "IMMEDIATE", endDate: "2026-03-01T00:00:00Z" },
			"InvalidCancellationDate",
		],
		[
			"the period of a custom plan",
			{ planId: "custom" },
			{ cancellationTime: "END_OF_BILLING_PERIOD" },
			"SubscriptionDoesNotHaveBillingPeriod",
		],
		[
			"the period of a free plan",
			{ planId: "slow-free" },
			{ cancellationTime: "END_OF_BILLING_PERIOD" },
			"SubscriptionDoesNotHaveBillingPeriod",
		],
		[
			"the period of what has not started",
			{ ...pro, startDate: "2026-02-10T00:00:00Z" },
			{ cancellationTime: "END_OF_BILLING_PERIOD" },
			"SubscriptionDoesNotHaveBillingPeriod",
		],
	];
	test.each(refused)("refuses %s", async (_, sold, body, code) => {
		const customerId = await mine.customer();
		const { id, subscription } = await mine.provision({ customerId, ...sold });
		isRefusal(await mine.cancel(id, body), 400, code);
		expect(await mine.get(id)).toEqual(subscription);
	});

	test("by the product's date setting, the call gives the date", async () => {
		const ours = await shop();
		const productSettings = {
			subscriptionStartSetup: "PLAN_SELECTION",
			subscriptionEndSetup: "CANCEL_SUBSCRIPTION",
			subscriptionCancellationTime: "SPECIFIC_DATE",
		};
		await ours.call("PATCH", "/products/app", { body: { productSettings } });
		const { id } = await provision(ours, { planId: "basic" });
		const cancel = (body: object) => ours.call("POST", `/subscriptions/${id}/cancel`, { body });
		isRefusal(await cancel({}), 400, "InvalidCancellationDate");
		expect((await cancel({ endDate: "2026-02-10T00:00:00Z" })).body.data.cancellationDate).toBe(
			"2026-02-10T00:00:00.000Z",
		);
	}, 60_000);
});

describe("the table of states, walked", () => {
	const awaiting = { planId: "slow-pro", billingPeriod: "MONTHLY", awaitPaymentConfirmation: true };
	const future = { ...pro, startDate: "2026-02-02T00:00:00Z" };
	const tried = (trialEndBehavior: string) => ({
		...pro,
		trialOverrideConfiguration: { isTrial: true, trialEndDate: "2026-02-05T00:00:00Z", trialEndBehavior },
	});
	type Step = (id: string, customerId: string) => unknown;
	const turn =
		(iso: string): Step =>
		(_, customerId) =>
			mine.turn(customerId, iso);
	const pay: Step = (id) => mine.post(`/subscriptions/${id}/invoice/paid`);
	const cancelNow: Step = (id) => mine.cancel(id, { cancellationTime: "IMMEDIATE" });
	const cancelOn =
		(endDate: string): Step =>
		(id) =>
			mine.cancel(id, { cancellationTime: "SPECIFIC_DATE", endDate });
	const replace: Step = (_, customerId) => mine.provision({ customerId, ...pro, ...seats(9) });
	const archive: Step = (_, customerId) => mine.post(`/customers/${customerId}/archive`);
	const walks: Array<[string, object, Array<[Step, string]>]> = [
		[
			"PAYMENT_PENDING",
			awaiting,
			[
				[pay, "ACTIVE"],
				[cancelNow, "CANCELED Immediate"],
			],
		],
		["PAYMENT_PENDING", awaiting, [[turn("2026-01-31T23:00:00Z"), "EXPIRED PENDING_PAYMENT_EXPIRED"]]],
		["PAYMENT_PENDING", awaiting, [[cancelNow, "CANCELED Immediate"]]],
		["PAYMENT_PENDING", awaiting, [[replace, "CANCELED UPGRADE_OR_DOWNGRADE"]]],
		["NOT_STARTED", future, [[turn("2026-02-02T00:00:00Z"), "ACTIVE"]]],
		[
			"NOT_STARTED",
			{ ...tried("CONVERT_TO_PAID"), startDate: "2026-02-02T00:00:00Z" },
			[
				[turn("2026-02-02T00:00:00Z"), "IN_TRIAL"],
				[turn("2026-02-05T00:00:00Z"), "ACTIVE"],
			],
		],
		[
			"NOT_STARTED",
			future,
			[
				[cancelOn("2026-02-01T00:00:00Z"), "NOT_STARTED"],
				[turn("2026-03-01T00:00:00Z"), "CANCELED ScheduledCancellation"],
			],
		],
		["IN_TRIAL", tried("CONVERT_TO_PAID"), [[turn("2026-02-05T00:00:00Z"), "ACTIVE"]]],
		["IN_TRIAL", tried("CANCEL_SUBSCRIPTION"), [[turn("2026-02-05T00:00:00Z"), "EXPIRED TRIAL_ENDED"]]],
		["IN_TRIAL", tried("CONVERT_TO_PAID"), [[replace, "CANCELED TRIAL_CONVERTED"]]],
		["ACTIVE", pro, [[cancelNow, "CANCELED Immediate"]]],
		[
			"ACTIVE",
			pro,
			[
				[cancelOn("2026-02-03T00:00:00Z"), "ACTIVE"],
				[turn("2026-02-03T00:00:00Z"), "CANCELED ScheduledCancellation"],
			],
		],
		["ACTIVE", pro, [[replace, "CANCELED UPGRADE_OR_DOWNGRADE"]]],
		["ACTIVE", { planId: "slow-free" }, [[archive, "CANCELED CustomerArchived"]]],
	];
	test.each(walks)("%s, %j", async (first, body, steps) => {
		const customerId = await mine.customer();
		const { id, subscription } = await mine.provision({ customerId, ...body });
		expect(subscription.status).toBe(first);
		let status = subscription.status as SubscriptionStatus;
		for (const [step, expected] of steps) {
			await step(id, customerId);
			const { status: next, cancelReason } = await mine.get(id);
			expect([next, cancelReason].filter(Boolean).join(" ")).toBe(expected);
			if (next !== status) expect(nextStatuses[status]).toContain(next);
			status = next;
		}
		// An ended subscription stays as it is, however much time passes.
		if (!hasEnded(status)) return;
		const ended = await mine.get(id);
		if (!steps.some(([step]) => step === archive)) mine.turn(customerId, "2026-12-01T00:00:00Z");
		expect(await mine.get(id)).toEqual(ended);
	});
});
