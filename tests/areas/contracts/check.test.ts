import { describe, expect, test } from "bun:test";
import { checkContracts } from "../../../src/areas/contracts/billing/operations.check";
import { draftWorld, fee, items } from "./support";

const term = { activationStartDate: "2026-02-01T00:00:00Z", activationEndDate: "2027-02-01T00:00:00Z" };

const march = Date.parse("2026-03-01T00:00:00Z");

async function live() {
	const here = await draftWorld();
	await here.call("POST", items, { body: { items: [fee], ...term } });
	await here.call("POST", "/contracts/C-1/billing/publish");
	await here.advance("2026-05-15T00:00:00Z");
	return { ...here, findings: () => here.transactions.read(here.actor, checkContracts) };
}

describe("problems of contracts", () => {
	test("are none, as long as nobody has tampered: drafts, live ones, ended ones", async () => {
		const { findings, advance } = await live();
		expect(findings()).toEqual([]);
		await advance("2028-01-01T00:00:00Z");
		expect(findings()).toEqual([]);
	});

	test("are none where a cycle that was cut short and paid whole is extended", async () => {
		const { findings, advance, call } = await live();
		const insist = async (method: string, path: string, body?: object) =>
			expect((await call(method, `/contracts/C-1/billing/${path}`, { ...(body && { body }) })).status).toBeLessThan(
				300,
			);
		const extended = async (activationEndDate: string) => {
			await insist("POST", "edit-active");
			await insist("PATCH", "terms", { activationEndDate });
			await insist("POST", "publish");
		};
		await extended("2026-06-11T00:00:00Z");
		await advance("2026-06-05T00:00:00Z");
		await extended("2026-09-01T00:00:00Z");
		expect(findings()).toEqual([]);
		await advance("2026-07-05T00:00:00Z");
		expect(findings()).toEqual([]);
	});

	test.each([
		[
			"a subscription that is invoiced by itself too",
			"UPDATE subscriptions SET pricing_type = 'PAID', payment_collection_method = 'CHARGE' WHERE ref_id = 'sub-platform'",
			"sub-platform is invoiced by itself",
		],
		[
			"a subscription that does not know of it",
			"UPDATE subscriptions SET contract_id = NULL",
			"does not say so itself",
		],
		["what nothing issues", "UPDATE contracts SET next_due_at = NULL", "nothing issues them"],
		["another due time", "UPDATE contracts SET next_due_at = next_due_at + 1", "at another time"],
		["a cycle left out", `DELETE FROM charge_periods WHERE starts_at = ${march}`, "is not invoiced for some time"],
		[
			"a cycle twice",
			`UPDATE charge_periods SET starts_at = starts_at - 1 WHERE starts_at = ${march}`,
			"is invoiced twice for some time",
		],
		["another end", "UPDATE billing_charges SET billed_until = billed_until + 1", "as far as it says"],
		["other sums", `UPDATE charge_periods SET rated = json_set(rated, '$.total', '1')`, "says that 1 is invoiced"],
		[
			"a cycle without its invoice",
			`UPDATE charge_periods SET invoice_id = NULL WHERE starts_at < ${march}`,
			"no invoice of the contract says so",
		],
	])("%s", async (_, tampering, found) => {
		const { db, findings } = await live();
		db.$client.run(tampering);
		expect(findings().join("\n")).toContain(found);
	});
});
