import { expect, test } from "bun:test";
import { migrations } from "../../../drizzle/main";
import { checkContracts } from "../../../src/areas/contracts/billing/operations.check";
import { draftWorld, fee, items } from "./support";

const step = migrations.find(({ name }) => name.endsWith("contracts-of-before"))?.sql ?? "";

/** A contract as 0.1.0 has published it half a year before the upgrade: live, and nothing of it invoiced. */
async function upgraded(lines: object[]) {
	const here = await draftWorld();
	await here.call("POST", items, {
		body: { items: lines, activationStartDate: "2025-08-01T00:00:00Z", activationEndDate: "2026-08-01T00:00:00Z" },
	});
	here.transactions.write(here.actor, ({ tx }) => {
		tx.run("UPDATE contracts SET billing_state = 'ACTIVE'");
		tx.run(step.replace("unixepoch() * 1000", String(here.clock.at)));
	});
	const invoices = async () =>
		(await here.call("GET", "/customers/acme/invoices?limit=100")).body.data.map(
			({ issueDate, total, lineItems }: { issueDate: string; total: number; lineItems: { description: string }[] }) =>
				[issueDate.slice(0, 10), total, ...lineItems.map(({ description }) => description)].join(" "),
		);
	return { ...here, invoices };
}

test("carries on contracts that an earlier release published: nothing of the past, and everything that falls due from then on", async () => {
	const here = await upgraded([
		{ ...fee, name: "Advance", externalId: "advance" },
		{ ...fee, name: "Arrears", externalId: "arrears", paymentTime: "IN_ARREARS", rows: [{ price: 10 }] },
		{ ...fee, name: "Setup", externalId: "setup", billingCycleUnit: "one_time" },
		{ ...fee, name: "Last", externalId: "last", billingCycleUnit: "one_time", paymentTime: "IN_ARREARS" },
	]);
	// The upgrade is on 31 January; its first steps issue nothing.
	await here.advance("2026-01-31T00:00:00Z");
	expect(await here.invoices()).toEqual([]);
	const { body } = await here.call("GET", "/contracts/C-1/billing/summary");
	// The whole term, with what was invoiced elsewhere before: a year of both, and what is charged once.
	expect(body.data.total).toBe(12 * 100 + 12 * 10 + 100 + 100);
	const schedule = (await here.call("GET", "/contracts/C-1/billing/invoice-schedule")).body.data;
	// The invoices that there are here: six months in advance, seven in arrears, and the last one.
	expect(schedule.total).toBe(6 * 100 + 7 * 10 + 100);
	await here.advance("2026-03-15T00:00:00Z");
	expect((await here.invoices()).toSorted()).toEqual([
		"2026-02-01 10 Arrears",
		"2026-02-01 100 Advance",
		"2026-03-01 10 Arrears",
		"2026-03-01 100 Advance",
	]);
	expect(here.transactions.read(here.actor, checkContracts)).toEqual([]);
	await here.advance("2027-01-01T00:00:00Z");
	expect(await here.invoices()).toHaveLength(6 + 7 + 1);
	expect((await here.call("GET", "/contracts/C-1")).body.data.billingState).toBe("END_BILLING");
	expect(here.transactions.read(here.actor, checkContracts)).toEqual([]);
});

test("an amendment, which comes before the sweep does, carries it on as well", async () => {
	const here = await upgraded([fee]);
	expect((await here.call("POST", "/contracts/C-1/billing/edit-active", { body: {} })).status).toBe(200);
	await here.call("PATCH", `${items}/fee`, { body: { rows: [{ price: 150 }] } });
	expect((await here.call("POST", "/contracts/C-1/billing/publish")).status).toBe(200);
	expect(await here.invoices()).toEqual([]);
	await here.advance("2026-02-01T00:00:00Z");
	expect(await here.invoices()).toEqual(["2026-02-01 150 Fee"]);
	expect(here.transactions.read(here.actor, checkContracts)).toEqual([]);
});

test("a contract that ended before the upgrade issues nothing any more", async () => {
	const here = await upgraded([fee]);
	here.transactions.write(here.actor, ({ tx }) => {
		tx.run("UPDATE contract_items SET activation_end_at = activation_start_at + 86400000");
	});
	await here.advance("2026-02-15T00:00:00Z");
	expect(await here.invoices()).toEqual([]);
	expect((await here.call("GET", "/contracts/C-1")).body.data.billingState).toBe("END_BILLING");
});
