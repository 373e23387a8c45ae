import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { beyond, flat, tiered, till, used } from "../billing";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

describe("late pay as you go", () => {
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
});
