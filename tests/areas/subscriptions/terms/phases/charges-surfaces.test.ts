import { expect, setDefaultTimeout, test } from "bun:test";
import { systemActor } from "../../../../../src/areas/access/rules.actors";
import { exportCatalogue } from "../../../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../../../src/areas/catalog/rules.file";
import { runImport } from "../../../../../src/areas/subscriptions/import/import";
import { claimTask } from "../../../../../src/tasks/operations";
import { data } from "../../../../graphql/ask";
import { apply } from "../../../catalog/files";
import { findings } from "../../../pricing/window-cost/findings";
import { simulate, total } from "../../../simulations/simulation";
import { flat, till, used } from "../../billing";
import { month, phasesShown, priced, shown } from "./shop";

setDefaultTimeout(60_000);

const start = priced("start", 2, [flat({ month: 10 })]);
const plan = { pricingType: "PAID", pricingModels: [flat({ month: 40 })], phases: [start] };

async function selling(at: string) {
	const ours = await till(at);
	await ours.plan("pro", [flat({ month: 40 })], { phases: [start] });
	return { ours, id: await ours.buy("pro") };
}

test("a price without a currency takes that of the plan, and responses show it", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.insist("POST", "/plans", { id: "pro", productId: "app", displayName: "pro" });
	const bare = { billingModel: "FLAT_FEE", pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount: 10 } }] };
	const pricingModels = [flat({ month: [40, "eur"] })];
	const charges = { pricingType: "PAID", pricingModels, phases: [priced("start", 2, [bare])] };
	const { phases } = await ours.insist("PATCH", "/plans/pro", { charges });
	expect(phases).toEqual([priced("start", 2, [flat({ month: [10, "eur"] })])]);
	expect((await ours.insist("GET", "/plans/pro")).phases).toEqual(phases);
});

test("the explanation names the phase without a percentage", async () => {
	const { ours } = await selling("2026-01-01T00:00:00Z");
	const [{ invoiceId }] = await ours.insist("GET", "/customers/acme/invoices?limit=1");
	const { price } = await ours.insist("GET", `/customers/acme/invoices/${invoiceId}/lines/1/explain`);
	expect([price.phase, price.price]).toEqual([{ id: "start" }, 10]);
});

test("a preview, of a draft too, and the next invoice have the prices of the phase", async () => {
	const { ours, id } = await selling("2026-01-01T00:00:00Z");
	await ours.insist("POST", "/plans/pro/draft");
	const preview = await ours.insist("POST", "/plans/pro/preview", { draft: { pricing: plan } });
	expect([preview.immediateInvoice.total, preview.recurringInvoice.total]).toEqual([10, 10]);
	const own = { customerId: "acme", planId: "pro", phases: [start], startDate: "2026-02-01T00:00:00Z" };
	expect((await ours.insist("POST", "/subscriptions/preview", own)).recurringInvoice.total).toBe(10);
	await ours.advance("2026-02-10T00:00:00Z");
	const query = `mutation { previewNextInvoice(input: { subscriptionId: "${id}" }) { total { amount } } }`;
	expect((await data(ours, query)).previewNextInvoice.total.amount).toBe(40);
});

test("a dry run of a publication shows the change, and a simulation has the prices of each phase", async () => {
	const { ours } = await selling("2026-01-01T00:00:00Z");
	await ours.advance("2026-02-10T00:00:00Z");
	await ours.insist("POST", "/plans/pro/draft");
	const phases = [priced("start", 2, [flat({ month: 15 })])];
	await ours.insist("PATCH", "/plans/pro", { charges: { ...plan, phases } });
	const { impact } = await ours.insist("POST", "/plans/pro/publish?dryRun=true", { migrationType: "NEW_CUSTOMERS" });
	expect(impact.phases).toEqual({ before: [start], after: phases });
	expect((await simulate(ours, "pro")).currencyTotals).toEqual([total(10, 15)]);
});

test("GraphQL sets and shows charges of phases", async () => {
	const { ours, id } = await selling("2026-01-01T00:00:00Z");
	const price = "price: { amount: 7, currency: usd }";
	const charges = `{ pricingModels: [{ billingModel: FLAT_FEE, pricePeriods: [{ billingPeriod: MONTHLY, ${price} }] }] }`;
	const input = `subscriptionId: "${id}" phases: [{ id: "own", duration: { unit: MONTH, count: 1 }, charges: ${charges} }]`;
	const fields = "phases { id percentOff charges } phase { id percentOff } prices { price { price { amount } } }";
	const { updateSubscription } = await data(ours, `mutation { updateSubscription(input: { ${input} }) { ${fields} } }`);
	expect(updateSubscription).toEqual({
		phases: [{ id: "own", percentOff: null, charges: { pricingModels: [flat({ month: 7 })] } }],
		phase: { id: "own", percentOff: null },
		prices: [{ price: { price: { amount: 7 } } }],
	});
	expect((await ours.books()).at(-1)).toContain("pro, own 7");
});

test("an import places the subscription in the phase of its start", async () => {
	const ours = await till("2026-02-15T00:00:00Z");
	await ours.plan("pro", [flat({ month: 40 })]);
	const item = { id: "s1", customerId: "acme", planId: "pro", startDate: "2026-01-01T00:00:00Z", phases: [start] };
	await ours.insist("POST", "/subscriptions/import", { subscriptions: [item] });
	const task = ours.transactions.write(systemActor(""), (work) => claimTask(work, ["IMPORT_SUBSCRIPTIONS"]));
	if (task) await runImport(ours.thread, task);
	expect(await phasesShown(ours, "s1")).toEqual(["start 2026-01-01 to 2026-03-01"]);
	expect((await shown(ours, "s1")).phases).toEqual([start]);
	await ours.advance("2026-03-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-03-01: 40 = pro 40"]);
	expect(findings(ours)).toEqual([]);
});

test("a catalogue file has the charges of phases, and applying it again changes nothing", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const more = {
		prorationMode: "BY_DAY",
		minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 3, currency: "usd" } }],
	};
	const phase = priced("start", 2, [used("calls", { month: 0.5 }), flat({ month: 10 })], more);
	await ours.plan("pro", [flat({ month: 40 })], {
		phases: [phase, { id: "half", duration: month(1), percentOff: 50 }],
	});
	const file = ours.transactions.read(ours.actor, (work) => writeCatalogue(exportCatalogue(work), "json"));
	const [{ charges }] = JSON.parse(file).plans;
	expect(charges.phases[0].charges).toMatchObject({ prorationMode: "BY_DAY", minimumSpend: more.minimumSpend });
	expect(charges.phases[0].charges.pricingModels.map((one: { billingModel: string }) => one.billingModel)).toEqual([
		"FLAT_FEE",
		"USAGE_BASED",
	]);
	const again = apply(ours, file);
	expect(again.changes).toEqual([]);
	const dearer = file.replace('"amount": 10', '"amount": 12');
	expect(dearer).not.toBe(file);
	expect(JSON.stringify(apply(ours, dearer).changes)).toContain("phases");
	expect((await ours.insist("GET", "/plans/pro")).phases[0].charges.pricingModels[0]).toEqual(flat({ month: 12 }));
});

test("a feature that only a phase prices is used by the plan, and an archived one is refused", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 40 })], {
		phases: [priced("start", 2, [used("calls", { month: 1 }), flat({ month: 1 })])],
	});
	expect((await ours.call("POST", "/features/calls/archive")).status).toBe(400);
});
