import { expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { whilePlanted } from "../../../../support/planted";
import { flat, till } from "../../billing";

test("a pause at the start of a new cycle credits the new period only", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const found = () => ours.transactions.read(ours.actor, (work) => [...checkSubscriptionBills(work)]);
	await ours.plan("pro", [flat({ month: 31 })]);
	const id = await ours.buy("pro", { billingInformation: { prorationBehavior: "NONE" } });
	await ours.advance("2026-01-11T00:00:00Z");
	await ours.change(id, { billingCycleAnchor: "NOW" });
	await ours.insist("POST", `/subscriptions/${id}/pause`);
	expect(await ours.books()).toEqual([
		"2026-01-01: 31 = pro 31",
		"2026-01-11: 31 = pro 31",
		"2026-01-11: -31 = Unused time: pro -31",
	]);
	expect(found()).toEqual([]);
	const statement = "DELETE FROM charge_credits";
	expect(whilePlanted(ours.db.$client, statement, found).join("\n")).toContain("is not credited from the pause");
});
