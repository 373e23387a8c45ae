import { expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, perUnit, type Till, till, units } from "../../billing";

const rowsOf = ({ db }: Till, sql: string): string[] =>
	db.$client
		.query<{ total: string; at: number }, []>(sql)
		.all()
		.map(({ total, at }) => `${total} from ${new Date(at).toISOString().slice(0, 16)}`);

const creditsOf = (ours: Till) =>
	rowsOf(ours, "SELECT rated ->> 'total' AS total, from_at AS at FROM charge_credits ORDER BY from_at, total");
const chargesOf = (ours: Till) =>
	rowsOf(ours, "SELECT rated ->> 'total' AS total, starts_at AS at FROM charge_periods ORDER BY starts_at, created_at");
const drift = ({ transactions, actor }: Till) => transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

// The simulation found that the check missed a credit which the customer had got.
test("a paid change to a new cycle records the credit of the period that began while it waited", async () => {
	const ours = await till("2026-02-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 28 })]);
	const id = await ours.buy("pro");
	await ours.advance("2026-02-28T12:00:00Z");
	await ours.insist("PATCH", `/subscriptions/${id}`, { billingCycleAnchor: "NOW", awaitPaymentConfirmation: true });
	await ours.advance("2026-03-01T06:00:00Z");
	const [, { invoiceId }] = await ours.insist("GET", "/customers/acme/invoices");
	await ours.insist("POST", `/customers/acme/invoices/${invoiceId}/paid`, {});
	expect(creditsOf(ours)).toEqual(["0.5 from 2026-02-28T12:00", "28 from 2026-03-01T00:00"]);
	await ours.advance("2026-03-10T00:00:00Z");
	await ours.insist("POST", `/subscriptions/${id}/pause`, {});
	expect(drift(ours)).toEqual([]);
	expect(await ours.books()).toEqual([
		"2026-02-01: 28 = pro 28",
		"2026-02-28T12:00: 27.5 = Unused time: pro -0.5 + pro 28",
		"2026-03-01: 28 = pro 28",
		"2026-03-01T06:00: -28 = Unused time: pro -28",
		"2026-03-10: -18.5 = Unused time: pro -18.5",
	]);
});

test("a paid change that a renewal preceded records the credit and the charge of the former period", async () => {
	const ours = await till("2026-02-01T00:00:00Z");
	await ours.plan("pro", [perUnit("seats", { month: 28 })]);
	const id = await ours.buy("pro", units("seats", 1));
	await ours.advance("2026-02-28T12:00:00Z");
	await ours.insist("PATCH", `/subscriptions/${id}`, { ...units("seats", 3), awaitPaymentConfirmation: true });
	await ours.advance("2026-03-01T06:00:00Z");
	const [, { invoiceId }] = await ours.insist("GET", "/customers/acme/invoices");
	await ours.insist("POST", `/customers/acme/invoices/${invoiceId}/paid`, {});
	expect(await ours.books()).toEqual([
		"2026-02-01: 28 = Seats (pro) 28",
		"2026-02-28T12:00: 1 = Unused time: Seats (pro) -0.5 + 3 Seats (pro) 1.5",
		"2026-03-01: 28 = Seats (pro) 28",
		"2026-03-01T06:00: 55.55 = Unused time: Seats (pro) -27.77 + 3 Seats (pro) 83.32",
	]);
	expect(creditsOf(ours)).toEqual(["0.5 from 2026-02-28T12:00", "27.77 from 2026-03-01T06:00"]);
	expect(chargesOf(ours)).toEqual([
		"28 from 2026-02-01T00:00",
		"1.5 from 2026-02-28T12:00",
		"28 from 2026-03-01T00:00",
		"83.32 from 2026-03-01T06:00",
	]);
	expect(drift(ours)).toEqual([]);
	await ours.change(id, { ...units("seats", 2), effectiveDate: "2026-03-01T06:00:00Z" });
	expect(drift(ours)).toEqual([]);
});

test("a subscription paid after the renewal of the one that it replaces records the credit of the former period", async () => {
	const ours = await till("2026-02-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 28 })]);
	await ours.plan("next", [flat({ month: 56 })]);
	await ours.buy("pro");
	await ours.advance("2026-02-28T12:00:00Z");
	await ours.insist("POST", "/subscriptions", { customerId: "acme", planId: "next", awaitPaymentConfirmation: true });
	await ours.advance("2026-03-01T06:00:00Z");
	const [, { invoiceId }] = await ours.insist("GET", "/customers/acme/invoices");
	await ours.insist("POST", `/customers/acme/invoices/${invoiceId}/paid`, {});
	expect(creditsOf(ours)).toEqual(["0.5 from 2026-02-28T12:00", "28 from 2026-03-01T00:00"]);
	expect(drift(ours)).toEqual([]);
});
