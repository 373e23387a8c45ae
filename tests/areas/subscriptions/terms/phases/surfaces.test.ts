import { expect, setDefaultTimeout, test } from "bun:test";
import { systemActor } from "../../../../../src/areas/access/rules.actors";
import { exportCatalogue } from "../../../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../../../src/areas/catalog/rules.file";
import { runImport } from "../../../../../src/areas/subscriptions/import/import";
import { claimTask } from "../../../../../src/tasks/operations";
import { data } from "../../../../graphql/ask";
import { findings } from "../../../pricing/window-cost/findings";
import { simulate, total } from "../../../simulations/simulation";
import { flat, type Till, till } from "../../billing";
import { month, phasesShown, selling, shown } from "./shop";

setDefaultTimeout(60_000);

const half = [{ id: "half", displayName: "Half", duration: month(2), percentOff: 50 }];

const explained = async ({ insist }: Till, line: number) => {
	const [{ invoiceId }] = await insist("GET", "/customers/acme/invoices?limit=1");
	return insist("GET", `/customers/acme/invoices/${invoiceId}/lines/${line}/explain`);
};

test("the explanation names the phase, and the cost of transactions is lowered as counted", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const transactionPrice = { percentRate: 10, fixedFee: 0.5, currency: "usd" };
	const model = {
		billingModel: "USAGE_BASED",
		featureId: "calls",
		pricePeriods: [{ billingPeriod: "MONTHLY", transactionPrice, maximumAmount: 9 }],
	};
	await ours.plan("pro", [model], { phases: half });
	await ours.buy("pro");
	// 10 % of 20.00 and of 60.00, with 0.50 each, is 9.00; half of it is 4.50, which is the maximum too.
	for (const value of [20, 60, 5]) await ours.use("calls", value);
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-02-01: 4.5 = 3 Calls (pro), Half 4.5"]);
	const { price, steps } = await explained(ours, 1);
	expect(price.phase).toEqual({ id: "half", percentOff: 50 });
	expect(steps.find(({ of }: { of: string }) => of === "cost").arithmetic).toContain("* (100 - 50) / 100");
	expect(findings(ours)).toEqual([]);
});

test("variants and tiers have the lower price", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const model = {
		billingModel: "USAGE_BASED",
		featureId: "calls",
		pricePeriods: [
			{
				billingPeriod: "MONTHLY",
				price: { amount: 2, currency: "usd" },
				variants: [{ id: "large", match: { n: ["8"] }, price: { amount: 4, currency: "usd" } }],
			},
		],
	};
	await ours.plan("pro", [model], { phases: half });
	await ours.buy("pro");
	for (const value of [8, 3]) await ours.use("calls", value);
	await ours.advance("2026-02-01T00:00:00Z");
	const [books] = await ours.books();
	expect(books).toStartWith("2026-02-01: 19 =");
	expect(books).toContain("Half: large 16");
	expect(books).toContain("Half 3");
	expect(findings(ours)).toEqual([]);
});

test("the next invoice is in the next phase", async () => {
	const { ours, id } = await selling("2026-01-01T00:00:00Z", { phases: [{ ...half[0], duration: month(1) }] });
	const query = `mutation { previewNextInvoice(input: { subscriptionId: "${id}" }) { total { amount } } }`;
	const { previewNextInvoice } = await data(ours, query);
	expect(previewNextInvoice.total.amount).toBe(40);
	expect(await phasesShown(ours, id)).toEqual(["half 2026-01-01 to 2026-02-01"]);
});

test("GraphQL sets and shows phases", async () => {
	const { ours, id } = await selling("2026-01-01T00:00:00Z", {});
	const input = `subscriptionId: "${id}" phases: [{ id: "half", duration: { unit: MONTH, count: 2 }, percentOff: 50 }]`;
	const fields =
		"phases { id percentOff duration { unit count } } phase { displayName endDate } scheduledPhases { id }";
	const { updateSubscription } = await data(ours, `mutation { updateSubscription(input: { ${input} }) { ${fields} } }`);
	expect(updateSubscription).toEqual({
		phases: [{ id: "half", percentOff: 50, duration: { unit: "MONTH", count: 2 } }],
		phase: { displayName: "half", endDate: "2026-03-01T00:00:00.000Z" },
		scheduledPhases: null,
	});
});

