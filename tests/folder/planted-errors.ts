import type { FolderName } from "./planted-folders";

/**
 * An error in the money tables of a stopped server's main.db, which `tollgate check --billing` must find. Each table that holds
 * money, or decides when money is billed, has its rows here.
 */
export interface PlantedError {
	readonly name: string;
	readonly sql: readonly string[];
	/** A part of the finding. */
	readonly finds: string;
}

const acme = "ref_id = 'acme-team'";
const gamma = "ref_id = 'gamma-calls'";
const customer = (refId: string) => `(SELECT id FROM customers WHERE ref_id = '${refId}')`;
/** The newest renewal of `acme`, which is OPEN; the first invoice of all, which is PAID. */
const open = "number = (SELECT max(number) FROM invoices WHERE state = 'OPEN' AND amount_paid = '0')";
const paid = "number = 'INV-000001'";
const idOf = (invoice: string) => `(SELECT id FROM invoices WHERE ${invoice})`;
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
			`UPDATE subscriptions SET billed_until = billed_until + ${monthMs},
			charged = json_set(charged, '$.period.end', billed_until + ${monthMs}) WHERE ${acme}`,
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
	{
		name: "a payment by another method",
		sql: ["UPDATE invoice_payments SET method = 'CASH'"],
		finds: "is not what Tollgate wrote",
	},
	{
		name: "a payment of another amount, with the invoice's",
		sql: [
			"UPDATE invoice_payments SET amount = '3' WHERE amount = '2'",
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
			`UPDATE contract_items SET billed_until = billed_until + ${monthMs} WHERE name = 'Fee'`,
			`UPDATE contracts SET next_due_at = next_due_at + ${monthMs}`,
		],
		finds: "is not invoiced as far as it says",
	},
	{
		name: "a cycle that counts as invoiced and is on no invoice",
		sql: [
			`UPDATE contract_items SET billed_until = 1780272000000 WHERE name = 'Fee'`,
			`UPDATE contracts SET next_due_at = 1777593600000`,
			`CREATE TEMP TABLE cycle AS SELECT * FROM contract_billed_cycles WHERE item_id =
			(SELECT id FROM contract_items WHERE name = 'Fee') ORDER BY cycle_start DESC LIMIT 1`,
			"UPDATE cycle SET cycle_start = cycle_end, cycle_end = 1780272000000",
			"INSERT INTO contract_billed_cycles SELECT * FROM cycle",
			`UPDATE contract_items SET billed = json('{"subTotal":"400","discount":"0","tax":"80","total":"480"}') WHERE name = 'Fee'`,
		],
		finds: "subTotal 100 counts as invoiced, its lines make 0",
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
};
