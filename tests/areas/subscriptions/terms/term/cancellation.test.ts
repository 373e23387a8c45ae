import { describe, expect, test } from "bun:test";
import { flat, till, used } from "../../billing";
import { found, selling, shown, termShown, totals } from "./agreed";

const year = { months: 12, noticePeriodDays: 30 };

describe("an early end with AT_TERM_END (2.21)", () => {
	test("moves to the end of the term", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", year);
		await ours.advance("2026-03-10T00:00:00Z");
		const end = { cancellationDate: "2027-01-01T00:00:00.000Z" };
		expect(await ours.cancel(id, { cancellationTime: "END_OF_BILLING_PERIOD" })).toMatchObject(end);
		await ours.change(id, { cancellationDate: null });
		const specific = { cancellationTime: "SPECIFIC_DATE", endDate: "2026-05-05T00:00:00Z" };
		expect(await ours.cancel(id, specific)).toMatchObject(end);
		await ours.change(id, { cancellationDate: null });
		expect(await ours.change(id, { cancellationDate: "2026-06-01T00:00:00Z" })).toMatchObject(end);
		await ours.advance("2027-02-01T00:00:00Z");
		expect(await shown(ours, id)).toMatchObject({ status: "CANCELED", effectiveEndDate: end.cancellationDate });
		expect((await totals(ours)).length).toBe(12);
		expect(found(ours)).toEqual([]);
	});

	test("is InvalidCancellationDate if it is to be immediate; a product's default moves to the end of the term", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", year);
		const refused = await ours.call("POST", `/subscriptions/${id}/cancel`, { body: { cancellationTime: "IMMEDIATE" } });
		expect(refused).toMatchObject({ status: 400, body: { code: "InvalidCancellationDate" } });
		expect(refused.body.message).toContain("2027-01-01T00:00:00.000Z");
		expect((await shown(ours, id)).cancellationDate).toBeNull();
		await ours.insist("PATCH", "/products/app", {
			productSettings: {
				subscriptionStartSetup: "PLAN_SELECTION",
				subscriptionEndSetup: "CANCEL_SUBSCRIPTION",
				subscriptionCancellationTime: "IMMEDIATE",
			},
		});
		expect(await ours.cancel(id)).toMatchObject({ status: "ACTIVE", cancellationDate: "2027-01-01T00:00:00.000Z" });
	});

	test("takes effect at the end of the next term once the notice deadline has passed", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", year);
		const cancel = () => ours.cancel(id, { cancellationTime: "END_OF_BILLING_PERIOD" });
		await ours.advance("2026-12-02T00:00:00Z");
		expect(await cancel()).toMatchObject({ cancellationDate: "2027-01-01T00:00:00.000Z" });
		await ours.change(id, { cancellationDate: null });
		await ours.advance("2026-12-02T00:00:00.001Z");
		expect(await cancel()).toMatchObject({ cancellationDate: "2028-01-01T00:00:00.000Z" });
		await ours.advance("2027-01-01T00:00:00Z");
		expect(await termShown(ours, id)).toBe("2: 2027-01-01 to 2028-01-01");
		await ours.advance("2028-01-01T00:00:00Z");
		expect((await shown(ours, id)).status).toBe("CANCELED");
		expect(found(ours)).toEqual([]);
	});

	test("moves a date in a later term to the end of that term", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", { ...year, renewalMonths: 6 });
		const specific = { cancellationTime: "SPECIFIC_DATE", endDate: "2027-08-01T00:00:00Z" };
		expect(await ours.cancel(id, specific)).toMatchObject({ cancellationDate: "2028-01-01T00:00:00.000Z" });
		const far = { cancellationTime: "SPECIFIC_DATE", endDate: "9000-08-01T00:00:00Z" };
		expect(await ours.cancel(id, far)).toMatchObject({ cancellationDate: "9001-01-01T00:00:00.000Z" });
	});

	test("binds the end that a sale was agreed with, from the start of the term", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", year, { cancellationDate: "2026-03-03T00:00:00Z" });
		expect(await shown(ours, id)).toMatchObject({ cancellationDate: "2027-01-01T00:00:00.000Z" });
		await ours.customer("later");
		const later = { customerId: "later", startDate: "2026-02-01T00:00:00Z", cancellationDate: "2026-03-03T00:00:00Z" };
		const waiting = await ours.buy("pro", later);
		expect(await shown(ours, waiting)).toMatchObject({ cancellationDate: "2026-03-03T00:00:00.000Z" });
		await ours.advance("2026-02-01T00:00:00Z");
		expect(await shown(ours, waiting)).toMatchObject({ cancellationDate: "2027-02-01T00:00:00.000Z" });
	});

	test("does not bind a trial, which has no term yet", async () => {
		const trial = { trialOverrideConfiguration: { isTrial: true, trialEndDate: "2026-02-01T00:00:00Z" } };
		const { ours, id } = await selling("2026-01-01T00:00:00Z", year, trial);
		expect(await termShown(ours, id)).toBe("none");
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		expect((await shown(ours, id)).status).toBe("CANCELED");
	});
});

