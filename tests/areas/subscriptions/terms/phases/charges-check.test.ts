import { expect, test } from "bun:test";
import { flat, type Till, till, used } from "../../billing";
import { found, priced } from "./shop";

/** A subscription in the second phase of its plan. */
async function growing(own = false): Promise<Till> {
	const ours = await till("2026-01-15T00:00:00Z");
	const phases = [
		priced("start", 2, [flat({ month: 10 })]),
		priced("growth", 4, [flat({ month: 20 }), used("calls", { month: 1 })]),
	];
	await ours.plan("pro", [flat({ month: 40 })], own ? {} : { phases });
	await ours.buy("pro", own ? { phases } : {});
	await ours.advance("2026-04-20T00:00:00Z");
	expect(found(ours)).toEqual([]);
	return ours;
}

test("the check finds a line whose price is none of its phase", async () => {
	const ours = await growing();
	ours.db.$client.run(
		"UPDATE package_versions SET phases = json_set(phases, '$[0].charges.prices[0].price.amount', '11')",
	);
	const differences = found(ours);
	expect(differences.join("\n")).toContain("is none of version 1 of pro");
	expect(differences.length).toBe(2);
});

test("the check finds a charge in the running phase at another price, also of a subscription's own phase", async () => {
	for (const own of [false, true]) {
		const ours = await growing(own);
		const table = own ? "subscriptions" : "package_versions";
		ours.db.$client.run(`UPDATE ${table} SET phases = json_set(phases, '$[1].charges.prices[0].price.amount', '21')`);
		expect(found(ours).join("\n")).toContain("its price is none of the phase growth");
	}
});

test("the check finds a charge in a phase that the terms do not have then", async () => {
	const ours = await growing(true);
	ours.db.$client.run("UPDATE subscriptions SET phases = json_set(phases, '$[1].duration.count', 1)");
	expect(found(ours).join("\n")).toContain("its phase is growth, expected none");
	const lost = await growing();
	lost.db.$client.run("UPDATE subscriptions SET phase = NULL");
	expect(found(lost).join("\n")).toContain("its phase is none, expected growth");
});
