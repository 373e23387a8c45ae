import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { runImport } from "../../../src/areas/subscriptions/import/import";
import { claimTask } from "../../../src/tasks/operations";
import { data } from "../../graphql/ask";
import { beyond, flat, perUnit, type Till, tiered, till, units, used } from "./billing";

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

	test("reported late is billed once with the next invoice, by the tiers of its own period", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [
			flat({ month: 5 }),
			tiered("calls", "GRADUATED", [
				[10, 1],
				[null, 0.5],
			]),
		]);
		await ours.buy("pro");
		await ours.use("calls", 8);
		await ours.advance("2026-05-02T00:00:00Z");
		await ours.use("calls", 6, "2026-04-30T12:00:00Z");
		await ours.use("calls", 1);
		await ours.advance("2026-06-02T00:00:00Z");
		await ours.use("calls", 100, "2026-04-30T12:00:00Z");
		await ours.advance("2026-09-02T00:00:00Z");
		await ours.use("calls", 2, "2026-05-03T00:00:00Z");
		await ours.advance("2026-11-02T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 5 = pro 5",
			"2026-05-01: 13 = pro 5 + 8 Calls (pro) 8",
			// Two more at 1, and four of the second tier.
			"2026-06-01: 10 = pro 5 + Calls (pro) 1 + 6 Calls (pro) 4",
			"2026-07-01: 55 = pro 5 + 100 Calls (pro) 50",
			"2026-08-01: 5 = pro 5",
			"2026-09-01: 5 = pro 5",
			"2026-10-01: 7 = pro 5 + 2 Calls (pro) 2",
			"2026-11-01: 5 = pro 5",
		]);
	});

	test("reported after a change of price, or the end of its addon, is billed at its former price", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 5 }), used("calls", { month: 1 })]);
		await ours.addon("meter", used("tokens", { month: 5 }));
		const id = await ours.buy("pro", { addons: [{ id: "meter", quantity: 1 }] });
		await ours.advance("2026-04-11T00:00:00Z");
		await ours.change(id, { addons: [], priceOverrides: [{ featureId: "calls", amount: 3 }] });
		await ours.use("calls", 2, "2026-04-10T00:00:00Z");
		await ours.use("tokens", 1000, "2026-04-10T00:00:00Z");
		await ours.use("calls", 1);
		await ours.advance("2026-06-02T00:00:00Z");
		await ours.use("tokens", 1, "2026-04-10T23:59:59.999Z");
		await ours.use("tokens", 5000);
		await ours.advance("2026-07-02T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 5 = pro 5",
			"2026-05-01: 15 = pro 5 + Calls (pro) 3 + 2 Calls (pro) 2 + Tokens (meter) 5",
			"2026-06-01: 5 = pro 5",
			"2026-07-01: 10 = pro 5 + Tokens (meter) 5",
		]);
	});

	test("reported after another plan or the end has an invoice of its own, once", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("old", [flat({ month: 30 }), used("calls", { month: 1 })]);
		await ours.plan("new", [flat({ month: 60 }), used("calls", { month: 2 })]);
		await ours.customer("gone");
		const gone = await ours.buy("old", { customerId: "gone" });
		await ours.buy("old");
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.buy("new");
		await ours.cancel(gone, { prorate: false });
		await ours.use("calls", 3, "2026-04-15T00:00:00Z");
		await ours.use("calls", 4);
		await ours.use("calls", 7, "2026-04-02T00:00:00Z", "gone");
		await ours.use("calls", 100, "2026-04-16T00:00:00Z", "gone");
		await ours.advance("2026-06-20T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 30 = old 30",
			"2026-04-16: 15 = Unused time: old -15 + new 30",
			"2026-05-01: 68 = new 60 + 4 Calls (new) 8",
			"2026-05-16: 3 = 3 Calls (old) 3",
			"2026-06-01: 60 = new 60",
		]);
		await ours.use("calls", 1, "2026-04-02T00:00:00Z", "gone");
		await ours.advance("2031-06-20T00:00:00Z");
		expect(await ours.books("gone")).toEqual([
			"2026-04-01: 30 = old 30",
			"2026-05-16: 7 = 7 Calls (old) 7",
			"2026-07-16: 1 = Calls (old) 1",
		]);
	});

	test("uses the rest of the minimum spend of its own period", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [used("calls", { month: 1 })], {
			minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 100, currency: "usd" } }],
		});
		await ours.buy("pro");
		await ours.use("calls", 70);
		await ours.advance("2026-06-02T00:00:00Z");
		await ours.use("calls", 20, "2026-04-30T00:00:00Z");
		await ours.advance("2026-07-02T00:00:00Z");
		await ours.use("calls", 15, "2026-04-30T00:00:00Z");
		await ours.advance("2026-08-02T00:00:00Z");
		expect((await ours.books()).slice(2)).toEqual([
			"2026-06-01: 100 = Minimum spend 100",
			"2026-07-01: 100 = Minimum spend 100 + 20 Calls (pro) 20 + Covered by the minimum spend -20",
			"2026-08-01: 105 = Minimum spend 100 + 15 Calls (pro) 15 + Covered by the minimum spend -10",
		]);
	});

	test("uses no minimum spend of a former plan in another currency", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		const inPounds = { billingPeriod: "MONTHLY", price: { amount: 5, currency: "gbp" } };
		await ours.plan("pounds", [{ billingModel: "FLAT_FEE", pricePeriods: [inPounds] }], {
			minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 100, currency: "gbp" } }],
		});
		await ours.plan("dollars", [used("calls", { month: 1 })]);
		const unprorated = { billingInformation: { prorationBehavior: "NONE" } };
		await ours.buy("pounds");
		await ours.buy("dollars", unprorated);
		await ours.use("calls", 30);
		await ours.advance("2026-05-02T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 105 = pounds 5 + Minimum spend 100",
			"2026-05-01: 30 = 30 Calls (dollars) 30",
		]);
	});

	test("uses the minimum of the month before it became a year, both counted from the same first", async () => {
		const ours = await till("2026-06-01T00:00:00Z");
		ours.db.$client.run("UPDATE environments SET billing_anchor = 'START_OF_THE_MONTH'");
		const minimum = (billingPeriod: string, amount: number) => ({
			billingPeriod,
			minimum: { amount, currency: "usd" },
		});
		const models = [used("calls", { month: 1 }), flat({ month: 0, year: 0 })];
		await ours.plan("pro", models, { minimumSpend: [minimum("MONTHLY", 60), minimum("ANNUALLY", 365)] });
		await ours.plan("once", models, { minimumSpend: [minimum("MONTHLY", 60)] });
		await ours.customer("other");
		const id = await ours.buy("pro", { billingPeriod: "MONTHLY" });
		const other = await ours.buy("once", { billingPeriod: "MONTHLY", customerId: "other" });
		await ours.use("calls", 10);
		await ours.advance("2026-06-16T00:00:00Z");
		await ours.change(id, { billingPeriod: "ANNUALLY" });
		await ours.change(other, { billingPeriod: "ANNUALLY" });
		await ours.use("calls", 400);
		await ours.advance("2026-07-02T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-06-01: 60 = pro 0 + Minimum spend 60",
			"2026-06-16: 320 = Unused time: pro 0 + Unused time: Minimum spend -30 + pro 0 + Minimum spend 350 + 10 Calls (pro) 10 + Covered by the minimum spend -10",
			"2026-07-01: 50 = 400 Calls (pro) 400 + Covered by the minimum spend -350",
		]);
		await ours.use("calls", 15, "2026-06-05T00:00:00Z");
		await ours.use("calls", 15, "2026-06-05T00:00:00Z", "other");
		await ours.use("calls", 3, "2026-06-20T00:00:00Z", "other");
		await ours.advance("2026-08-02T00:00:00Z");
		await ours.use("calls", 15, "2026-06-15T00:00:00Z");
		await ours.advance("2027-06-02T00:00:00Z");
		expect((await ours.books()).slice(3)).toEqual([
			"2026-08-01: 0 = 15 Calls (pro) 15 + Covered by the minimum spend -15",
			"2026-09-01: 10 = 15 Calls (pro) 15 + Covered by the minimum spend -5",
			"2027-06-01: 365 = pro 0 + Minimum spend 365",
		]);
		expect((await ours.books("other")).slice(1)).toEqual([
			"2026-06-16: -30 = Unused time: once 0 + Unused time: Minimum spend -30 + once 0",
			"2026-08-01: 3 = 3 Calls (once) 3 + 15 Calls (once) 15 + Covered by the minimum spend -15",
			"2027-06-01: 0 = once 0",
		]);
	});

	test("uses no minimum that continues with the next plan", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		const minimumSpend = [{ billingPeriod: "MONTHLY", minimum: { amount: 100, currency: "usd" } }];
		for (const id of ["first", "next"]) await ours.plan(id, [used("calls", { month: 1 })], { minimumSpend });
		await ours.buy("first");
		await ours.use("calls", 70);
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.buy("next", { billingInformation: { prorationBehavior: "NONE" } });
		await ours.use("calls", 40);
		await ours.use("calls", 20, "2026-04-02T00:00:00Z");
		await ours.advance("2026-05-20T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 100 = Minimum spend 100",
			"2026-04-16: 0 = 70 Calls (first) 70 + Covered by the minimum spend -70",
			"2026-05-01: 110 = Minimum spend 100 + 40 Calls (next) 40 + Covered by the minimum spend -30",
			"2026-05-16: 20 = 20 Calls (first) 20",
		]);
	});

	test("costs the same whenever it is reported", async () => {
		const start = Date.parse("2026-01-01T00:00:00Z");
		const month = 31 * 86_400_000;
		const uses = fc.array(fc.record({ day: fc.nat(118), late: fc.nat(4), n: fc.integer({ min: 1, max: 40 }) }), {
			minLength: 1,
			maxLength: 8,
		});
		await fc.assert(
			fc.asyncProperty(uses, async (reported) => {
				const ours = await till("2026-01-01T00:00:00Z");
				const models = [
					tiered("calls", "GRADUATED", [
						[10, 1.333, 2],
						[30, 0.777],
						[null, 0.1],
					]),
				];
				await ours.plan("pro", models, { overagePricingModels: [beyond("tokens", 3, { month: 0.7 })] });
				for (const customerId of ["late", "soon"]) {
					await ours.customer(customerId);
					await ours.buy("pro", { customerId });
				}
				const all = reported.flatMap(({ day, late, n }) => {
					const at = start + day * 86_400_000;
					return [
						{ customer: "soon", at, reportedAt: at, n },
						{ customer: "late", at, reportedAt: at + late * month, n },
					];
				});
				for (const { customer, at, reportedAt, n } of all.toSorted((one, other) => one.reportedAt - other.reportedAt)) {
					await ours.advance(new Date(reportedAt).toISOString());
					for (const feature of ["calls", "tokens"])
						await ours.use(feature, feature === "calls" ? n : n * 400, new Date(at).toISOString(), customer);
				}
				await ours.advance("2026-11-01T00:00:00Z");
				const totalOf = async (customer: string) =>
					(await ours.insist("GET", `/customers/${customer}/invoices?limit=100`)).reduce(
						(sum: number, { total }: { total: number }) => sum + Math.round(total * 100),
						0,
					);
				expect(await totalOf("late")).toBe(await totalOf("soon"));
			}),
			{ numRuns: 6 },
		);
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

describe("overage", () => {
	test("with a monthly limit is billed with the renewal, by the limit's own month", async () => {
		const ours = await till("2026-01-31T00:00:00Z");
		await ours.plan("pro", [flat({ month: 10 })], { overagePricingModels: [beyond("calls", 100, { month: 0.5 })] });
		const id = await ours.buy("pro");
		await ours.use("calls", 90);
		await ours.advance("2026-02-05T00:00:00Z");
		expect((await ours.chargeUsage(id)).invoiceBillingId).toBeNull();
		await ours.use("calls", 20);
		await ours.advance("2026-02-10T00:00:00Z");
		await ours.chargeUsage(id);
		await ours.use("calls", 5);
		await ours.advance("2026-02-28T00:00:00Z");
		await ours.use("calls", 101);
		await ours.advance("2026-03-31T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-31: 10 = pro 10",
			"2026-02-10: 5 = 10 Calls (pro) 5",
			"2026-02-28: 12.5 = pro 10 + 5 Calls (pro) 2.5",
			"2026-03-31: 10.5 = pro 10 + Calls (pro) 0.5",
		]);
	});

	test("in a continuing window uses the minimum of its own time when a new period begins", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		const weekly = {
			...beyond("calls", 0, { month: 1 }),
			entitlement: {
				featureId: "calls",
				usageLimit: 0,
				resetPeriod: "WEEK",
				weeklyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
			},
		};
		const minimumSpend = [{ billingPeriod: "MONTHLY", minimum: { amount: 30, currency: "usd" } }];
		await ours.plan("pro", [flat({ month: 10 })], { overagePricingModels: [weekly], minimumSpend });
		const id = await ours.buy("pro");
		await ours.advance("2026-04-30T00:00:00Z");
		await ours.use("calls", 40);
		await ours.advance("2026-05-01T00:00:00Z");
		const before = await ours.books();
		await ours.use("calls", 5, "2026-04-30T12:00:00Z");
		await ours.chargeUsage(id);
		expect((await ours.books()).slice(before.length)).toEqual(["2026-05-01: 5 = 5 Calls (pro) 5"]);
	});

	test("reported late for a window with a migration is billed once", async () => {
		const ours = await till("2026-01-26T00:00:00Z");
		const calls = (price: number) => ({
			...beyond("calls", 10, { month: price }),
			entitlement: {
				featureId: "calls",
				usageLimit: 10,
				resetPeriod: "MONTH",
				monthlyResetPeriodConfiguration: { accordingTo: "StartOfTheMonth" },
			},
		});
		await ours.plan("pro", [flat({ month: 30 })], { overagePricingModels: [calls(1)] });
		const id = await ours.buy("pro");
		await ours.insist("POST", "/plans/pro/draft");
		const charges = { pricingType: "PAID", pricingModels: [flat({ month: 30 })], overagePricingModels: [calls(2)] };
		await ours.insist("PATCH", "/plans/pro", { charges });
		await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
		await ours.advance("2026-02-20T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${id}/migrate`, { subscriptionMigrationTime: "END_OF_BILLING_PERIOD" });
		await ours.advance("2026-03-02T00:00:00Z");
		await ours.use("calls", 15, "2026-02-21T00:00:00Z");
		await ours.advance("2026-05-27T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-26: 30 = pro 30",
			"2026-02-26: 30 = pro 30",
			"2026-03-26: 40 = pro 30 + 5 Calls (pro) 10",
			"2026-04-26: 30 = pro 30",
			"2026-05-26: 30 = pro 30",
		]);
	});

	test.each([
		[
			"MONTHLY",
			["2026-01-31: 100 = pro 100", "2026-02-28: 5 = 10 Calls (pro) 5", "2026-05-31: 1 = 2 Calls (pro) 1"],
			"2027-01-31: 102 = pro 100 + 4 Calls (pro) 2",
		],
		[
			"ON_SUBSCRIPTION_RENEWAL",
			["2026-01-31: 100 = pro 100"],
			"2027-01-31: 108 = pro 100 + 10 Calls (pro) 5 + 2 Calls (pro) 1 + 4 Calls (pro) 2",
		],
	])("in a year's plan is billed %s", async (overageBillingPeriod, during, renewal) => {
		const ours = await till("2026-01-31T00:00:00Z");
		await ours.plan("pro", [flat({ year: 100 })], {
			overageBillingPeriod,
			overagePricingModels: [beyond("calls", 100, { year: 0.5 })],
		});
		await ours.buy("pro");
		await ours.use("calls", 110);
		await ours.advance("2026-05-01T00:00:00Z");
		await ours.use("calls", 102);
		await ours.advance("2027-01-30T00:00:00Z");
		await ours.use("calls", 104);
		expect(await ours.books()).toEqual(during);
		await ours.advance("2027-01-31T00:00:00Z");
		expect(await ours.books()).toEqual([...during, renewal]);
	});

	test("and usage that are priced by the month are billed each month of a year that is paid in advance", async () => {
		const ours = await till("2026-01-31T00:00:00Z");
		await ours.plan("pro", [flat({ year: 365 }), used("calls", { month: 0.5 })], {
			overagePricingModels: [beyond("tokens", 100, { month: 1 })],
		});
		const id = await ours.buy("pro");
		await ours.use("calls", 10);
		await ours.use("tokens", 100_000);
		await ours.advance("2026-02-28T00:00:00Z");
		await ours.use("calls", 4);
		await ours.use("tokens", 102_500);
		await ours.advance("2026-04-30T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-31: 365 = pro 365",
			"2026-02-28: 5 = 10 Calls (pro) 5",
			"2026-03-31: 5 = 4 Calls (pro) 2 + 3 Tokens (pro) 3",
		]);
		expect(await ours.insist("GET", `/subscriptions/${id}`)).toMatchObject({
			currentBillingPeriodStart: "2026-01-31T00:00:00.000Z",
			currentBillingPeriodEnd: "2027-01-31T00:00:00.000Z",
		});
		await ours.use("calls", 6, "2026-03-01T00:00:00Z");
		await ours.advance("2026-05-15T00:00:00Z");
		await ours.use("calls", 8);
		await ours.advance("2026-06-30T00:00:00Z");
		await ours.use("calls", 2, "2026-06-29T00:00:00Z");
		// From 31 January: 215 of 365 days are left.
		await ours.cancel(id);
		expect((await ours.books()).slice(3)).toEqual([
			"2026-05-31: 7 = 8 Calls (pro) 4 + 6 Calls (pro) 3",
			"2026-06-30: -214 = Unused time: pro -215 + 2 Calls (pro) 1",
		]);
	});

	test("in a yearly period is billed monthly through a change, a preview of it, and the next year", async () => {
		const ours = await till("2026-01-15T00:00:00Z");
		await ours.plan("pro", [flat({ year: 365 }), used("calls", { month: 1 })]);
		await ours.addon("extra", flat({ year: 365 }));
		const id = await ours.buy("pro");
		await ours.use("calls", 3);
		await ours.advance("2026-02-20T00:00:00Z");
		await ours.use("calls", 2, "2026-02-19T00:00:00Z");
		const money = "{ amount }";
		const { estimateSubscriptionUpdate: change } = await data(
			ours,
			`mutation ($input: EstimateSubscriptionUpdateInput!) { estimateSubscriptionUpdate(input: $input) {
				total ${money} subscription { total ${money} } billingPeriodRange { start end } } }`,
			{ input: { subscriptionId: id, addons: [{ addonId: "extra", quantity: 1 }] } },
		);
		// 329 of 365 days are left; the month's usage continues to its own end.
		expect(change).toEqual({
			total: { amount: 329 },
			subscription: { total: { amount: 730 } },
			billingPeriodRange: { start: "2026-01-15T00:00:00.000Z", end: "2027-01-15T00:00:00.000Z" },
		});
		const renewed = { customerId: "acme", planId: "pro", addons: [{ id: "extra", quantity: 1 }] };
		const replaced = await ours.insist("POST", "/subscriptions/preview", renewed);
		// As another subscription it ends this one, whose two calls are billed with its end.
		expect(replaced.immediateInvoice.lines.map((line: { subTotal: number }) => line.subTotal)).toEqual([
			-329, 2, 329, 329,
		]);
		expect(replaced).toMatchObject({ immediateInvoice: { total: 331 }, recurringInvoice: { total: 730 } });
		await ours.change(id, { addons: [{ id: "extra", quantity: 1 }] });
		await ours.advance("2026-12-20T00:00:00Z");
		await ours.use("calls", 9);
		await ours.advance("2027-02-15T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-15: 365 = pro 365",
			"2026-02-15: 3 = 3 Calls (pro) 3",
			"2026-02-20: 329 = extra 329",
			"2026-03-15: 2 = 2 Calls (pro) 2",
			"2027-01-15: 739 = pro 365 + extra 365 + 9 Calls (pro) 9",
		]);
	});

	test.each([
		["units by the month", [flat({ year: 100 }), perUnit("seats", { month: 5 })], {}],
		["overage by the year alone", [flat({ month: 10 })], { overagePricingModels: [beyond("calls", 1, { year: 1 })] }],
	])("prices that no billing period can charge are rejected at publication: %s", async (_, pricingModels, more) => {
		const ours = await till("2026-01-15T00:00:00Z");
		await ours.insist("POST", "/plans", { id: "odd", displayName: "odd", productId: "app" });
		await ours.insist("PATCH", "/plans/odd", { charges: { pricingType: "PAID", pricingModels, ...more } });
		const { status, body } = await ours.call("POST", "/plans/odd/publish", {
			body: { migrationType: "NEW_CUSTOMERS" },
		});
		expect({ status, body }).toMatchObject({ status: 400, body: { code: "BillingPeriodMissingError" } });
	});

	test("an addon without a price for the billing period is rejected by name", async () => {
		const ours = await till("2026-01-15T00:00:00Z");
		await ours.plan("pro", [flat({ year: 365 })]);
		await ours.addon("monthly", flat({ month: 5 }));
		const body = { customerId: "acme", planId: "pro", addons: [{ id: "monthly", quantity: 1 }] };
		const answer = await ours.call("POST", "/subscriptions", { body });
		expect(answer.status).toBe(400);
		expect(answer.body).toMatchObject({ code: "BillingPeriodMissingError" });
		expect(answer.body.message).toContain("'monthly' has a MONTHLY price only");
	});

	test("usage is billed although a change at the same instant precedes", async () => {
		const ours = await till("2026-01-15T00:00:00Z");
		await ours.plan("pro", [flat({ year: 365 })], {
			overageBillingPeriod: "MONTHLY",
			overagePricingModels: [beyond("calls", 100, { year: 1 })],
		});
		await ours.addon("extra", flat({ year: 365 }));
		const id = await ours.buy("pro");
		await ours.use("calls", 103);
		await ours.change(id, { addons: [{ id: "extra", quantity: 1 }], scheduleStrategy: "END_OF_BILLING_MONTH" });
		await ours.advance("2026-03-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-15: 365 = pro 365",
			"2026-02-15: 334 = extra 334",
			"2026-02-15: 3 = 3 Calls (pro) 3",
		]);
	});
});

