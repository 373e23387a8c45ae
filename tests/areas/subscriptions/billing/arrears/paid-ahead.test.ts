import { expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, perUnit, till, units } from "../../billing";

test("a fee in arrears that waited for the former plan's period begins when a change credits that period", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("a", [flat({ month: 30 })]);
	await ours.plan("b", [flat({ month: 60 }, { paymentTime: "IN_ARREARS" }), perUnit("seats", { month: 30 })]);
	await ours.buy("a");
	await ours.advance("2026-04-11T00:00:00Z");
	const id = await ours.buy("b", { ...units("seats", 1), billingInformation: { prorationBehavior: "NONE" } });
	await ours.advance("2026-04-21T00:00:00Z");
	await ours.change(id, { ...units("seats", 3), billingInformation: { prorationBehavior: "INVOICE_IMMEDIATELY" } });
	await ours.advance("2026-06-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-04-01: 30 = a 30",
		"2026-04-21: 20 = Unused time: a -10 + 3 Seats (b) 30",
		"2026-05-01: 110 = 3 Seats (b) 90 + b 20",
		"2026-06-01: 150 = 3 Seats (b) 90 + b 60",
	]);
	const { transactions, actor } = ours;
	expect(transactions.read(actor, (work) => [...checkSubscriptionBills(work)])).toEqual([]);
});

// The simulation found that such a fee charged the pause.
test("a fee in arrears that was to begin during a pause begins at the resumption", async () => {
	const ours = await till("2026-04-11T00:00:00Z");
	await ours.plan("pro", [flat({ month: 31 }, { paymentTime: "IN_ARREARS" }), perUnit("seats", { month: 10 })]);
	// Another system has charged April.
	const id = await ours.buy("pro", { ...units("seats", 1), startDate: "2026-04-01T00:00:00Z" });
	await ours.insist("POST", `/subscriptions/${id}/pause`, { prorate: false });
	await ours.advance("2026-05-22T00:00:00Z");
	await ours.insist("POST", `/subscriptions/${id}/resume`);
	await ours.advance("2026-07-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-05-22: 3.23 = Seats (pro) 3.23",
		"2026-06-01: 20 = Seats (pro) 10 + pro 10",
		"2026-07-01: 41 = Seats (pro) 10 + pro 31",
	]);
	const { transactions, actor } = ours;
	expect(transactions.read(actor, (work) => [...checkSubscriptionBills(work)])).toEqual([]);
});
