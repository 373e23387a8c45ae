import { expect, setDefaultTimeout, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { updateSubscription } from "../../../../../src/areas/subscriptions/operations";
import { data } from "../../../../graphql/ask";
import { dyingAt } from "../../../../support/dying";
import { whilePlanted } from "../../../../support/planted";
import { perUnit, type Till, till, units } from "../../billing";

setDefaultTimeout(60_000);

const found = ({ transactions, actor }: Till) => transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

const lastInvoice = async (ours: Pick<Till, "insist">) =>
	(await ours.insist("GET", "/customers/acme/invoices?limit=100")).at(-1);

/** One seat at 30.00 a month, two from 11 April 2026, requested on 5 May. */
async function shop(more: object = { effectiveDate: "2026-04-11T00:00:00Z" }) {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [perUnit("seats", { month: 30 })]);
	const id = await ours.buy("pro", units("seats", 1));
	await ours.advance("2026-05-05T00:00:00Z");
	await ours.change(id, { ...more, ...units("seats", 2) });
	return { ...ours, id };
}

test("GraphQL previews and makes a dated change, and closes the books", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [perUnit("seats", { month: 30 })]);
	const id = await ours.buy("pro", units("seats", 1));
	await ours.advance("2026-05-05T00:00:00Z");
	const input = `{ subscriptionId: "${id}", unitQuantity: 2, effectiveDate: "2026-04-11T00:00:00Z" }`;
	const { estimateSubscriptionUpdate: shown } = await data(
		ours,
		`mutation { estimateSubscriptionUpdate(input: ${input}) { total { amount } proration { credit { amount } debit { amount } } } }`,
	);
	expect(shown).toEqual({ total: { amount: 50 }, proration: { credit: { amount: 50 }, debit: { amount: 100 } } });
	const set = (date: string) =>
		data(ours, `mutation { updateOneEnvironment(input: { booksClosedUntil: ${date} }) { booksClosedUntil } }`);
	expect((await set('"2026-04-01T00:00:00Z"')).updateOneEnvironment.booksClosedUntil).toBe("2026-04-01T00:00:00.000Z");
	expect((await set("null")).updateOneEnvironment.booksClosedUntil).toBeNull();
	await data(ours, `mutation { updateSubscription(input: ${input}) { subscriptionId } }`);
	expect((await ours.books()).at(-1)).toStartWith("2026-05-05: 50 = ");
	await data(
		ours,
		`mutation { cancelSubscription(input: { subscriptionRefId: "${id}", subscriptionCancellationTime: SPECIFIC_DATE, endDate: "2026-05-01T00:00:00Z", isBackdated: true }) { status } }`,
	);
	// Each invoice of the period has a credit note.
	const notes = await ours.insist("GET", "/customers/acme/credit-notes");
	expect(notes.reduce((sum: number, { total }: { total: number }) => sum + total, 0)).toBe(60);
	expect(found(ours)).toEqual([]);
});

test("each line is explained with the part of its own period", async () => {
	const ours = await shop();
	const invoice = await lastInvoice(ours);
	const line = async (nth: number) =>
		JSON.stringify(await ours.insist("GET", `/customers/acme/invoices/${invoice.invoiceId}/lines/${nth}/explain`));
	expect(await line(1)).toContain("1728000000 / 2592000000");
	expect(await line(2)).toContain("1728000000 / 2592000000");
	expect(await line(4)).toContain("60");
	const explained = await Promise.all([1, 2, 3, 4].map(line));
	const starts = ["2026-04-11", "2026-04-11", "2026-05-01", "2026-05-01"];
	for (const [nth, start] of starts.entries()) expect(explained[nth]).toContain(`"periodStart":"${start}`);
});

test("the check finds planted errors of a dated change", async () => {
	const ours = await shop();
	expect(found(ours)).toEqual([]);
	for (const [statement, said] of [
		["DELETE FROM charge_credits", "in addition to"],
		["DELETE FROM charge_credits", "no credit of it is recorded"],
		["UPDATE charge_credits SET from_at = from_at + 86400000", "in addition to"],
		[
			`UPDATE charge_periods SET rated = json_set(rated, '$.subTotal', '41') WHERE starts_at = ${Date.UTC(2026, 3, 11)}`,
			"its amount counts as 41",
		],
		[`DELETE FROM charge_periods WHERE starts_at = ${Date.UTC(2026, 3, 11)}`, "charges time that no charge"],
		["UPDATE subscription_dated_changes SET effective_at = created_at + 1", "expected an earlier time"],
		[`UPDATE subscriptions SET terms_changed_at = ${Date.UTC(2026, 3, 2)}`, "its last change applies from"],
	] as const)
		expect({
			statement,
			found: whilePlanted(ours.db.$client, statement, () => found(ours)),
		}).toEqual({ statement, found: expect.arrayContaining([expect.stringContaining(said)]) });
});

test("a power cut in a change over 24 periods leaves nothing of it, and the change works afterwards", async () => {
	const ours = await till("2024-04-01T00:00:00Z");
	await ours.plan("pro", [perUnit("seats", { month: 30 })]);
	const id = await ours.buy("pro", units("seats", 1));
	await ours.advance("2026-04-05T00:00:00Z");
	const body = { effectiveDate: "2024-04-16T00:00:00Z", ...units("seats", 2) } as const;
	const before = await ours.books();
	const dying = dyingAt(ours.transactions, 1);
	expect(() =>
		dying.write(ours.actor, (work) =>
			updateSubscription(work, id, { ...body, charges: [{ id: "seats", quantity: 2, type: "FEATURE" }] }),
		),
	).toThrow("killed");
	expect(await ours.books()).toEqual(before);
	expect(found(ours)).toEqual([]);
	await ours.change(id, body);
	const invoice = await lastInvoice(ours);
	expect(invoice).toMatchObject({ total: 15 + 24 * 30 });
	expect(invoice.lineItems).toHaveLength(50);
	expect(found(ours)).toEqual([]);
	const again = await ours.call("PATCH", `/subscriptions/${id}`, {
		body: { ...body, ...units("seats", 3), effectiveDate: "2024-04-15T00:00:00Z" },
	});
	expect(again.body).toMatchObject({ code: "InvalidArgumentError", message: expect.stringContaining("2024-04-16") });
});

test("past periods keep the taxes of their charges", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	for (const [id, percentage] of [
		["low", 10],
		["high", 20],
	] as const)
		await ours.insist("POST", "/taxes", { id, displayName: id, percentage });
	await ours.plan("pro", [perUnit("seats", { month: 30 })]);
	await ours.insist("PATCH", "/customers/acme", { taxes: ["low"] });
	const id = await ours.buy("pro", units("seats", 1));
	await ours.advance("2026-04-20T00:00:00Z");
	await ours.insist("PATCH", "/customers/acme", { taxes: ["high"] });
	await ours.advance("2026-05-05T00:00:00Z");
	await ours.change(id, { effectiveDate: "2026-04-11T00:00:00Z", ...units("seats", 2) });
	const { lineItems, ...invoice } = await lastInvoice(ours);
	expect(lineItems).toHaveLength(4);
	// April: 10 % of -20.00 and 40.00; May: 20 % of -30.00 and 60.00.
	expect(invoice).toMatchObject({ subtotal: 50, tax: 8, total: 58 });
	expect(found(ours)).toEqual([]);
});
