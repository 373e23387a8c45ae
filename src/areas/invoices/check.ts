import { asc, eq } from "drizzle-orm";
import { exact, sum } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { linesByInvoice } from "./operations";
import { type InvoiceRow, invoices } from "./table";

/** How many invoices are held in memory at once. */
const invoicesAtOnce = 500;

/**
 * What is wrong with this environment's invoices, a line each: totals that are not the sums of the lines, and numbers that
 * leave a gap. Empty when all is well.
 */
export function checkInvoices(work: Work): string[] {
	const rows = work.tx
		.select()
		.from(invoices)
		.where(eq(invoices.environmentId, work.actor.environmentId))
		.orderBy(asc(invoices.sequence))
		.all();
	const findings = rows.flatMap(({ number, sequence }, at) =>
		sequence === at + 1 ? [] : [`invoice ${number} is number ${sequence} in line ${at + 1}: a number is missing`],
	);
	for (let from = 0; from < rows.length; from += invoicesAtOnce)
		findings.push(...checkSums(work, rows.slice(from, from + invoicesAtOnce)));
	return findings;
}

function checkSums(work: Work, rows: readonly InvoiceRow[]): string[] {
	const lines = linesByInvoice(work, rows);
	return rows.flatMap((invoice) => {
		const own = lines.get(invoice.id) ?? [];
		const parts = [
			["subTotal", invoice.subTotal, own.map(({ amount }) => exact(amount))],
			["discount", invoice.discount, own.map(({ discount }) => exact(discount))],
			["tax", invoice.tax, own.map(({ tax }) => exact(tax))],
			["total", invoice.total, own.map(({ total }) => exact(total))],
		] as const;
		return parts.flatMap(([name, stated, summands]) =>
			sum(summands).eq(stated)
				? []
				: [`invoice ${invoice.number}: ${name} is ${stated}, its lines sum up to ${sum(summands).toFixed()}`],
		);
	});
}
