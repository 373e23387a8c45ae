import { customer, type PlantedError } from "./planted-error";
import { ofBank } from "./planted-errors.bank";
import { ofDebits } from "./planted-errors.debits";
import { ofReceipts } from "./planted-errors.receipts";
import type { FolderName } from "./planted-folders";

const acme = "ref_id = 'acme-team'";
const gamma = "ref_id = 'gamma-calls'";
/** The newest renewal of `acme`, which is OPEN; the first invoice of all, which is PAID. */
const open = "number = (SELECT max(number) FROM invoices WHERE state = 'OPEN' AND amount_paid = '0')";
const paid = "number = 'INV-000001'";
const idOf = (invoice: string) => `(SELECT id FROM invoices WHERE ${invoice})`;
const fee = "\"key\" = (SELECT id FROM contract_items WHERE name = 'Fee')";
const ofFee = `charge_id = (SELECT id FROM billing_charges WHERE ${fee} AND replaced_at IS NULL)`;
const ofAcme = `charge_id IN (SELECT id FROM billing_charges WHERE "key" LIKE 'advance/%' AND owner_id = (SELECT id FROM subscriptions WHERE ${acme}))`;
const august = Date.parse("2026-08-01T00:00:00Z");
const march = Date.parse("2026-03-01T00:00:00Z");
const monthMs = 31 * 24 * 60 * 60 * 1000;

/** Doubles the last line of an invoice, and raises its totals as if it belonged there. */
const doubledLine = (invoice: string): string[] => {
	const added = `(SELECT amount FROM invoice_lines WHERE invoice_id = ${idOf(invoice)} ORDER BY position DESC LIMIT 1)`;
	const tax = added.replace("SELECT amount", "SELECT tax");
	return [
		`CREATE TEMP TABLE doubled AS SELECT * FROM invoice_lines WHERE invoice_id = ${idOf(invoice)} ORDER BY position DESC LIMIT 1`,
		`UPDATE invoices SET sub_total = printf('%g', sub_total + ${added}), tax = printf('%g', tax + ${tax}),
		total = printf('%g', total + ${added} + ${tax}),
		total_hundredths = CAST(round(100 * (total + ${added} + ${tax})) AS INTEGER) WHERE ${invoice}`,
		"UPDATE doubled SET position = position + 1",
		"INSERT INTO invoice_lines SELECT * FROM doubled",
	];
};

