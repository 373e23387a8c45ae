import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { beyond, flat, tiered, used } from "../billing";
import { site, usd } from "./site";

setDefaultTimeout(60_000);

const api = [used("calls", { month: 0.1 })];

describe("a threshold of a plan", () => {
	test("invoices all usage that is not invoiced once its cost reaches the amount; the end of the period bills the rest", async () => {
		const ours = await site();
		await ours.plan("api", api, { spendThresholds: usd(50) });
		const id = await ours.buy("api");
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.use("calls", 499, "2026-04-09T00:00:00Z");
		await ours.noticed();
		expect(await ours.books()).toEqual([]);
		await ours.use("calls", 13, "2026-04-09T00:00:00Z");
		await ours.noticed();
		expect(await ours.books()).toEqual(["2026-04-10: 51.2 = 512 Calls (api) 51.2"]);
		expect(await ours.reason(id)).toBe("MINIMUM_INVOICE_AMOUNT_EXCEEDED");
		await ours.use("calls", 388, "2026-04-09T12:00:00Z");
		await ours.noticed();
		await ours.advance("2026-05-01T00:00:00Z");
		expect((await ours.books()).slice(1)).toEqual(["2026-05-01: 38.8 = 388 Calls (api) 38.8"]);
		expect(await ours.reason(id)).toBe("BILLING_CYCLE");
	});

	test("counts usage of the present instant as soon as a frozen clock moves on, in order of time", async () => {
		const ours = await site();
		await ours.plan("api", [flat({ month: 10 }), ...api], { spendThresholds: usd(50) });
		await ours.buy("api");
		await ours.advance("2026-04-30T12:00:00Z");
		await ours.use("calls", 512);
		await ours.use("calls", 600, "2026-04-30T20:30:00Z");
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 10 = api 10",
			"2026-04-30T12:00:00.500Z: 51.2 = 512 Calls (api) 51.2",
			"2026-04-30T21:00: 60 = 600 Calls (api) 60",
			"2026-05-01: 10 = api 10",
		]);
	});

	test("is compared with the cost before discounts and prepaid minimums, and without fees", async () => {
		const ours = await site();
		await ours.coupon("half", { percent: 50 });
		const minimumSpend = [{ billingPeriod: "MONTHLY", minimum: { amount: 30, currency: "usd" } }];
		await ours.plan("api", [flat({ month: 100 }), ...api], { spendThresholds: usd(50), minimumSpend });
		await ours.buy("api", { appliedCoupon: { couponId: "half" } });
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.use("calls", 499, "2026-04-09T00:00:00Z");
		await ours.noticed();
		expect(await ours.books()).toHaveLength(1);
		await ours.use("calls", 1, "2026-04-09T00:00:00Z");
		await ours.noticed();
		expect((await ours.books()).slice(1)).toEqual([
			"2026-04-10: 10 less 10 = 500 Calls (api) 50 + Covered by the minimum spend -30",
		]);
	});

	test("counts overage and several prices together, by their tiers", async () => {
		const ours = await site();
		const tiers = tiered("tokens", "GRADUATED", [
			[5, 2],
			[null, 1],
		]);
		await ours.plan("api", [tiers], {
			spendThresholds: usd(20),
			overagePricingModels: [beyond("calls", 100, { month: 0.1 })],
		});
		await ours.buy("api");
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.use("tokens", 7_000, "2026-04-09T00:00:00Z");
		await ours.use("calls", 179, "2026-04-09T00:00:00Z");
		await ours.noticed();
		expect(await ours.books()).toEqual([]);
		await ours.use("calls", 1, "2026-04-09T00:00:00Z");
		await ours.noticed();
		expect(await ours.books()).toEqual(["2026-04-10: 20 = 7 Tokens (api) 12 + 80 Calls (api) 8"]);
	});

	test("in another currency than the prices has no effect", async () => {
		const ours = await site();
		await ours.plan("api", api, { spendThresholds: [{ currency: "eur", amount: 1 }] });
		await ours.buy("api");
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.use("calls", 1_000, "2026-04-09T00:00:00Z");
		await ours.noticed();
		expect(await ours.books()).toEqual([]);
	});

	test("is not reached again by usage above the maximum of a price", async () => {
		const ours = await site();
		const capped = [{ ...used("calls", { month: 0.1 }, { maximumAmount: 60 }) }];
		await ours.plan("api", capped, { spendThresholds: usd(50) });
		await ours.buy("api");
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.use("calls", 500, "2026-04-09T00:00:00Z");
		await ours.noticed();
		await ours.use("calls", 5_000, "2026-04-09T00:00:00Z");
		await ours.noticed();
		await ours.advance("2026-05-01T00:00:00Z");
		expect((await ours.books()).map((text) => text.replace(/ = .*/, ""))).toEqual(["2026-04-10: 50", "2026-05-01: 10"]);
	});
});

