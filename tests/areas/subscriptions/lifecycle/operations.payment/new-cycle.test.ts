import { expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, till } from "../../billing";

// The simulation found that the check missed a credit which the customer had got.
test("a paid change to a new cycle records the credit of the period that began while it waited", async () => {
	const ours = await till("2026-02-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 28 })]);
	const id = await ours.buy("pro");
	await ours.advance("2026-02-28T12:00:00Z");
	await ours.insist("PATCH", `/subscriptions/${id}`, { billingCycleAnchor: "NOW", awaitPaymentConfirmation: true });
	await ours.advance("2026-03-01T06:00:00Z");
	const [, { invoiceId }] = await ours.insist("GET", "/customers/acme/invoices");
	await ours.insist("POST", `/customers/acme/invoices/${invoiceId}/paid`, {});
	const credits = ours.db.$client
		.query("SELECT rated ->> 'total' AS total, from_at AS fromAt FROM charge_credits ORDER BY from_at")
		.all();
	expect(credits).toEqual([{ total: "28", fromAt: Date.parse("2026-03-01T00:00:00Z") }]);
	await ours.advance("2026-03-10T00:00:00Z");
	await ours.insist("POST", `/subscriptions/${id}/pause`, {});
	expect(ours.transactions.read(ours.actor, (work) => [...checkSubscriptionBills(work)])).toEqual([]);
	expect(await ours.books()).toEqual([
		"2026-02-01: 28 = pro 28",
		"2026-02-28T12:00: 27.5 = Unused time: pro -0.5 + pro 28",
		"2026-03-01: 28 = pro 28",
		"2026-03-01T06:00: -28 = Unused time: pro -28",
		"2026-03-10: -18.5 = Unused time: pro -18.5",
	]);
});