const ofSubscriptions: readonly PlantedError[] = [
	{
		name: "a paid subscription that nobody bills",
		sql: [`UPDATE subscriptions SET next_due_at = NULL WHERE ${acme}`],
		finds: "the subscription acme-team: its next step is due never, expected 2026-08-01T00:00:00.000Z",
	},
	{
		name: "a subscription that counts as billed a month too far",
		sql: [
			`UPDATE subscriptions SET billed_until = billed_until + ${monthMs}, next_due_at = next_due_at + ${monthMs} WHERE ${acme}`,
			`UPDATE subscriptions SET next_due_at = next_update_at WHERE ${acme}`,
		],
		finds: "the subscription acme-team: it counts as billed until 2026-09-01T00:00:00.000Z, expected 2026-08-01",
	},
	{
		name: "the same, with the period that counts as charged",
		sql: [
			`UPDATE subscriptions SET billed_until = billed_until + ${monthMs} WHERE ${acme}`,
			`UPDATE charge_periods SET ends_at = ends_at + ${monthMs} WHERE ${ofAcme} AND ends_at = ${august}`,
		],
		finds: "the subscription acme-team: it counts as billed until 2026-09-01T00:00:00.000Z, expected 2026-08-01",
	},
	{
		name: "a subscription that is paid by use and counts as billed a month too far",
		sql: [
			`UPDATE subscriptions SET billed_until = billed_until + ${monthMs}, next_due_at = next_due_at + ${monthMs} WHERE ${gamma}`,
		],
		finds: "the subscription gamma-calls: it counts as billed until 2026-09-01T00:00:00.000Z, expected 2026-08-01",
	},
	{
		name: "a subscription whose billing periods are not those of its anchor",
		sql: [
			`UPDATE subscriptions SET billed_until = billed_until + 86400000, next_due_at = next_due_at + 86400000 WHERE ${gamma}`,
		],
		finds: "the subscription gamma-calls: it counts as billed until 2026-08-02",
	},
	{
		name: "a paid subscription without billing periods",
		sql: [`UPDATE subscriptions SET billing_anchor_at = NULL WHERE ${gamma}`],
		finds: "the subscription gamma-calls: it is a paid subscription without billing periods",
	},
	{
		name: "a scheduled change that nobody carries out",
		sql: [`UPDATE subscriptions SET next_update_at = NULL WHERE ${acme}`],
		finds: "the subscription acme-team: its next update comes never, expected 2026-08-01",
	},
	{
		name: "charges in advance that are dropped",
		sql: [
			`UPDATE billing_charges SET replaced_at = 1 WHERE id IN (SELECT charge_id FROM charge_periods WHERE ${ofAcme})`,
		],
		finds: "the subscription acme-team: it counts as charged from 2026-07-01T00:00:00.000Z on, and has no charge",
	},
	{
		name: "a charge in advance of another time",
		sql: [
			`UPDATE charge_periods SET ends_at = ends_at + 1 WHERE ${ofAcme} AND ends_at = ${august}
			AND charge_id = (SELECT max(charge_id) FROM charge_periods WHERE ${ofAcme} AND ends_at = ${august})`,
		],
		finds: ": is charged until 2026-08-01T00:00:00.001Z, expected 2026-08-01T00:00:00.000Z",
	},
	{
		name: "a charge in advance at another amount",
		sql: [
			`UPDATE charge_periods SET rated = json_set(rated, '$.subTotal', '7') WHERE ${ofAcme} AND ends_at = ${august}`,
		],
		finds: ": its amount counts as 7, its lines make",
	},
	{
		name: "a credit of more than was charged",
		sql: ["UPDATE charge_credits SET rated = json_set(rated, '$.subTotal', '999')"],
		finds: "counts as charged, and 999 as credited",
	},
	{
		name: "a charge in advance at another price",
		sql: [
			`UPDATE billing_charges SET terms = json_set(terms, '$.item.charge.price.amount', '77')
			WHERE id IN (SELECT charge_id FROM charge_periods WHERE ${ofAcme} AND ends_at = ${august})`,
		],
		finds: '"amount":"77"',
	},
	{
		name: "a line that is doubled within its invoice",
		sql: doubledLine(open),
		finds: "charged twice, by line",
	},
	{
		name: "a doubled line with another charge id",
		sql: [...doubledLine(open).slice(0, -1), "UPDATE doubled SET charge_id = 'copy'", ...doubledLine(open).slice(-1)],
		finds: ": a line is not what Tollgate wrote",
	},
	{
		name: "a printed number that is not that of its count",
		sql: [`UPDATE invoices SET number = 'INV-000077' WHERE ${open}`],
		finds: "and its number is not",
	},
	{
		name: "a number with a prefix that its legal entity never had",
		sql: [`UPDATE invoices SET number = replace(number, 'INV', 'IVN') WHERE ${open}`],
		finds: "and its number is not",
	},
	{
		name: "a later number with an earlier date",
		sql: [`UPDATE invoices SET issued_at = issued_at - ${2 * monthMs} WHERE ${open}`],
		finds: ": its date is 2026-0",
	},
	{
		name: "counts that are exchanged between two invoices",
		sql: [
			"UPDATE invoices SET number_count = 1000 WHERE number_count = 3",
			"UPDATE invoices SET number_count = 3, number = 'INV-000003' WHERE number_count = 4",
			"UPDATE invoices SET number_count = 4, number = 'INV-000004' WHERE number_count = 1000",
		],
		finds: "its count is 4, the document issued before it has 2",
	},
	{
		name: "an invoice that became PAID without a payment",
		sql: [`UPDATE invoices SET state = 'PAID', paid_at = issued_at WHERE ${open}`],
		finds: "it is PAID, and ",
	},
	{
		name: "a PAID invoice without the date of its payment",
		sql: [`UPDATE invoices SET paid_at = NULL WHERE ${paid}`],
		finds: "it is PAID, and the date of its payment is not",
	},
	{
		name: "an invoice that was canceled by hand",
		sql: [`UPDATE invoices SET state = 'CANCELED', canceled_at = issued_at WHERE ${open}`],
		finds: " is not what Tollgate wrote",
	},
	{
		name: "an invoice that was canceled by hand, and whose payment did not go back",
		sql: ["UPDATE invoices SET state = 'CANCELED', canceled_at = issued_at WHERE state = 'OPEN' AND amount_paid = '2'"],
		finds: "of it was paid, and 0 went back to the balance",
	},
	{
		name: "a credit note that refers to another invoice",
		sql: [`UPDATE credit_notes SET invoice_id = ${idOf(open)}, reduces_due = 0`],
		finds: "and refers to INV-",
	},
	{
		name: "a credit note that names and refers to another invoice",
		sql: [
			`UPDATE credit_notes SET (invoice_id, invoice_number) = (SELECT id, number FROM invoices WHERE ${paid}), reduces_due = 0
			WHERE is_by_hand = 1`,
		],
		finds: "has no such line",
	},
	{
		name: "an invoice in another currency",
		sql: [`UPDATE invoices SET currency = 'eur' WHERE ${open}`],
		finds: "its price is in usd, the document in eur",
	},
	{
		name: "an invoice and its lines in another currency",
		sql: [
			`UPDATE invoices SET currency = 'eur' WHERE ${open}`,
			`UPDATE invoice_lines SET basis = replace(basis, '"usd"', '"eur"') WHERE invoice_id = ${idOf(open)}`,
		],
		finds: "is none of version 1 of team",
	},
	{
		name: "a credit note in another currency",
		sql: ["UPDATE credit_notes SET currency = 'eur' WHERE is_by_hand = 1"],
		finds: "its currency is eur",
	},
	{
		name: "a due date that was moved",
		sql: [`UPDATE invoices SET due_at = due_at + ${monthMs} WHERE ${open}`],
		finds: " is not what Tollgate wrote",
	},
	{
		name: "a due date before the date of issue",
		sql: [`UPDATE invoices SET due_at = issued_at - 1 WHERE ${open}`],
		finds: "before it was issued",
	},
	{
		name: "an invoice that was moved to another customer",
		sql: [`UPDATE invoices SET customer_id = ${customer("beta")} WHERE ${open}`],
		finds: " is not what Tollgate wrote",
	},
	{
		name: "an invoice with an entry of a balance that was moved to another customer",
		sql: [
			`UPDATE invoices SET customer_id = ${customer("beta")} WHERE id IN
			(SELECT invoice_id FROM customer_balance_entries WHERE kind = 'APPLIED')`,
		],
		finds: "that of the balance it changed is",
	},
	{
		name: "a credit note that was moved to another customer",
		sql: [`UPDATE credit_notes SET customer_id = ${customer("gamma")} WHERE is_by_hand = 1`],
		finds: "its customerId is",
	},
	{
		name: "an invoice whose seal was removed",
		sql: [`UPDATE invoices SET seal = NULL, due_at = due_at + ${monthMs} WHERE ${open}`],
		finds: " has no seal, and ",
	},
	...ofReceipts,
	{
		name: "a payment by another method",
		sql: ["UPDATE receipts SET method = 'CASH'"],
		finds: "is not what Tollgate wrote",
	},
	{
		name: "a payment of another amount, with the invoice's",
		sql: [
			"UPDATE allocations SET amount = '3' WHERE amount = '2'",
			"UPDATE receipts SET amount = '3' WHERE amount = '2'",
			"UPDATE invoices SET amount_paid = '3' WHERE amount_paid = '2'",
		],
		finds: "is not what Tollgate wrote",
	},
	{
		name: "an entry of a balance of another kind",
		sql: ["UPDATE customer_balance_entries SET kind = 'ADJUSTED' WHERE kind = 'OVERPAID'"],
		finds: "is not what Tollgate wrote",
	},
];

