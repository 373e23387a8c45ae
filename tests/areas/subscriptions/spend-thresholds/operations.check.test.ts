import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { checkSubscriptionBills } from "../../../../src/areas/subscriptions/billing/check/operations";
import { checkSpendThresholds } from "../../../../src/areas/subscriptions/spend-thresholds/operations.check";
import { writePricesPlain } from "../../../support/plain-prices";
import { whilePlanted } from "../../../support/planted";
import { used } from "../billing";
import { site, usd } from "./site";

setDefaultTimeout(60_000);

async function shop() {
	const ours = await site();
	await ours.plan("api", [used("calls", { month: 0.1 })], { spendThresholds: usd(50) });
	const id = await ours.buy("api");
	await ours.advance("2026-04-10T00:00:00Z");
	await ours.use("calls", 600, "2026-04-09T00:00:00Z");
	await ours.noticed();
	await ours.use("calls", 400, "2026-04-09T00:00:00Z");
	await ours.noticed();
	const drift = () =>
		ours.transactions.read(ours.actor, (work) => [...checkSubscriptionBills(work), ...checkSpendThresholds(work)]);
	const plant = (text: string) => ours.transactions.write(ours.actor, (work) => work.tx.run(sql.raw(text)));
	return { ...ours, id, drift, plant };
}

test("the check finds no difference after invoices at a threshold and at the end of the period", async () => {
	const ours = await shop();
	expect(await ours.books()).toHaveLength(1);
	expect(ours.drift()).toEqual([]);
	await ours.advance("2026-05-02T00:00:00Z");
	expect(ours.drift()).toEqual([]);
});

test("the check says nothing while events wait to be compared", async () => {
	const ours = await shop();
	await ours.use("calls", 200, "2026-04-09T00:00:00Z");
	expect(ours.drift()).toEqual([]);
});

test.each([
	[
		"a threshold of the subscription that nothing compares",
		`UPDATE subscriptions SET spend_thresholds = '[{"currency":"usd","amount":"40"}]'`,
	],
	[
		"a threshold of the plan that nothing compares",
		`UPDATE package_versions SET spend_thresholds = '[{"currency":"usd","amount":"40"}]'`,
	],
	["a bill of usage that is lost", "DELETE FROM charge_periods"],
	["usage that is billed further than its invoice", "UPDATE charge_periods SET usage_quantity = '900'"],
])("the check finds %s", async (_, planted) => {
	const ours = await shop();
	ours.plant(planted);
	expect(ours.drift().join()).toContain(ours.id);
});

test("the check finds a comparison that is lost", async () => {
	const ours = await shop();
	await ours.change(ours.id, { spendThresholds: usd(40) });
	expect(ours.drift()).toEqual([]);
	ours.plant("DELETE FROM spend_checks");
	expect(ours.drift()).toEqual([
		`the subscription ${ours.id}: its usage has reached a spend threshold, and no step is going to invoice it`,
	]);
});

describe("where each event charges usage", () => {
	async function events() {
		const ours = await site();
		await ours.plan("api", [{ ...used("calls", { month: 0.1 }), paymentTime: "AT_EVENT" }]);
		const id = await ours.buy("api");
		await ours.advance("2026-04-10T00:00:00Z");
		for (const n of [600, -50, 100]) {
			await ours.use("calls", n, "2026-04-09T00:00:00Z");
			await ours.noticed();
		}
		writePricesPlain(ours.db.$client);
		const drift = () =>
			ours.transactions.read(ours.actor, (work) => [...checkSubscriptionBills(work), ...checkSpendThresholds(work)]);
		return { ...ours, id, drift };
	}

	test("the check finds no difference, also after the end of the period", async () => {
		const ours = await events();
		expect(await ours.books()).toHaveLength(2);
		expect(ours.drift()).toEqual([]);
		await ours.use("calls", 7, "2026-04-09T00:00:00Z");
		await ours.use("calls", -7, "2026-04-09T00:00:00Z");
		await ours.advance("2026-05-02T00:00:00Z");
		expect(await ours.books()).toHaveLength(3);
		expect(ours.drift()).toEqual([]);
	});

	test("the check finds planted errors", async () => {
		const ours = await events();
		await ours.use("calls", 7, "2026-04-09T00:00:00Z");
		await ours.use("calls", -7, "2026-04-09T00:00:00Z");
		await ours.noticed();
		expect(ours.drift()).toEqual([]);
		for (const statement of [
			"DELETE FROM charge_periods",
			"UPDATE charge_periods SET usage_quantity = '649' WHERE revision = 2",
			"UPDATE charge_periods SET usage_quantity = '640', usage_events = usage_events - 1 WHERE revision = 2",
			"DELETE FROM invoice_lines",
			"UPDATE invoice_lines SET amount = '4'",
			"UPDATE highest_totals SET highest = '700'",
			"UPDATE highest_totals SET highest = '655'",
			"DELETE FROM highest_totals",
		])
			expect([statement, whilePlanted(ours.db.$client, statement, ours.drift).length > 0]).toEqual([statement, true]);
	});
});
