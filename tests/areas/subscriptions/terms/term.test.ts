import { describe, expect, test } from "bun:test";
import { beyond, flat, perUnit, till, units, used } from "../billing";
import { found, selling, shown, termShown, totals } from "./term/agreed";

describe("the term of a plan (2.21)", () => {
	test("raises 1,000.00 by 5 % with each renewal: 1,050.00, 1,102.50", async () => {
		const term = { months: 12, upliftPercentage: 5, noticePeriodDays: 30 };
		const { ours, id } = await selling("2026-01-01T00:00:00Z", term, {}, [flat({ year: 1000 })]);
		expect(await shown(ours, id)).toMatchObject({
			currentTerm: {
				number: 1,
				startDate: "2026-01-01T00:00:00.000Z",
				endDate: "2027-01-01T00:00:00.000Z",
				noticeDate: "2026-12-02T00:00:00.000Z",
				renewal: { months: 12, upliftPercentage: 5 },
				earlyCancellation: "AT_TERM_END",
				owedUntil: null,
			},
		});
		await ours.advance("2028-02-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-01: 1000 = pro 1000",
			"2027-01-01: 1050 = pro 1050",
			"2028-01-01: 1102.5 = pro 1102.5",
		]);
		expect(await termShown(ours, id)).toBe("3: 2028-01-01 to 2029-01-01");
		expect((await shown(ours, id)).prices).toMatchObject([{ amount: 1102.5 }]);
		expect(found(ours)).toEqual([]);
	});

	test("raises the exact price, before units, discount and tax are rounded: 979.86, 1,016.12, 1,053.71", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [perUnit("seats", { year: 333.33 })], { term: { months: 12, upliftPercentage: 3.7 } });
		await ours.coupon("ten", { percent: 10 });
		await ours.buy("pro", {
			...units("seats", 3),
			appliedCoupon: { couponId: "ten" },
			billingInformation: { taxPercentage: 8.875 },
		});
		await ours.advance("2028-01-02T00:00:00Z");
		expect(await totals(ours)).toEqual([
			"2026-01-01: 979.86 less 100 tax 79.87",
			"2027-01-01: 1016.12 less 103.7 tax 82.83",
			"2028-01-01: 1053.71 less 107.54 tax 85.89",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("an end on 1 Sep of a year from 1 Jan pays the remaining 400.00", async () => {
		const term = { months: 12, earlyCancellation: "PAY_REMAINDER" };
		const { ours, id } = await selling("2026-01-01T00:00:00Z", term);
		await ours.advance("2026-08-15T00:00:00Z");
		const canceled = await ours.cancel(id, { cancellationTime: "END_OF_BILLING_PERIOD" });
		expect(canceled).toMatchObject({
			cancellationDate: "2026-09-01T00:00:00.000Z",
			currentTerm: { owedUntil: "2027-01-01T00:00:00.000Z" },
		});
		await ours.advance("2027-02-01T00:00:00Z");
		expect((await ours.books()).slice(8)).toEqual([
			`2026-09-01: 400 = ${Array(4).fill("Rest of the term: pro 100").join(" + ")}`,
		]);
		const { invoiceId } = (await ours.insist("GET", "/customers/acme/invoices?limit=100")).at(-1);
		const lines = await Promise.all(
			[1, 2, 3, 4].map((line) => ours.insist("GET", `/customers/acme/invoices/${invoiceId}/lines/${line}/explain`)),
		);
		expect(lines.map(({ periodStart, periodEnd }) => [periodStart, periodEnd].map((at) => at.slice(0, 10)))).toEqual([
			["2026-09-01", "2026-10-01"],
			["2026-10-01", "2026-11-01"],
			["2026-11-01", "2026-12-01"],
			["2026-12-01", "2027-01-01"],
		]);
		expect(found(ours)).toEqual([]);
	});
});

describe("a renewal", () => {
	test("raises usage only with upliftsUsage", async () => {
		for (const upliftsUsage of [false, true]) {
			const ours = await till("2026-01-01T00:00:00Z");
			await ours.plan("pro", [flat({ month: 10 }), used("calls", { month: 0.5 })], {
				overagePricingModels: [beyond("tokens", 0, { month: 2 })],
				term: { months: 1, upliftPercentage: 10, upliftsUsage },
			});
			await ours.buy("pro");
			for (const month of ["01", "02"]) {
				await ours.advance(`2026-${month}-10T00:00:00Z`);
				await ours.use("calls", 20);
				await ours.use("tokens", 1000);
			}
			await ours.advance("2026-03-01T00:00:00Z");
			const price = upliftsUsage ? [11, 2.2] : [10, 2];
			const lines = (await ours.books()).map((line) => line.split(": ").slice(1).join(": "));
			expect(lines.at(-1)).toContain(`20 Calls (pro) ${price[0]}`);
			expect(lines.at(-1)).toContain("pro 12.1");
			expect(lines.join("\n")).toContain("20 Calls (pro) 10");
			expect(found(ours)).toEqual([]);
		}
	});

	test("raises units and the minimum spend; addons and one-off charges keep their prices", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.addon("support", flat({ month: 6 }));
		await ours.plan(
			"pro",
			[
				flat({ month: 40 }),
				perUnit("seats", { month: 10 }),
				flat({ month: 99 }, { billingCadence: "ONE_OFF", key: "setup" }),
			],
			{
				term: { months: 2, upliftPercentage: 50 },
				minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 8, currency: "usd" } }],
			},
		);
		await ours.buy("pro", { ...units("seats", 2), addons: [{ id: "support", quantity: 1 }] });
		await ours.advance("2026-03-02T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-01: 173 = pro 40 + 2 Seats (pro) 20 + setup (pro) 99 + support 6 + Minimum spend 8",
			"2026-02-01: 74 = pro 40 + 2 Seats (pro) 20 + support 6 + Minimum spend 8",
			"2026-03-01: 108 = pro 60 + 2 Seats (pro) 30 + support 6 + Minimum spend 12",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("within a period credits the former price and charges the new one", async () => {
		const ours = await till("2026-01-16T00:00:00Z");
		await ours.plan("pro", [flat({ month: 31 })], {
			term: { months: 1, upliftPercentage: 100 },
			billingAnchor: { type: "CALENDAR" },
		});
		const id = await ours.buy("pro");
		await ours.advance("2026-03-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-16: 16 = pro 16",
			"2026-02-01: 31 = pro 31",
			"2026-02-16: 14.4 = Unused time: pro -14.39 + pro 28.79",
			"2026-03-01: 62 = pro 62",
		]);
		expect(await termShown(ours, id)).toBe("2: 2026-02-16 to 2026-03-16");
		expect(found(ours)).toEqual([]);
	});

	test("counts months from the start of billing, so that a start on the 31st does not drift", async () => {
		const { ours, id } = await selling("2026-01-31T00:00:00Z", { months: 1 });
		const terms = [await termShown(ours, id)];
		for (const day of ["02-28", "03-31", "04-30"]) {
			await ours.advance(`2026-${day}T00:00:00Z`);
			terms.push(await termShown(ours, id));
		}
		expect(terms).toEqual([
			"1: 2026-01-31 to 2026-02-28",
			"2: 2026-02-28 to 2026-03-31",
			"3: 2026-03-31 to 2026-04-30",
			"4: 2026-04-30 to 2026-05-31",
		]);
	});

	test("has a length of its own", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", { months: 12, renewalMonths: 3, upliftPercentage: 10 });
		await ours.advance("2027-01-01T00:00:00Z");
		expect(await termShown(ours, id)).toBe("2: 2027-01-01 to 2027-04-01");
		await ours.advance("2027-04-01T00:00:00Z");
		expect(await termShown(ours, id)).toBe("3: 2027-04-01 to 2027-07-01");
		expect((await totals(ours)).at(-1)).toBe("2027-04-01: 121");
		expect(found(ours)).toEqual([]);
	});

	test("does not follow without autoRenew: the subscription expires with its term", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", { months: 2, autoRenew: false });
		expect(await shown(ours, id)).toMatchObject({
			effectiveEndDate: "2026-03-01T00:00:00.000Z",
			currentTerm: { noticeDate: null, renewal: null },
		});
		await ours.advance("2026-04-01T00:00:00Z");
		expect(await shown(ours, id)).toMatchObject({ status: "EXPIRED", cancelReason: "EXPIRED" });
		expect(await totals(ours)).toEqual(["2026-01-01: 100", "2026-02-01: 100"]);
		expect(found(ours)).toEqual([]);
	});

	test("with neutral values gives the invoices of no term", async () => {
		const books = async (term: object | undefined) => {
			const { ours } = await selling("2026-01-31T00:00:00Z", term);
			await ours.advance("2026-06-01T00:00:00Z");
			expect(found(ours)).toEqual([]);
			const { body } = await ours.call("GET", "/customers/acme/invoices?limit=100");
			return JSON.stringify(
				body.data.map(({ invoiceId: _, invoiceExternalId: __, ...one }: Record<string, string>) => one),
			);
		};
		const neutral = { months: 1, upliftPercentage: 0, upliftsUsage: true, earlyCancellation: "ALLOWED" };
		expect(await books(neutral)).toBe(await books(undefined));
	});
});
