import { expect, setDefaultTimeout, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, till } from "../../billing";

setDefaultTimeout(60_000);

const waits = { awaitPaymentConfirmation: true };

test("a plan in another currency does not wait for its payment, since a credit note would come before it", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 31 })]);
	await ours.plan("world", [flat({ month: [62, "eur"] })]);
	await ours.plan("more", [flat({ month: 62 })]);
	await ours.buy("pro");
	await ours.advance("2026-01-11T00:00:00Z");
	const body = { customerId: "acme", planId: "world", ...waits };
	const refused = await ours.call("POST", "/subscriptions", { body });
	expect(refused).toMatchObject({ status: 400, body: { code: "UnsupportedParameter" } });
	expect(refused.body.message).toContain("'awaitPaymentConfirmation'");
	expect(await ours.books()).toEqual(["2026-01-01: 31 = pro 31"]);
	// In one currency, the credit is on the invoice that waits.
	const next = await ours.buy("more", waits);
	await ours.cancel(next, { cancellationTime: "IMMEDIATE" });
	await ours.buy("world");
	expect((await ours.books()).slice(-2).toSorted()).toEqual([
		"2026-01-11: -21 = Unused time: pro -21",
		"2026-01-11: 42 = world 42",
	]);
	const found = ours.transactions.read(ours.actor, (work) => [...checkSubscriptionBills(work)]);
	expect(found).toEqual([]);
});