const ofContracts: readonly PlantedError[] = [
	{
		name: "a contract that nobody invoices",
		sql: ["UPDATE contracts SET next_due_at = NULL"],
		finds: "the contract C-1 has invoices to come, and nothing issues them",
	},
	{
		name: "a contract that is invoiced a month too late",
		sql: [`UPDATE contracts SET next_due_at = next_due_at + ${monthMs}`],
		finds: "the contract C-1 is due at another time than its next invoice",
	},
	{
		name: "an item that counts as invoiced a month too far, with the contract's next invoice",
		sql: [
			`UPDATE billing_charges SET billed_until = billed_until + ${monthMs} WHERE ${fee}`,
			`UPDATE contracts SET next_due_at = next_due_at + ${monthMs}`,
		],
		finds: "is not invoiced as far as it says",
	},
	{
		name: "a cycle that counts as invoiced and is on no invoice",
		sql: [
			`UPDATE billing_charges SET billed_until = 1780272000000 WHERE ${fee}`,
			`UPDATE contracts SET next_due_at = 1777593600000`,
			`CREATE TEMP TABLE period AS SELECT * FROM charge_periods WHERE ${ofFee} ORDER BY starts_at DESC LIMIT 1`,
			"UPDATE period SET starts_at = ends_at, ends_at = 1780272000000",
			"INSERT INTO charge_periods SELECT * FROM period",
		],
		finds: "subTotal 100 counts as invoiced, its lines make 0",
	},
	{
		name: "a charge at another price",
		sql: [`UPDATE billing_charges SET terms = json_set(terms, '$.price.rows[0].price', '7') WHERE ${fee}`],
		finds: "its item has",
	},
	{
		name: "a charge with another tax",
		sql: [`UPDATE billing_charges SET terms = json_set(terms, '$.taxPercentage', '7') WHERE ${fee}`],
		finds: "was taxed by 20%, its item has 7%",
	},
	{
		name: "a charge that counts as replaced",
		sql: [`UPDATE billing_charges SET replaced_at = 1 WHERE ${fee}`],
		finds: "is not invoiced as far as it says",
	},
	{
		name: "a period of a charge that is dropped",
		sql: [`DELETE FROM charge_periods WHERE ${ofFee} AND starts_at = ${march}`],
		finds: "is not invoiced for some time",
	},
	{
		name: "a period that begins a day late",
		sql: [`UPDATE charge_periods SET starts_at = starts_at + 86400000 WHERE ${ofFee} AND starts_at = ${march}`],
		finds: "is not invoiced for some time",
	},
	{
		name: "a period at another amount",
		sql: [
			`UPDATE charge_periods SET rated = json('{"subTotal":"90","discount":"0","tax":"18","total":"108"}')
			WHERE ${ofFee} AND starts_at = ${march}`,
		],
		finds: "subTotal 90 counts as invoiced, its lines make 100",
	},
	{
		name: "a period that another system counts as having billed",
		sql: [`UPDATE charge_periods SET state = 'ELSEWHERE' WHERE ${ofFee} AND starts_at = ${march}`],
		finds: "counts as invoiced nowhere",
	},
	{
		name: "usage that counts as billed and is not",
		sql: ["UPDATE charge_periods SET usage_quantity = '9' WHERE usage_quantity = '7'"],
		finds: "9 counts as billed, its invoices bill 7",
	},
	{
		name: "a credit of a period that is dropped",
		sql: ["DELETE FROM charge_credits"],
		finds: "is invoiced twice for some time",
	},
	{
		name: "a credit at another amount",
		sql: ["UPDATE charge_credits SET rated = json_set(rated, '$.total', '90')"],
		finds: "100 was billed from 2026-03-01T00:00:00.000Z to 2026-04-01T00:00:00.000Z, and 90 counts as credited",
	},
	{
		name: "a credit of another time",
		sql: ["UPDATE charge_credits SET to_at = to_at - 1"],
		finds: "100 counts as credited from 2026-03-01T00:00:00.000Z to 2026-03-31T23:59:59.999Z",
	},
	{
		name: "a credit that no credit note made, of a period that nobody bills again",
		sql: [
			`INSERT INTO charge_credits SELECT charge_id, starts_at, revision, starts_at, ends_at, environment_id, rated, NULL, created_at
			FROM charge_periods WHERE ${ofFee} AND starts_at = ${march}`,
		],
		finds: "is not invoiced for some time",
	},
	{
		name: "an invoice that was moved to another contract",
		sql: ["UPDATE invoices SET contract_id = 'other' WHERE number = 'INV-000001'"],
		finds: "and no invoice of the contract says so",
	},
];

const ofDrafts: readonly PlantedError[] = [
	{
		name: "a draft that nobody issues",
		sql: ["UPDATE invoices SET next_due_at = NULL"],
		finds: "is never issued by itself",
	},
	{
		name: "an invoice that became a draft again",
		sql: ["UPDATE invoices SET state = 'DRAFT' WHERE number = 'INV-000001'"],
		finds: "the draft",
	},
];

export const plantedErrors: Readonly<Record<FolderName, readonly PlantedError[]>> = {
	subscriptions: ofSubscriptions,
	contracts: ofContracts,
	drafts: ofDrafts,
	bank: ofBank,
	debits: ofDebits,
};
