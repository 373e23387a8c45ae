import { describe, expect, test } from "bun:test";
import { checkCases } from "../../../src/areas/dunning/operations.check";
import type { World } from "../../support/world";
import { chargedSite } from "./charged";
import { dunningSite } from "./site";

const check = (w: Pick<World, "transactions" | "actor">): string[] =>
	w.transactions.read(w.actor, (work) => [...checkCases(work)]);

/** Plants an error and returns the findings. */
const planted = (w: Pick<World, "transactions" | "actor" | "db">, ...sql: string[]): string => {
	expect(check(w)).toEqual([]);
	for (const one of sql) w.db.$client.run(one);
	return check(w).join("\n");
};

describe("the check of dunning cases finds planted errors", () => {
	test.each([
		["UPDATE invoices SET state = 'PAID'", "it is REMINDING, and its invoice is PAID"],
		["UPDATE dunning_cases SET position = 3", "it is at step 3, and the steps 0, 1 have run"],
		["DELETE FROM dunning_steps WHERE position = 0", "it is at step 2, and the steps 1 have run"],
		["UPDATE dunning_cases SET next_due_at = NULL", "its next step is not due, and should be"],
		["UPDATE dunning_cases SET next_due_at = next_due_at + 604800000", "not by its schedule"],
		["UPDATE dunning_cases SET next_due_at = next_due_at - 604800000", "not by its schedule"],
		["UPDATE dunning_cases SET state = 'SUSPENDED', suspension = 'HOLD'", "due, and should not be"],
		["UPDATE dunning_cases SET state = 'ENDED', end_reason = 'PAID'", "it is ENDED, and a step is due"],
	])("%s", async (sql, finds) => {
		const site = await dunningSite();
		await site.bill("2026-02-10");
		await site.advance("2026-02-11T12:00:00Z");
		expect(planted(site, sql)).toContain(finds);
	});

	test("a step that ran twice, and a missing case", async () => {
		const site = await dunningSite();
		await site.advance("2026-02-02T12:00:00Z");
		const { number } = await site.bill("2026-02-10");
		await site.advance("2026-02-11T12:00:00Z");
		const again =
			"INSERT INTO dunning_steps SELECT 'twice', environment_id, case_id, round, position, kind, days, outcome, mail_id, at, created_at, updated_at FROM dunning_steps WHERE position = 1";
		expect(planted(site, "DROP INDEX dunning_steps_once", again)).toContain(
			"it is at step 2, and the steps 0, 1, 1 have run",
		);
		site.db.$client.run("DELETE FROM dunning_steps");
		site.db.$client.run("DELETE FROM dunning_cases");
		expect(check(site)).toEqual([`the invoice ${number}: its dunning case is missing`]);
	});

	test("a charge whose end the case has missed", async () => {
		const site = await chargedSite(["RETRY_LATER"]);
		await site.sell();
		await site.advance("2026-02-04T12:00:00Z");
		expect(check(site)).toEqual([]);
		const end = "UPDATE attempts SET state = 'FAILED', due_at = NULL WHERE state = 'PLANNED'";
		expect(planted(site, end)).toContain("it waits for a charge that has ended");
	});
});

describe("the check finds nothing", () => {
	test("for customers who were exempt at the issue, and for policies that came later", async () => {
		const site = await dunningSite();
		await site.send("PUT", "/customers/cust-1/dunning", { isExempt: true });
		await site.bill("2026-02-10");
		await site.send("PUT", "/customers/cust-1/dunning", { isExempt: false });
		await site.advance("2026-02-03T12:00:00Z");
		expect(check(site)).toEqual([]);
		const late = await dunningSite(null);
		await late.bill("2026-02-10");
		await late.send("POST", "/dunning-policies", {
			...{ id: "late", displayName: "Late", end: { action: "LEAVE_OPEN", afterDays: 42 } },
			appliesTo: { isDefault: true },
		});
		await late.advance("2026-02-03T12:00:00Z");
		expect(check(late)).toEqual([]);
	});

	test.each(["INSUFFICIENT_FUNDS", "NEVER", "ACTION", "OURS"] as const)(
		"at each state of charges: %s",
		async (outcome) => {
			const site = await chargedSite([outcome]);
			await site.sell();
			for (const day of ["2026-02-03", "2026-02-05", "2026-02-16", "2026-02-28"]) {
				await site.until(`${day}T12:00:00Z`);
				expect([day, ...check(site)]).toEqual([day]);
			}
		},
	);

	test("at holds, promises and ends", async () => {
		const site = await dunningSite();
		const { id } = await site.bill("2026-02-10");
		await site.collection(id, "suspend", { reason: "PROMISE", untilDay: "2026-02-20" });
		expect(check(site)).toEqual([]);
		await site.advance("2026-02-22T12:00:00Z");
		expect(check(site)).toEqual([]);
		await site.collection(id, "suspend", { reason: "HOLD" });
		expect(check(site)).toEqual([]);
		await site.collection(id, "stop");
		await site.collection(id, "start");
		expect(check(site)).toEqual([]);
		await site.advance("2026-09-22T12:00:00Z");
		expect(check(site)).toEqual([]);
	});
});
