import { describe, expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, perUnit, type Till, till, units } from "../../billing";

const found = ({ transactions, actor }: Till) => transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

/** One seat at 30.00 a month from 1 April 2026. */
async function selling(body: object = {}, models: readonly object[] = [perUnit("seats", { month: 30 })]) {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", models);
	return { ours, id: await ours.buy("pro", { ...units("seats", 1), ...body }) };
}

const dated = { effectiveDate: "2026-04-11T00:00:00Z", ...units("seats", 2) };

describe("a change dated in the past (2.22)", () => {
	test("credits and charges the rest of the running period from its date", async () => {
		const { ours, id } = await selling();
		await ours.advance("2026-04-21T00:00:00Z");
		await ours.change(id, dated);
		expect((await ours.books()).at(-1)).toBe("2026-04-21: 20 = Unused time: Seats (pro) -20 + 2 Seats (pro) 40");
		expect(found(ours)).toEqual([]);
		await ours.advance("2026-05-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-05-01: 60 = 2 Seats (pro) 60");
		expect(found(ours)).toEqual([]);
	});

	test("rates each period billed since again, with one credit line and one charge line for each", async () => {
		const { ours, id } = await selling();
		await ours.advance("2026-05-05T00:00:00Z");
		await ours.change(id, dated);
		expect((await ours.books()).at(-1)).toBe(
			"2026-05-05: 50 = Unused time: Seats (pro) -20 + 2 Seats (pro) 40 + Unused time: Seats (pro) -30 + 2 Seats (pro) 60",
		);
		expect(found(ours)).toEqual([]);
		await ours.advance("2026-06-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-06-01: 60 = 2 Seats (pro) 60");
		expect(found(ours)).toEqual([]);
	});

	test("corrects a dated change by a later one, and credits a downgrade", async () => {
		const { ours, id } = await selling();
		await ours.advance("2026-06-05T00:00:00Z");
		await ours.change(id, dated);
		await ours.change(id, { effectiveDate: "2026-04-16T00:00:00Z", ...units("seats", 1), billingInformation: {} });
		expect((await ours.books()).slice(-2).map((line) => line.slice(0, 16))).toEqual([
			"2026-06-05: 80 =",
			"2026-06-05: -75 ",
		]);
		expect(found(ours)).toEqual([]);
	});

	for (const [body, expected] of [
		[{ billingInformation: { taxPercentage: 10 } }, "2026-05-05: 55 tax 5 = "],
		[{ appliedCoupon: { couponId: "half" } }, "2026-05-05: 40 less 10 = "],
		[{ appliedCoupon: { couponId: "flat" } }, "2026-05-05: 50 = "],
		[{ prorationMode: "THIRTY_DAY_MONTH" }, "2026-05-05: 50 = "],
		// The whole of April was charged for the highest number.
		[{ prorationMode: "NONE" }, "2026-05-05: 60 = Seats (pro) 30 + Unused time: Seats (pro) -30 + 2 Seats (pro) 60"],
	] as const)
		test(`keeps the terms of each period: ${JSON.stringify(body)}`, async () => {
			const ours = await till("2026-04-01T00:00:00Z");
			await ours.plan("pro", [perUnit("seats", { month: 30 })]);
			await ours.coupon("half", { percent: 50, months: 1 });
			await ours.coupon("flat", { amounts: [10] });
			const id = await ours.buy("pro", { ...units("seats", 1), ...body });
			await ours.advance("2026-05-05T00:00:00Z");
			await ours.change(id, dated);
			expect((await ours.books()).at(-1)).toStartWith(expected);
			expect(found(ours)).toEqual([]);
		});

	test("credits what a credit note by hand has left", async () => {
		const { ours, id } = await selling();
		const [{ invoiceId }] = await ours.insist("GET", "/customers/acme/invoices");
		await ours.insist("POST", `/customers/acme/invoices/${invoiceId}/credit-note`, {
			lines: [{ line: 1, amount: 15 }],
		});
		await ours.advance("2026-05-05T00:00:00Z");
		await ours.change(id, dated);
		expect((await ours.books()).at(-1)).toStartWith("2026-05-05: 60 = Unused time: Seats (pro) -10 +");
		expect(found(ours)).toEqual([]);
	});

	test("credits neither an invoice that was credited by hand, nor a price of nothing", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [perUnit("seats", { month: 30 }), flat({ month: 0 })]);
		const id = await ours.buy("pro", units("seats", 1));
		const [{ invoiceId }] = await ours.insist("GET", "/customers/acme/invoices");
		await ours.insist("POST", `/customers/acme/invoices/${invoiceId}/credit-note`, {});
		await ours.advance("2026-05-05T00:00:00Z");
		const free = [{ baseCharge: true, amount: 5, currency: "usd" }];
		await ours.change(id, { ...dated, priceOverrides: free });
		expect((await ours.books()).at(-1)).toStartWith("2026-05-05: 78.33 = ");
		expect(found(ours)).toEqual([]);
	});

	test("is scheduled for a date in the future, and shown as a future update", async () => {
		const { ours, id } = await selling();
		await ours.change(id, dated);
		const { futureUpdates } = await ours.insist("GET", `/subscriptions/${id}`);
		expect(futureUpdates).toMatchObject([{ scheduledExecutionTime: "2026-04-11T00:00:00.000Z" }]);
		await ours.advance("2026-04-11T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-04-11: 20 = Unused time: Seats (pro) -20 + 2 Seats (pro) 40");
		expect(found(ours)).toEqual([]);
	});

	test("gives access from now on alone", async () => {
		const { ours, id } = await selling({}, [perUnit("seats", { month: 30 }, { entitlement: undefined })]);
		await ours.advance("2026-05-05T00:00:00Z");
		const changed = await ours.insist("PATCH", `/subscriptions/${id}`, dated);
		expect(changed).toMatchObject({ startDate: "2026-04-01T00:00:00.000Z", status: "ACTIVE" });
	});
});
