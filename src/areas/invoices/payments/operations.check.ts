import { exact, sum } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { reducedBy } from "../credit-notes/rules";
import { creditNotesOfInvoices } from "../credit-notes/store";
import type { InvoiceRow } from "../table";
import { paidOf } from "./rules";
import { allocationsOfInvoices } from "./store";

/**
 * Checks that `amountPaid` is the sum of the payments. An OPEN invoice must have an amount due, and an invoice that payments settled
 * must have none.
 */
export function checkPayments(
	work: Work,
	rows: ReadonlyArray<Pick<InvoiceRow, "id" | "number" | "state" | "total" | "amountPaid" | "balanceApplied">>,
): string[] {
	const ids = rows.map(({ id }) => id);
	const payments = Map.groupBy(allocationsOfInvoices(work, ids), ({ invoiceId }) => invoiceId);
	const notes = Map.groupBy(creditNotesOfInvoices(work, ids), ({ invoiceId }) => invoiceId);
	return rows.flatMap((invoice) => {
		const { id, number, state, total, amountPaid, balanceApplied } = invoice;
		const made = paidOf(payments.get(id) ?? []);
		if (!made.eq(amountPaid))
			return [`the invoice ${number}: amountPaid is ${amountPaid}, its payments make ${made.toFixed()}`];
		const settled = sum([exact(amountPaid), exact(balanceApplied), reducedBy(notes.get(id) ?? [])]);
		const left = exact(total).minus(settled);
		if (state === "OPEN" && left.lte(0)) return [`the invoice ${number} is OPEN, and nothing of it is due`];
		if (state === "PAID" && made.gt(0) && !left.eq(0))
			return [`the invoice ${number} is PAID, and ${left.toFixed()} of it is not`];
		return [];
	});
}
