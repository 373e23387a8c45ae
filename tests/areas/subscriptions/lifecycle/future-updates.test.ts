import { describe, expect, test } from "bun:test";
import { subscriptionUpdates } from "../../../../src/areas/subscriptions/table.changes";
import { isRefusal } from "../../packages/guards";
import { provision, shop } from "../shop";
import { basic, end, seatScenario, seats, update } from "./seats";

const { begun, changed, mine } = seatScenario();

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
