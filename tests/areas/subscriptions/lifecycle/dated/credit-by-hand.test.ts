import { expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, type Till, till, used } from "../../billing";

const found = ({ transactions, actor }: Till) => transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

const date = "2026-04-11T00:00:00Z";

const calls = used("calls", { month: 0.5 });

/** Sells from 1 April 2026, with 10 calls on 5 April and 20 on 15 April at 0.50. The clock stands on 5 May. */
async function selling(models: readonly object[] = [flat({ month: 30 }), calls]) {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", models);
	const id = await ours.buy("pro");
	await ours.advance("2026-04-21T00:00:00Z");
	await ours.use("calls", 10, "2026-04-05T00:00:00Z");
	await ours.use("calls", 20, "2026-04-15T00:00:00Z");
	await ours.advance("2026-05-05T00:00:00Z");
	return { ours, id };
}

/** The invoice of 1 May and the place of its line of usage. */
async function billed({ insist }: Till) {
	const invoices = await insist("GET", "/customers/acme/invoices?limit=100");
	const invoice = invoices.find(({ issueDate }: { issueDate: string }) => issueDate.startsWith("2026-05-01"));
	const line = invoice.lineItems.findIndex(({ amount }: { amount: number }) => amount === 15) + 1;
	return { invoice, line, path: `/customers/acme/invoices/${invoice.invoiceId}/credit-note` };
}

test("usage that a dated change has reversed cannot be credited by hand in addition (2.22)", async () => {
	const { ours, id } = await selling();
	await ours.change(id, { effectiveDate: date, priceOverrides: [{ featureId: "calls", amount: 0.2 }] });
	const { invoice, line, path } = await billed(ours);
	for (const amount of [undefined, 1]) {
		const refused = await ours.call("POST", path, { body: { lines: [{ line, ...(amount && { amount }) }] } });
		expect(refused.status).toBe(400);
		expect(refused.body).toMatchObject({ code: "InvalidArgumentError" });
		expect(refused.body.message).toBe(
			`Nothing of line ${line} of ${invoice.invoiceNumber} is left to credit: a change with an earlier date has credited it.`,
		);
	}
	// The fee of the same invoice can be credited.
	const fee = await ours.insist("POST", path, { lines: [{ line: line === 1 ? 2 : 1 }] });
	expect(fee.total).toBe(30);
	expect(found(ours)).toEqual([]);
});

test("usage that a backdated end has reversed cannot be credited by hand in addition (2.22)", async () => {
	const { ours, id } = await selling([calls]);
	await ours.cancel(id, { cancellationTime: "SPECIFIC_DATE", endDate: date, isBackdated: true });
	const { line, path } = await billed(ours);
	const refused = await ours.call("POST", path, { body: { lines: [{ line }] } });
	expect(refused.body).toMatchObject({
		code: "InvalidArgumentError",
		message: expect.stringContaining("a change with an earlier date has credited it"),
	});
	expect(found(ours)).toEqual([]);
});
