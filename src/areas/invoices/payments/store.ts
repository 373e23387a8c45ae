import { and, asc, eq, type SQL } from "drizzle-orm";
import { type Page, readTablePage } from "../../../kernel/page";
import { amongIds, idsIn, insertRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { sealOfPayment } from "../rules.seal";
import { type InvoicePaymentRow, invoicePayments } from "../table";
import type { PaymentListQuery } from "./schema";

export const insertPayment = (
	work: Work,
	payment: Omit<InvoicePaymentRow, "id" | "environmentId" | "createdAt" | "seal">,
): InvoicePaymentRow => {
	const row = { ...payment, id: work.newId(), environmentId: work.actor.environmentId, createdAt: work.now };
	return insertRow(work, invoicePayments, { ...row, seal: sealOfPayment(row) });
};

const ofInvoice = ({ actor }: Work, invoiceId: string): SQL | undefined =>
	and(eq(invoicePayments.environmentId, actor.environmentId), eq(invoicePayments.invoiceId, invoiceId));

/** Returns the payments of an invoice, in the order of recording. */
export const paymentsOf = (work: Work, invoiceId: string): InvoicePaymentRow[] =>
	work.tx.select().from(invoicePayments).where(ofInvoice(work, invoiceId)).orderBy(asc(invoicePayments.id)).all();

/** Returns the payments of several invoices, by their row ids. */
export const paymentsOfInvoices = (work: Work, invoiceIds: readonly string[]): InvoicePaymentRow[] =>
	work.prepared(paymentsAmong).all(idsIn(work, invoiceIds));

const paymentsAmong = (tx: Transaction) =>
	tx.select().from(invoicePayments).where(amongIds(invoicePayments.environmentId, invoicePayments.invoiceId)).prepare();

export const selectPayments = (work: Work, ids: readonly string[]): InvoicePaymentRow[] =>
	work.prepared(paymentsOfIds).all(idsIn(work, ids));

const paymentsOfIds = (tx: Transaction) =>
	tx.select().from(invoicePayments).where(amongIds(invoicePayments.environmentId, invoicePayments.id)).prepare();

export const findByReference = (
	work: Work,
	invoiceId: string,
	kind: InvoicePaymentRow["kind"],
	reference: string,
): InvoicePaymentRow | undefined =>
	work.tx
		.select()
		.from(invoicePayments)
		.where(and(ofInvoice(work, invoiceId), eq(invoicePayments.kind, kind), eq(invoicePayments.reference, reference)))
		.get();

export const pagePayments = (work: Work, invoiceId: string, query: PaymentListQuery): Page<InvoicePaymentRow> =>
	readTablePage(work, query, invoicePayments, ofInvoice(work, invoiceId));
