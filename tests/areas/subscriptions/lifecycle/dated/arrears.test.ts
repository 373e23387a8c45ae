import { describe, expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, perUnit, type Till, till, units } from "../../billing";

const found = ({ transactions, actor }: Till) => transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

const atEnd = { paymentTime: "IN_ARREARS" };
const date = "2026-04-11T00:00:00Z";

/** One seat at 30.00 a month in arrears from 1 April 2026. The clock stands on 5 June. */
async function selling(body: object = {}, models: readonly object[] = [perUnit("seats", { month: 30 }, atEnd)]) {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("late", models);
	const id = await ours.buy("late", { ...units("seats", 1), ...body });
	await ours.advance("2026-06-05T00:00:00Z");
	return { ours, id };
}

describe("charges in arrears that a dated change rates again (2.6, 2.22)", () => {
	test("reverses each billed stretch, and charges it until the date and from it on", async () => {
		const { ours, id } = await selling();
		await ours.change(id, { effectiveDate: date, ...units("seats", 2) });
		// April: 10 days of one seat, 20 days of two. May: two seats.
		expect((await ours.books()).at(-1)).toBe(
			"2026-06-05: 50 = Reversed: Seats (late) -30 + Reversed: Seats (late) -30 + Seats (late) 10 + 2 Seats (late) 40 + 2 Seats (late) 60",
		);
		expect(found(ours)).toEqual([]);
		await ours.advance("2026-07-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-07-01: 60 = 2 Seats (late) 60");
		expect(found(ours)).toEqual([]);
	});

	test("keeps unchanged fees, and the tax of each bill", async () => {
		const fee = { key: "fee", ...flat({ month: 10 }), ...atEnd };
		const body = { billingInformation: { taxPercentage: 8.875 } };
		const { ours, id } = await selling(body, [perUnit("seats", { month: 29.99 }, atEnd), fee]);
		await ours.change(id, { effectiveDate: date, ...units("seats", 2) });
		// Twice −29.99; 10 / 30 of 29.99; 20 / 30 of 59.98; 59.98. Each is taxed by itself: −5.32 + 0.89 + 3.55 + 5.32.
		expect((await ours.books()).at(-1)).toStartWith("2026-06-05: 54.43 tax 4.44 = ");
		expect(found(ours)).toEqual([]);
	});

	test("credits the time since an end, and charges none of it", async () => {
		const { ours, id } = await selling();
		await ours.cancel(id, { cancellationTime: "SPECIFIC_DATE", endDate: date, isBackdated: true });
		const credited = (await ours.books()).filter((line) => line.includes(": -"));
		expect(credited.reduce((sum, line) => sum + Number(/: (-[\d.]+)/.exec(line)?.[1]), 0)).toBe(-50);
		expect(found(ours)).toEqual([]);
		await ours.advance("2026-08-01T00:00:00Z");
		expect((await ours.books()).filter((line) => !line.includes(": -"))).toHaveLength(2);
	});

	test("moves to another plan from the date on", async () => {
		const { ours } = await selling();
		await ours.plan("next", [flat({ month: 60 })]);
		await ours.buy("next", { effectiveDate: date });
		// April: 10.00 of the seat, 40.00 of the fee; May and June: 60.00 each.
		expect((await ours.books()).at(-1)).toStartWith("2026-06-05: 110 = ");
		expect(found(ours)).toEqual([]);
	});

	test("is refused without proration, with the first date that works", async () => {
		const { ours, id } = await selling({ prorationMode: "NONE" });
		const body = { effectiveDate: date, ...units("seats", 2) };
		expect((await ours.call("PATCH", `/subscriptions/${id}`, { body })).body).toMatchObject({
			code: "UnsupportedParameter",
			message: expect.stringContaining("without proration"),
		});
		expect(await ours.books()).toHaveLength(2);
		await ours.change(id, { ...body, effectiveDate: "2026-06-03T00:00:00Z" });
		expect(found(ours)).toEqual([]);
	});
});