describe("an early end with PAY_REMAINDER (2.21)", () => {
	const term = { months: 12, upliftPercentage: 10, earlyCancellation: "PAY_REMAINDER" };

	test("at once keeps the paid period and bills the rest, each period at its price", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", { ...term, noticePeriodDays: 40 });
		await ours.advance("2026-12-10T00:00:00Z");
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		// Notice came too late for this term, so the next one is owed too, at its prices.
		expect((await totals(ours)).at(-1)).toBe("2026-12-10: 1320");
		expect(found(ours)).toEqual([]);
	});

	test("bills the part of a period that the term ends in, and fees in arrears from the end on", async () => {
		const ours = await till("2026-01-16T00:00:00Z");
		await ours.plan("pro", [flat({ month: 31 }), flat({ month: 62 }, { key: "after", paymentTime: "IN_ARREARS" })], {
			term: { months: 2, earlyCancellation: "PAY_REMAINDER" },
			billingAnchor: { type: "CALENDAR" },
		});
		const id = await ours.buy("pro");
		await ours.advance("2026-01-25T00:00:00Z");
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		expect(await ours.books()).toEqual([
			"2026-01-16: 16 = pro 16",
			"2026-01-25: 156 = after (pro) 18 + Rest of the term: after (pro) 14 + Rest of the term: pro 31 + Rest of the term: after (pro) 62 + Rest of the term: pro 15 + Rest of the term: after (pro) 30".replace(
				"156",
				"170",
			),
		]);
		expect(found(ours)).toEqual([]);
	});

	test("is discounted and taxed, and follows the phases", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 40 })], {
			term: { months: 4, earlyCancellation: "PAY_REMAINDER" },
			phases: [{ id: "half", duration: { unit: "MONTH", count: 2 }, percentOff: 50 }],
		});
		await ours.coupon("five", { amounts: [5] });
		const id = await ours.buy("pro", {
			appliedCoupon: { couponId: "five" },
			billingInformation: { taxPercentage: 10 },
		});
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		expect((await ours.books()).at(-1)).toBe(
			"2026-01-01: 93.5 less 15 tax 8.5 = Rest of the term: pro, half 20 + Rest of the term: pro 40 + Rest of the term: pro 40",
		);
		expect(found(ours)).toEqual([]);
	});

	test("owes nothing after a revoked cancellation, at the end of the term, and where the subscription is replaced", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", term);
		await ours.cancel(id, { cancellationTime: "END_OF_BILLING_PERIOD" });
		await ours.change(id, { cancellationDate: null });
		expect((await shown(ours, id)).currentTerm.owedUntil).toBeNull();
		const atEnd = { cancellationTime: "SPECIFIC_DATE", endDate: "2027-01-01T00:00:00Z" };
		expect((await ours.cancel(id, atEnd)).currentTerm.owedUntil).toBeNull();
		await ours.plan("big", [flat({ month: 200 })]);
		await ours.advance("2026-01-16T12:00:00Z");
		await ours.buy("big");
		expect((await ours.books()).at(-1)).toBe("2026-01-16T12:00: 50 = Unused time: pro -50 + big 100");
		expect(found(ours)).toEqual([]);
	});

	test("during a pause bills the time from the end on", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", { months: 3, earlyCancellation: "PAY_REMAINDER" });
		await ours.advance("2026-02-08T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${id}/pause`);
		await ours.advance("2026-02-15T00:00:00Z");
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		expect((await ours.books()).slice(2)).toEqual([
			"2026-02-08: -75 = Unused time: pro 75".replace("pro 75", "pro -75"),
			"2026-02-15: 150 = Rest of the term: pro 50 + Rest of the term: pro 100",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("credits nothing of a period that was paid ahead for the whole rest", async () => {
		const models = [flat({ year: 1200 })];
		const { ours, id } = await selling("2026-01-01T00:00:00Z", term, {}, models);
		await ours.advance("2026-07-01T00:00:00Z");
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		expect(await ours.books()).toEqual(["2026-01-01: 1200 = pro 1200"]);
		expect(found(ours)).toEqual([]);
	});

	test("owes nothing for a plan of usage alone", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", term, {}, [used("calls", { month: 2 })]);
		await ours.advance("2026-07-01T00:00:00Z");
		await ours.use("calls", 10);
		await ours.advance("2026-07-10T00:00:00Z");
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		expect(await ours.books()).toEqual(["2026-07-10: 20 = 10 Calls (pro) 20"]);
		expect(found(ours)).toEqual([]);
	});

	test("is refused where the rest has too many periods for an invoice", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		const daily = { billingPeriod: "DAILY", price: { amount: 1, currency: "usd" } };
		await ours.plan("pro", [{ billingModel: "FLAT_FEE", pricePeriods: [daily] }], {
			term: { months: 120, earlyCancellation: "PAY_REMAINDER" },
		});
		const id = await ours.buy("pro");
		for (const cancellationTime of ["IMMEDIATE", "END_OF_BILLING_PERIOD"])
			expect(await ours.call("POST", `/subscriptions/${id}/cancel`, { body: { cancellationTime } })).toMatchObject({
				status: 400,
				body: { code: "InvalidCancellationDate" },
			});
		expect((await shown(ours, id)).status).toBe("ACTIVE");
	});
});