async function takeOver(ours: Till, ...items: readonly object[]): Promise<void> {
	await ours.insist("POST", "/subscriptions/import", { subscriptions: items });
	const task = ours.transactions.write(systemActor(""), (work) => claimTask(work, ["IMPORT_SUBSCRIPTIONS"]));
	if (task) await runImport(ours.thread, task);
}

test("overage before the period of an import was billed elsewhere", async () => {
	const ours = await till("2026-04-10T00:00:00Z");
	const entitlement = {
		featureId: "calls",
		usageLimit: 10,
		resetPeriod: "YEAR",
		yearlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
	};
	const overage = { ...beyond("calls", 10, { month: 1 }), entitlement };
	await ours.plan("pro", [flat({ month: 30 })], { overagePricingModels: [overage] });
	await ours.use("calls", 30, "2026-02-03T00:00:00Z");
	const item = { id: "old", customerId: "acme", planId: "pro", startDate: "2026-01-01T00:00:00Z" };
	await takeOver(ours, item);
	await ours.use("calls", 5);
	await ours.advance("2026-05-02T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-05-01: 35 = pro 30 + 5 Calls (pro) 5"]);
});

describe("minimum spend", () => {
	test("is charged in advance and used over several invoices; the excess is due, the rest is lost", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [used("calls", { month: 1 })], {
			minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 100, currency: "usd" } }],
		});
		const id = await ours.buy("pro");
		await ours.use("calls", 70);
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.chargeUsage(id);
		await ours.use("calls", 50);
		await ours.advance("2026-04-20T00:00:00Z");
		await ours.chargeUsage(id);
		await ours.use("calls", 8);
		await ours.advance("2026-05-02T00:00:00Z");
		await ours.use("calls", 30);
		await ours.advance("2026-06-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 100 = Minimum spend 100",
			"2026-04-10: 0 = 70 Calls (pro) 70 + Covered by the minimum spend -70",
			"2026-04-20: 20 = 50 Calls (pro) 50 + Covered by the minimum spend -30",
			"2026-05-01: 108 = Minimum spend 100 + 8 Calls (pro) 8",
			"2026-06-01: 100 = Minimum spend 100 + 30 Calls (pro) 30 + Covered by the minimum spend -30",
		]);
	});

	test("pays for no usage once credited: neither at the end, nor in a new cycle", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [used("calls", { month: 1 })]);
		await ours.customer("anew");
		const minimum = { minimumSpend: { amount: 100, currency: "usd" } };
		const id = await ours.buy("pro", minimum);
		const renewed = await ours.buy("pro", { ...minimum, customerId: "anew" });
		await ours.advance("2026-04-16T00:00:00Z");
		for (const customer of ["acme", "anew"]) await ours.use("calls", 80, "2026-04-10T00:00:00Z", customer);
		await ours.cancel(id);
		await ours.change(renewed, { ...minimum, billingCycleAnchor: "NOW" });
		await ours.use("calls", 120, undefined, "anew");
		await ours.advance("2026-05-16T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 100 = Minimum spend 100",
			"2026-04-16: -20 = Unused time: Minimum spend -50 + 80 Calls (pro) 80 + Covered by the minimum spend -50",
		]);
		expect(await ours.books("anew")).toEqual([
			"2026-04-01: 100 = Minimum spend 100",
			"2026-04-16: 80 = Unused time: Minimum spend -50 + Minimum spend 100 + 80 Calls (pro) 80 + Covered by the minimum spend -50",
			"2026-05-16: 120 = Minimum spend 100 + 120 Calls (pro) 120 + Covered by the minimum spend -100",
		]);
	});

	test("charged by another system is not credited at an end, so it pays for late usage, whether it was changed here or not", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [flat({ year: 365 }), used("calls", { month: 1 })], {
			minimumSpend: [{ billingPeriod: "ANNUALLY", minimum: { amount: 730, currency: "usd" } }],
		});
		await ours.addon("extra", flat({ year: 365 }));
		const customers = ["changed", "alike"];
		for (const id of customers) await ours.customer(id);
		const item = { planId: "pro", billingPeriod: "ANNUALLY", startDate: "2026-01-01T00:00:00Z" };
		await takeOver(ours, ...customers.map((customerId) => ({ ...item, id: customerId, customerId })));
		await ours.advance("2026-01-02T00:00:00Z");
		await ours.change("changed", { addons: [{ id: "extra", quantity: 1 }] });
		await ours.advance("2026-03-15T00:00:00Z");
		for (const id of customers) await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		for (const id of customers) await ours.use("calls", 1000, "2026-01-20T00:00:00Z", id);
		await ours.advance("2026-05-01T00:00:00Z");
		const late = "2026-04-15: 270 = 1000 Calls (pro) 1000 + Covered by the minimum spend -730";
		expect(await ours.books("alike")).toEqual([late]);
		expect(await ours.books("changed")).toEqual([
			"2026-01-02: 364 = extra 364",
			"2026-03-15: -292 = Unused time: pro -292 + Unused time: extra -292 + Unused time: Minimum spend -584 + Not charged here: pro 292 + Not charged here: Minimum spend 584",
			late,
		]);
	});

	test("pays for late usage up to the change that begins the billing cycle again, and not beyond it", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [used("calls", { month: 1 })]);
		const minimum = { minimumSpend: { amount: 100, currency: "usd" } };
		const id = await ours.buy("pro", minimum);
		await ours.use("calls", 10);
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(id, { ...minimum, billingCycleAnchor: "NOW" });
		await ours.advance("2026-04-21T00:00:00Z");
		await ours.change(id, { ...minimum, billingCycleAnchor: "NOW" });
		await ours.use("calls", 30, "2026-04-18T00:00:00Z");
		await ours.chargeUsage(id);
		// 5 of 30 days of the minimum of 16 to 21 April are not credited: 16.67 pays for calls of these days.
		expect(await ours.books()).toEqual([
			"2026-04-01: 100 = Minimum spend 100",
			"2026-04-16: 50 = Unused time: Minimum spend -50 + Minimum spend 100 + 10 Calls (pro) 10 + Covered by the minimum spend -10",
			"2026-04-21: 16.67 = Unused time: Minimum spend -83.33 + Minimum spend 100",
			"2026-04-21: 13.33 = 30 Calls (pro) 30 + Covered by the minimum spend -16.67",
		]);
	});

	test("is drawn once by usage that a change of its price closes, also where the change is charged itself", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [used("calls", { month: 1 }), perUnit("seats", { month: 10 })], {
			minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 100, currency: "usd" } }],
		});
		const id = await ours.buy("pro");
		await ours.use("calls", 60);
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(id, { ...units("seats", 2), priceOverrides: [{ featureId: "calls", amount: 2 }] });
		await ours.use("calls", 30);
		await ours.advance("2026-05-01T00:00:00Z");
		// The first 60 calls have used 60 of the 100, so 40 pays for the calls at 2.
		expect(await ours.books()).toEqual([
			"2026-04-01: 110 = Seats (pro) 10 + Minimum spend 100",
			"2026-04-16: 5 = Unused time: Seats (pro) -5 + 2 Seats (pro) 10 + 60 Calls (pro) 60 + Covered by the minimum spend -60",
			"2026-05-01: 140 = 2 Seats (pro) 20 + Minimum spend 100 + 30 Calls (pro) 60 + Covered by the minimum spend -40",
		]);
	});

	test("is drawn once by usage that a change of its price closes", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [used("calls", { month: 1 }), perUnit("seats", { month: 10 })], {
			minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 100, currency: "usd" } }],
		});
		const id = await ours.buy("pro");
		await ours.use("calls", 60);
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(id, { ...units("seats", 1), priceOverrides: [{ featureId: "calls", amount: 2 }] });
		await ours.use("calls", 30);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 110 = Seats (pro) 10 + Minimum spend 100",
			"2026-04-16: 0 = 60 Calls (pro) 60 + Covered by the minimum spend -60",
			"2026-05-01: 130 = Seats (pro) 10 + Minimum spend 100 + 30 Calls (pro) 60 + Covered by the minimum spend -40",
		]);
	});
});
