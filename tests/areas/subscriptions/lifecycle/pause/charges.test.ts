import { describe, expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, perUnit, type Till, till, units } from "../../billing";

const found = ({ transactions, actor }: Till) => transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

async function selling(models: readonly object[], { more = {}, body = {} }: { more?: object; body?: object } = {}) {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", models, more);
	const id = await ours.buy("pro", body);
	const pause = (asked: object = {}) => ours.insist("POST", `/subscriptions/${id}/pause`, asked);
	const resume = (asked: object = {}) => ours.insist("POST", `/subscriptions/${id}/resume`, asked);
	return { ours, id, pause, resume };
}

const sumsOf = async (ours: Till) => (await ours.books()).map((line) => Number(line.match(/: (-?[\d.]+)/)?.[1]));

describe("fees in arrears", () => {
	test("do not charge a pause that begins at the start of a period", async () => {
		const { ours, pause, resume } = await selling([flat({ month: 31 }, { paymentTime: "IN_ARREARS" })]);
		await ours.advance("2026-03-01T00:00:00Z");
		await pause();
		await ours.advance("2026-03-21T00:00:00Z");
		await resume();
		await ours.advance("2026-04-01T00:00:00Z");
		expect(await sumsOf(ours)).toEqual([31, 31, 11]);
		expect(found(ours)).toEqual([]);
	});

	test.each(["BY_DAY", "THIRTY_DAY_MONTH"])("charge the date of a pause once, %s", async (prorationMode) => {
		const { ours, pause, resume } = await selling([flat({ month: 300 }, { paymentTime: "IN_ARREARS", prorationMode })]);
		await ours.advance("2026-04-11T10:00:00Z");
		await pause();
		await ours.advance("2026-04-11T20:00:00Z");
		await resume();
		await ours.advance("2026-05-01T00:00:00Z");
		expect((await sumsOf(ours)).slice(3)).toEqual([110, 190]);
		expect(found(ours)).toEqual([]);
	});
});

describe("a resumption", () => {
	test("on the 31st does not charge the thirtieth day of a month again", async () => {
		const { ours, pause, resume } = await selling([flat({ month: 300 }, { prorationMode: "THIRTY_DAY_MONTH" })]);
		await ours.advance("2026-01-30T12:00:00Z");
		await pause();
		await ours.advance("2026-01-31T12:00:00Z");
		await resume();
		expect(await sumsOf(ours)).toEqual([300, 0, 0]);
		expect(found(ours)).toEqual([]);
	});

	test("charges the date of a pause at the very start of the period, which nothing has charged", async () => {
		const ours = await till("2026-01-01T12:00:00Z");
		await ours.plan("pro", [flat({ month: 28 }, { prorationMode: "BY_DAY" })]);
		const id = await ours.buy("pro");
		await ours.insist("POST", `/subscriptions/${id}/pause`, { at: "END_OF_BILLING_PERIOD" });
		await ours.advance("2026-02-01T18:00:00Z");
		await ours.insist("POST", `/subscriptions/${id}/resume`);
		expect(await sumsOf(ours)).toEqual([28, 28]);
		expect(found(ours)).toEqual([]);
	});

	test("by a call before 'resumeAt' makes the changes that waited", async () => {
		const { ours, id, pause, resume } = await selling([perUnit("seats", { month: 31 })], { body: units("seats", 1) });
		await ours.advance("2026-01-11T00:00:00Z");
		await pause({ resumeAt: "2026-01-25T00:00:00Z" });
		const changed = await ours.change(id, units("seats", 2));
		expect(changed.futureUpdates).toMatchObject([{ scheduledExecutionTime: "2026-01-25T00:00:00.000Z" }]);
		await ours.advance("2026-01-21T00:00:00Z");
		await resume();
		expect((await sumsOf(ours)).slice(2).reduce((sum, one) => sum + one, 0)).toBe(22);
	});
});

describe("the check of invoices", () => {
	test("knows that a change on the date of a pause credits that date, which the charge before the pause has paid", async () => {
		const { ours, id, pause, resume } = await selling([flat({ month: 310 }, { prorationMode: "BY_DAY" })]);
		await ours.advance("2026-01-11T01:00:00Z");
		await pause();
		await ours.advance("2026-01-11T10:00:00Z");
		await resume();
		await ours.change(id, { billingCycleAnchor: "NOW" });
		// Eleven dates stay charged before the change, without the date of the change: that is the first date of the new cycle.
		expect((await sumsOf(ours)).reduce((sum, one) => sum + one, 0)).toBe(100 + 310);
		expect(found(ours)).toEqual([]);
		ours.db.$client.run(
			`UPDATE charge_credits SET rated = json_set(rated, '$.subTotal', '310.01') WHERE created_at = (SELECT max(created_at) FROM charge_credits)`,
		);
		expect(found(ours).join()).toContain("200 counts as charged, and 310.01 as credited");
	});

	const minimum = { minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 785, currency: "usd" } }] };

	test("finds the credit of a pause that is spread over the invoices of a changed cycle", async () => {
		const { ours, id, pause } = await selling([flat({ month: 14 }, { prorationMode: "NONE" })], { more: minimum });
		await ours.advance("2026-01-11T00:00:00Z");
		await ours.change(id, { billingCycleAnchor: "NOW" });
		await ours.advance("2026-01-20T00:00:00Z");
		await pause();
		expect((await sumsOf(ours)).slice(2)).toEqual([-267.23, -289.87]);
		expect(found(ours)).toEqual([]);
	});

	test("expects no credit of a cycle that a change without proration has left", async () => {
		const { ours, id, pause } = await selling([flat({ month: 31 })]);
		await ours.advance("2026-01-11T00:00:00Z");
		await ours.change(id, { billingCycleAnchor: "NOW", billingInformation: { prorationBehavior: "NONE" } });
		await ours.advance("2026-01-20T00:00:00Z");
		await pause();
		expect(await sumsOf(ours)).toEqual([31, 31, -22]);
		expect(found(ours)).toEqual([]);
	});
});

// The simulation found that the check expected a credit of the removed addon.
test("a pause credits nothing of an addon that a new cycle without proration has removed", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [flat({ year: 365 })]);
	await ours.addon("boost", flat({ year: 73 }));
	const id = await ours.buy("pro", { addons: [{ id: "boost", quantity: 1 }] });
	await ours.advance("2026-04-11T00:00:00Z");
	const billingInformation = { prorationBehavior: "NONE" };
	await ours.change(id, { addons: [], billingCycleAnchor: "NOW", billingInformation });
	await ours.advance("2026-04-21T00:00:00Z");
	await ours.insist("POST", `/subscriptions/${id}/pause`, {});
	expect(await ours.books()).toEqual([
		"2026-04-01: 438 = pro 365 + boost 73",
		"2026-04-11: 365 = pro 365",
		"2026-04-21: -355 = Unused time: pro -355",
	]);
	expect(ours.transactions.read(ours.actor, (work) => [...checkSubscriptionBills(work)])).toEqual([]);
});
