import { and, asc, eq, gte } from "drizzle-orm";
import { exact, sum } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { linesByInvoice } from "./operations";
import { lineTotal } from "./rules";
import { type InvoiceLineRow, type InvoiceRow, invoiceSequences, invoices } from "./table";

/** How many invoices are held in memory at once, with their lines. */
const invoicesAtOnceMax = 200;

/**
 * What is wrong with this environment's invoices, a line each: numbers that leave a gap, totals that are not the sums of
 * the lines. Empty when all is well.
 */
export function checkInvoices(work: Work): string[] {
	const { environmentId } = work.actor;
	const findings: string[] = [];
	let expected = 1;
	for (;;) {
		const rows = work.tx
			.select()
			.from(invoices)
			.where(and(eq(invoices.environmentId, environmentId), gte(invoices.sequence, expected)))
			.orderBy(asc(invoices.sequence))
			.limit(invoicesAtOnceMax)
			.all();
		if (rows.length === 0) break;
		const lines = linesByInvoice(work, rows);
		for (const invoice of rows) {
			if (invoice.sequence !== expected) findings.push(`before the invoice ${invoice.number} a number is missing`);
			expected = invoice.sequence + 1;
			findings.push(...checkSums(invoice, lines.get(invoice.id) ?? []));
		}
	}
	const counter = work.tx
		.select()
		.from(invoiceSequences)
		.where(eq(invoiceSequences.environmentId, environmentId))
		.get();
	const last = counter?.last ?? 0;
	if (last !== expected - 1) findings.push(`the last number given is ${last}, the last invoice's is ${expected - 1}`);
	return findings;
}

function checkSums(invoice: InvoiceRow, lines: readonly InvoiceLineRow[]): string[] {
	const sums = [
		["subTotal", invoice.subTotal, lines.map(({ amount }) => exact(amount))],
		["discount", invoice.discount, lines.map(({ discount }) => exact(discount))],
		["tax", invoice.tax, lines.map(({ tax }) => exact(tax))],
		["total", invoice.total, lines.map(lineTotal)],
	] as const;
	return sums.flatMap(([name, stated, parts]) =>
		sum(parts).eq(stated)
			? []
			: [`the invoice ${invoice.number}: ${name} is ${stated}, its lines make ${sum(parts).toFixed()}`],
	);
}