test("no term binds a subscription that waits for its first payment (2.21)", async () => {
	for (const earlyCancellation of ["AT_TERM_END", "PAY_REMAINDER"]) {
		const waits = { awaitPaymentConfirmation: true };
		const { ours, id } = await selling("2026-01-01T00:00:00Z", { months: 12, earlyCancellation }, waits);
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		expect((await shown(ours, id)).status).toBe("CANCELED");
		expect(await totals(ours)).toEqual(["2026-01-01: 100"]);
		expect(found(ours)).toEqual([]);
	}
});

test("ALLOWED ends a subscription as without a term (2.21)", async () => {
	const { ours, id } = await selling("2026-01-01T00:00:00Z", { months: 12, earlyCancellation: "ALLOWED" });
	await ours.advance("2026-01-16T12:00:00Z");
	await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
	expect((await ours.books()).at(-1)).toBe("2026-01-16T12:00: -50 = Unused time: pro -50");
	expect(found(ours)).toEqual([]);
});

test("an end in the past is refused while a term binds, and allowed with ALLOWED (2.21, 2.22)", async () => {
	for (const earlyCancellation of ["AT_TERM_END", "PAY_REMAINDER", "ALLOWED"]) {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", { months: 12, earlyCancellation });
		await ours.advance("2026-01-20T00:00:00Z");
		const body = { cancellationTime: "SPECIFIC_DATE", endDate: "2026-01-10T00:00:00Z", isBackdated: true };
		const answer = await ours.call("POST", `/subscriptions/${id}/cancel`, { body });
		expect([answer.status, answer.body.code]).toEqual(
			earlyCancellation === "ALLOWED" ? [200, undefined] : [400, "InvalidCancellationDate"],
		);
		expect((await shown(ours, id)).status).toBe(earlyCancellation === "ALLOWED" ? "CANCELED" : "ACTIVE");
		expect(found(ours)).toEqual([]);
	}
});

test("a change cannot be dated before a renewal with a price increase (2.21, 2.22)", async () => {
	const { ours, id } = await selling("2026-01-01T00:00:00Z", { months: 1, upliftPercentage: 10 });
	await ours.advance("2026-02-20T00:00:00Z");
	const change = (body: object) => ours.call("PATCH", `/subscriptions/${id}`, { body });
	const own = { priceOverrides: [{ baseCharge: true, amount: 200 }] };
	expect((await change({ ...own, effectiveDate: "2026-01-20T00:00:00Z" })).body.code).toBe("InvalidArgumentError");
	expect((await change({ term: { months: 2 }, effectiveDate: "2026-02-10T00:00:00Z" })).status).toBe(400);
	expect((await change({ ...own, effectiveDate: "2026-02-10T00:00:00Z" })).status).toBe(200);
	expect(found(ours)).toEqual([]);
});
