import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { flat, tiered, till, used } from "../billing";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

describe("pay as you go", () => {
	test("is billed at the period's end, in whole units and started blocks, and by tiers", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("units", [used("tokens", { month: 0.25 })]);
		await ours.plan("blocks", [used("calls", { month: 3 }, { blockSize: 10 })]);
		await ours.plan("graduated", [
			tiered("calls", "GRADUATED", [
				[5, 20, 10],
				[10, 15, 8],
				[null, 10, 5],
			]),
		]);
		await ours.plan("volume", [
			tiered("calls", "VOLUME", [
				[5, 20],
				[10, 15],
				[null, 10],
			]),
		]);
		for (const id of ["units", "blocks", "graduated", "volume"]) {
			await ours.customer(id);
			await ours.buy(id, { customerId: id });
		}
		await ours.advance("2026-04-20T00:00:00Z");
		await ours.use("tokens", 7001, undefined, "units");
		await ours.use("calls", 21, undefined, "blocks");
		await ours.use("calls", 20, undefined, "graduated");
		await ours.use("calls", 20, undefined, "volume");
		await ours.advance("2026-06-01T00:00:00Z");
		expect(await ours.books("units")).toEqual(["2026-05-01: 2 = 8 Tokens (units) 2"]);
		expect(await ours.books("blocks")).toEqual(["2026-05-01: 9 = 21 Calls (blocks) 9"]);
		// 5 × 20 + 5 × 15 + 10 × 10 and the flat fees 10, 8 and 5.
		expect(await ours.books("graduated")).toEqual(["2026-05-01: 298 = 20 Calls (graduated) 298"]);
		expect(await ours.books("volume")).toEqual(["2026-05-01: 200 = 20 Calls (volume) 200"]);
	});

	test("counts from the first payment on; until then it belongs to the former subscription", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("small", [flat({ month: 10 }), used("calls", { month: 1 })]);
		await ours.plan("large", [flat({ month: 40 }), used("calls", { month: 2 })]);
		await ours.buy("small");
		await ours.use("calls", 3);
		await ours.advance("2026-04-16T00:00:00Z");
		const id = await ours.buy("large", { awaitPaymentConfirmation: true });
		await ours.use("calls", 5);
		await ours.advance("2026-04-16T10:00:00Z");
		expect((await ours.call("POST", `/subscriptions/${id}/invoice/paid`)).status).toBe(200);
		await ours.use("calls", 7);
		await ours.advance("2026-05-01T00:00:00Z");
		expect((await ours.books()).slice(1)).toEqual([
			"2026-04-16: 15 = Unused time: small -5 + large 20",
			"2026-04-16T10:00: 8 = 8 Calls (small) 8",
			"2026-05-01: 54 = large 40 + 7 Calls (large) 14",
		]);
	});

	test("is settled at once if no payment is due", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("payg", [used("calls", { month: 1 })]);
		await ours.plan("fees", [flat({ month: 40 })]);
		await ours.buy("payg");
		await ours.use("calls", 3);
		await ours.advance("2026-04-16T00:00:00Z");
		// The lines wait for the next invoice.
		await ours.buy("fees", {
			awaitPaymentConfirmation: true,
			billingInformation: { prorationBehavior: "CREATE_PRORATIONS" },
		});
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual(["2026-05-01: 63 = 3 Calls (payg) 3 + fees 20 + fees 40"]);
	});

	test("is not billed by a change at the very instant of a migration, which reprices before it", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("payg", [used("calls", { month: 1 })]);
		const id = await ours.buy("payg");
		await ours.insist("POST", "/plans/payg/draft");
		const charges = { pricingType: "PAID", pricingModels: [used("calls", { month: 2 })] };
		await ours.insist("PATCH", "/plans/payg", { charges });
		await ours.insist("POST", "/plans/payg/publish", { migrationType: "NEW_CUSTOMERS" });
		await ours.insist("POST", `/subscriptions/${id}/migrate`, {});
		await ours.use("calls", 3);
		await ours.advance("2026-05-01T00:00:00Z");
		await ours.use("calls", 4, "2026-04-30T12:00:00Z");
		await ours.change(id, { metadata: { a: "b" } });
		await ours.use("calls", 5);
		await ours.advance("2026-06-01T00:00:00Z");
		// Late usage of April is billed at April's price.
		expect(await ours.books()).toEqual([
			"2026-05-01: 3 = 3 Calls (payg) 3",
			"2026-06-01: 14 = 5 Calls (payg) 10 + 4 Calls (payg) 4",
		]);
	});

	test("excludes the end: the last millisecond belongs to the period, the next one to the next", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("payg", [used("calls", { month: 1 })]);
		await ours.use("calls", 1000, "2026-03-31T23:59:59.999Z");
		await ours.buy("payg");
		await ours.use("calls", 1, "2026-04-01T00:00:00Z");
		await ours.advance("2026-04-30T23:59:59.999Z");
		await ours.use("calls", 2);
		await ours.use("calls", 4, "2026-05-01T00:00:00Z");
		await ours.advance("2026-06-01T00:00:00Z");
		expect(await ours.books()).toEqual(["2026-05-01: 3 = 3 Calls (payg) 3", "2026-06-01: 4 = 4 Calls (payg) 4"]);
	});

	test("charged in between, however often, equals one bill to the cent", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 5 }), used("calls", { month: 0.333 }), used("tokens", { month: 0.07 })]);
		await ours.customer("once");
		await ours.buy("pro", { customerId: "once" });
		const id = await ours.buy("pro");
		const use = async (calls: number, tokens: number) => {
			for (const customer of ["acme", "once"]) {
				await ours.use("calls", calls, undefined, customer);
				await ours.use("tokens", tokens, undefined, customer);
			}
		};
		await use(1, 1);
		await ours.advance("2026-04-10T00:00:00Z");
		const charged = await ours.chargeUsage(id);
		expect(charged).toMatchObject({ periodStart: "2026-04-01T00:00:00.000Z", periodEnd: "2026-04-10T00:00:00.000Z" });
		expect(charged.usageCharged).toEqual([
			{ featureId: "calls", usageAmount: 1 },
			{ featureId: "tokens", usageAmount: 1 },
		]);
		await use(1, 998);
		await ours.advance("2026-04-20T00:00:00Z");
		await ours.chargeUsage(id);
		expect((await ours.chargeUsage(id)).invoiceBillingId).toBeNull();
		await use(2, 2);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books("once")).toEqual([
			"2026-04-01: 5 = pro 5",
			"2026-05-01: 6.47 = pro 5 + 4 Calls (pro) 1.33 + 2 Tokens (pro) 0.14",
		]);
		expect(await ours.books()).toEqual([
			"2026-04-01: 5 = pro 5",
			"2026-04-10: 0.4 = Calls (pro) 0.33 + Tokens (pro) 0.07",
			"2026-04-20: 0.34 = Calls (pro) 0.34 + 0 Tokens (pro) 0",
			"2026-05-01: 5.73 = pro 5 + 2 Calls (pro) 0.66 + Tokens (pro) 0.07",
		]);
	});

	test("canceled after its bill is not billed again when it returns", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("payg", [used("calls", { month: 1 })]);
		const id = await ours.buy("payg");
		for (const n of [10, -5, 5, 2]) {
			await ours.use("calls", n);
			await ours.advance("P1D");
			await ours.chargeUsage(id);
		}
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual(["2026-04-02: 10 = 10 Calls (payg) 10", "2026-04-05: 2 = 2 Calls (payg) 2"]);
	});

	/** Four calls are charged on the tenth, with a coupon of 5 a period. */
	async function chargedInBetween() {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("payg", [used("calls", { month: 1 })]);
		await ours.coupon("FIVE", { amounts: [5] });
		const id = await ours.buy("payg", { appliedCoupon: { couponId: "FIVE" } });
		await ours.use("calls", 4);
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.chargeUsage(id);
		return { ours, id };
	}

	test("charged in between gets no fixed discount, which belongs to the period", async () => {
		const { ours } = await chargedInBetween();
		await ours.use("calls", 20);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-10: 4 = 4 Calls (payg) 4",
			"2026-05-01: 15 less 5 = 20 Calls (payg) 20",
		]);
	});

	test("reported at the very instant of a manual charge gets the fixed discount of the bill that ends its period early", async () => {
		const { ours, id } = await chargedInBetween();
		await ours.use("calls", 20, "2026-04-09T12:00:00Z");
		await ours.cancel(id);
		// Reported after its period it is late, and gets no fixed discount.
		await ours.use("calls", 3, "2026-04-09T13:00:00Z");
		await ours.advance("2026-05-11T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-10: 4 = 4 Calls (payg) 4",
			"2026-04-10: 15 less 5 = 20 Calls (payg) 20",
			"2026-05-10: 3 = 3 Calls (payg) 3",
		]);
	});

	test("in a trial is not billed, and a budget changes no price", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("payg", [used("calls", { month: 1 })]);
		await ours.buy("payg", {
			budget: { limit: 3, hasSoftLimit: true },
			trialOverrideConfiguration: { isTrial: true, trialEndDate: "2026-04-15T00:00:00Z" },
		});
		await ours.use("calls", 100);
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.use("calls", 7);
		await ours.advance("2026-05-15T00:00:00Z");
		expect(await ours.books()).toEqual(["2026-05-15: 7 = 7 Calls (payg) 7"]);
	});
});

