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
import { found, selling, shown, termShown, totals } from "./agreed";

setDefaultTimeout(60_000);

const monthly = { months: 1, upliftPercentage: 10 };

/** Explains a line of the last invoice. */
async function explained({ insist }: Till, line: number) {
	const { invoiceId } = (await insist("GET", "/customers/acme/invoices?limit=100")).at(-1);
	return insist("GET", `/customers/acme/invoices/${invoiceId}/lines/${line}/explain`);
}

test("the explanation names the increase, also of the cost of transactions and of a minimum", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const transactionPrice = { percentRate: 10, fixedFee: 0.5, currency: "usd" };
	const model = {
		billingModel: "USAGE_BASED",
		featureId: "calls",
		pricePeriods: [{ billingPeriod: "MONTHLY", transactionPrice, minimumAmount: 10 }],
	};
	await ours.plan("pro", [flat({ month: 100 }), model], { term: { ...monthly, upliftsUsage: true } });
	await ours.buy("pro");
	await ours.advance("2026-03-10T00:00:00Z");
	// 10 % of 20.00 and of 55.00, with 0.50 each, is 8.50; two renewals make it 10.285, and the minimum 12.10.
	for (const value of [20, 55]) await ours.use("calls", value);
	await ours.advance("2026-04-01T00:00:00Z");
	expect((await ours.books()).at(-1)).toBe(
		"2026-04-01: 145.2 = 2 Calls (pro) 10.29 + Minimum: Calls (pro) 1.81 + pro 133.1",
	);
	expect((await explained(ours, 3)).price).toMatchObject({ price: 133.1, upliftPercentage: 33.1 });
	const { price, steps } = await explained(ours, 1);
	expect(price.upliftPercentage).toBe(21);
	expect(steps.find(({ of }: { of: string }) => of === "cost").arithmetic).toContain("* (100 + 21) / 100");
	expect(findings(ours)).toEqual([]);
});

test("the next invoice has the increased price", async () => {
	const { ours, id } = await selling("2026-01-01T00:00:00Z", monthly);
	const query = `mutation { previewNextInvoice(input: { subscriptionId: "${id}" }) { total { amount } } }`;
	expect((await data(ours, query)).previewNextInvoice.total.amount).toBe(110);
	expect(await termShown(ours, id)).toBe("1: 2026-01-01 to 2026-02-01");
});

test("GraphQL sets and shows terms", async () => {
	const { ours, id } = await selling("2026-01-01T00:00:00Z", undefined);
	const input = `subscriptionId: "${id}" term: { months: 6, noticePeriodDays: 30, earlyCancellation: PAY_REMAINDER }`;
	const fields =
		"term { months autoRenew renewalMonths } currentTerm { number endDate noticeDate renewal { months } earlyCancellation owedUntil }";
	const { updateSubscription } = await data(ours, `mutation { updateSubscription(input: { ${input} }) { ${fields} } }`);
	expect(updateSubscription).toEqual({
		term: { months: 6, autoRenew: true, renewalMonths: 6 },
		currentTerm: {
			number: 1,
			endDate: "2026-07-01T00:00:00.000Z",
			noticeDate: "2026-06-01T00:00:00.000Z",
			renewal: { months: 6 },
			earlyCancellation: "PAY_REMAINDER",
			owedUntil: null,
		},
	});
	const cleared = `mutation { updateSubscription(input: { subscriptionId: "${id}" term: null }) { currentTerm { number } } }`;
	expect((await data(ours, cleared)).updateSubscription.currentTerm).toBeNull();
	await ours.plan("big", [flat({ month: 9 })], { term: { months: 3 } });
	const plans = `query { plans(filter: { refId: { eq: "big" } }) { edges { node { term { months renewalMonths } } } } }`;
	expect((await data(ours, plans)).plans.edges[0].node.term).toEqual({ months: 3, renewalMonths: 3 });
});

test("a preview takes a term", async () => {
	const { ours } = await selling("2026-01-01T00:00:00Z", undefined);
	const sale = { customerId: "acme", planId: "pro", term: { months: 12 } };
	expect((await ours.insist("POST", "/subscriptions/preview", sale)).recurringInvoice.total).toBe(100);
	const wrong = { ...sale, term: { months: 0 } };
	expect((await ours.call("POST", "/subscriptions/preview", { body: wrong })).body.code).toBe("BadUserInput");
});

test("a simulation has the increases until each period", async () => {
	const { ours } = await selling("2026-01-01T00:00:00Z", monthly);
	await ours.advance("2026-03-10T00:00:00Z");
	await ours.insist("POST", "/plans/pro/draft");
	await ours.insist("PATCH", "/plans/pro", { charges: { pricingType: "PAID", pricingModels: [flat({ month: 200 })] } });
	expect((await simulate(ours, "pro")).currencyTotals).toEqual([total(110, 220)]);
});

test("an import places the subscription by its start, and an exported catalogue has the term", async () => {
	const ours = await till("2026-02-15T00:00:00Z");
	await ours.plan("pro", [flat({ month: 100 })], { term: { months: 6, upliftPercentage: 10 } });
	const item = { id: "s1", customerId: "acme", planId: "pro", startDate: "2025-01-01T00:00:00Z" };
	const imported = async (more: object) => {
		await ours.insist("POST", "/subscriptions/import", { subscriptions: [{ ...item, ...more }] });
		const task = ours.transactions.write(systemActor(""), (work) => claimTask(work, ["IMPORT_SUBSCRIPTIONS"]));
		if (task) await runImport(ours.thread, task);
		return termShown(ours, "s1");
	};
	expect(await imported({})).toBe("3: 2026-01-01 to 2026-07-01");
	expect(await imported({ term: { months: 12, renewalMonths: 2, upliftPercentage: 50 } })).toBe(
		"2: 2026-01-01 to 2026-03-01",
	);
	expect(await imported({})).toBe("2: 2026-01-01 to 2026-03-01");
	await ours.advance("2026-03-01T00:00:00Z");
	expect(await totals(ours)).toEqual(["2026-03-01: 150"]);
	expect(await imported({ term: null })).toBe("3: 2026-01-01 to 2026-07-01");
	expect(findings(ours)).toEqual([]);
	const file = ours.transactions.read(ours.actor, (work) => writeCatalogue(exportCatalogue(work), "json"));
	expect(JSON.parse(file).plans[0].charges.term).toEqual({
		months: 6,
		autoRenew: true,
		noticePeriodDays: 0,
		upliftPercentage: 10,
		upliftsUsage: false,
		renewalMonths: 6,
		earlyCancellation: "AT_TERM_END",
	});
});

test("a term is renewed once in each downtime, and its event is written", async () => {
	const { ours, id } = await selling("2026-01-01T00:00:00Z", monthly);
	await ours.advance("2026-06-10T00:00:00Z");
	expect((await totals(ours)).at(-1)).toBe("2026-06-01: 161.05");
	expect(await termShown(ours, id)).toBe("6: 2026-06-01 to 2026-07-01");
	const { body } = await ours
		.call("GET", "/events?limit=100&type=subscription.term_renewed")
		.catch(() => ({ body: {} }));
	if (Array.isArray(body.data)) expect(body.data.length).toBe(5);
	expect((await shown(ours, id)).problem).toBeUndefined();
	expect(found(ours)).toEqual([]);
});
