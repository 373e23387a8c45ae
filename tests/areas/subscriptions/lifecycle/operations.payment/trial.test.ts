import { expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, till } from "../../billing";

test("a plan whose payment arrives after the end of a trial credits the period that the trial's plan has begun", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("trial", [flat({ month: 31 })]);
	await ours.plan("paid", [flat({ month: 20 })]);
	const trialEndDate = "2026-01-10T00:00:00Z";
	await ours.buy("trial", { trialOverrideConfiguration: { isTrial: true, trialEndDate } });
	await ours.advance("2026-01-09T20:00:00Z");
	const id = await ours.buy("paid", { awaitPaymentConfirmation: true });
	await ours.advance("2026-01-10T06:00:00Z");
	await ours.insist("POST", `/subscriptions/${id}/invoice/paid`);
	expect(await ours.books()).toEqual([
		"2026-01-09T20:00: 20 = paid 20",
		"2026-01-10: 31 = trial 31",
		"2026-01-10T06:00: -31 = Unused time: trial -31",
	]);
	const { transactions, actor } = ours;
	expect(transactions.read(actor, (work) => [...checkSubscriptionBills(work)])).toEqual([]);
});