describe("a threshold of a subscription", () => {
	test("replaces those of the plan as a whole; an empty list has none, and null leaves those of the plan", async () => {
		const ours = await site();
		await ours.plan("api", api, { spendThresholds: usd(50) });
		for (const id of ["own", "none", "plan"]) await ours.customer(id);
		await ours.buy("api", { customerId: "own", spendThresholds: usd(20) });
		const none = await ours.buy("api", { customerId: "none", spendThresholds: [] });
		await ours.buy("api", { customerId: "plan" });
		await ours.advance("2026-04-10T00:00:00Z");
		for (const id of ["own", "none", "plan"]) await ours.use("calls", 300, "2026-04-09T00:00:00Z", id);
		for (const id of ["own", "none", "plan"]) await ours.use("calls", 300, "2026-04-09T00:00:00Z", id);
		await ours.noticed();
		expect(await ours.books("own")).toEqual(["2026-04-10: 60 = 600 Calls (api) 60"]);
		expect(await ours.books("plan")).toEqual(["2026-04-10: 60 = 600 Calls (api) 60"]);
		expect(await ours.books("none")).toEqual([]);
		await ours.change(none, { spendThresholds: null });
		await ours.noticed();
		expect(await ours.books("none")).toEqual(["2026-04-10: 60 = 600 Calls (api) 60"]);
	});

	test("is compared with the usage from before an update that sets it", async () => {
		const ours = await site();
		await ours.plan("api", api);
		const id = await ours.buy("api");
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.use("calls", 300, "2026-04-09T00:00:00Z");
		await ours.noticed();
		await ours.change(id, { spendThresholds: usd(30) });
		await ours.noticed();
		expect(await ours.books()).toEqual(["2026-04-10: 30 = 300 Calls (api) 30"]);
	});

	test("stays when the customer changes its plan", async () => {
		const ours = await site();
		await ours.plan("api", api);
		await ours.plan("large", [used("calls", { month: 0.2 })]);
		await ours.buy("api", { spendThresholds: usd(50) });
		await ours.advance("2026-04-10T00:00:00Z");
		const id = await ours.buy("large");
		expect((await ours.insist("GET", `/subscriptions/${id}`)).spendThresholds).toEqual(usd(50));
		await ours.advance("2026-04-12T00:00:00Z");
		await ours.use("calls", 250, "2026-04-11T00:00:00Z");
		await ours.noticed();
		expect(await ours.books()).toEqual(["2026-04-12: 50 = 250 Calls (large) 50"]);
	});
});

describe("usage at a threshold", () => {
	test("can be reported", async () => {
		const ours = await site();
		await ours.insist("POST", "/features", {
			...{ id: "pages", displayName: "Pages", featureType: "NUMBER", meterType: "INCREMENTAL" },
		});
		await ours.plan("api", [used("pages", { month: 1 })], { spendThresholds: usd(10) });
		await ours.buy("api");
		await ours.advance("2026-04-10T00:00:00Z");
		const report = (value: number) =>
			ours.insist("POST", "/usage", {
				usages: [{ customerId: "acme", featureId: "pages", value, createdAt: "2026-04-09T00:00:00Z" }],
			});
		await report(9);
		await ours.noticed();
		expect(await ours.books()).toEqual([]);
		await report(1);
		await ours.noticed();
		expect(await ours.books()).toEqual(["2026-04-10: 10 = 10 Pages (api) 10"]);
	});

	test("is invoiced once, also if the server is killed at any step", async () => {
		const ours = await site();
		await ours.plan("api", api, { spendThresholds: usd(50) });
		await ours.buy("api");
		await ours.advance("2026-04-10T00:00:00Z");
		for (let round = 1; round <= 3; round += 1) {
			await ours.use("calls", 500, "2026-04-09T00:00:00Z");
			ours.restart();
			await ours.noticed();
			ours.restart();
			await ours.noticed();
			expect(await ours.books()).toHaveLength(round);
		}
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toHaveLength(3);
	});

	test("is invoiced at most once a second by the wall clock", async () => {
		const ours = await site("2026-04-01T00:00:00Z", "wall");
		await ours.plan("api", api, { spendThresholds: usd(50) });
		await ours.buy("api");
		const at = (ms: number) => {
			ours.clock.at = (Date.parse("2026-04-10T00:00:00Z") + ms) as typeof ours.clock.at;
		};
		at(0);
		await ours.use("calls", 500, "2026-04-09T00:00:00Z");
		await ours.noticed();
		at(100);
		await ours.use("calls", 500, "2026-04-09T00:00:00Z");
		await ours.noticed();
		at(500);
		await ours.noticed();
		expect(await ours.books()).toHaveLength(1);
		at(1_000);
		await ours.noticed();
		expect(await ours.books()).toHaveLength(2);
	});

	test("waits while the subscription is paused", async () => {
		const ours = await site();
		await ours.plan("api", [flat({ month: 10 }), ...api], { spendThresholds: usd(50) });
		const id = await ours.buy("api");
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${id}/pause`, { at: "IMMEDIATE" });
		await ours.advance("2026-04-12T00:00:00Z");
		const before = await ours.books();
		await ours.use("calls", 1_000, "2026-04-11T00:00:00Z");
		await ours.noticed();
		expect(await ours.books()).toEqual(before);
	});
});
