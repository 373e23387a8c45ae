import { describe, expect, test } from "bun:test";
import { isRefusal } from "../../packages/guards";
import { provision, shop } from "../shop";
import { basic, end, pro, seatScenario, seats } from "./seats";

const { begun, changed, mine } = seatScenario();

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
