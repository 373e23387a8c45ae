import { expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { whilePlanted } from "../../../../support/planted";
import { perUnit, type Till, till, units, used } from "../../billing";

const found = ({ transactions, actor }: Till) => transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

test("the check finds planted errors of usage and of fees in arrears that a dated change rates again", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [
		perUnit("seats", { month: 30 }, { paymentTime: "IN_ARREARS" }),
		used("calls", { month: 0.5 }),
	]);
	const id = await ours.buy("pro", units("seats", 1));
	await ours.advance("2026-04-21T00:00:00Z");
	await ours.use("calls", 10, "2026-04-05T00:00:00Z");
	await ours.use("calls", 20, "2026-04-15T00:00:00Z");
	await ours.advance("2026-05-05T00:00:00Z");
	const priceOverrides = [{ featureId: "calls", amount: 1 }];
	await ours.change(id, { effectiveDate: "2026-04-11T00:00:00Z", ...units("seats", 2), priceOverrides });
	expect(found(ours)).toEqual([]);
	const begins = Date.UTC(2026, 3, 1);
	for (const [statement, said] of [
		["DELETE FROM charge_credits", "twice"],
		[
			"UPDATE charge_credits SET rated = json_set(rated, '$.subTotal', '14')",
			"14 counts as reversed, its lines make 15",
		],
		["UPDATE invoice_lines SET amount = '-31' WHERE amount = '-30'", "30 counts as reversed, its lines make 31"],
		[
			`DELETE FROM charge_credits WHERE starts_at = ${begins} AND charge_id IN (SELECT id FROM billing_charges WHERE key LIKE 'usage/%')`,
			"bills usage of 2026-04-11T00:00:00.000Z to 2026-05-01T00:00:00.000Z twice",
		],
	] as const)
		expect({ statement, found: whilePlanted(ours.db.$client, statement, () => found(ours)) }).toEqual({
			statement,
			found: expect.arrayContaining([expect.stringContaining(said)]),
		});
});
