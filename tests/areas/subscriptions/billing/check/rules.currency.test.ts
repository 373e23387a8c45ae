import { expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { usageCurrencyDifferences } from "../../../../../src/areas/subscriptions/billing/check/rules.currency";
import { whilePlanted } from "../../../../support/planted";
import { flat, type Till, till, used } from "../../billing";

const found = ({ transactions, actor }: Till) => transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

test("the check finds usage in another currency than its subscription", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 10 }), used("calls", { month: 0.5 })]);
	await ours.buy("pro");
	await ours.use("calls", 10, "2026-04-01T00:00:00Z");
	await ours.advance("2026-05-05T00:00:00Z");
	expect(found(ours)).toEqual([]);
	for (const [statement, said] of [
		["UPDATE subscriptions SET billing_currency = 'eur'", "has a price in usd, expected eur"],
		["UPDATE subscriptions SET billing_currency = 'eur'", "charges usage in usd, expected eur"],
		[
			"UPDATE subscriptions SET billing_currency = 'usd'; UPDATE invoices SET currency = 'eur'",
			"charges usage in eur, expected usd",
		],
	] as const)
		expect(whilePlanted(ours.db.$client, statement, () => found(ours)).join("\n")).toContain(said);
});

test("a price of the subscription itself, and usage before the present prices, are left out", () => {
	expect([...usageCurrencyDifferences("s", { id: "s", startAt: 0, currency: null, pricesFrom: 0 }, [], [])]).toEqual(
		[],
	);
});

test("the first invoices of a plan in another currency bill the usage of the former plan in its own", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 10 }), used("calls", { month: 0.5 })]);
	await ours.plan("world", [flat({ month: [30, "eur"] }), used("calls", { month: [1, "eur"] })]);
	await ours.buy("pro");
	await ours.use("calls", 100, "2026-04-01T00:00:00Z");
	await ours.advance("2026-04-16T00:00:00Z");
	await ours.buy("world");
	await ours.advance("2026-05-02T00:00:00Z");
	await ours.use("calls", 3, "2026-04-20T00:00:00Z");
	expect((await ours.books()).toSorted()).toEqual([
		"2026-04-01: 10 = pro 10",
		"2026-04-16: 15 = world 15",
		"2026-04-16: 45 = Unused time: pro -5 + 100 Calls (pro) 50",
		"2026-05-01: 30 = world 30",
	]);
	expect(found(ours)).toEqual([]);
	const statement = "UPDATE subscriptions SET billing_currency = 'usd' WHERE status = 'ACTIVE'";
	await ours.advance("2026-06-02T00:00:00Z");
	expect(whilePlanted(ours.db.$client, statement, () => found(ours)).join("\n")).toContain(
		"charges usage in eur, expected usd",
	);
});
