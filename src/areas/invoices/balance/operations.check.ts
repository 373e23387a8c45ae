import { and, eq, ne, notExists, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { exact, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { creditNotes, invoices } from "../table";
import { allocations, type CustomerBalanceEntryRow, customerBalanceEntries } from "../table.receipts";

/** The number of entries in memory at once. */
const entriesAtOnceMax = 200;

/** The maximum number of documents without an entry that the check names. */
const namedMax = 100;

/**
 * Checks that each balance is the sum of its entries and never below zero. No entry may be missing, in the ledger or for a document
 * that changed a balance.
 */
export const checkBalances = (work: Work): string[] => [...checkEntries(work), ...checkDocuments(work)];

function checkEntries(work: Work): string[] {
	const findings: string[] = [];
	let former: CustomerBalanceEntryRow | undefined;
	for (;;) {
		const rows = readBalanceEntries(work, former);
		if (rows.length === 0) return findings;
		for (const row of rows) {
			const { customerId, currency, sequence, amount, balance } = row;
			const isNext = former?.customerId === customerId && former.currency === currency;
			const before = isNext && former ? former : { sequence: 0, balance: zero };
			const made = exact(before.balance).plus(exact(amount));
			const entry = `entry ${sequence} of the balance of the customer ${customerId} in ${currency}`;
			if (sequence !== before.sequence + 1) findings.push(`before ${entry} one is missing`);
			else if (!made.eq(balance) || made.lt(0))
				findings.push(`${entry} says ${balance}, the entries make ${made.toFixed()}`);
			former = row;
		}
	}
}

/** Checks that the ledger has an entry for the amount that each document added to a balance or took from it. */
function checkDocuments(work: Work): string[] {
	const { tx, actor } = work;
	const { invoiceId, creditNoteId, paymentId, amount } = customerBalanceEntries;
	const without = (document: SQLiteColumn, id: SQLiteColumn, expected: SQL): SQL =>
		notExists(
			tx
				.select({ one: sql`1` })
				.from(customerBalanceEntries)
				.where(and(eq(document, id), sql`${amount} = ${expected}`)),
		);
	const negative = (column: SQLiteColumn): SQL => sql`'-' || ${column}`;
	const ofInvoices = tx
		.select({ number: invoices.number })
		.from(invoices)
		.where(
			and(
				eq(invoices.environmentId, actor.environmentId),
				ne(invoices.balanceApplied, zero),
				without(invoiceId, invoices.id, negative(invoices.balanceApplied)),
			),
		)
		.limit(namedMax)
		.all();
	const ofNotes = tx
		.select({ number: creditNotes.number })
		.from(creditNotes)
		.where(
			and(
				eq(creditNotes.environmentId, actor.environmentId),
				ne(creditNotes.toBalance, zero),
				without(creditNoteId, creditNotes.id, sql`${creditNotes.toBalance}`),
			),
		)
		.limit(namedMax)
		.all();
	const { balancePart, kind } = allocations;
	const ofPayments = tx
		.select({ number: allocations.id })
		.from(allocations)
		.where(
			and(
				eq(allocations.environmentId, actor.environmentId),
				ne(balancePart, zero),
				without(paymentId, allocations.id, sql`iif(${kind} = 'PAYMENT', '', '-') || ${balancePart}`),
			),
		)
		.limit(namedMax)
		.all();
	return [
		...ofInvoices.map(({ number }) => `the invoice ${number} was paid from a balance that gave nothing`),
		...ofNotes.map(({ number }) => `the credit note ${number} gave to a balance that got nothing`),
		...ofPayments.map(({ number }) => `the payment ${number} and the balance do not agree`),
	];
}

/** Reads the entries after a cursor, balance by balance, in the order of the ledger. */
export const readBalanceEntries = (
	{ tx, actor }: Work,
	after: CustomerBalanceEntryRow | undefined,
): CustomerBalanceEntryRow[] => {
	const { environmentId, customerId, currency, sequence } = customerBalanceEntries;
	return tx
		.select()
		.from(customerBalanceEntries)
		.where(
			and(
				eq(environmentId, actor.environmentId),
				after &&
					sql`(${customerId}, ${currency}, ${sequence}) > (${after.customerId}, ${after.currency}, ${after.sequence})`,
			),
		)
		.orderBy(customerId, currency, sequence)
		.limit(entriesAtOnceMax)
		.all();
};
