import { expect, setDefaultTimeout, test } from "bun:test";
import { checkDocuments } from "../../../../src/areas/invoices/check/operations.check";
import { checkInvoices } from "../../../../src/areas/invoices/check/operations.sums";
import { checkSubscriptionBills } from "../../../../src/areas/subscriptions/billing/check/operations";
import { whilePlanted } from "../../../support/planted";
import { flat, till } from "../../subscriptions/billing";

setDefaultTimeout(60_000);

/** A payer whose two subscriptions share an invoice. */
async function shared() {
	const ours = await till("2026-03-01T00:00:00Z");
	await ours.customer("group", { invoiceGrouping: "CONSOLIDATED" });
	await ours.plan("pro", [flat({ month: 30 })]);
	for (const id of ["north", "south"]) {
		await ours.customer(id, { parentCustomerId: "group", billsTo: "PARENT" });
		await ours.buy("pro", { id: `of-${id}`, customerId: id });
	}
	await ours.advance("2026-04-01T00:00:00Z");
	const check = () =>
		ours.transactions.read(ours.actor, (work) => [
			...checkInvoices(work),
			...checkDocuments(work),
			...checkSubscriptionBills(work),
		]);
	return { ...ours, check };
}

const invoice = "(SELECT invoice_id FROM consolidated_invoices)";
const lineOf = (id: string) => `invoice_id = ${invoice} AND subscription_ref_id = '${id}'`;

test("finds no difference where all is well", async () => {
	expect((await shared()).check()).toEqual([]);
});

test.each([
	[
		"a line of another subscription",
		`UPDATE invoice_lines SET subscription_ref_id = 'of-south' WHERE ${lineOf("of-north")}`,
		"its subscription of-north has no line",
	],
	[
		"a line without a subscription",
		`UPDATE invoice_lines SET subscription_ref_id = NULL WHERE ${lineOf("of-north")}`,
		"its subscription is null, which is none of the invoice",
	],
	[
		"a missing subscription",
		"DELETE FROM invoice_subscriptions WHERE subscription_ref_id = 'of-north'",
		"its subscription is of-north, which is none of the invoice",
	],
	[
		"a period that is on no invoice",
		"DELETE FROM invoice_subscriptions WHERE subscription_ref_id = 'of-north'",
		"counts as charged for 2026-04-01",
	],
	[
		"an invoice that names one subscription",
		`UPDATE invoices SET subscription_id = 'x' WHERE id = ${invoice}`,
		"it is consolidated, and names the subscription x",
	],
	[
		"an amount that is not the price",
		`UPDATE invoice_lines SET amount = '31', total = '31' WHERE ${lineOf("of-north")}`,
		"its lines make",
	],
	[
		"a draft that is never issued",
		`UPDATE invoices SET state = 'DRAFT', sequence = 0, number = '' WHERE id = ${invoice}`,
		"is never issued by itself",
	],
])("finds %s", async (_, statement, finding) => {
	const ours = await shared();
	expect(whilePlanted(ours.db.$client, statement, ours.check).join("\n")).toContain(finding);
});
