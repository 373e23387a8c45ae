import { expect, setDefaultTimeout, test } from "bun:test";
import { exportCatalogue } from "../../../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../../../src/areas/catalog/rules.file";
import { viewDifference } from "../../../../../src/areas/catalog/rules.summary";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { previewNextInvoice } from "../../../../../src/areas/subscriptions/preview/next-invoice";
import { data } from "../../../../graphql/ask";
import { apply } from "../../../catalog/files";
import { flat, perUnit, type Till, till, units, used } from "../../billing";

setDefaultTimeout(60_000);

const inArrears = { paymentTime: "IN_ARREARS" };

/** The plan `pro` with seats in arrears by the day, sold with 10 and from 16 April with 15. */
async function shop(): Promise<Till & { readonly id: string }> {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [perUnit("seats", { month: 12 }, { ...inArrears, prorationMode: "BY_DAY" })]);
	const id = await ours.buy("pro", units("seats", 10));
	await ours.advance("2026-04-16T00:00:00Z");
	await ours.change(id, units("seats", 15));
	return { ...ours, id };
}

test("REST and GraphQL show the payment time of a price, and leave the default out", async () => {
	const ours = await shop();
	const [price] = await ours.insist("GET", "/plans/pro/charges");
	expect(price).toMatchObject(inArrears);
	await ours.plan("max", [flat({ month: 1 }, { paymentTime: "IN_ADVANCE" })]);
	expect((await ours.insist("GET", "/plans/max/charges"))[0]).not.toHaveProperty("paymentTime");
	const { plan } = await data(ours, '{ plan(refId: "pro") { prices { paymentTime } } }');
	expect(plan.prices).toEqual([{ paymentTime: "IN_ARREARS" }]);
});

test("a preview charges nothing at once, and shows the price of a period", async () => {
	const ours = await shop();
	const body = { customerId: "acme", planId: "pro", ...units("seats", 20) };
	const preview = await ours.insist("POST", "/subscriptions/preview", body);
	expect(preview.immediateInvoice.total).toBe(60);
	expect(preview.recurringInvoice.total).toBe(240);
});

test("the preview of the next invoice has one line for each stretch", async () => {
	const ours = await shop();
	const next = ours.transactions.write(ours.actor, (work) => previewNextInvoice(work, ours.id));
	expect(next?.lines.map(({ amount }) => Number(amount))).toEqual([60, 90]);
});

test("the explanation of a stretch counts its days", async () => {
	const ours = await shop();
	await ours.advance("2026-05-01T00:00:00Z");
	const [invoice] = await ours.insist("GET", "/customers/acme/invoices?limit=10");
	const { steps } = await ours.insist("GET", `/customers/acme/invoices/${invoice.invoiceId}/lines/1/explain`);
	expect(JSON.stringify(steps)).toContain("15 / 30");
});

test("the catalogue file states the payment time", async () => {
	const ours = await shop();
	const text = writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");
	expect(text).toContain("paymentTime: IN_ARREARS");
	expect(apply(ours, text).changes).toEqual([]);
	const changed = viewDifference(apply(ours, text.replace("paymentTime: IN_ARREARS", "paymentTime: IN_ADVANCE")), true);
	expect(changed).toContain("pricingModels");
});

test("a trial publication shows the payment time, and a simulation rates the same amount", async () => {
	const ours = await shop();
	await ours.insist("POST", "/plans/pro/draft");
	const charges = { pricingType: "PAID", pricingModels: [perUnit("seats", { month: 12 })] };
	await ours.insist("PATCH", "/plans/pro", { charges });
	const impact = await ours.insist("POST", "/plans/pro/publish?dryRun=true", { migrationType: "NEW_CUSTOMERS" });
	expect(JSON.stringify(impact)).toContain("IN_ARREARS");
});

test.each([
	["a one-off fee", flat({ month: 1 }, { ...inArrears, billingCadence: "ONE_OFF" }), "ONE_OFF"],
	["a fee that refunds nothing", flat({ month: 1 }, { ...inArrears, refundsUnusedTime: false }), "refundsUnusedTime"],
	["a minimum spend", { ...flat({ month: 1 }, inArrears), billingModel: "MINIMUM_SPEND" }, "MINIMUM_SPEND"],
	["usage in advance", { ...used("calls", { month: 1 }), paymentTime: "IN_ADVANCE" }, "USAGE_BASED"],
] as const)("refuses %s", async (_, model, place) => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.insist("POST", "/plans", { id: "pro", displayName: "pro", productId: "app" });
	const body = { charges: { pricingType: "PAID", pricingModels: [model] } };
	const answer = await ours.call("PATCH", "/plans/pro", { body });
	expect([answer.status, answer.body.code]).toEqual([400, "UnsupportedParameter"]);
	expect(answer.body.message).toContain(place);
});

test("usage in arrears is the default", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [{ ...used("calls", { month: 1 }), ...inArrears }]);
	expect((await ours.insist("GET", "/plans/pro/charges"))[0]).not.toHaveProperty("paymentTime");
});

test.each([
	["an amount", "UPDATE charge_periods SET rated = json_set(rated, '$.subTotal', '59')"],
	["the start of a stretch", "UPDATE charge_periods SET starts_at = starts_at + 86400000"],
	["the end of a stretch", "UPDATE charge_periods SET ends_at = ends_at - 86400000"],
	["a mode", "UPDATE billing_charges SET proration_mode = 'NONE'"],
	["the billed time", "UPDATE billing_charges SET billed_until = billed_until - 86400000 WHERE replaced_at IS NULL"],
	["a zone", "UPDATE billing_charges SET time_zone = 'Asia/Tokyo' WHERE replaced_at IS NULL"],
])("the check finds %s that was planted", async (_, planted) => {
	const ours = await shop();
	await ours.advance("2026-05-02T00:00:00Z");
	const drift = () => ours.transactions.read(ours.actor, (work) => [...checkSubscriptionBills(work)]);
	expect(drift()).toEqual([]);
	ours.transactions.write(ours.actor, (work) => work.tx.run(planted));
	expect(drift().join()).toContain(ours.id);
});
