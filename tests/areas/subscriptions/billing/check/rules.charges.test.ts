import { expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, perUnit, type Till, till, units } from "../../billing";

const found = ({ transactions, actor }: Till) => transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

async function changed(body: object = {}) {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 31 }), perUnit("seats", { month: 31 })]);
	const id = await ours.buy("pro", { ...units("seats", 2), ...body });
	await ours.advance("2026-01-11T00:00:00Z");
	await ours.change(id, units("seats", 1));
	expect(found(ours)).toEqual([]);
	return { ours, id };
}

const plant = (ours: Till, column: string, table: string) => ours.db.$client.run(`UPDATE ${table} SET ${column}`);

test("finds a credit that counts as another amount than its lines make", async () => {
	const { ours } = await changed();
	plant(ours, `rated = json_set(rated, '$.subTotal', '41.99')`, "charge_credits");
	expect(found(ours)).toEqual([expect.stringContaining("41.99 counts as credited, its lines credit 42")]);
});

test("finds it on lines that wait for the next invoice, and on an invoice", async () => {
	const { ours } = await changed({ billingInformation: { prorationBehavior: "CREATE_PRORATIONS" } });
	for (const at of ["2026-01-12T00:00:00Z", "2026-02-01T00:00:00Z"]) {
		await ours.advance(at);
		expect(found(ours)).toEqual([]);
		plant(ours, `rated = json_set(rated, '$.subTotal', '20')`, "charge_credits");
		expect(found(ours)).toEqual([expect.stringContaining("20 counts as credited, its lines credit 42")]);
		plant(ours, `rated = json_set(rated, '$.subTotal', '42')`, "charge_credits");
	}
});

test("adds up a credit that several credit notes share", async () => {
	const { ours, id } = await changed();
	await ours.change(id, units("seats", 2));
	await ours.advance("2026-01-21T00:00:00Z");
	await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
	expect(found(ours)).toEqual([]);
	const notes = await ours.insist("GET", "/customers/acme/credit-notes?limit=100");
	expect(notes.length).toBeGreaterThan(2);
	const { changes } = ours.db.$client.run(
		"UPDATE credit_note_lines SET amount = '2' WHERE rowid = (SELECT max(rowid) FROM credit_note_lines)",
	);
	expect(changes).toBe(1);
	expect(found(ours).join()).toContain("counts as credited, its lines credit");
});

test("an invoice whose payment was canceled has credited nothing", async () => {
	const { ours, id } = await changed();
	await ours.change(id, { ...units("seats", 9), awaitPaymentConfirmation: true });
	await ours.advance("2026-01-15T00:00:00Z");
	await ours.change(id, units("seats", 3));
	expect(found(ours)).toEqual([]);
});
