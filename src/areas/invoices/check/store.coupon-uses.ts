import { and, eq, isNull, like, ne, notExists, sql } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import { couponUses } from "../../coupons/table";
import { creditNoteLines, creditNotes, invoiceLines, invoices } from "../table";

/** Documents in memory at once. */
const documentsMax = 500;

const usesCoupon = '%"applicationId":%';

/** Returns documents in force with a line that uses a coupon, of which no use is recorded. */
export function documentsWithoutUses({ tx, actor }: Work): string[] {
	const { environmentId } = actor;
	const recorded = (id: typeof invoices.id | typeof creditNotes.id) =>
		tx
			.select({ one: sql`1` })
			.from(couponUses)
			.where(and(eq(couponUses.environmentId, environmentId), eq(couponUses.documentId, id)));
	const ofInvoices = tx
		.selectDistinct({ id: invoices.id })
		.from(invoices)
		.innerJoin(invoiceLines, eq(invoiceLines.invoiceId, invoices.id))
		.where(
			and(
				...[eq(invoices.environmentId, environmentId), ne(invoices.state, "CANCELED")],
				...[like(invoiceLines.discounts, usesCoupon), notExists(recorded(invoices.id))],
			),
		)
		.limit(documentsMax)
		.all();
	const ofNotes = tx
		.selectDistinct({ id: creditNotes.id })
		.from(creditNotes)
		.innerJoin(creditNoteLines, eq(creditNoteLines.creditNoteId, creditNotes.id))
		.leftJoin(invoices, eq(invoices.id, creditNotes.invoiceId))
		.where(
			and(
				...[eq(creditNotes.environmentId, environmentId), isNull(creditNotes.voidedAt)],
				sql`coalesce(${invoices.state}, '') <> 'CANCELED'`,
				...[like(creditNoteLines.discounts, usesCoupon), notExists(recorded(creditNotes.id))],
			),
		)
		.limit(documentsMax)
		.all();
	return [...ofInvoices, ...ofNotes].map(({ id }) => id);
}
