import { and, eq, ne, notExists, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { exact, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { type CustomerBalanceEntryRow, creditNotes, customerBalanceEntries, invoicePayments, invoices } from "../table";

/** How many entries are held in memory at once. */
const entriesAtOnceMax = 200;

/** So many documents without their entry are named; more say nothing more. */
const namedMax = 100;

/**
 * A balance is the sum of its entries, never below zero, and none is missing: neither among them, nor of a document that
 * gave something to a balance or took it.
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

/** What each document gave or took, as it says itself, stands in the ledger. */
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
	const { balancePart, kind } = invoicePayments;
	const ofPayments = tx
		.select({ number: invoicePayments.id })
		.from(invoicePayments)
		.where(
			and(
				eq(invoicePayments.environmentId, actor.environmentId),
				ne(balancePart, zero),
				without(paymentId, invoicePayments.id, sql`iif(${kind} = 'REFUND', '-', '') || ${balancePart}`),
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

/** Each balance by itself, in the order of its entries; those after one. */
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