test("a preview shows the first phase, also of a draft", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 40 })]);
	await ours.insist("POST", "/plans/pro/draft");
	const pricing = { pricingType: "PAID", pricingModels: [flat({ month: 40 })], phases: half };
	const preview = await ours.insist("POST", "/plans/pro/preview", { draft: { pricing } });
	expect([preview.immediateInvoice.total, preview.recurringInvoice.total]).toEqual([20, 20]);
	const own = { customerId: "acme", planId: "pro", phases: half, startDate: "2026-02-01T00:00:00Z" };
	expect((await ours.insist("POST", "/subscriptions/preview", own)).recurringInvoice.total).toBe(20);
});

test("a simulation has the phase of each version at the start of the period", async () => {
	const { ours } = await selling("2026-01-01T00:00:00Z", { phases: half });
	await ours.advance("2026-02-10T00:00:00Z");
	await ours.insist("POST", "/plans/pro/draft");
	const charges = { pricingType: "PAID", pricingModels: [flat({ month: 50 })] };
	await ours.insist("PATCH", "/plans/pro", { charges: { ...charges, phases: [{ ...half[0], percentOff: 10 }] } });
	expect((await simulate(ours, "pro")).currencyTotals).toEqual([total(20, 45)]);
});

test("an import places the subscription by its start, and an exported catalogue has the phases", async () => {
	const ours = await till("2026-02-15T00:00:00Z");
	await ours.plan("pro", [flat({ month: 40 })], { phases: half });
	const item = { id: "s1", customerId: "acme", planId: "pro", startDate: "2026-01-01T00:00:00Z" };
	const imported = async (more: object) => {
		await ours.insist("POST", "/subscriptions/import", { subscriptions: [{ ...item, ...more }] });
		const task = ours.transactions.write(systemActor(""), (work) => claimTask(work, ["IMPORT_SUBSCRIPTIONS"]));
		if (task) await runImport(ours.thread, task);
		return phasesShown(ours, "s1");
	};
	expect(await imported({})).toEqual(["half 2026-01-01 to 2026-03-01"]);
	expect(await imported({ phases: [{ ...half[0], id: "own", duration: month(3) }] })).toEqual([
		"own 2026-01-01 to 2026-04-01",
	]);
	expect(await imported({})).toEqual(["own 2026-01-01 to 2026-04-01"]);
	await ours.advance("2026-04-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-03-01: 20 = pro, Half 20", "2026-04-01: 40 = pro 40"]);
	expect(findings(ours)).toEqual([]);
	const file = ours.transactions.read(ours.actor, (work) => writeCatalogue(exportCatalogue(work), "json"));
	expect(JSON.parse(file).plans[0].charges.phases).toEqual(half);
});

test("a migration at the end of the period has the percentage of the new version then", async () => {
	const { ours, id } = await selling("2026-01-10T00:00:00Z", { phases: half });
	await ours.insist("POST", "/plans/pro/draft");
	const charges = {
		pricingType: "PAID",
		pricingModels: [flat({ month: 60 })],
		phases: [{ ...half[0], percentOff: 25 }],
	};
	await ours.insist("PATCH", "/plans/pro", { charges });
	await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	await ours.insist("POST", `/subscriptions/${id}/migrate`, { subscriptionMigrationTime: "END_OF_BILLING_PERIOD" });
	await ours.advance("2026-03-10T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-01-10: 20 = pro, Half 20",
		"2026-02-10: 45 = pro, Half 45",
		"2026-03-10: 60 = pro 60",
	]);
	expect((await shown(ours, id)).phase).toBeUndefined();
	expect(findings(ours)).toEqual([]);
});

test("phases end in the time zone of the subscription", async () => {
	const { ours, id } = await selling("2026-03-01T05:00:00Z", { phases: half }, { timeZone: "America/New_York" });
	expect((await shown(ours, id)).phase.endDate).toBe("2026-05-01T04:00:00.000Z");
	await ours.advance("2026-05-02T00:00:00Z");
	expect((await ours.books()).map((line) => line.split(" = ")[1])).toEqual(["pro, Half 20", "pro, Half 20", "pro 40"]);
	expect(findings(ours)).toEqual([]);
});