describe("the last usage", () => {
	test("is billed with the end up to its very instant, and never after it", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 30 }), used("calls", { month: 1 })]);
		const id = await ours.buy("pro");
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.use("calls", 4, "2026-04-15T23:59:59.999Z");
		await ours.use("calls", 100, "2026-04-16T00:00:00Z");
		await ours.cancel(id);
		await ours.advance("2026-06-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 30 = pro 30",
			"2026-04-16: -11 = Unused time: pro -15 + 4 Calls (pro) 4",
		]);
	});

	test("is billed at the old plan's price when another plan follows, with its removed addon's price", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("old", [flat({ month: 30 }), used("calls", { month: 1 })]);
		await ours.plan("new", [flat({ month: 60 }), used("calls", { month: 2 })]);
		await ours.addon("meter", used("tokens", { month: 5 }));
		const id = await ours.buy("old", { addons: [{ id: "meter", quantity: 1 }] });
		await ours.use("calls", 3);
		await ours.use("tokens", 1500);
		await ours.advance("2026-04-11T00:00:00Z");
		await ours.change(id, { addons: [] });
		await ours.use("tokens", 1_000_000);
		await ours.use("calls", 2);
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.buy("new");
		await ours.use("calls", 7);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 30 = old 30",
			"2026-04-11: 13 = 3 Calls (old) 3 + 2 Tokens (meter) 10",
			"2026-04-16: 17 = Unused time: old -15 + 2 Calls (old) 2 + new 30",
			"2026-05-01: 74 = new 60 + 7 Calls (new) 14",
		]);
	});
});
